//! Runs the `// covet:` lines of one case through the real binary and compares what came out with the files beside it.
//!
//! Two things hold for every case, whatever its expectation says: no predicted run diverges, and every test replays natively as recorded.

use crate::redact::redact;
use serde_json::Value;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Seconds for each function where a line says nothing: so many that none runs out of them, however busy the machine is.
const PLENTY: &str = "300";
/// The topic that is measured by llvm-cov, too.
const OFFICIAL: &str = "worked";

pub struct Case {
    pub name: String,
    file: PathBuf,
}

impl Case {
    pub fn new(root: &Path, file: PathBuf) -> Case {
        let below = file.strip_prefix(root).unwrap().with_extension("");
        let name = format!("cases::{}", below.to_string_lossy().replace('/', "::"));
        Case { name, file }
    }

    /// Every `// covet:` line is one run; with several of them each answer stands below its line. What `covet show` prints is compared with a
    /// file of its own.
    pub fn check(&self) -> Result<(), String> {
        let source = std::fs::read_to_string(&self.file).map_err(|error| error.to_string())?;
        let (shows, runs): (Vec<&str>, Vec<&str>) = lines(&source, "covet").partition(|line| line.starts_with("show "));
        if runs.is_empty() {
            return Err("no line `// covet: ARGUMENTS`".to_owned());
        }
        let varies: Vec<&str> = lines(&source, "varies")
            .filter_map(|line| line.split(':').next())
            .flat_map(str::split_whitespace)
            .collect();
        let mut found = String::new();
        for line in &runs {
            if runs.len() > 1 {
                let _ = writeln!(found, "$ {line}");
            }
            found += &self.run(line, &varies).map_err(|reason| format!("covet {line}:\n{reason}"))?;
        }
        self.compare("expected", &found)?;
        for line in shows {
            let shown = self.show(line).map_err(|reason| format!("covet {line}:\n{reason}"))?;
            // `show path % ...` is kept in `<name>.path`.
            self.compare(line.split_whitespace().nth(1).unwrap_or("shown"), &shown)?;
        }
        Ok(())
    }

    /// The iterations that the expectation speaks of.
    pub fn expected_iterations(&self) -> u64 {
        let expected = std::fs::read_to_string(self.file.with_extension("expected")).unwrap_or_default();
        expected.lines().filter_map(|line| line.strip_prefix("iterations ")?.parse::<u64>().ok()).sum()
    }

    /// Runs one line, replays what it left, and describes it.
    fn run(&self, line: &str, varies: &[&str]) -> Result<String, String> {
        let scratch = tempfile::tempdir().map_err(|error| error.to_string())?;
        let out = scratch.path().join("out");
        let mut more = vec!["--json", "--quiet", "--out", out.to_str().unwrap()];
        if !line.contains(" --time") {
            more.extend(["--time-each", PLENTY]);
        }
        // The expectation has nothing of them, and every case would be built once more.
        let has_official =
            line.contains("official") || self.file.parent().is_some_and(|topic| topic.ends_with(OFFICIAL));
        more.extend((!has_official).then_some("--no-official"));
        let output = self.covet(line, &more)?;
        let errors = String::from_utf8_lossy(&output.stderr);
        let summary: Value = serde_json::from_slice(&output.stdout)
            .map_err(|error| format!("no summary ({error}), exit {:?}\n{errors}", output.status.code()))?;
        let divergences = &summary["totals"]["divergences"];
        if divergences != 0 {
            return Err(format!("{divergences} divergences\n{errors}"));
        }
        if self.is_replayed() {
            replay(&out)?;
        }
        Ok(describe(&summary, output.status.code(), varies))
    }

    /// One of three: to build the tests once more takes a third of the time.
    fn is_replayed(&self) -> bool {
        let name = self.file.file_stem().unwrap_or_default().to_string_lossy();
        name.bytes().map(usize::from).sum::<usize>() % 3 == 0
    }

    /// What a `covet show` line prints, without what no two runs have in common.
    fn show(&self, line: &str) -> Result<String, String> {
        let output = self.covet(line, &[])?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned());
        }
        Ok(redact(&String::from_utf8_lossy(&output.stdout), self.file.parent().unwrap()))
    }

    /// `%` in a line stands for the file. Our options go before `--`, behind which clang's flags stand.
    fn covet(&self, line: &str, more: &[&str]) -> Result<Output, String> {
        let words: Vec<String> =
            line.split_whitespace().map(|word| word.replace('%', &self.file.to_string_lossy())).collect();
        let (ours, flags) = words.split_at(words.iter().position(|word| word == "--").unwrap_or(words.len()));
        Command::new(binary()).args(ours).args(more).args(flags).output().map_err(|error| error.to_string())
    }

    fn compare(&self, extension: &str, found: &str) -> Result<(), String> {
        let path = self.file.with_extension(extension);
        if std::env::var_os("BLESS").is_some() {
            return std::fs::write(&path, found).map_err(|error| error.to_string());
        }
        let expected = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        if expected == found {
            Ok(())
        } else {
            Err(format!("{}: expected:\n{expected}found:\n{found}", path.display()))
        }
    }
}

/// What stands behind `// MARK: ` in the lines of a source.
fn lines<'a>(source: &'a str, mark: &'a str) -> impl Iterator<Item = &'a str> {
    source.lines().filter_map(move |line| line.trim().strip_prefix("// ")?.strip_prefix(mark)?.strip_prefix(": "))
}

fn binary() -> PathBuf {
    std::env::var_os("COVET").map_or_else(|| env!("CARGO_BIN_EXE_covet").into(), PathBuf::from)
}

/// The part of a summary that must stay the same, but for what the case says `varies`.
fn describe(summary: &Value, code: Option<i32>, varies: &[&str]) -> String {
    let totals = &summary["totals"];
    let part = |name: &str| format!("{}/{}", totals[name]["covered"], totals[name]["total"]);
    let alarms = alarms(summary);
    let figures = [
        ("exit", code.unwrap_or(-1).to_string()),
        ("stopped", summary["stopped"].as_str().unwrap_or("?").to_owned()),
        ("iterations", totals["iterations"].to_string()),
        ("tests", totals["tests"].to_string()),
        ("branches", part("branches")),
        ("statements", part("statements")),
        ("mismatches", totals["mismatches"].to_string()),
        ("alarms", alarms.len().to_string()),
    ];
    let told = |name: &str, figure: &str| !varies.contains(&name) && (name, figure) != ("mismatches", "0");
    let mut text = String::new();
    for (name, figure) in figures.iter().filter(|(name, figure)| told(name, figure)) {
        let _ = writeln!(text, "{name} {figure}");
    }
    alarms.iter().for_each(|alarm| text += &format!("{alarm}\n"));
    text
}

/// Every alarm as a line, in the order of the text.
fn alarms(summary: &Value) -> Vec<String> {
    let told = |alarm: &Value| {
        let (kind, native) = (alarm["kind"].as_str().unwrap_or("?"), &alarm["native"]);
        let verdict = alarm["verdict"].as_str().unwrap_or("?");
        match kind {
            // Where a run is stopped is a matter of chance.
            "timeout" => format!("alarm {kind} native {native} {verdict}"),
            _ => format!("alarm {kind} line {} native {native} {verdict}{}", alarm["line"], chain(alarm)),
        }
    };
    let is_hunt = summary["command"] == "hunt";
    let told = |alarm: &Value| told(alarm) + &if is_hunt { judged(alarm) } else { String::new() };
    let mut all: Vec<String> = summary["alarms"].as_array().into_iter().flatten().map(told).collect();
    all.sort();
    all
}

/// The calls that lead to an alarm of a hunt, outermost first.
fn chain(alarm: &Value) -> String {
    let steps = alarm["chain"].as_array().into_iter().flatten();
    let names: Vec<&str> = steps.filter_map(|step| step["function"].as_str()).collect();
    let is_judged = alarm["reason"].is_string();
    if is_judged && names.len() > 1 { format!(" via {}", names.join(" -> ")) } else { String::new() }
}

/// What an alarm of a hunt rests on.
fn judged(alarm: &Value) -> String {
    let mut text = String::new();
    for assumption in alarm["assumptions"].as_array().into_iter().flatten() {
        text += &format!("\n  assumes {}", assumption.as_str().unwrap_or("?"));
    }
    if let Some(reason) = alarm["reason"].as_str() {
        text += &format!("\n  because {reason}");
    }
    text
}

fn replay(out: &Path) -> Result<(), String> {
    let output = Command::new(binary()).arg("replay").arg(out).output().map_err(|error| error.to_string())?;
    if output.status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&output.stdout);
    Err(format!("replay: exit {:?}\n{text}{}", output.status.code(), String::from_utf8_lossy(&output.stderr)))
}
