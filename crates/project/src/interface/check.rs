//! A file that uses the interface → what clang has against it, line by line.

use crate::{Compiled, Failure};
use covet_source::{TOLERANT_FLAGS, Translation};
use std::collections::BTreeSet;
use std::process::Command;

/// The lines of a file that clang refuses, and what it says; none when it compiles.
pub fn complaints(
    compiled: &Compiled,
    translation: &Translation,
) -> Result<Option<(BTreeSet<usize>, String)>, Failure> {
    let mut command = Command::new(compiled.config.toolchain.program("clang"));
    command.current_dir(&translation.directory).args(["-fsyntax-only", "-w", "-ferror-limit=0"]);
    command.args(TOLERANT_FLAGS).args(&translation.flags).arg(&translation.file);
    let output = compiled.config.toolchain.run(command);
    let output = output.map_err(|error| Failure::Machine(format!("{error}; run `make deps` or install clang-19")))?;
    if output.status.success() {
        return Ok(None);
    }
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let place = format!("{}:", translation.file.display());
    let lines = text.lines().filter(|line| line.contains("error:")).filter_map(|line| {
        let (_, rest) = line.split_once(&place)?;
        rest.split(':').next()?.parse::<usize>().ok()
    });
    Ok(Some((lines.collect(), text)))
}
