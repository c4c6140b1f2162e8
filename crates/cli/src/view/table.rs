//! The summary as people read it: tests, alarms, coverage, and where the files are.

use crate::view::alarms::{Telling, alarms};
use covet_coverage::Count;
use covet_input::Pointee;
use covet_results::store::FILE_NAME;
use covet_results::{FunctionResult, Mismatch, Phases, Readable, Record, Stopped, Test, TestOutcome};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

const SHOWN_TESTS: usize = 40;
const SHOWN_INPUTS: usize = 6;

/// The whole overview, ready to print.
pub fn overview(record: &Record, out: &Path, telling: Telling) -> String {
    let mut text = String::new();
    if !telling.has_stories {
        tests(&mut text, record);
    }
    alarms(&mut text, record, telling);
    functions(&mut text, &record.functions);
    totals(&mut text, record);
    mismatches(&mut text, &record.mismatches);
    files(&mut text, record, out);
    text
}

fn tests(text: &mut String, record: &Record) {
    let tests = &record.tests;
    let shown = &tests[..tests.len().min(SHOWN_TESTS)];
    let rows: Vec<[String; 3]> = shown
        .iter()
        .map(|test| {
            let differs = record.mismatches.iter().any(|mismatch| mismatch.test == test.id);
            let mark = if differs { " (natively)" } else { "" };
            [test.id.clone(), format!("{}{mark}", outcome(test)), inputs(test)]
        })
        .collect();
    columns(text, ["test", "outcome", "input"], &rows);
    if tests.len() > shown.len() {
        let _ = writeln!(text, "... and {} more", tests.len() - shown.len());
    }
}

/// Inputs that a test asks for: of those that are zero, only the last of a name may be listed.
fn asked(test: &Test) -> u64 {
    let mut last: BTreeMap<&str, u64> = BTreeMap::new();
    for (name, _) in &test.inputs {
        let (name, number) =
            name.split_once('#').and_then(|(name, number)| Some((name, number.parse().ok()?))).unwrap_or((name, 1));
        let last = last.entry(name).or_default();
        *last = number.max(*last);
    }
    last.values().sum()
}

fn outcome(test: &Test) -> String {
    if test.outcome == TestOutcome::Cut {
        return format!("cut after {} inputs", asked(test));
    }
    match (test.returned, test.exit_code, test.signal) {
        (Some(value), _, _) => format!("returned {value}"),
        (None, Some(code), _) => format!("exited {code}"),
        (None, None, Some(signal)) => format!("{} (signal {signal})", test.outcome),
        (None, None, None) => test.outcome.to_string(),
    }
}

fn inputs(test: &Test) -> String {
    let Readable { texts, numbers } = Readable::of(test);
    let (zeros, others): (Vec<_>, Vec<_>) = numbers.into_iter().partition(|(_, value)| value.bits == 0);
    let numbers = others.iter().chain(&zeros).map(|(path, value)| format!("{path}={value}"));
    let texts = texts.into_iter().map(|(path, text)| format!("{path}={text}"));
    let all: Vec<String> = texts.chain(numbers).collect();
    let hidden = all.len().saturating_sub(SHOWN_INPUTS);
    let mut parts: Vec<String> = all.into_iter().take(SHOWN_INPUTS).collect();
    let nulls = test.pointers.iter().filter(|(_, pointee)| **pointee == Pointee::Null);
    parts.extend(nulls.map(|(path, _)| format!("{path}=NULL")));
    if hidden > 0 {
        parts.push(format!("... {hidden} more"));
    }
    parts.join(" ")
}

fn functions(text: &mut String, functions: &[FunctionResult]) {
    text.push('\n');
    let row = |function: &FunctionResult| {
        let counters = &function.counters;
        let stopped = match (&function.failure, function.stopped) {
            (Some(reason), _) => format!("failed: {reason}"),
            (None, Some(stopped)) => stopped.to_string(),
            (None, None) => String::new(),
        };
        [
            function.name.clone(),
            fraction(counters.statements),
            fraction(counters.branches),
            counters.official.as_ref().map_or("-".into(), |official| fraction(official.branches)),
            counters.executions.to_string(),
            stopped,
        ]
    };
    let rows: Vec<_> = functions.iter().map(row).collect();
    columns(text, ["function", "statements", "branches", "llvm-cov branches", "runs", "stopped"], &rows);
}

fn totals(text: &mut String, record: &Record) {
    let totals = record.totals();
    let _ = writeln!(
        text,
        "\n{} runs, {} paths, {} solver calls (mean size {:.1}), {} divergences, {:.1} s; stopped: {}",
        totals.executions,
        totals.paths,
        totals.solver.calls,
        totals.solver.mean_constraints,
        totals.divergences,
        record.seconds,
        record.stopped.unwrap_or(Stopped::Incomplete),
    );
    let Phases { compile, instrument, explore, confirm, replay, measure, write } = record.phases;
    let _ = writeln!(
        text,
        "time: compile {compile:.1} s, instrument {instrument:.1} s, explore {explore:.1} s, replay {replay:.1} s, \
         confirm {confirm:.1} s, measure {measure:.1} s, write {write:.1} s",
    );
    let answered = totals.solver.tiers.iter().filter(|(_, tier)| tier.answered > 0);
    let tiers: Vec<String> =
        answered.map(|(name, tier)| format!("{name} {} ({:.1} s)", tier.answered, tier.seconds)).collect();
    if !tiers.is_empty() {
        let _ = writeln!(text, "answered by: {}", tiers.join(", "));
    }
    let reasons: Vec<String> = totals.incomplete.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
    if !reasons.is_empty() {
        let _ = writeln!(text, "not every path was tried: {}", reasons.join(", "));
    }
    if totals.seen > 0 {
        let _ = writeln!(text, "seen, but not covered: {} goals, by runs that broke an assumption later", totals.seen);
    }
    let concretised: Vec<String> =
        totals.concretised.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
    if !concretised.is_empty() {
        let _ = writeln!(text, "made concrete: {}", concretised.join(", "));
    }
}

fn mismatches(text: &mut String, mismatches: &[Mismatch]) {
    if mismatches.is_empty() {
        return;
    }
    let _ = writeln!(text, "\nended otherwise on the plain build, which is what the suite records:");
    for Mismatch { test, explored, native, is_left_out, .. } in mismatches {
        let left_out = if *is_left_out { " (left out: not twice the same)" } else { "" };
        let _ = writeln!(text, "  {test}: {native}, explored: {explored}{left_out}");
    }
}

fn files(text: &mut String, record: &Record, out: &Path) {
    let _ = writeln!(text, "results: {}", out.join(FILE_NAME).display());
    for program in &record.programs {
        let _ = writeln!(text, "C tests: {}", out.join(program).display());
    }
}

fn fraction(count: Count) -> String {
    format!("{}/{} ({:.0} %)", count.covered, count.total, count.percent())
}

/// Rows under a header, padded to the widest cell.
pub fn columns<const N: usize>(text: &mut String, header: [&str; N], rows: &[[String; N]]) {
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
    use covet_input::{Value, ValueKind};

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
