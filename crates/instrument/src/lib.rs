//! Turns linked bitcode into an instrumented executable and its site map.
//!
//! The pipeline is [`build`]: combine with the library models, promote to SSA, rewrite every function, emit the tables, generate code
//! and link with the runtime. The LLVM verifier runs on every part. LLVM lives here and in `compile` alone.

mod calls;
mod function;
mod ir;
mod module;
mod record;
mod rules;
mod tracking;

use calls::variadic;
use covet_abi::check::{Check, Checks};
use covet_cache::Cache;
use covet_settings::Signature;
use covet_sites::SiteMap;
use covet_source::Toolchain;
use inkwell::OptimizationLevel;
use inkwell::context::Context;
use inkwell::module::Module;
use inkwell::targets::TargetMachine;
use module::numbering::{self, Numbering};
use module::{combine, generate, link, promote, red_zones, replaced, tables};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tracking::guards::Guards;

pub use record::record;

/// How to build.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Whose clang links, and by when all must be done.
    pub toolchain: Toolchain,
    /// Flags for the linker: libraries of the program.
    pub link_flags: Vec<String>,
    /// Functions of libraries that are terms, besides those of C's mathematics.
    pub pure: Vec<Signature>,
    /// Of the checks that cost something, those to make.
    pub checks: Checks,
    /// Count the condition vectors of decisions.
    pub vectors: bool,
    /// The folder of the project, from which ids name files.
    pub root: PathBuf,
    /// Also write the instrumented module as text, for people to read.
    pub keep_text: bool,
    /// Parts of the program whose code is generated at a time.
    pub jobs: usize,
    /// Where code that was generated before is looked for.
    pub cache: Option<Cache>,
}

/// What came out.
#[derive(Clone, Debug)]
pub struct Built {
    pub executable: PathBuf,
    pub map: SiteMap,
    /// The instrumented module as text, when asked for.
    pub text: Option<PathBuf>,
    pub times: Times,
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
    #[error(transparent)]
    Cache(#[from] covet_cache::Error),
    #[error("there was no time left to generate code; give more with `--time`")]
    Cut,
}

/// How long each step took.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Times {
    /// Rewriting the module, with everything before.
    pub rewrite: Duration,
    /// Generating code.
    pub generate: Duration,
    pub link: Duration,
    /// Parts of the program whose code is generated apart, and how many of them were generated before.
    pub parts: usize,
    pub known: usize,
}

/// Instruments `user` (bitcode) together with `models`, into `folder`.
pub fn build(user: &Path, models: &Path, folder: &Path, options: &Options) -> Result<Built, Error> {
    // LLVM goes down into expressions.
    let work = || instrumented(user, models, folder, options);
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(generate::STACK).spawn_scoped(scope, work);
        let thread = thread.map_err(|error| Error::Target(format!("no thread can be started: {error}")))?;
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

fn instrumented(user: &Path, models: &Path, folder: &Path, options: &Options) -> Result<Built, Error> {
    let mut times = Times::default();
    let mut began = Instant::now();
    let lap = |began: &mut Instant| std::mem::replace(began, Instant::now()).elapsed();
    let context = Context::create();
    let module = combine::combine(&context, user, models)?;
    let machine = link::machine(&module.get_triple(), OptimizationLevel::Less)?;
    let map = rewrite(&module, &machine, options)?;
    let text = options.keep_text.then(|| folder.join("instrumented.ll"));
    if let Some(path) = &text {
        module.print_to_file(path).map_err(|message| unwritten(path, message.to_string()))?;
    }
    times.rewrite = lap(&mut began);

    let executable = folder.join("program");
    let objects = generate::objects(&module, &machine, folder, options)?;
    times.generate = lap(&mut began);
    (times.parts, times.known) = (objects.files.len(), objects.known);
    link::executable(&objects.files, &executable, options)?;
    times.link = lap(&mut began);
    let ours = objects.files.iter().filter(|object| object.starts_with(folder));
    ours.for_each(|object| drop(std::fs::remove_file(object)));
    let path = folder.join("sites.json");
    map.write(&path).map_err(|reason| unwritten(&path, reason.to_string()))?;
    Ok(Built { executable, map, text, times })
}

/// Rewrites every function of the module and adds the tables.
fn rewrite(module: &Module, machine: &TargetMachine, options: &Options) -> Result<SiteMap, Error> {
    let (handle, layout) = (ir::Module::of(module), machine.get_target_data());
    let emit = ir::Emit::new(handle);
    let switches = replaced::replace(handle, &emit)?;
    let places = numbering::places(handle);
    promote::promote(module, machine, options.checks)?;

    let grown = red_zones::globals(handle, &emit, &layout);
    let mut numbering = Numbering::new(handle, &emit, grown, places);
    numbering.pure = options.pure.clone();
    numbering.seeks_undefined = options.checks.contains(Check::Uninitialised);
    if options.vectors {
        numbering.count_vectors(&emit);
    }
    let shared = variadic::Shared::define(handle, &emit);
    let functions = numbering.values.clone();
    for function in &functions {
        in_time(options)?;
        function::prepare(*function, &mut numbering, &emit, &layout);
    }
    numbering.number_vectors();
    promote::run(module, machine, "function(reg2mem)")?;
    let mut guards = Guards::new(handle, emit);
    for function in functions {
        in_time(options)?;
        function::rewrite(function, &mut numbering, &mut guards, &layout, &shared);
    }
    tables::emit(handle, &guards.emit, &mut numbering, switches, &layout);
    Ok(numbering.into_map(&options.root))
}

fn in_time(options: &Options) -> Result<(), Error> {
    if options.toolchain.deadline().is_over() { Err(Error::Cut) } else { Ok(()) }
}

fn unwritten(path: &Path, reason: String) -> Error {
    Error::Write { path: path.to_owned(), reason }
}
