//! The rewritten module → object files, one for each of its parts, on all processors.

use crate::module::link::{machine, verify};
use crate::module::parts::{self, Part};
use crate::module::promote;
use crate::{Error, Options, ir};
use covet_cache::Key;
use inkwell::OptimizationLevel;
use inkwell::context::Context;
use inkwell::module::Module;
use inkwell::targets::{FileType, TargetMachine, TargetTriple};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Bytes of stack for a thread: LLVM goes down into expressions.
pub const STACK: usize = 256 << 20;

/// Generates code for all of `module`, into `folder`.
pub fn objects(module: &Module, folder: &Path, options: &Options) -> Result<Vec<PathBuf>, Error> {
    let mut parts = parts::plan(ir::Module::of(module));
    // The largest first: nobody waits for it in the end.
    parts.sort_by_key(|part| std::cmp::Reverse(part.weight));
    let bitcode = module.write_bitcode_to_memory();
    let bitcode = bitcode.as_slice();
    let triple = module.get_triple().as_str().to_string_lossy().into_owned();
    let next = AtomicUsize::new(0);
    let done: Mutex<Result<Vec<(usize, PathBuf)>, Error>> = Mutex::new(Ok(Vec::new()));
    let work = || {
        while let Some((number, part)) = take(&next, &parts) {
            let object = folder.join(format!("{number}.o"));
            let result = generate(part, &TargetTriple::create(&triple), bitcode, &object, options);
            let mut done = done.lock().expect("no thread panics with it");
            match (&mut *done, result) {
                (Ok(objects), Ok(object)) => objects.push((number, object)),
                (Ok(_), Err(error)) => *done = Err(error),
                (Err(_), _) => return,
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..options.jobs.clamp(1, parts.len()) {
            std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work).expect("threads can be started");
        }
    });
    let mut objects = done.into_inner().expect("all threads have ended")?;
    objects.sort();
    Ok(objects.into_iter().map(|(_, object)| object).collect())
}

fn take<'p>(next: &AtomicUsize, parts: &'p [Part]) -> Option<(usize, &'p Part)> {
    let number = next.fetch_add(1, Ordering::Relaxed);
    Some((number, parts.get(number)?))
}

/// The code of a part: from the cache, or else in the file `object`.
fn generate(
    part: &Part,
    triple: &TargetTriple,
    bitcode: &[u8],
    object: &Path,
    options: &Options,
) -> Result<PathBuf, Error> {
    if options.toolchain.deadline().is_over() {
        return Err(Error::Cut);
    }
    let context = Context::create();
    // At `-O1`, which runs five times faster than `-O0` after rewriting.
    let level = if part.is_quick { OptimizationLevel::None } else { OptimizationLevel::Less };
    let machine = machine(triple, level)?;
    let module = part.extract(&context, bitcode, &machine)?;
    let Some(cache) = &options.cache else {
        return write(&module, &machine, object).map(|()| object.to_owned());
    };
    let key = Key::new("code").with(&[level as u8]).with(module.write_bitcode_to_memory().as_slice());
    cache.file(&key, "o", |path| write(&module, &machine, path))
}

/// Inlines the guards that are to be, and generates code.
fn write(module: &Module, machine: &TargetMachine, object: &Path) -> Result<(), Error> {
    verify(module, "rewriting")?;
    // Slots first, while guards are calls: the blocks that inlining makes would be many times more to search.
    promote::run(module, machine, "function(mem2reg),always-inline,elim-avail-extern")?;
    verify(module, "inlining the guards")?;
    machine
        .write_to_file(module, FileType::Object, object)
        .map_err(|message| Error::Write { path: object.to_owned(), reason: message.to_string() })
}
