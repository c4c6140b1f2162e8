//! The summary as people read it: tests, alarms, coverage, and where the files are.

use crate::native::{Mismatch, Native};
use crate::results::Written;
use crate::summary::{FunctionPart, Whole};
use covet_coverage::Count;
use covet_input::{AccessPath, Pointee, Step, Value, ValueKind};
use covet_results::Test;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

const SHOWN_TESTS: usize = 40;
const SHOWN_INPUTS: usize = 6;
/// Bytes beyond are shown as numbers.
const LONGEST_TEXT: u64 = 64;

/// The whole overview, ready to print.
pub fn overview(summary: &Whole<'_>, written: &Written, out: &Path) -> String {
    let mut text = String::new();
    tests(&mut text, &summary.record.tests, &written.native);
    alarms(&mut text, summary);
    functions(&mut text, summary.functions);
    totals(&mut text, summary);
    mismatches(&mut text, &written.native);
    files(&mut text, written, out);
    text
}

fn tests(text: &mut String, tests: &[Test], native: &Native) {
    let shown = &tests[..tests.len().min(SHOWN_TESTS)];
    let rows: Vec<[String; 3]> = shown
        .iter()
        .map(|test| {
            let differs = native.mismatches.iter().any(|mismatch| mismatch.test == test.id);
            let mark = if differs { " (natively)" } else { "" };
            [test.id.clone(), format!("{}{mark}", outcome(test)), inputs(test)]
        })
        .collect();
    columns(text, ["test", "outcome", "input"], &rows);
    if tests.len() > shown.len() {
        let _ = writeln!(text, "... and {} more", tests.len() - shown.len());
    }
}

fn outcome(test: &Test) -> String {
    match (test.returned, test.exit_code, test.signal) {
        (Some(value), _, _) => format!("returned {value}"),
        (None, Some(code), _) => format!("exited {code}"),
        (None, None, Some(signal)) => format!("{} (signal {signal})", test.outcome),
        (None, None, None) => test.outcome.to_string(),
    }
}

fn inputs(test: &Test) -> String {
    let (texts, numbers) = texts(test);
    let (zeros, others): (Vec<_>, Vec<_>) = numbers.into_iter().partition(|(_, value)| value.bits == 0);
    let numbers = others.iter().chain(&zeros).map(|(path, value)| format!("{path}={value}"));
    let all: Vec<String> = texts.into_iter().chain(numbers).collect();
    let hidden = all.len().saturating_sub(SHOWN_INPUTS);
    let mut parts: Vec<String> = all.into_iter().take(SHOWN_INPUTS).collect();
    let nulls = test.pointers.iter().filter(|(_, pointee)| **pointee == Pointee::Null);
    parts.extend(nulls.map(|(path, _)| format!("{path}=NULL")));
    if hidden > 0 {
        parts.push(format!("... {hidden} more"));
    }
    parts.join(" ")
}

/// Bytes that belong together as one text each, `argv[1]="ab"`; and the other inputs.
fn texts(test: &Test) -> (Vec<String>, Vec<(AccessPath, Value)>) {
    let mut texts: BTreeMap<AccessPath, Vec<u8>> = BTreeMap::new();
    let mut numbers = Vec::new();
    for (name, value) in &test.inputs {
        let path = AccessPath::from(name.as_str());
        let is_character = matches!(value.kind, ValueKind::Char | ValueKind::Byte) && value.width == 8;
        match (path.steps().last(), path.parent()) {
            (Some(Step::Index(index)), Some(text)) if is_character && *index < LONGEST_TEXT => {
                let (bytes, at) = (texts.entry(text).or_default(), *index as usize);
                bytes.resize(bytes.len().max(at + 1), 0);
                bytes[at] = value.bits as u8;
            }
            _ => numbers.push((path, *value)),
        }
    }
    let shown = |(path, bytes): (AccessPath, Vec<u8>)| {
        let size = path.size();
        let size = numbers.iter().find(|(other, _)| *other == size).map(|(_, size)| size.bits as usize);
        let used = size.unwrap_or_else(|| bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1));
        format!("{path}=\"{}\"", bytes[..used.min(bytes.len())].escape_ascii())
    };
    let texts: Vec<String> = texts.into_iter().map(shown).collect();
    (texts, numbers)
}

fn alarms(text: &mut String, summary: &Whole<'_>) {
    if summary.record.alarms.is_empty() {
        return;
    }
    text.push('\n');
    let row = |alarm: &covet_results::Alarm| {
        let place = format!("{}:{}", alarm.file, alarm.line);
        [
            alarm.kind.clone(),
            place,
            alarm.function.clone(),
            alarm.verdict.clone(),
            alarm.test.clone().unwrap_or_default(),
        ]
    };
    let rows: Vec<_> = summary.record.alarms.iter().map(row).collect();
    columns(text, ["alarm", "where", "function", "verdict", "test"], &rows);
    for alarm in &summary.record.alarms {
        if let Some(assumption) = &alarm.assumption {
            let _ = writeln!(text, "{} assumes: {assumption}", alarm.test.as_deref().unwrap_or(&alarm.kind));
        }
    }
}

fn functions(text: &mut String, parts: &[FunctionPart]) {
    text.push('\n');
    let row = |part: &FunctionPart| {
        let coverage = part.counters.coverage;
        let official = part.counters.official;
        let stopped = match (&part.failure, part.stopped) {
            (Some(reason), _) => format!("failed: {reason}"),
            (None, Some(stopped)) => stopped.text().to_string(),
            (None, None) => String::new(),
        };
        [
            part.name.clone(),
            fraction(coverage.statements),
            fraction(coverage.branches),
            official.map_or("-".into(), |official| fraction(official.branches)),
            part.counters.figures.executions.to_string(),
            stopped,
        ]
    };
    let rows: Vec<_> = parts.iter().map(row).collect();
    columns(text, ["function", "statements", "branches", "llvm-cov branches", "runs", "stopped"], &rows);
}

fn totals(text: &mut String, summary: &Whole<'_>) {
    let totals = &summary.totals;
    let _ = writeln!(
        text,
        "\n{} runs, {} paths, {} solver calls (mean size {:.1}), {} divergences, {:.1} s; stopped: {}",
        totals.figures.executions,
        totals.figures.paths,
        totals.solver.calls,
        totals.solver.mean_constraints(),
        totals.figures.divergences,
        summary.seconds,
        summary.stopped.text(),
    );
    let answered = totals.solver.tiers.iter().filter(|(_, tier)| tier.answered() > 0);
    let tiers: Vec<String> =
        answered.map(|(name, tier)| format!("{} {} ({:.1} s)", name.text(), tier.answered(), tier.seconds)).collect();
    if !tiers.is_empty() {
        let _ = writeln!(text, "answered by: {}", tiers.join(", "));
    }
    let concretised: Vec<String> =
        totals.figures.concretised.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
    if !concretised.is_empty() {
        let _ = writeln!(text, "made concrete: {}", concretised.join(", "));
    }
}

fn mismatches(text: &mut String, native: &Native) {
    if native.mismatches.is_empty() {
        return;
    }
    let _ = writeln!(text, "\nended otherwise on the plain build, which is what the suite records:");
    for mismatch in &native.mismatches {
        let left_out = if native.unstable.contains(&mismatch.test) { " (left out: not twice the same)" } else { "" };
        let Mismatch { test, explored, native, .. } = mismatch;
        let _ = writeln!(text, "  {test}: {native}, explored: {explored}{left_out}");
    }
}

fn files(text: &mut String, written: &Written, out: &Path) {
    let _ = writeln!(text, "results: {}", out.join("results.db").display());
    for program in &written.programs {
        let name = program.file_name().unwrap_or_default();
        let _ = writeln!(text, "C tests: {}", out.join(name).display());
    }
}

fn fraction(count: Count) -> String {
    format!("{}/{} ({:.0} %)", count.covered, count.total, count.percent())
}

/// Rows under a header, padded to the widest cell.
fn columns<const N: usize>(text: &mut String, header: [&str; N], rows: &[[String; N]]) {
    let mut widths = header.map(|title| title.chars().count());
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let mut line = |cells: [&str; N]| {
        let padded: Vec<String> = cells.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}")).collect();
        let _ = writeln!(text, "{}", padded.join("  ").trim_end());
    };
    line(header);
    for row in rows {
        line(std::array::from_fn(|at| row[at].as_str()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_shown_as_text_up_to_their_size() {
        let byte = |name: &str, bits| (name.to_string(), Value { bits, width: 8, kind: ValueKind::Byte });
        let size = |name: &str, bits| (name.to_string(), Value { bits, width: 32, kind: ValueKind::Unsigned });
        let inputs_of = |inputs: Vec<(String, Value)>| super::inputs(&Test { inputs, ..Test::new("f-001", "f") });
        let whole = vec![byte("stdin[0]", 97), byte("stdin[1]", 0), byte("stdin[2]", 99), size("stdin.size", 2)];
        assert_eq!(inputs_of(whole), "stdin=\"a\\x00\" stdin.size=2");
        assert_eq!(inputs_of(vec![byte("argv[1][0]", 34), byte("argv[1][1]", 0)]), "argv[1]=\"\\\"\"");
    }
}
