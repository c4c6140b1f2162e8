//! From the rewritten module to an executable: inline the guards, generate code, link with the runtime.

use crate::ir::{self, LLVMOpcode};
use crate::module::promote;
use crate::{Error, Options};
use inkwell::OptimizationLevel;
use inkwell::module::Module;
use inkwell::targets::{CodeModel, FileType, InitializationConfig, RelocMode, Target, TargetMachine};
use std::path::Path;
use std::process::Command;

/// The runtime, built by this crate's build script.
static RUNTIME: &[u8] = include_bytes!(env!("COVET_RUNTIME"));

/// The machine we generate code for: this one, at `-O1` (five times faster code than `-O0` after rewriting).
pub fn machine(module: &Module) -> Result<TargetMachine, Error> {
    Target::initialize_native(&InitializationConfig::default()).map_err(Error::Target)?;
    let triple = module.get_triple();
    let target = Target::from_triple(&triple).map_err(|message| Error::Target(message.to_string()))?;
    target
        .create_target_machine(&triple, "x86-64", "", OptimizationLevel::Less, RelocMode::PIC, CodeModel::Default)
        .ok_or_else(|| Error::Target(format!("no code generator for {}", triple.as_str().to_string_lossy())))
}

pub fn verify(module: &Module, stage: &'static str) -> Result<(), Error> {
    module.verify().map_err(|message| Error::Broken { stage, reason: message.to_string() })
}

/// Blocks times slots above which a function keeps its slots in memory, as plain `-O0` code does. Making registers of them takes time
/// and phis in the order of that product: a state machine of 800 lines took a minute by itself.
const MOST_SLOT_BLOCKS: usize = 400_000;

fn spare_giant_functions(module: &Module) {
    for function in ir::Module::of(module).functions() {
        let blocks = function.blocks();
        let Some(entry) = blocks.first() else { continue };
        let slots = entry.instructions().iter().filter(|i| i.opcode() == LLVMOpcode::LLVMAlloca).count();
        if blocks.len() * slots > MOST_SLOT_BLOCKS {
            function.add_attribute("noinline");
            function.add_attribute("optnone");
        }
    }
}

pub fn object(module: &Module, machine: &TargetMachine, path: &Path) -> Result<(), Error> {
    spare_giant_functions(module);
    // Slots first, while guards are calls: the blocks that inlining makes would be many times more to search.
    promote::run(module, machine, "function(mem2reg),always-inline")?;
    verify(module, "inlining the guards")?;
    machine
        .write_to_file(module, FileType::Object, path)
        .map_err(|message| Error::Write { path: path.to_owned(), reason: message.to_string() })
}

pub fn executable(object: &Path, path: &Path, options: &Options) -> Result<(), Error> {
    let archive = path.with_extension("runtime.a");
    std::fs::write(&archive, RUNTIME)
        .map_err(|reason| Error::Write { path: archive.clone(), reason: reason.to_string() })?;
    let clang = options.toolchain.program("clang");
    let mut command = Command::new(&clang);
    command.arg("-o").arg(path).arg(object).arg(&archive).args(&options.link_flags);
    command.args(["-lm", "-lpthread", "-ldl"]);
    let output = options.toolchain.run(command).map_err(|reason| Error::Linker(reason.to_string()))?;
    let _ = std::fs::remove_file(&archive);
    if output.status.success() {
        Ok(())
    } else {
        Err(Error::Linker(String::from_utf8_lossy(&output.stderr).into_owned()))
    }
}
