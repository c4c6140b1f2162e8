//! `covet replay`: recorded tests on a plain build, each compared with what was recorded.

use crate::arguments::ReplayArgs;
use crate::commands::gdb;
use crate::failure::{self, Failure};
use crate::place;
use crate::running::Running;
use covet_campaign::{Replayed, replay};
use covet_suite::replay::Verdict;
use serde_json::json;
use std::process::ExitCode;

pub fn perform(args: &ReplayArgs, running: &Running) -> Result<ExitCode, Failure> {
    if args.gdb {
        return gdb::perform(args, running);
    }
    let config = place::config(&running.deadline)?;
    // Nothing is written here.
    let replayed = running.unkept("compiling", || replay(&config, &args.out, &args.tests))?;
    Ok(print(args, &replayed))
}

fn print(args: &ReplayArgs, replayed: &[Replayed]) -> ExitCode {
    let mut failed = 0;
    let mut rows = Vec::new();
    for Replayed { test, verdict } in replayed {
        let (passed, text) = match verdict {
            Some(Verdict::Passed) => (true, "as recorded".to_string()),
            Some(Verdict::Undefined { got }) => (true, format!("undefined behaviour: {got}")),
            Some(Verdict::Failed { check: Some(check), .. }) => (false, check.clone()),
            Some(Verdict::Failed { expected, got, check: None }) => (false, format!("expected {expected}, got {got}")),
            Some(Verdict::CouldNotBuild(stderr)) => (false, format!("does not compile: {}", first_line(stderr))),
            Some(Verdict::NotRun) => (false, "not run: the time was up".to_string()),
            None => (false, "its function is not in the sources any more".to_string()),
        };
        failed += usize::from(!passed);
        rows.push(json!({"id": test, "passed": passed, "detail": text}));
        if !args.json && !args.quiet {
            say!("{} {test}: {text}", if passed { "ok  " } else { "FAIL" });
        }
    }
    if args.json {
        say!("{}", json!({"schema": "covet/replay/1", "command": "replay", "tests": rows, "failed": failed}));
    } else if !args.quiet {
        say!("{} of {} tests behave as recorded", replayed.len() - failed, replayed.len());
    }
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::from(failure::FOUND) }
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or("")
}
