//! Raw profiles of a plain coverage build become the official numbers: lines and branches per function, as llvm-cov
//! counts them. Only llvm's own tools are asked; nothing of our instrumentation is involved.

use crate::Count;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The official numbers of one function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionCoverage {
    pub file: PathBuf,
    pub name: String,
    pub statements: Count,
    pub branches: Count,
}

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("cannot start {tool}: {source}; install the package llvm-19")]
    Start { tool: &'static str, source: std::io::Error },
    #[error("{tool} failed on {subject}: {message}")]
    Failed { tool: &'static str, subject: PathBuf, message: String },
    #[error("{tool} printed a table this version does not understand (line {line:?}); llvm-19 is expected")]
    Table { tool: &'static str, line: String },
}

const PROFDATA: &str = "llvm-profdata-19";
const COV: &str = "llvm-cov-19";

/// Merges `profiles` into `merged` and reports every function of `executable` that is defined in `sources`.
pub fn measure(
    executable: &Path,
    profiles: &[PathBuf],
    merged: &Path,
    sources: &[PathBuf],
) -> Result<Vec<FunctionCoverage>, Error> {
    let mut merge = Command::new(PROFDATA);
    // A profile torn by a kill is skipped rather than spoiling the others.
    merge.args(["merge", "-sparse", "--failure-mode=all", "-o"]).arg(merged).args(profiles);
    output_of(PROFDATA, merge, merged)?;
    let mut report = Command::new(COV);
    report.args(["report", "--show-functions", "--show-branch-summary"]);
    report.arg(join("--instr-profile=", merged)).arg(executable).args(sources);
    parse_report(&output_of(COV, report, executable)?)
}

fn join(prefix: &str, path: &Path) -> std::ffi::OsString {
    let mut joined = std::ffi::OsString::from(prefix);
    joined.push::<&OsStr>(path.as_os_str());
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
            let name = words[0].rsplit(':').next().unwrap_or(words[0]).to_owned();
            functions.push(FunctionCoverage { file: file.clone(), name, statements, branches });
        }
    }
    Ok(functions)
}

/// Where in a row the totals of lines and branches stand; the number missed follows each.
struct Columns {
    lines: usize,
    branches: usize,
}

impl Columns {
    fn find(header: &[&str]) -> Option<Columns> {
        let at = |title| header.iter().position(|word| *word == title);
        Some(Columns { lines: at("Lines")?, branches: at("Branches")? })
    }

    fn read(&self, row: &[&str]) -> Option<(Count, Count)> {
        let count = |at: usize| {
            let total: usize = row.get(at)?.parse().ok()?;
            let missed: usize = row.get(at + 1)?.parse().ok()?;
            Some(Count { covered: total.checked_sub(missed)?, total })
        };
        Some((count(self.lines)?, count(self.branches)?))
    }
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
            a.c:g           4       1  75.00%         1       0 100.00%         6       1  83.33%\n\
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
}
