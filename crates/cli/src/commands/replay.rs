//! `covet replay`: recorded tests on a plain build, each compared with what was recorded.

use crate::args::ReplayArgs;
use crate::failure::{self, Failure};
use crate::results::{Models, replayable, settings};
use crate::{interrupts, place, settled};
use covet_abi::check::Checks;
use covet_project::{Compiled, Parts, Request};
use covet_results::{Database, Record};
use covet_suite::ctest;
use covet_suite::replay::Verdict;
use serde_json::json;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

pub fn perform(args: &ReplayArgs, interrupt: &AtomicBool) -> Result<ExitCode, Failure> {
    // Nothing is written here.
    interrupts::or_leave(interrupt, || replay(args))
}

fn replay(args: &ReplayArgs) -> Result<ExitCode, Failure> {
    let record = Database::open(&args.out)?.read()?;
    let wanted = wanted_tests(&record, &args.tests)?;
    let compiled = compile_again(&record)?;
    let scratch = tempfile::tempdir().map_err(Failure::tool)?;
    let run_time = record.meta.settings.get("run-time").and_then(|text| text.parse().ok()).unwrap_or(1000);
    let mut settings = settings(&args.out, Duration::from_millis(run_time));
    // The results folder stays as it is.
    settings.folder = scratch.path().to_owned();
    let models = Models::of(&compiled);
    let programs = ctest::programs(models.sources(&compiled), &record, &settings);
    let replay = replayable(&programs, &settings, scratch.path(), ctest::Flavour::Plain)?;
    let mut verdicts = Vec::new();
    for id in wanted {
        let verdict = replay.run(&id).map_err(Failure::tool)?;
        verdicts.push((id, verdict));
    }
    Ok(print(args, &verdicts))
}

fn wanted_tests(record: &Record, names: &[String]) -> Result<Vec<String>, Failure> {
    let known: Vec<&String> = record.tests.iter().map(|test| &test.id).collect();
    if let Some(missing) = names.iter().find(|name| !known.contains(name)) {
        let some: Vec<&str> = known.iter().take(5).map(|id| id.as_str()).collect();
        return Err(Failure::User(format!(
            "no test `{missing}` here; there are {} tests: {} ...",
            known.len(),
            some.join(", ")
        )));
    }
    Ok(if names.is_empty() { known.into_iter().cloned().collect() } else { names.to_vec() })
}

/// Reads the sources of a record as they are now, under the settings they had then.
fn compile_again(record: &Record) -> Result<Compiled, Failure> {
    let sources: Vec<PathBuf> = record.meta.sources.iter().map(PathBuf::from).collect();
    let mut config = place::config()?;
    if let Some(directory) = record.meta.settings.get("directory") {
        // Flags like -I. mean what they meant then.
        config.directory = directory.into();
    }
    let settings = settled::recorded(&record.meta.settings)?;
    let flags = &record.meta.flags;
    covet_project::compile(&Request {
        config: &config,
        sources: &sources,
        flags,
        parts: Parts::Some,
        jobs: 1,
        settings: &settings,
        checks: Checks::usual(),
    })
}

fn print(args: &ReplayArgs, verdicts: &[(String, Option<Verdict>)]) -> ExitCode {
    let mut failed = 0;
    let mut rows = Vec::new();
    for (id, verdict) in verdicts {
        let (passed, text) = match verdict {
            Some(Verdict::Passed) => (true, "as recorded".to_string()),
            Some(Verdict::Undefined { got }) => (true, format!("undefined behaviour: {got}")),
            Some(Verdict::Failed { expected, got }) => (false, format!("expected {expected}, got {got}")),
            Some(Verdict::CouldNotBuild(stderr)) => (false, format!("does not compile: {}", first_line(stderr))),
            None => (false, "its function is not in the sources any more".to_string()),
        };
        failed += usize::from(!passed);
        rows.push(json!({"id": id, "passed": passed, "detail": text}));
        if !args.json && !args.quiet {
            println!("{} {id}: {text}", if passed { "ok  " } else { "FAIL" });
        }
    }
    if args.json {
        println!("{}", json!({"schema": "covet/replay/1", "command": "replay", "tests": rows, "failed": failed}));
    } else if !args.quiet {
        println!("{} of {} tests behave as recorded", verdicts.len() - failed, verdicts.len());
    }
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::from(failure::FOUND) }
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or("")
}
