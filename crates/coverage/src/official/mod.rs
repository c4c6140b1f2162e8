//! Test programs built for coverage become the official numbers: they are run, and llvm-cov says which lines and branches of
//! the user's files were executed. Only llvm's own tools count; nothing of our instrumentation is involved.
//!
//! ```text
//! test programs ─run→ profiles ─llvm-profdata→ one profile ─llvm-cov export→ regions, branches, MC/DC records ─→ numbers by file and name
//! ```
//!
//! A test program watches over its tests and takes over what they have counted, so tests that crash, exit or are stopped have counted; it writes the
//! profile, and no test has it in its memory, where a stray write would damage it. llvm derives
//! some counts from others as if every call returned: code right behind a crash may count as executed.

mod export;
mod lines;
mod profiles;

pub use export::McdcRecord;
pub use profiles::Lost;

use crate::Count;
use covet_launch::Bounds;
use covet_source::Toolchain;
use export::{Branch, Export, Function};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The official numbers of one function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionCoverage {
    /// The file that holds its text, without links and detours.
    pub file: PathBuf,
    pub name: String,
    pub statements: Count,
    pub branches: Count,
    /// Its decisions of several conditions, where the build records them (`-fcoverage-mcdc`).
    pub mcdc: Vec<McdcRecord>,
}

/// The official numbers, by file and name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Official {
    pub functions: Vec<FunctionCoverage>,
    /// Test programs whose runs are not in these numbers.
    pub lost: Vec<Lost>,
}

impl Official {
    /// The function of this name in this file: two files may each have a static one.
    pub fn of(&self, file: &Path, name: &str) -> Option<&FunctionCoverage> {
        let file = real(file);
        self.functions.iter().find(|function| function.name == name && function.file == file)
    }

    pub fn statements(&self) -> Count {
        self.functions.iter().map(|function| function.statements).sum()
    }

    pub fn branches(&self) -> Count {
        self.functions.iter().map(|function| function.branches).sum()
    }
}

impl FunctionCoverage {
    /// Conditions that were shown to decide by themselves.
    pub fn conditions(&self) -> Count {
        self.mcdc.iter().map(McdcRecord::count).sum()
    }
}

/// What to run, and whose lines count.
pub struct Request<'a> {
    /// Whose llvm-profdata and llvm-cov are asked.
    pub toolchain: &'a Toolchain,
    /// Test programs built by clang 19 with coverage mapping.
    pub executables: &'a [PathBuf],
    /// For profiles; must exist and be writable for the test programs.
    pub scratch: &'a Path,
    /// Files below this folder (generated tests) do not count.
    pub exclude: &'a Path,
    /// A test program that takes longer is killed; what it had counted stays.
    pub time_limit: Duration,
    /// Programs that run at a time.
    pub threads: usize,
    pub bounds: &'a Bounds,
}

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{0}; is the package llvm-19 installed?")]
    Tool(covet_launch::Error),
    #[error("{tool} failed on {}: {message}", subject.display())]
    Failed { tool: &'static str, subject: PathBuf, message: String },
    #[error("{}: no folder for the profile: {source}", folder.display())]
    Folder { folder: PathBuf, source: std::io::Error },
    #[error("cannot run the tests under coverage: {0}")]
    Run(covet_launch::Error),
    #[error("no test program left a profile: {}", .0)]
    AllLost(Lost),
    #[error("{tool} printed what this version does not understand ({source}); llvm-19 is expected")]
    Unreadable { tool: &'static str, source: serde_json::Error },
}

const COV: &str = "llvm-cov";

/// Runs all tests of all programs and reports the functions of the user's files.
pub fn measure(request: &Request<'_>) -> Result<Official, Error> {
    let Some(first) = request.executables.first() else { return Ok(Official::default()) };
    let (merged, lost) = profiles::collect(request)?;
    let mut export = Command::new(request.toolchain.program(COV));
    export.arg("export").arg("--skip-expansions").arg(join("--instr-profile=", &merged)).arg(first);
    export.args(request.executables[1..].iter().map(|other| join("--object=", other)));
    let functions = read(&output_of(request, COV, export, first)?, request.exclude)?;
    Ok(Official { functions, lost })
}

/// What the text of `llvm-cov export` says of the user's functions: those outside of the folder `exclude`.
pub fn read(text: &[u8], exclude: &Path) -> Result<Vec<FunctionCoverage>, Error> {
    let export: Export = serde_json::from_slice(text).map_err(|source| Error::Unreadable { tool: COV, source })?;
    let exclude = real(exclude);
    let functions = export.data.iter().flat_map(|program| &program.functions).filter_map(numbers);
    Ok(once_each(functions.filter(|function| is_users(&function.file, &exclude)).collect()))
}

fn numbers(function: &Function) -> Option<FunctionCoverage> {
    Some(FunctionCoverage {
        file: real(Path::new(function.filenames.first()?)),
        // A static function is shown as `unit.c:name`.
        name: function.name.rsplit(':').next()?.to_owned(),
        statements: lines::lines(function),
        branches: function.branches.iter().copied().map(Branch::outcomes).sum(),
        mcdc: function.mcdc_records.clone(),
    })
}

/// Neither the system's nor generated.
fn is_users(file: &Path, exclude: &Path) -> bool {
    let is_system = ["/usr/include", "/usr/lib", "/usr/local/include"].iter().any(|folder| file.starts_with(folder));
    !is_system && !file.starts_with(exclude)
}

/// A function that several units hold a copy of (static, in a header) counts once, by its best copy.
fn once_each(functions: Vec<FunctionCoverage>) -> Vec<FunctionCoverage> {
    let mut place: BTreeMap<(PathBuf, String), usize> = BTreeMap::new();
    let mut kept: Vec<FunctionCoverage> = Vec::new();
    for function in functions {
        let rank = |function: &FunctionCoverage| (function.branches.covered, function.statements.covered);
        match place.get(&(function.file.clone(), function.name.clone())) {
            Some(&at) if rank(&function) > rank(&kept[at]) => kept[at] = function,
            Some(_) => {}
            None => {
                place.insert((function.file.clone(), function.name.clone()), kept.len());
                kept.push(function);
            }
        }
    }
    kept
}

fn real(path: &Path) -> PathBuf {
    std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

fn join(prefix: &str, path: &Path) -> OsString {
    let mut joined = OsString::from(prefix);
    joined.push(path.as_os_str());
    joined
}

/// Bytes that llvm's tools may print: a project of a million lines needs less.
const OUTPUT_LIMIT: usize = 1 << 30;

fn output_of(request: &Request<'_>, tool: &'static str, command: Command, subject: &Path) -> Result<Vec<u8>, Error> {
    let output = covet_launch::tool(command, &request.bounds.deadline, OUTPUT_LIMIT).map_err(Error::Tool)?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let message = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    Err(Error::Failed { tool, subject: subject.to_owned(), message })
}

#[cfg(test)]
mod tests;
