//! `covet bench projects`: real projects, every function; a table or one JSON object.

use crate::arguments::bench::ProjectsArgs;
use crate::failure::{FOUND, Failure};
use crate::place::cache_folder;
use covet_bench::packages::{PACKAGES, Package};
use covet_bench::projects::{self, Config, Row};
use covet_budget::Deadline;
use serde_json::json;
use std::process::ExitCode;

/// Functions of each project that `--quick` takes.
const SAMPLE: usize = 20;
/// What is wanted, in percent: functions driven, and branches covered.
const WANTED_DRIVEN: f64 = 98.0;
const WANTED_BRANCHES: f64 = 80.0;
/// Bytes of a test: in the median, and at most.
const WANTED_MEDIAN: usize = 3 << 10;
const WANTED_LARGEST: usize = 64 << 10;

pub fn perform(args: &ProjectsArgs, deadline: &Deadline) -> Result<ExitCode, Failure> {
    let packages = chosen(&args.names)?;
    let folder = args.folder.clone().unwrap_or_else(|| cache_folder().join("projects"));
    let folder = std::path::absolute(&folder).map_err(Failure::file(&folder))?;
    let config = Config {
        covet: std::env::current_exe().map_err(Failure::tool)?,
        scratch: folder.join("results"),
        folder,
        seconds: args.time.unwrap_or(if args.quick { 60.0 } else { 240.0 }),
        memory: args.memory,
        sample: args.quick.then_some(SAMPLE),
        jobs: args.jobs,
        compilers: ["gcc", "clang"].map(str::to_owned).to_vec(),
    };
    let mut rows = Vec::new();
    for package in packages {
        if deadline.is_over() {
            break;
        }
        tell!("{} ...", package.name);
        // One that cannot be fetched or built does not spoil the others.
        let row = projects::measure(package, &config);
        rows.push(row.unwrap_or_else(|error| Row {
            project: package.name.to_string(),
            failures: vec![("the project itself".to_string(), error.to_string())],
            ..Row::default()
        }));
    }
    if args.json {
        say!("{}", json(&rows, &config));
    } else {
        print(&rows, &config);
    }
    let fine = rows.iter().all(|row| is_fine(row, &config));
    Ok(if fine { ExitCode::SUCCESS } else { ExitCode::from(FOUND) })
}

fn is_fine(row: &Row, config: &Config) -> bool {
    row.functions > 0
        && row.driven_percent() >= WANTED_DRIVEN
        && row.branches >= WANTED_BRANCHES
        && row.seconds <= config.allowed()
        && row.peak >> 20 <= config.memory
        && row.suite.median <= WANTED_MEDIAN
        && row.suite.largest <= WANTED_LARGEST
        && row.suite.complaints.is_empty()
}

fn chosen(names: &[String]) -> Result<Vec<&'static Package>, Failure> {
    let all: Vec<&str> = PACKAGES.iter().map(|package| package.name).collect();
    if let Some(unknown) = names.iter().find(|name| !all.contains(&name.as_str())) {
        return Err(Failure::User(format!("no project `{unknown}` here; there are {}", all.join(", "))));
    }
    let is_wanted = |package: &&Package| names.is_empty() || names.iter().any(|name| name == package.name);
    Ok(PACKAGES.iter().filter(is_wanted).collect())
}

fn json(rows: &[Row], config: &Config) -> serde_json::Value {
    let project = |row: &Row| {
        let details = row.details.iter().map(|detail| {
            json!({
                "name": detail.name, "official_branches_percent": detail.official, "branches_percent": detail.own,
                "seconds": detail.seconds, "stopped": detail.stopped, "doubtful": detail.is_doubtful(),
            })
        });
        json!({
            "project": row.project, "functions": row.functions, "driven": row.driven,
            "driven_percent": row.driven_percent(), "official_branches_percent": row.branches,
            "branches_percent": row.own_branches, "seconds": row.seconds, "peak_kib": row.peak >> 10,
            "tests": row.suite.tests, "test_bytes_median": row.suite.median, "test_bytes_largest": row.suite.largest,
            "suite_bytes": row.suite.bytes, "complaints": row.suite.complaints, "notes": row.notes,
            "failures": row.failures.iter().map(|(name, reason)| json!({"function": name, "reason": reason})).collect::<Vec<_>>(),
            "details": details.collect::<Vec<_>>(),
        })
    };
    json!({
        "schema": "covet/bench/projects/2", "budget_seconds": config.seconds, "memory_mb": config.memory, "sample": config.sample,
        "projects": rows.iter().map(project).collect::<Vec<_>>(),
    })
}

fn print(rows: &[Row], config: &Config) {
    say!("{} s for each project, {} MB", config.seconds, config.memory);
    say!(
        "project   functions   driven  branches (llvm-cov)     own   wall time      memory   tests   median  largest    suite"
    );
    for row in rows {
        say!(
            "{:<9} {:>9}  {:>5.1} % {:>17.1} %  {:>5.1} %  {:>7.0} s  {:>7} MB  {:>6}  {:>5} B  {:>5} B  {:>5.1} MB",
            row.project,
            row.functions,
            row.driven_percent(),
            row.branches,
            row.own_branches,
            row.seconds,
            row.peak >> 20,
            row.suite.tests,
            row.suite.median,
            row.suite.largest,
            row.suite.bytes as f64 / 1e6
        );
    }
    say!(
        "wanted: {WANTED_DRIVEN} % driven, {WANTED_BRANCHES} % of the branches (mean over functions), ended after {:.0} s, \
         tests of {WANTED_MEDIAN} B in the median and {WANTED_LARGEST} B at most, all of them passing with {}",
        config.allowed(),
        config.compilers.join(" and ")
    );
    rows.iter().for_each(tell);
}

/// What a person would ask about next.
fn tell(row: &Row) {
    for (function, reason) in &row.failures {
        say!("not driven: {}: {function}: {reason}", row.project);
    }
    for complaint in &row.suite.complaints {
        say!("does not pass: {}: {complaint}", row.project);
    }
    for note in &row.notes {
        say!("note: {}: {note}", row.project);
    }
    for detail in row.details.iter().filter(|detail| detail.is_doubtful()) {
        let (official, own) = (detail.official.unwrap_or(100.0), detail.own.unwrap_or(100.0));
        say!("counts differ: {}: {}: {official:.0} % by llvm-cov, {own:.0} % of our own", row.project, detail.name);
    }
}
