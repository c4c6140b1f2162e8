//! `covet bench build`: how long builds of generated programs take, beside `clang -O1`; a table or one JSON object.

use crate::arguments::bench::BuildArgs;
use crate::failure::{FOUND, Failure};
use covet_bench::build::{self, Config, MOST, Row, Start, programs};
use covet_budget::Deadline;
use serde_json::json;
use std::path::Path;
use std::process::ExitCode;

/// How much smaller programs are with `--quick`.
const QUICK: usize = 10;

pub fn perform(args: &BuildArgs, scratch: &Path, deadline: &Deadline) -> Result<ExitCode, Failure> {
    let known = programs::KINDS.map(|kind| kind.name);
    if let Some(unknown) = args.names.iter().find(|name| !known.contains(&name.as_str())) {
        return Err(Failure::User(format!("no program `{unknown}` here; there are {}", known.join(", "))));
    }
    let config =
        Config { scratch: scratch.to_owned(), names: args.names.clone(), smaller: if args.quick { QUICK } else { 1 } };
    if !args.json {
        say!(
            "program      size   clang -O1    compile  instrument   generate       link     ratio     edited  parts known"
        );
    }
    let rows = build::build(&config, deadline, |row| {
        if !args.json {
            print(row);
        }
    })
    .map_err(Failure::tool)?;
    let start = build::start(&config).map_err(Failure::tool)?;
    if args.json {
        say!("{}", json(&rows, &start));
    } else {
        say!("wanted: (instrument + generate) / clang -O1 at most {MOST}");
        let (most, Start { cold, warm }) = (Start::MOST, start);
        say!(
            "start of a one-line file: cold {cold:.2} s (at most {}), warm {warm:.2} s (at most {})",
            most.cold,
            most.warm
        );
    }
    Ok(if rows.iter().all(Row::is_within) && start.is_within() { ExitCode::SUCCESS } else { ExitCode::from(FOUND) })
}

fn print(row: &Row) {
    let seconds = [row.clang, row.compile, row.instrument, row.generate, row.link].map(|time| format!("{time:>9.2} s"));
    let (known, parts) = row.known;
    let (name, size, seconds, ratio, edited) = (row.name, row.size, seconds.join(""), row.ratio(), row.edited);
    say!("{name:<10} {size:>6} {seconds} {ratio:>9.1} {edited:>8.2} s  {known} of {parts}");
}

fn json(rows: &[Row], start: &Start) -> serde_json::Value {
    let one = |row: &Row| {
        json!({
            "program": row.name, "what": row.what, "size": row.size, "clang_seconds": row.clang,
            "compile_seconds": row.compile, "instrument_seconds": row.instrument, "generate_seconds": row.generate,
            "link_seconds": row.link, "ratio": row.ratio(), "edited_seconds": row.edited, "parts": row.known.1,
            "edited_known_parts": row.known.0, "within": row.is_within(),
        })
    };
    json!({
        "schema": "covet/bench/build/1", "most": MOST, "programs": rows.iter().map(one).collect::<Vec<_>>(),
        "start": { "cold_seconds": start.cold, "warm_seconds": start.warm, "within": start.is_within() },
        "within": rows.iter().all(Row::is_within) && start.is_within(),
    })
}
