//! Calls of a compiler → the same calls, and then their objects once more, so that they record their calls.
//!
//! The compiler that the build asked for has done its work first, with its messages, its dependencies and its exit code. Only then is the
//! object that it wrote replaced by ours: clang's bitcode of the same source, instrumented, and clang's code of that. Where anything of it
//! fails, the compiler's own object stays, and the build never knows.

mod call;

pub use call::{CompilerCall, Product};

use crate::Failure;
use covet_source::{TOLERANT_FLAGS, Toolchain, Translation};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What objects are made to record with.
#[derive(Clone, Debug)]
pub struct Recording {
    toolchain: Toolchain,
    /// The runtime as bitcode.
    runtime: PathBuf,
}

const RUNTIME: &str = "runtime.bc";

impl Recording {
    /// Compiles the runtime into `folder`.
    pub fn prepare(toolchain: &Toolchain, folder: &Path) -> Result<Recording, Failure> {
        let text = folder.join("record.c");
        std::fs::write(&text, covet_profile::RUNTIME).map_err(Failure::file(&text))?;
        let recording = Recording::at(toolchain, folder);
        let mut command = Command::new(toolchain.program("clang"));
        command.args(["-O2", "-fPIC", "-w", "-c", "-emit-llvm", "-o"]).arg(&recording.runtime).arg(&text);
        recording.succeed(command).map_err(Failure::Machine)?;
        Ok(recording)
    }

    /// The same, its runtime compiled before.
    pub fn at(toolchain: &Toolchain, folder: &Path) -> Recording {
        Recording { toolchain: toolchain.clone(), runtime: folder.join(RUNTIME) }
    }

    /// Makes `object` of a source, recording. What cannot be done is told in words.
    pub fn object(&self, call: &CompilerCall, source: &str, work: &Path, object: &Path) -> Result<(), String> {
        let (plain, recorded) = (work.join("plain.bc"), work.join("recorded.bc"));
        let bitcode = |flags: &[OsString]| {
            let mut command = self.clang(call);
            command.args(flags).args(TOLERANT_FLAGS).args(["-w", "-g", "-Xclang", "-disable-llvm-passes"]);
            command.args(["-emit-llvm", "-c", source, "-o"]).arg(&plain);
            self.succeed(command)
        };
        // A flag that clang does not know is no reason to go without what it means to the code.
        bitcode(&call.flags()).or_else(|_| bitcode(&call.needed_flags()))?;
        covet_instrument::record(&plain, &self.runtime, &recorded).map_err(|error| error.to_string())?;
        let mut command = self.clang(call);
        command.args(call.code_flags()).args(["-w", "-c"]).arg(&recorded).arg("-o").arg(object);
        self.succeed(command)
    }

    /// Builds a program of its units, recording.
    pub fn program(
        &self,
        units: &[Translation],
        link_flags: &[String],
        work: &Path,
        program: &Path,
    ) -> Result<(), Failure> {
        let mut link = Command::new(self.toolchain.program("clang"));
        for (number, unit) in units.iter().enumerate() {
            let object = work.join(format!("{number}.o"));
            let flags: Vec<OsString> = unit.flags.iter().map(OsString::from).collect();
            let mut call = CompilerCall::of_flags(&unit.directory, flags);
            call.also("-O1");
            let file = unit.directory.join(&unit.file);
            let made = self.object(&call, &file.to_string_lossy(), work, &object);
            made.map_err(|reason| Failure::User(format!("{}: {reason}", file.display())))?;
            link.arg(object);
        }
        link.args(link_flags).args(["-lm", "-lpthread", "-o"]).arg(program);
        self.succeed(link).map_err(Failure::User)
    }

    fn clang(&self, call: &CompilerCall) -> Command {
        let mut command = Command::new(self.toolchain.program("clang"));
        command.current_dir(&call.directory);
        command
    }

    fn succeed(&self, command: Command) -> Result<(), String> {
        let output = self.toolchain.run(command).map_err(|error| error.to_string())?;
        match output.status.success() {
            true => Ok(()),
            false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
        }
    }
}
