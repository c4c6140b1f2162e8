//! A folder of results → how large its tests are, and whether they build and pass as the head of each file tells a person to do it.

use crate::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What the tests of one project are like.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Suite {
    pub files: usize,
    pub tests: usize,
    /// Bytes of C of a test.
    pub median: usize,
    pub largest: usize,
    /// Bytes of all files.
    pub bytes: u64,
    /// What did not build or pass: compiler, file, last words.
    pub complaints: Vec<String>,
}

/// Every test program in `out`, built with each of the compilers.
pub fn judge(out: &Path, compilers: &[String]) -> Result<Suite, Error> {
    let entries = std::fs::read_dir(out).map_err(Error::file(out.display()))?;
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|end| end == "c"));
    files.sort();
    let mut suite = Suite { files: files.len(), ..Suite::default() };
    let mut sizes = Vec::new();
    for file in &files {
        let text = std::fs::read(file).map_err(Error::file(file.display()))?;
        let text = String::from_utf8_lossy(&text);
        suite.bytes += text.len() as u64;
        sizes.extend(test_sizes(&text));
        for compiler in compilers {
            suite.complaints.extend(complaint(file, &text, compiler));
        }
    }
    sizes.sort_unstable();
    suite.tests = sizes.len();
    suite.median = sizes.get(sizes.len() / 2).copied().unwrap_or(0);
    suite.largest = sizes.last().copied().unwrap_or(0);
    Ok(suite)
}

/// Builds and runs a file by the commands in its head, with `compiler` for `cc`.
fn complaint(file: &Path, text: &str, compiler: &str) -> Option<String> {
    // Where several versions of clang are installed, none may be called so.
    let program = match compiler {
        "clang" => covet_source::Toolchain::default().program("clang").display().to_string(),
        other => other.to_owned(),
    };
    let commands: Vec<String> = commands(text).iter().map(|line| with_compiler(line, &program)).collect();
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    if commands.is_empty() {
        return Some(format!("{compiler}: {name}: does not say how it is built"));
    }
    let mut shell = Command::new("timeout");
    shell.args(["600", "sh", "-ec", &commands.join("\n")]).stdin(Stdio::null());
    match shell.output() {
        Ok(output) if output.status.success() => None,
        Ok(output) => {
            let said = [output.stdout, output.stderr].concat();
            let said = String::from_utf8_lossy(&said);
            let is_telling =
                |line: &&str| line.contains("error:") || line.contains("undefined") || line.starts_with("FAIL");
            let line = said.lines().find(is_telling).or_else(|| said.lines().last()).unwrap_or("nothing was said");
            Some(format!("{compiler}: {name}: {line}"))
        }
        Err(error) => Some(format!("{compiler}: {name}: {error}")),
    }
}

/// The indented lines of the comment that a test program begins with.
pub fn commands(text: &str) -> Vec<&str> {
    let head = text.split("*/").next().unwrap_or_default();
    head.lines().filter_map(|line| line.strip_prefix(" *     ")).collect()
}

fn with_compiler(line: &str, compiler: &str) -> String {
    line.strip_prefix("cc ").map_or_else(|| line.to_owned(), |rest| format!("{compiler} {rest}"))
}

/// Bytes between the comments that tests begin with; the last one ends with its function.
fn test_sizes(text: &str) -> Vec<usize> {
    let mut sizes = Vec::new();
    let mut began: Option<usize> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if is_title(line) {
            sizes.extend(began.map(|start| at - start));
            began = Some(at);
        } else if began.is_some() && line.starts_with("static const struct") {
            sizes.extend(began.take().map(|start| at - start));
        }
        at += line.len();
    }
    sizes.extend(began.map(|start| at - start));
    sizes
}

/// `/* is_leap-001: returned 1 */`
fn is_title(line: &str) -> bool {
    let name = line.strip_prefix("/* ").and_then(|rest| rest.split_once(": ")).map(|(name, _)| name);
    let number = name.and_then(|name| name.rsplit_once('-')).map(|(_, number)| number);
    number.is_some_and(|number| number.len() >= 3 && number.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_and_sizes_are_read() {
        let text = "/* 2 tests.\n *\n *     cd /x\n *     cc a.c -o a && ./a\n */\nint x;\n/* f-001: returned 1 */\n{\n}\n/* f-002: crashed */\n{}\nstatic const struct test all[] = {\n};\n";
        assert_eq!(commands(text), ["cd /x", "cc a.c -o a && ./a"]);
        assert_eq!(with_compiler("cc a.c", "gcc"), "gcc a.c");
        assert_eq!(test_sizes(text), [28, 24]);
        assert!(!is_title("/* ---- Where: here */"));
    }
}
