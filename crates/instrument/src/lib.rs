//! Turns linked bitcode into an instrumented executable and its site map.
//!
//! The pipeline is [`build`]: combine with the library models, promote to SSA, rewrite every function, emit the tables, generate code
//! and link with the runtime. The LLVM verifier runs after rewriting and after inlining. LLVM lives here and in `compile` alone.

mod address;
mod aggregates;
mod arithmetic;
mod bounds;
mod calls;
mod casts;
mod combine;
mod compare;
mod control;
mod copies;
mod edges;
mod emit;
mod function;
mod guards;
mod hooks;
mod intrinsics;
mod ir;
mod library;
mod markers;
mod marking;
mod memory;
mod memory_intrinsics;
mod numbering;
mod promote;
mod red_zones;
mod replaced;
mod shadow;
mod slots;
mod split;
mod tables;
mod undefined;
mod variadic;
mod wide_intrinsics;

use covet_abi::check::{Check, Checks};
use covet_abi::symbols::{OURS, USER_MAIN};
use covet_settings::Signature;
use covet_sites::SiteMap;
use inkwell::context::Context;
use inkwell::llvm_sys::core::LLVMGetModuleContext;
use std::path::{Path, PathBuf};

/// How to build.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Flags for the linker: libraries of the program.
    pub link_flags: Vec<String>,
    /// Functions of libraries that are terms, besides those of C's mathematics.
    pub pure: Vec<Signature>,
    /// Of the checks that cost something, those to make.
    pub checks: Checks,
    /// The folder of the project, from which ids name files.
    pub root: PathBuf,
    /// Also write the instrumented module as text, for people to read.
    pub keep_text: bool,
}

/// What came out.
#[derive(Clone, Debug)]
pub struct Built {
    pub executable: PathBuf,
    pub map: SiteMap,
    /// The instrumented module as text, when asked for.
    pub text: Option<PathBuf>,
}

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{}: not readable as bitcode: {reason}", path.display())]
    Bitcode { path: PathBuf, reason: String },
    #[error("the program and the library models do not link: {0}")]
    Link(String),
    #[error("no code can be generated: {0}")]
    Target(String),
    #[error("an LLVM pass failed: {0}")]
    Passes(String),
    #[error("the module is broken after {stage} (please report this): {reason}")]
    Broken { stage: &'static str, reason: String },
    #[error("{}: cannot be written: {reason}", path.display())]
    Write { path: PathBuf, reason: String },
    #[error(
        "the instrumented program does not link; pass the libraries it needs after `--` (for example `-lfoo`):\n{0}"
    )]
    Linker(String),
}

/// Instruments `user` (bitcode) together with `models`, into `folder`.
pub fn build(user: &Path, models: &Path, folder: &Path, options: &Options) -> Result<Built, Error> {
    let context = Context::create();
    let module = combine::combine(&context, user, models)?;
    let machine = emit::machine(&module)?;
    let raw = module.as_mut_ptr();
    let emitter = ir::Emit::new(unsafe { LLVMGetModuleContext(raw) });
    replaced::replace(raw, &emitter)?;
    let places = numbering::places(raw);
    promote::promote(&module, &machine, options.checks)?;

    let layout = machine.get_target_data();
    let ours: std::collections::HashSet<String> = combine::functions(raw)
        .into_iter()
        .filter(|function| combine::is_ours(*function))
        .map(ir::Value::name)
        .collect();
    let is_model = |name: &str| ours.contains(name) || name.starts_with(OURS) && name != USER_MAIN;
    let grown = red_zones::globals(raw, &emitter, &layout);
    let mut numbering = numbering::Numbering::new(raw, &emitter, grown, places, is_model);
    numbering.pure = options.pure.clone();
    numbering.seeks_undefined = options.checks.contains(Check::Uninitialised);
    let shared = variadic::Shared::define(raw, &emitter);
    let functions = numbering.values.clone();
    for function in &functions {
        function::prepare(*function, &mut numbering, &emitter, &layout);
    }
    promote::run(&module, &machine, "function(reg2mem)")?;
    let mut guards = guards::Guards::new(raw, emitter);
    for function in functions {
        function::rewrite(function, &mut numbering, &mut guards, &layout, &shared);
    }
    tables::emit(raw, &guards.emit, &mut numbering, &layout);
    drop(guards);
    let text = options.keep_text.then(|| folder.join("instrumented.ll"));
    if let Some(path) = &text {
        module
            .print_to_file(path)
            .map_err(|message| Error::Write { path: path.clone(), reason: message.to_string() })?;
    }
    emit::verify(&module, "rewriting")?;

    let object = folder.join("program.o");
    let executable = folder.join("program");
    emit::object(&module, &machine, &object)?;
    emit::executable(&object, &executable, &options.link_flags)?;
    let map = numbering.into_map(&options.root);
    let path = folder.join("sites.json");
    map.write(&path).map_err(|reason| Error::Write { path, reason: reason.to_string() })?;
    Ok(Built { executable, map, text })
}
