//! The rewritten module → object files, one for each of its parts, on all processors.
//!
//! This thread takes the module apart; others turn each part, as bitcode, into code while it goes on.

use crate::ir::LLVMLinkage;
use crate::module::link::{machine, verify};
use crate::module::parts::{self, Plan};
use crate::module::promote;
use crate::{Error, Options, ir};
use covet_cache::Key;
use inkwell::OptimizationLevel;
use inkwell::context::Context;
use inkwell::module::Module;
use inkwell::targets::{FileType, TargetMachine, TargetTriple};
use std::cell::Cell;
use std::ffi::CStr;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, mpsc};

/// Bytes of stack for a thread: LLVM goes down into expressions.
pub const STACK: usize = 256 << 20;

/// Object files of all parts.
#[derive(Debug, Default)]
pub struct Objects {
    pub files: Vec<PathBuf>,
    /// How many of them were generated before.
    pub known: usize,
}

/// A part to generate code of.
struct Part {
    number: usize,
    bitcode: Vec<u8>,
    level: OptimizationLevel,
}

/// Generates code for all of `module`, into `folder`.
pub fn objects(module: &Module, target: &TargetMachine, folder: &Path, options: &Options) -> Result<Objects, Error> {
    let triple = module.get_triple().as_str().to_string_lossy().into_owned();
    let (sender, receiver) = mpsc::channel::<Part>();
    let receiver = Mutex::new(receiver);
    let next = || receiver.lock().expect("no thread panics with it").recv().ok();
    let work = || -> Result<Vec<(usize, Object)>, Error> {
        let mut done = Vec::new();
        while let Some(part) = next() {
            let object = folder.join(format!("{}.o", part.number));
            done.push((part.number, generate(&part, &TargetTriple::create(&triple), &object, options)?));
        }
        Ok(done)
    };
    let done = std::thread::scope(|scope| {
        let start = |_| std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        let threads: Vec<_> = (0..options.jobs.max(1)).map(start).collect();
        let taken_apart = take_apart(module, target, sender);
        let mut done = Vec::new();
        for thread in threads {
            let thread = thread.map_err(|error| Error::Target(format!("no thread can be started: {error}")))?;
            done.extend(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?);
        }
        taken_apart.map(|()| done)
    });
    let mut done = done?;
    done.sort_by_key(|(number, _)| *number);
    let known = done.iter().filter(|(_, object)| object.is_known).count();
    Ok(Objects { files: done.into_iter().map(|(_, object)| object.file).collect(), known })
}

/// Sends each part on its way; the module is the last one.
fn take_apart(module: &Module, target: &TargetMachine, sender: mpsc::Sender<Part>) -> Result<(), Error> {
    let whole = ir::Module::of(module);
    let Plan { guards, groups } = parts::plan(whole);
    whole.discard_names();
    let mut number = 0;
    let mut send = |bitcode: Vec<u8>, level: OptimizationLevel| {
        // Nobody takes it when there is an error: that of the others is told.
        let _ = sender.send(Part { number, bitcode, level });
        number += 1;
    };
    for group in &groups {
        let level = if group.is_quick { OptimizationLevel::None } else { OptimizationLevel::Less };
        send(whole.part(&group.functions, &guards.functions), level);
    }
    if !guards.functions.is_empty() {
        send(whole.part(&guards.functions, &[]), OptimizationLevel::Less);
    }
    groups.iter().flat_map(|group| &group.functions).for_each(|function| function.delete_body());
    for guard in &guards.functions {
        guard.set_linkage(LLVMLinkage::LLVMAvailableExternallyLinkage);
    }
    promote::run(module, target, "globaldce")?;
    send(whole.bitcode(), OptimizationLevel::Less);
    Ok(())
}

/// The code of a part.
struct Object {
    file: PathBuf,
    is_known: bool,
}

/// The code of a part: from the cache, or else in the file `object`.
fn generate(part: &Part, triple: &TargetTriple, object: &Path, options: &Options) -> Result<Object, Error> {
    if options.toolchain.deadline().is_over() {
        return Err(Error::Cut);
    }
    let Some(cache) = &options.cache else {
        write(part, triple, object)?;
        return Ok(Object { file: object.to_owned(), is_known: false });
    };
    let key =
        Key::new("code").with_all(ir::CODE_OPTIONS.map(CStr::to_bytes)).with(&[part.level as u8]).with(&part.bitcode);
    let is_known = Cell::new(true);
    let file = cache.file(&key, "o", |path| {
        is_known.set(false);
        write(part, triple, path)
    })?;
    Ok(Object { file, is_known: is_known.get() })
}

/// Inlines the guards that are to be, and generates code.
fn write(part: &Part, triple: &TargetTriple, object: &Path) -> Result<(), Error> {
    let context = Context::create();
    let machine = machine(triple, part.level)?;
    let module = ir::read(&context, &part.bitcode).map_err(Error::Link)?;
    verify(&module, "rewriting")?;
    // Slots first, while guards are calls: the blocks that inlining makes would be many times more to search.
    promote::run(&module, &machine, "function(mem2reg),always-inline,elim-avail-extern")?;
    machine
        .write_to_file(&module, FileType::Object, object)
        .map_err(|message| Error::Write { path: object.to_owned(), reason: message.to_string() })
}
