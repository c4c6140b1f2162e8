//! Declares the runtime's hooks and shared variables in a module, from the one list in `abi`.

use crate::ir::{Emit, Type, Value, c_string};
use covet_abi::hooks::{ARGUMENT_SLOTS, RESULT_SLOTS};
use covet_abi::symbols;
use inkwell::llvm_sys::LLVMLinkage;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::LLVMModuleRef;

macro_rules! declare {
    ($($name:ident($($argument:ident: $ty:ident),*) -> $result:ident;)*) => {
        /// Every hook as a function of the module.
        #[derive(Clone, Copy)]
        pub struct Hooks {
            $(pub $name: Value,)*
            pub arguments: Value,
            pub arguments_for: Value,
            pub results: Value,
            pub objects: Value,
            pub object_top: Value,
        }

        impl Hooks {
            pub fn declare(module: LLVMModuleRef, emit: &Emit) -> Hooks {
                Hooks {
                    $($name: function(module, emit, stringify!($name), &[$(stringify!($ty)),*], stringify!($result)),)*
                    arguments: variable(module, symbols::ARGUMENTS, Type(unsafe { LLVMArrayType2(emit.i32.0, ARGUMENT_SLOTS as u64) })),
                    arguments_for: variable(module, symbols::ARGUMENTS_FOR, emit.ptr),
                    results: variable(module, symbols::RESULTS, Type(unsafe { LLVMArrayType2(emit.i32.0, RESULT_SLOTS as u64) })),
                    objects: variable(module, symbols::OBJECTS, Type(unsafe { LLVMArrayType2(emit.i64.0, 2) })),
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

fn function(module: LLVMModuleRef, emit: &Emit, name: &str, parameters: &[&str], result: &str) -> Value {
    let mut parameters: Vec<_> = parameters.iter().map(|p| scalar(emit, p).0).collect();
    let name = c_string(&format!("{}{name}", symbols::OURS));
    unsafe {
        // The models call some hooks by name; keep their declaration.
        let known = LLVMGetNamedFunction(module, name.as_ptr());
        if !known.is_null() {
            return Value(known);
        }
        let ty = LLVMFunctionType(scalar(emit, result).0, parameters.as_mut_ptr(), parameters.len() as u32, 0);
        let hook = Value(LLVMAddFunction(module, name.as_ptr(), ty));
        hook.add_attribute(emit.context, "cold");
        hook.add_attribute(emit.context, "nounwind");
        hook
    }
}

fn variable(module: LLVMModuleRef, name: &str, ty: Type) -> Value {
    let name = c_string(name);
    unsafe {
        let known = LLVMGetNamedGlobal(module, name.as_ptr());
        if !known.is_null() {
            return Value(known);
        }
        let global = LLVMAddGlobal(module, ty.0, name.as_ptr());
        LLVMSetLinkage(global, LLVMLinkage::LLVMExternalLinkage);
        Value(global)
    }
}
