//! Runs every `tests/cases/<topic>/<name>.c` through the real binary and compares the outcome with `<name>.expected`.
//!
//! Two things hold for every case, whatever its expectation says: no predicted run diverges, and every test replays natively as recorded.

use serde_json::Value;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

const COVET: &str = env!("CARGO_BIN_EXE_covet");

#[test]
fn cases() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases");
    let only = std::env::var("CASE").ok();
    let mut files = Vec::new();
    collect(&root, &mut files);
    files.retain(|file| only.as_ref().is_none_or(|part| file.to_string_lossy().contains(part)));
    files.sort();
    assert!(!files.is_empty(), "no case matches");
    let queue = Mutex::new(files.clone().into_iter());
    let failures = Mutex::new(Vec::new());
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let Some(file) = queue.lock().unwrap().next() else { break };
                    if check(&file).is_err() {
                        failures.lock().unwrap().push(file);
                    }
                }
            });
        }
    });
    // Limits of the solver are in wall time, and the cases above ran side by side: what failed is tried once more, alone.
    let mut again = failures.into_inner().unwrap();
    again.sort();
    let failures: Vec<String> = again
        .into_iter()
        .filter_map(|file| check(&file).err().map(|reason| format!("{}:\n{reason}", file.display())))
        .collect();
    assert!(failures.is_empty(), "{} of {} cases fail\n\n{}", failures.len(), files.len(), failures.join("\n"));
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "c") {
            files.push(path);
        }
    }
}

/// Every `// covet:` line of a case is one run; with several of them each answer stands below its line.
fn check(file: &Path) -> Result<(), String> {
    let source = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
    let lines: Vec<&str> = source.lines().filter_map(|line| line.trim().strip_prefix("// covet: ")).collect();
    let mut found = String::new();
    for line in &lines {
        if lines.len() > 1 {
            let _ = writeln!(found, "$ {line}");
        }
        found += &run(file, line).map_err(|reason| format!("covet {line}:\n{reason}"))?;
    }
    if found.is_empty() {
        return Err("no line `// covet: ARGUMENTS`".to_owned());
    }
    compare(file, &found)
}

/// Runs one line, replays what it left, and describes it.
fn run(file: &Path, line: &str) -> Result<String, String> {
    let scratch = tempfile::tempdir().map_err(|error| error.to_string())?;
    let out = scratch.path().join("out");
    let arguments = line.split_whitespace().map(|word| word.replace('%', &file.to_string_lossy()));
    // Options go before `--`, behind which clang's flags stand.
    let (mut ours, mut flags): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    for word in arguments {
        if flags.is_empty() && word != "--" { ours.push(word) } else { flags.push(word) }
    }
    let output = Command::new(COVET)
        .args(&ours)
        .args(["--json", "--quiet", "--out"])
        .arg(&out)
        .args(&flags)
        .output()
        .map_err(|error| error.to_string())?;
    let errors = String::from_utf8_lossy(&output.stderr);
    let summary: Value = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("no summary ({error}), exit {:?}\n{errors}", output.status.code()))?;
    let divergences = &summary["totals"]["divergences"];
    if divergences != 0 {
        return Err(format!("{divergences} divergences\n{errors}"));
    }
    replay(&out)?;
    Ok(describe(&summary, output.status.code()))
}

/// The part of a summary that must stay the same.
fn describe(summary: &Value, code: Option<i32>) -> String {
    let totals = &summary["totals"];
    let part = |name: &str| format!("{}/{}", totals[name]["covered"], totals[name]["total"]);
    let mut text = String::new();
    let _ = writeln!(text, "exit {}", code.unwrap_or(-1));
    let _ = writeln!(text, "stopped {}", summary["stopped"].as_str().unwrap_or("?"));
    let _ = writeln!(text, "branches {}", part("branches"));
    let _ = writeln!(text, "statements {}", part("statements"));
    if totals["mismatches"] != 0 {
        let _ = writeln!(text, "mismatches {}", totals["mismatches"]);
    }
    let mut alarms: Vec<String> = summary["alarms"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|alarm| {
            let (kind, native) = (alarm["kind"].as_str().unwrap_or("?"), &alarm["native"]);
            match kind {
                // Where a run is stopped is a matter of chance.
                "timeout" => format!("alarm {kind} native {native}"),
                _ => format!("alarm {kind} line {} native {native}", alarm["line"]),
            }
        })
        .collect();
    alarms.sort();
    alarms.dedup();
    for alarm in alarms {
        let _ = writeln!(text, "{alarm}");
    }
    text
}

fn compare(file: &Path, found: &str) -> Result<(), String> {
    let path = file.with_extension("expected");
    if std::env::var_os("BLESS").is_some() {
        return std::fs::write(&path, found).map_err(|error| error.to_string());
    }
    let expected = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    if expected == found { Ok(()) } else { Err(format!("expected:\n{expected}found:\n{found}")) }
}

fn replay(out: &Path) -> Result<(), String> {
    let output = Command::new(COVET).arg("replay").arg(out).output().map_err(|error| error.to_string())?;
    if output.status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&output.stdout);
    Err(format!("replay: exit {:?}\n{text}{}", output.status.code(), String::from_utf8_lossy(&output.stderr)))
}
