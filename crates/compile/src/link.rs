//! Bitcode files → one module; and what symbols a module has.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use covet_source::Unit;

use crate::Error;
use crate::cache::Key;
use crate::clang::{Tools, run};

/// Links `files` into one cached module. `units` tell whose symbols clash, when they do.
pub fn link(tools: &Tools<'_>, files: &[PathBuf], units: &[&Unit]) -> Result<PathBuf, Error> {
    // The files are named by their content.
    let key = Key::new("link").with_all(files.iter().map(|file| file.as_os_str().as_encoded_bytes()));
    tools.cache.file(&key, "bc", |out| {
        let program = tools.config.toolchain.program("llvm-link");
        let output = run(Command::new(&program).args(files).arg("-o").arg(out))?;
        if output.status.success() {
            return Ok(());
        }
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        Err(clash(tools, &stderr, files, units)?.unwrap_or(Error::Clang { file: out.to_owned(), stderr }))
    })
}

/// Turns the linker's complaint about a symbol into the two files that define it.
fn clash(tools: &Tools<'_>, stderr: &str, files: &[PathBuf], units: &[&Unit]) -> Result<Option<Error>, Error> {
    let Some(line) = stderr.lines().find(|line| line.contains("symbol multiply defined")) else { return Ok(None) };
    let Some(symbol) = line.split('\'').nth(1) else { return Ok(None) };
    let mut definers = Vec::new();
    for (file, unit) in files.iter().zip(units) {
        if symbols(tools, file)?.defined.contains(symbol) {
            definers.push(unit.file.clone());
        }
    }
    let mut definers = definers.into_iter();
    Ok(definers.next().zip(definers.next()).map(|(first, second)| Error::DefinedTwice {
        symbol: symbol.to_owned(),
        first,
        second,
    }))
}

/// Names of a module's symbols.
#[derive(Default, Debug)]
pub struct Symbols {
    /// With a definition others can see.
    pub defined: BTreeSet<String>,
    pub undefined: BTreeSet<String>,
}

pub fn symbols(tools: &Tools<'_>, file: &Path) -> Result<Symbols, Error> {
    let program = tools.config.toolchain.program("llvm-nm");
    let output = run(Command::new(&program).arg("--extern-only").arg(file))?;
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(Error::Clang { file: file.to_owned(), stderr });
    }
    let mut symbols = Symbols::default();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        // `---------------- T name` or `                 U name`
        let mut words = line.split_whitespace().rev();
        if let (Some(name), Some(kind)) = (words.next(), words.next()) {
            let set = if matches!(kind, "U" | "w" | "v") { &mut symbols.undefined } else { &mut symbols.defined };
            set.insert(name.to_owned());
        }
    }
    Ok(symbols)
}
