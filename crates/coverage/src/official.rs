//! Test programs built for coverage become the official numbers: they are run, and llvm-cov says which lines and branches of
//! the user's files were executed. Only llvm's own tools count; nothing of our instrumentation is involved.
//!
//! Counters live in the profile file itself (continuous mode), so tests that crash, exit or are killed have counted. llvm derives
//! some counts from others as if every call returned: code right behind a crash may count as executed.

use crate::Count;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The official numbers of one function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionCoverage {
    pub file: PathBuf,
    pub name: String,
    pub statements: Count,
    pub branches: Count,
}

/// The official numbers: function by function, as llvm-cov lists them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Official {
    pub functions: Vec<FunctionCoverage>,
}

impl Official {
    /// Only the functions of these names.
    pub fn of(&self, names: &[String]) -> Official {
        Official {
            functions: self.functions.iter().filter(|function| names.contains(&function.name)).cloned().collect(),
        }
    }

    pub fn statements(&self) -> Count {
        sum(self.functions.iter().map(|function| function.statements))
    }

    pub fn branches(&self) -> Count {
        sum(self.functions.iter().map(|function| function.branches))
    }
}

/// What to run, and whose lines count.
pub struct Request<'a> {
    /// Test programs built by clang 19 with coverage mapping and counter relocation.
    pub executables: &'a [PathBuf],
    /// For profiles; must exist and be writable for the test programs.
    pub scratch: &'a Path,
    /// Files below this folder (generated tests) do not count.
    pub exclude: &'a Path,
    /// A test program that takes longer is killed; what it had counted stays.
    pub time_limit: Duration,
    /// Given each command before it starts: the place for a sandbox.
    pub prepare: &'a dyn Fn(&mut Command),
}

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("cannot start {tool}: {source}; install the package llvm-19")]
    Start { tool: &'static str, source: std::io::Error },
    #[error("{tool} failed on {}: {message}", subject.display())]
    Failed { tool: &'static str, subject: PathBuf, message: String },
    #[error("{}: cannot run the tests under coverage: {source}", executable.display())]
    Run { executable: PathBuf, source: std::io::Error },
    #[error("{}: the tests left no profile; are they built with coverage and is the folder writable?", profile.display())]
    NoProfile { profile: PathBuf },
    #[error("{tool} printed a table this version does not understand (line {line:?}); llvm-19 is expected")]
    Table { tool: &'static str, line: String },
}

const PROFDATA: &str = "llvm-profdata-19";
const COV: &str = "llvm-cov-19";

/// Runs all tests of all programs and reports the functions of the user's files.
pub fn measure(request: &Request<'_>) -> Result<Official, Error> {
    let mut profiles = Vec::new();
    for (number, executable) in request.executables.iter().enumerate() {
        let profile = request.scratch.join(format!("official-{number}.profraw"));
        run(request, executable, &profile)?;
        profiles.push(profile);
    }
    let Some(first) = request.executables.first() else { return Ok(Official::default()) };
    let merged = request.scratch.join("official.profdata");
    let mut merge = Command::new(PROFDATA);
    merge.args(["merge", "-sparse", "-o"]).arg(&merged).args(&profiles);
    output_of(PROFDATA, merge, &merged)?;
    let files = user_files(request, &merged, first)?;
    if files.is_empty() {
        return Ok(Official::default());
    }
    let mut report = coverage_tool("report", request, &merged);
    report.args(["--show-functions", "--show-branch-summary"]).args(&files);
    Ok(Official { functions: once_each(parse_report(&output_of(COV, report, first)?)?) })
}

fn run(request: &Request<'_>, executable: &Path, profile: &Path) -> Result<(), Error> {
    let failed = |source| Error::Run { executable: executable.to_owned(), source };
    if profile.exists() {
        std::fs::remove_file(profile).map_err(failed)?;
    }
    let mut command = Command::new(executable);
    command.current_dir(request.scratch).env("LLVM_PROFILE_FILE", join("%c", profile)).env("TMPDIR", request.scratch);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    (request.prepare)(&mut command);
    let mut child = command.spawn().map_err(failed)?;
    wait(&mut child, request.time_limit).map_err(failed)?;
    if profile.exists() { Ok(()) } else { Err(Error::NoProfile { profile: profile.to_owned() }) }
}

/// Tests die with the program that watches them, so killing that one is enough.
fn wait(child: &mut Child, limit: Duration) -> std::io::Result<()> {
    let end = Instant::now() + limit;
    while child.try_wait()?.is_none() {
        if Instant::now() >= end {
            child.kill()?;
            child.wait()?;
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    Ok(())
}

/// The covered files that are neither the system's nor generated.
fn user_files(request: &Request<'_>, merged: &Path, subject: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut export = coverage_tool("export", request, merged);
    export.args(["--summary-only"]);
    let text = output_of(COV, export, subject)?;
    let unreadable = || Error::Table { tool: COV, line: text.chars().take(80).collect() };
    let summary: serde_json::Value = serde_json::from_str(&text).map_err(|_| unreadable())?;
    let exclude = std::fs::canonicalize(request.exclude).unwrap_or_else(|_| request.exclude.to_owned());
    let mut files = BTreeSet::new();
    for file in summary["data"][0]["files"].as_array().ok_or_else(unreadable)? {
        let path = PathBuf::from(file["filename"].as_str().ok_or_else(unreadable)?);
        let real = std::fs::canonicalize(&path).unwrap_or_else(|_| path.clone());
        let is_system =
            ["/usr/include", "/usr/lib", "/usr/local/include"].iter().any(|folder| real.starts_with(folder));
        if !is_system && !real.starts_with(&exclude) {
            files.insert(path);
        }
    }
    Ok(files.into_iter().collect())
}

fn coverage_tool(what: &str, request: &Request<'_>, merged: &Path) -> Command {
    let mut command = Command::new(COV);
    command.arg(what).arg(join("--instr-profile=", merged));
    for (number, executable) in request.executables.iter().enumerate() {
        if number == 0 {
            command.arg(executable);
        } else {
            command.arg(join("--object=", executable));
        }
    }
    command
}

fn join(prefix: &str, path: &Path) -> OsString {
    let mut joined = OsString::from(prefix);
    joined.push(path.as_os_str());
    joined
}

fn output_of(tool: &'static str, mut command: Command, subject: &Path) -> Result<String, Error> {
    let output = command.output().map_err(|source| Error::Start { tool, source })?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let message = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    Err(Error::Failed { tool, subject: subject.to_owned(), message })
}

/// Reads the function tables: a line `File '...':`, a header, then one row per function up to `TOTAL`.
fn parse_report(text: &str) -> Result<Vec<FunctionCoverage>, Error> {
    let mut functions = Vec::new();
    let mut file = PathBuf::new();
    let mut columns = None;
    for line in text.lines() {
        let words: Vec<_> = line.split_whitespace().collect();
        if let Some(name) = line.strip_prefix("File '").and_then(|rest| rest.strip_suffix("':")) {
            file = PathBuf::from(name);
        } else if words.first() == Some(&"Name") {
            columns = Columns::find(&words);
        } else if words.is_empty() || line.starts_with("---") || words[0] == "TOTAL" {
            continue;
        } else if let Some(columns) = &columns {
            let unreadable = || Error::Table { tool: COV, line: line.to_owned() };
            let (statements, branches) = columns.read(&words).ok_or_else(unreadable)?;
            // A static function is shown as `file.c:name`.
            let name = words[columns.name_end(&words) - 1].rsplit(':').next().unwrap_or(words[0]).to_owned();
            functions.push(FunctionCoverage { file: file.clone(), name, statements, branches });
        }
    }
    Ok(functions)
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

/// Where in a row the totals of lines and branches stand, counted from its end (file names may hold spaces); the number
/// missed follows each.
struct Columns {
    lines: usize,
    branches: usize,
    count: usize,
}

impl Columns {
    fn find(header: &[&str]) -> Option<Columns> {
        let from_end = |title| header.iter().position(|word| *word == title).map(|at| header.len() - at);
        Some(Columns { lines: from_end("Lines")?, branches: from_end("Branches")?, count: header.len() - 1 })
    }

    /// Words of a row that belong to the function's name.
    fn name_end(&self, row: &[&str]) -> usize {
        row.len().saturating_sub(self.count).max(1)
    }

    fn read(&self, row: &[&str]) -> Option<(Count, Count)> {
        let count = |from_end: usize| {
            let at = row.len().checked_sub(from_end)?;
            let total: usize = row.get(at)?.parse().ok()?;
            let missed: usize = row.get(at + 1)?.parse().ok()?;
            Some(Count { covered: total.checked_sub(missed)?, total })
        };
        Some((count(self.lines)?, count(self.branches)?))
    }
}

fn sum(counts: impl Iterator<Item = Count>) -> Count {
    counts.fold(Count { covered: 0, total: 0 }, |sum, next| Count {
        covered: sum.covered + next.covered,
        total: sum.total + next.total,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_by_their_header() {
        let text = "File '/p/a.c':\n\
            Name      Regions    Miss   Cover     Lines    Miss   Cover  Branches    Miss   Cover\n\
            ------\n\
            f               8       1  87.50%         7       2  71.43%         4       2  50.00%\n\
            a b.c:g         4       1  75.00%         1       0 100.00%         6       1  83.33%\n\
            ------\n\
            TOTAL          13       2  84.62%         3       0 100.00%        10       3  70.00%\n";
        let functions = parse_report(text).unwrap();
        assert_eq!(functions.len(), 2);
        assert_eq!(functions[0].statements, Count { covered: 5, total: 7 });
        assert_eq!((functions[1].name.as_str(), functions[1].branches), ("g", Count { covered: 5, total: 6 }));
        assert_eq!(functions[1].file, PathBuf::from("/p/a.c"));
    }

    #[test]
    fn a_strange_row_is_an_error_not_a_number() {
        let text = "Name Regions Miss Cover Lines Miss Cover Branches Miss Cover\nf x y z\n";
        assert!(matches!(parse_report(text), Err(Error::Table { .. })));
    }

    #[test]
    fn copies_count_once() {
        let copy = |covered| FunctionCoverage {
            file: PathBuf::from("a.h"),
            name: "f".to_owned(),
            statements: Count { covered, total: 4 },
            branches: Count { covered, total: 4 },
        };
        assert_eq!(once_each(vec![copy(1), copy(3), copy(2)]), [copy(3)]);
    }
}
