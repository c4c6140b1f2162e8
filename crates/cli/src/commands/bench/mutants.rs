//! `covet bench mutants`: how many small edits of tested functions the suites notice; a table or one JSON object.

use crate::arguments::bench::MutantsArgs;
use crate::failure::{FOUND, Failure};
use crate::place::cache_folder;
use covet_bench::mutants::{self, Config, EXAMPLES, Row};
use covet_bench::packages::PACKAGES;
use covet_budget::Deadline;
use serde_json::json;
use std::process::ExitCode;

/// What is wanted, in percent of all edits.
const WANTED: f64 = 70.0;
/// Edits of all subjects together, and with `--quick`, which takes the examples alone.
const COUNT: usize = 200;
const QUICK: usize = 40;

pub fn perform(args: &MutantsArgs, deadline: &Deadline) -> Result<ExitCode, Failure> {
    let examples = EXAMPLES.map(|(name, _)| name);
    let packages = PACKAGES.iter().map(|package| package.name).filter(|_| !args.quick);
    let all: Vec<&str> = examples.into_iter().chain(packages).collect();
    if let Some(unknown) = args.names.iter().find(|name| !all.contains(&name.as_str())) {
        return Err(Failure::User(format!("no subject `{unknown}` here; there are {}", all.join(", "))));
    }
    let wanted: Vec<&str> = all
        .into_iter()
        .filter(|name| args.names.is_empty() || args.names.iter().any(|wanted| wanted == name))
        .collect();
    let folder = args.folder.clone().unwrap_or_else(|| cache_folder().join("projects"));
    let folder = std::path::absolute(&folder).map_err(Failure::file(&folder))?;
    let count = args.edits.unwrap_or(if args.quick { QUICK } else { COUNT });
    let config = Config {
        covet: std::env::current_exe().map_err(Failure::tool)?,
        scratch: folder.join("mutants"),
        suites: args.kept.then(|| folder.join("results")),
        folder,
        seconds: args.time,
        count: count.div_ceil(wanted.len()),
        seed: args.seed,
    };
    let mut rows = Vec::new();
    for name in wanted {
        if deadline.is_over() {
            break;
        }
        tell!("{name} ...");
        let example = EXAMPLES.into_iter().find(|(known, _)| *known == name);
        let package = PACKAGES.iter().find(|package| package.name == name);
        let row = match (example, package) {
            (Some(example), _) => mutants::example(example, &config),
            (None, Some(package)) => mutants::package(package, &config),
            (None, None) => continue,
        };
        // One that cannot be fetched or built does not spoil the others.
        match row {
            Ok(row) => rows.push(row),
            Err(error) => tell!("{name}: {error}"),
        }
    }
    let total = total(&rows);
    if args.json {
        say!("{}", object(&rows, &total, args.seed));
    } else {
        print(&rows, &total, args.survivors);
    }
    Ok(if total.percent() >= WANTED { ExitCode::SUCCESS } else { ExitCode::from(FOUND) })
}

fn total(rows: &[Row]) -> Row {
    let sum = |figure: fn(&Row) -> usize| rows.iter().map(figure).sum();
    Row {
        subject: "all".to_owned(),
        tests: sum(|row| row.tests),
        killed: sum(|row| row.killed),
        survived: sum(|row| row.survived),
        refused: sum(|row| row.refused),
        equivalent: sum(|row| row.equivalent),
        failing: Vec::new(),
        survivors: Vec::new(),
    }
}

fn object(rows: &[Row], total: &Row, seed: u64) -> serde_json::Value {
    let row = |row: &Row| {
        json!({
            "subject": row.subject, "tests": row.tests, "killed": row.killed, "survived": row.survived,
            "not_compiling": row.refused, "equivalent": row.equivalent, "killed_percent": row.percent(), "failing": row.failing,
            "survivors": row.survivors,
        })
    };
    json!({
        "schema": "covet/bench/mutants/1", "seed": seed, "subjects": rows.iter().map(row).collect::<Vec<_>>(),
        "total": row(total), "wanted_percent": WANTED,
    })
}

fn print(rows: &[Row], total: &Row, with_survivors: bool) {
    say!(
        "{:<10} {:>6} {:>7} {:>9} {:>14} {:>10} {:>8}",
        "subject",
        "tests",
        "killed",
        "survived",
        "not compiling",
        "equivalent",
        "killed"
    );
    for row in rows.iter().chain([total]) {
        say!(
            "{:<10} {:>6} {:>7} {:>9} {:>14} {:>10} {:>6.1} %",
            row.subject,
            row.tests,
            row.killed,
            row.survived,
            row.refused,
            row.equivalent,
            row.percent()
        );
    }
    say!("(wanted: at least {WANTED} % of all)");
    for row in rows {
        row.failing.iter().for_each(|source| say!("left out, its tests fail as they are: {}: {source}", row.subject));
    }
    if with_survivors {
        rows.iter().flat_map(|row| &row.survivors).for_each(|survivor| say!("survived: {survivor}"));
    }
}
