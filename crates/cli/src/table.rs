//! The summary as people read it: tests, alarms, coverage, and where the files are.

use crate::native::{Mismatch, Native};
use crate::results::Written;
use crate::summary::{FunctionPart, Whole};
use covet_coverage::Count;
use covet_suite::Test;
use std::fmt::Write as _;
use std::path::Path;

const SHOWN_TESTS: usize = 40;
const SHOWN_INPUTS: usize = 6;

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
    let (zeros, others): (Vec<_>, Vec<_>) = test.inputs.iter().partition(|(_, value)| value.bits == 0);
    let shown = others.iter().chain(&zeros).take(SHOWN_INPUTS);
    let mut parts: Vec<String> = shown.map(|(name, value)| format!("{name}={value}")).collect();
    let nulls = test.pointers.iter().filter(|(_, pointee)| **pointee == covet_suite::Pointee::Null);
    parts.extend(nulls.map(|(path, _)| format!("{path}=NULL")));
    let hidden = test.inputs.len().saturating_sub(SHOWN_INPUTS);
    if hidden > 0 {
        parts.push(format!("... {hidden} more"));
    }
    parts.join(" ")
}

fn alarms(text: &mut String, summary: &Whole<'_>) {
    if summary.record.alarms.is_empty() {
        return;
    }
    text.push('\n');
    let row = |alarm: &covet_suite::Alarm| {
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
