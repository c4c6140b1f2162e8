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

pub fn perform(args: &ProjectsArgs, deadline: &Deadline) -> Result<ExitCode, Failure> {
    let packages = chosen(&args.names)?;
    let folder = args.folder.clone().unwrap_or_else(|| cache_folder().join("projects"));
    let folder = std::path::absolute(&folder).map_err(Failure::file(&folder))?;
    let scratch = folder.join("results");
    std::fs::create_dir_all(&scratch).map_err(Failure::file(&scratch))?;
    let config = Config {
        cache: cache_folder(),
        folder,
        scratch,
        seconds: args.time_each.unwrap_or(if args.quick { 1.0 } else { 5.0 }),
        sample: args.quick.then_some(SAMPLE),
        jobs: args.jobs,
    };
    let mut rows = Vec::new();
    for package in packages {
        if deadline.is_over() {
            break;
        }
        eprintln!("{} ...", package.name);
        // One that cannot be fetched or built does not spoil the others.
        let row = projects::measure(package, &config, deadline);
        rows.push(row.unwrap_or_else(|error| Row {
            project: package.name.to_string(),
            failures: vec![("the project itself".to_string(), error.to_string())],
            ..Row::default()
        }));
    }
    if args.json {
        println!("{}", json(&rows, &config));
    } else {
        print(&rows, &config);
    }
    let fine = rows
        .iter()
        .all(|row| row.functions > 0 && row.driven_percent() >= WANTED_DRIVEN && row.branches >= WANTED_BRANCHES);
    Ok(if fine { ExitCode::SUCCESS } else { ExitCode::from(FOUND) })
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
            "branches_percent": row.own_branches, "seconds": row.seconds, "peak_kib": row.peak,
            "failures": row.failures.iter().map(|(name, reason)| json!({"function": name, "reason": reason})).collect::<Vec<_>>(),
            "details": details.collect::<Vec<_>>(),
        })
    };
    json!({
        "schema": "covet/bench/projects/1", "seconds_each": config.seconds, "sample": config.sample,
        "projects": rows.iter().map(project).collect::<Vec<_>>(),
    })
}

fn print(rows: &[Row], config: &Config) {
    println!("{} s for each function", config.seconds);
    println!("project   functions  driven             branches (llvm-cov)  own count    wall time   peak memory");
    for row in rows {
        println!(
            "{:<9} {:>9}  {:>6} ({:>5.1} %)   {:>12.1} %       {:>6.1} %   {:>7.0} s   {:>8.1} MiB",
            row.project,
            row.functions,
            row.driven,
            row.driven_percent(),
            row.branches,
            row.own_branches,
            row.seconds,
            row.peak as f64 / 1024.0
        );
    }
    println!("wanted: at least {WANTED_DRIVEN} % driven, {WANTED_BRANCHES} % of the branches (mean over functions)");
    for row in rows {
        for (function, reason) in &row.failures {
            println!("not driven: {}: {function}: {reason}", row.project);
        }
        for detail in row.details.iter().filter(|detail| detail.is_doubtful()) {
            let (official, own) = (detail.official.unwrap_or(100.0), detail.own.unwrap_or(100.0));
            println!(
                "counts differ: {}: {}: {official:.0} % by llvm-cov, {own:.0} % of our own",
                row.project, detail.name
            );
        }
    }
}
