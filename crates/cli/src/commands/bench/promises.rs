//! `covet bench promises`: what was tried and what held; a table or one JSON object.

use crate::arguments::bench::PromisesArgs;
use crate::failure::{FOUND, Failure};
use covet_bench::promises::{self, Config, Row};
use covet_budget::Deadline;
use serde_json::json;
use std::path::Path;
use std::process::ExitCode;

pub fn perform(args: &PromisesArgs, scratch: &Path, deadline: &Deadline) -> Result<ExitCode, Failure> {
    let known = promises::names();
    if let Some(unknown) = args.names.iter().find(|name| !known.contains(&name.as_str())) {
        return Err(Failure::User(format!("no program `{unknown}` here; there are {}", known.join(", "))));
    }
    let folder = args.folder.clone().unwrap_or_else(|| scratch.to_owned());
    let config = Config {
        covet: std::env::current_exe().map_err(Failure::tool)?,
        scratch: std::path::absolute(&folder).map_err(Failure::file(&folder))?,
        names: args.names.clone(),
        quick: args.quick,
    };
    if !args.json {
        say!("promise      program            time   allowed    memory  branches   tests  stopped");
    }
    let rows = promises::promises(&config, deadline, |row| {
        if !args.json {
            print(row)
        }
    })
    .map_err(Failure::tool)?;
    let broken: usize = rows.iter().map(|row| row.broken.len()).sum();
    if args.json {
        say!("{}", json(&rows));
    } else {
        let seconds: f64 = rows.iter().map(|row| row.seconds).sum();
        say!("{} programs, {broken} promises broken, {seconds:.0} s", rows.len());
    }
    Ok(if broken == 0 { ExitCode::SUCCESS } else { ExitCode::from(FOUND) })
}

fn print(row: &Row) {
    let allowed = row.allowed.map_or("-".to_owned(), |seconds| format!("{seconds:.1} s"));
    say!(
        "{:<12} {:<14} {:>6.1} s  {allowed:>8}  {:>5} MB  {:>4}/{:<4} {:>6}  {}",
        row.promise,
        row.program,
        row.seconds,
        row.peak,
        row.branches.0,
        row.branches.1,
        row.tests,
        row.stopped
    );
    for what in &row.broken {
        say!("    broken: {what}");
    }
}

fn json(rows: &[Row]) -> serde_json::Value {
    let one = |row: &Row| {
        json!({
            "promise": row.promise, "program": row.program, "seconds": row.seconds, "allowed_seconds": row.allowed,
            "peak_mb": row.peak, "branches": {"covered": row.branches.0, "total": row.branches.1}, "tests": row.tests,
            "stopped": row.stopped, "broken": row.broken,
        })
    };
    json!({
        "schema": "covet/bench/promises/1", "broken": rows.iter().map(|row| row.broken.len()).sum::<usize>(),
        "programs": rows.iter().map(one).collect::<Vec<_>>(),
    })
}
