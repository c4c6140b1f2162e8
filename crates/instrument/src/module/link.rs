//! Object files → an executable, linked with the runtime; and the machine that all is for.

use crate::{Error, Options, ir};
use inkwell::OptimizationLevel;
use inkwell::module::Module;
use inkwell::targets::{CodeModel, InitializationConfig, RelocMode, Target, TargetMachine, TargetTriple};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The runtime, built by this crate's build script.
static RUNTIME: &[u8] = include_bytes!(env!("COVET_RUNTIME"));

/// The machine we generate code for: this one.
pub fn machine(triple: &TargetTriple, level: OptimizationLevel) -> Result<TargetMachine, Error> {
    Target::initialize_native(&InitializationConfig::default()).map_err(Error::Target)?;
    ir::set_code_options();
    let target = Target::from_triple(triple).map_err(|message| Error::Target(message.to_string()))?;
    target
        .create_target_machine(triple, "x86-64", "", level, RelocMode::PIC, CodeModel::Default)
        .ok_or_else(|| Error::Target(format!("no code generator for {}", triple.as_str().to_string_lossy())))
}

pub fn verify(module: &Module, stage: &'static str) -> Result<(), Error> {
    module.verify().map_err(|message| Error::Broken { stage, reason: message.to_string() })
}

pub fn executable(objects: &[PathBuf], path: &Path, options: &Options) -> Result<(), Error> {
    let archive = path.with_extension("runtime.a");
    std::fs::write(&archive, RUNTIME)
        .map_err(|reason| Error::Write { path: archive.clone(), reason: reason.to_string() })?;
    let clang = options.toolchain.program("clang");
    let mut command = Command::new(&clang);
    command.arg("-o").arg(path).args(objects).arg(&archive).args(&options.link_flags);
    command.args(["-lm", "-lpthread", "-ldl"]);
    let output = options.toolchain.run(command).map_err(|reason| Error::Linker(reason.to_string()))?;
    let _ = std::fs::remove_file(&archive);
    if output.status.success() {
        Ok(())
    } else {
        Err(Error::Linker(String::from_utf8_lossy(&output.stderr).into_owned()))
    }
}
