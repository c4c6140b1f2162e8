//! Bitcode of one unit → the same, recording its calls: a light instrumentation, for the program as its users run it.
//!
//! ```text
//! int f(char *p, int n) { char b[8]; g(b); ... return n; }
//!   entry:  args = {p, n}; locals = {&b};  __covet_profile_enter(&about_f, args, locals)
//!   before each return:                    __covet_profile_leave(&about_f)
//!   calls of malloc, free, ...:            __covet_profile_malloc, ...
//! ```
//!
//! What the hooks do is in `covet-profile`, whose runtime is linked into every unit: it is weak, so a program has it once. Nothing is
//! tracked and nothing is promoted: the code is optimised afterwards as the user wants it.

mod hooks;
mod tables;

use crate::ir::{self, LLVMLinkage, Value};
use crate::module::generate::STACK;
use crate::module::{combine, link};
use crate::{Error, unwritten};
use inkwell::OptimizationLevel;
use inkwell::context::Context;
use inkwell::module::Module;
use std::path::Path;

/// Functions of the C library that bring and take memory: the runtime has one of each.
const MEMORY: [&str; 9] =
    ["malloc", "calloc", "realloc", "reallocarray", "free", "aligned_alloc", "posix_memalign", "strdup", "strndup"];

/// Makes the unit in the bitcode `unit` record its calls, with the bitcode `runtime`, and writes it to `out`. Returns how many functions do.
pub fn record(unit: &Path, runtime: &Path, out: &Path) -> Result<usize, Error> {
    // LLVM goes down into expressions.
    std::thread::scope(|scope| {
        let work = || recorded(unit, runtime, out);
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        let thread = thread.map_err(|error| Error::Target(format!("no thread can be started: {error}")))?;
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

fn recorded(unit: &Path, runtime: &Path, out: &Path) -> Result<usize, Error> {
    let context = Context::create();
    let module = combine::read(&context, unit)?;
    let count = rewrite(&module)?;
    let runtime = combine::read(&context, runtime)?;
    module.link_in_module(runtime).map_err(|message| Error::Link(message.to_string()))?;
    link::verify(&module, "recording")?;
    match module.write_bitcode_to_path(out) {
        true => Ok(count),
        false => Err(unwritten(out, "the bitcode could not be written".to_string())),
    }
}

fn rewrite(module: &Module) -> Result<usize, Error> {
    let machine = link::machine(&module.get_triple(), OptimizationLevel::None)?;
    let layout = machine.get_target_data();
    if layout.get_pointer_byte_size(None) != 8 {
        return Err(Error::Target("only programs of 64 bits are recorded".to_string()));
    }
    let handle = ir::Module::of(module);
    let emit = ir::Emit::new(handle);
    let functions: Vec<Value> = handle.functions().into_iter().filter(|function| is_recorded(*function)).collect();
    // What a resolver does happens before anything of ours can be called.
    if handle.has_chosen_functions() {
        return Ok(0);
    }
    let hooks = hooks::Hooks::declare(handle, &emit);
    let mut tables = tables::Tables::new(handle, &emit, &layout);
    tables.globals();
    for function in &functions {
        let frame = hooks::Frame::of(*function, &layout);
        let about = tables.about(*function, &frame);
        hooks.add(&emit, *function, about, &frame);
        // Frames tell which calls are over: each function has its own.
        if !function.has_attribute("alwaysinline") {
            function.add_attribute("noinline");
        }
    }
    tables.finish(&functions);
    handle.functions().into_iter().for_each(redirect);
    Ok(functions.len())
}

/// Those that this unit really has.
fn is_recorded(function: Value) -> bool {
    !function.is_declaration()
        && function.linkage() != LLVMLinkage::LLVMAvailableExternallyLinkage
        && !function.has_attribute("naked")
        && !function.name().starts_with("llvm.")
}

fn redirect(function: Value) {
    let name = function.name();
    if function.is_declaration() && MEMORY.contains(&name.as_str()) {
        function.set_name(&format!("__covet_profile_{name}"));
    }
}
