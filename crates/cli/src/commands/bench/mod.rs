//! `covet bench`: measures Covet itself and prints what came out, as text or as one JSON object.

mod bugs;
mod build;
mod mutants;
mod projects;
mod promises;
mod walk;

use crate::arguments::bench::{BenchArgs, BenchName, IppcArgs, SemanticsArgs, SpeedArgs};
use crate::failure::{FOUND, Failure, INTERRUPTED};
use covet_bench::semantics::{self, Row, Verdict};
use covet_bench::{ippc, speed};
use covet_budget::Deadline;
use covet_scratch::Scratch;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use std::path::Path;
use std::process::ExitCode;

pub fn perform(args: &BenchArgs, deadline: &Deadline) -> Result<ExitCode, Failure> {
    let scratch = Scratch::new().map_err(Failure::machine)?;
    let done = match &args.name {
        BenchName::Semantics(args) => compare_random_programs(args, scratch.path(), deadline),
        BenchName::Build(args) => build::perform(args, scratch.path(), deadline),
        BenchName::Speed(args) => measure_speed(args, scratch.path()),
        BenchName::Projects(args) => projects::perform(args, deadline),
        BenchName::Mutants(args) => mutants::perform(args, deadline),
        BenchName::Bugs(args) => bugs::perform(args, deadline),
        BenchName::Promises(args) => promises::perform(args, scratch.path(), deadline),
        BenchName::Ippc(args) => repeat_ippc(args, scratch.path(), deadline),
        BenchName::Walk(args) => walk::perform(args, scratch.path(), deadline),
    };
    // What came before an interrupt was told; whether it is as wanted is not known.
    if deadline.is_over() { done.map(|_| ExitCode::from(INTERRUPTED)) } else { done }
}

fn compare_random_programs(args: &SemanticsArgs, scratch: &Path, deadline: &Deadline) -> Result<ExitCode, Failure> {
    let config = semantics::Config {
        count: args.count,
        first_seed: args.seed,
        jobs: args.jobs,
        cache: scratch.join("cache"),
        scratch: scratch.to_owned(),
    };
    let bar = ProgressBar::new(args.count);
    bar.set_style(
        ProgressStyle::with_template("{elapsed_precise} {wide_bar} {pos}/{len} programs").expect("a template"),
    );
    let rows = semantics::semantics(&config, deadline, |row: &Row| match &row.verdict {
        Verdict::Same => bar.inc(1),
        Verdict::PassedOver => {}
        Verdict::Mismatch(what) => {
            bar.inc(1);
            bar.suspend(|| tell!("seed {}: {what}", row.seed));
        }
    })
    .map_err(Failure::tool)?;
    bar.finish_and_clear();
    let count = |wanted: fn(&Verdict) -> bool| rows.iter().filter(|row| wanted(&row.verdict)).count();
    let same = count(|verdict| *verdict == Verdict::Same);
    let wrong = count(|verdict| matches!(verdict, Verdict::Mismatch(_)));
    let passed_over = count(|verdict| *verdict == Verdict::PassedOver);
    let conditions: u64 = rows.iter().map(|row| row.conditions).sum();
    if args.json {
        let object = json!({
            "schema": "covet/bench/semantics/1", "programs": same + wrong, "same": same, "mismatches": wrong,
            "passed_over": passed_over, "conditions": conditions,
        });
        say!("{object}");
    } else {
        say!("{} random programs compared: {same} the same, {wrong} mismatches", same + wrong);
        say!("{conditions} recorded conditions checked against their own input");
        say!("{passed_over} programs passed over (they do not end in time, or clang refuses them)");
    }
    Ok(if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::from(FOUND) })
}

fn measure_speed(args: &SpeedArgs, scratch: &Path) -> Result<ExitCode, Failure> {
    let config = speed::Config { cache: scratch.join("cache"), scratch: scratch.to_owned(), quick: args.quick };
    let report = speed::speed(&config).map_err(Failure::tool)?;
    if args.json {
        let slowdowns: serde_json::Map<String, serde_json::Value> =
            report.slowdowns.iter().map(|(name, ratio)| (name.clone(), json!(ratio))).collect();
        let peaks: serde_json::Map<String, serde_json::Value> =
            report.peaks.iter().map(|(name, size)| ((*name).to_owned(), json!(size))).collect();
        let object = json!({
            "schema": "covet/bench/speed/1",
            "reset_runs_per_second": report.reset_runs_per_second, "fork_runs_per_second": report.fork_runs_per_second,
            "reset_over_fork": report.reset_over_fork(), "slowdowns": slowdowns, "slowdown": report.slowdown(),
            "symbolic_milliseconds": report.symbolic_milliseconds, "plain_milliseconds": report.plain_milliseconds,
            "symbolic_limit_milliseconds": report.symbolic_limit(), "nodes": report.nodes, "peak_kib": peaks,
            "within_targets": report.is_within_targets(),
        });
        say!("{object}");
    } else {
        print_speed(&report);
    }
    Ok(if report.is_within_targets() { ExitCode::SUCCESS } else { ExitCode::from(FOUND) })
}

fn print_speed(report: &speed::Report) {
    say!("runs of a small function per second");
    say!("  reset mode {:>12.0}", report.reset_runs_per_second);
    say!("  fork mode  {:>12.0}", report.fork_runs_per_second);
    say!("  ratio      {:>12.1}   (wanted: at least 50)", report.reset_over_fork());
    say!("concrete code against plain -O0");
    for (name, ratio) in &report.slowdowns {
        say!("  {name:<10} {ratio:>12.2}");
    }
    say!("  mean       {:>12.2}   (geometric; wanted: at most 1.5)", report.slowdown());
    say!("one run with 100,000 symbolic operations ({} nodes)", report.nodes);
    say!("  plain      {:>9.3} ms", report.plain_milliseconds);
    say!("  followed   {:>9.3} ms   (wanted: at most {:.1})", report.symbolic_milliseconds, report.symbolic_limit());
    say!("peak memory");
    for (name, size) in &report.peaks {
        say!("  {name:<38} {:>8.1} MiB", *size as f64 / 1024.0);
    }
}

fn repeat_ippc(args: &IppcArgs, scratch: &Path, deadline: &Deadline) -> Result<ExitCode, Failure> {
    let config = ippc::Config {
        cache: scratch.join("cache"),
        scratch: scratch.to_owned(),
        seeds: if args.quick { 1 } else { args.seeds },
        bounds: if args.quick { 1 } else { args.bounds as usize },
        programs: args.programs.clone(),
        limit: args.limit,
        jobs: args.jobs as usize,
    };
    let known = ippc::PROGRAMS.map(|program| program.name);
    if let Some(name) = args.programs.iter().find(|name| !known.contains(&name.as_str())) {
        return Err(Failure::User(format!("no program {name:?}; the programs are {}", known.join(", "))));
    }
    let rows = ippc::ippc(&config, deadline, |row| {
        let times: Vec<String> = row.cells.iter().map(|cell| format!("{:.2} s", cell.seconds)).collect();
        tell!("{} {}: {}", row.program, row.bound, times.join(", "));
    })
    .map_err(Failure::tool)?;
    if let Some(path) = &args.plot {
        std::fs::write(path, ippc::svg(&rows)).map_err(Failure::file(path))?;
    }
    if args.json {
        say!("{}", ippc::json(&rows, &config));
    } else {
        say_part!("{}", ippc::text(&rows));
    }
    let met = ippc::expectations(&rows).iter().all(|(_, met)| *met);
    Ok(if met { ExitCode::SUCCESS } else { ExitCode::from(FOUND) })
}
