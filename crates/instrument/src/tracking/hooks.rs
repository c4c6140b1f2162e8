//! Declares the runtime's hooks and shared variables in a module, from the one list in `abi`.

use crate::ir::{Emit, Module, Type, Value};
use covet_abi::hooks::{ARGUMENT_SLOTS, RESULT_SLOTS};
use covet_abi::symbols;

macro_rules! declare {
    ($($name:ident($($argument:ident: $ty:ident),*) -> $result:ident;)*) => {
        /// Every hook as a function of the module.
        #[derive(Clone, Copy)]
        pub struct Hooks {
            $(pub $name: Value,)*
            pub arguments: Value,
            pub arguments_for: Value,
            pub results: Value,
            pub logs: Value,
            pub objects: Value,
            pub object_top: Value,
        }

        impl Hooks {
            pub fn declare(module: Module, emit: &Emit) -> Hooks {
                Hooks {
                    $($name: function(module, emit, stringify!($name), &[$(stringify!($ty)),*], stringify!($result)),)*
                    arguments: variable(module, symbols::ARGUMENTS, emit.i32.array(ARGUMENT_SLOTS as u64)),
                    arguments_for: variable(module, symbols::ARGUMENTS_FOR, emit.ptr),
                    results: variable(module, symbols::RESULTS, emit.i32.array(RESULT_SLOTS as u64)),
                    logs: variable(module, symbols::LOGS, emit.i64),
                    objects: variable(module, symbols::OBJECTS, emit.i64.array(2)),
                    object_top: variable(module, symbols::OBJECT_TOP, emit.i64),
                }
            }
        }
    };
}

covet_abi::hooks!(declare);

fn scalar(emit: &Emit, name: &str) -> Type {
    match name {
        "u32" => emit.i32,
        "u64" => emit.i64,
        other => unreachable!("hooks take u32 and u64 only, not {other}"),
    }
}

fn function(module: Module, emit: &Emit, name: &str, parameters: &[&str], result: &str) -> Value {
    let name = format!("{}{name}", symbols::OURS);
    // The models call some hooks by name; keep their declaration.
    module.function(&name).unwrap_or_else(|| {
        let parameters: Vec<Type> = parameters.iter().map(|parameter| scalar(emit, parameter)).collect();
        let hook = module.add_function(&name, &parameters, scalar(emit, result));
        hook.add_attribute("cold");
        hook.add_attribute("nounwind");
        hook
    })
}

fn variable(module: Module, name: &str, ty: Type) -> Value {
    module.global(name).unwrap_or_else(|| module.add_global(name, ty))
}
