//! `covet bench walk`: runs the corpus and prints coverage by program and way.

use crate::bench_args::WalkBenchArgs;
use crate::failure::{FOUND, Failure};
use covet_bench::walk::{self, Cell, PROGRAMS, Report};
use indicatif::{ProgressBar, ProgressStyle};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

pub fn perform(args: &WalkBenchArgs, scratch: &Path, interrupt: &AtomicBool) -> Result<ExitCode, Failure> {
    let config = walk::Config {
        covet: std::env::current_exe().map_err(Failure::tool)?,
        scratch: scratch.to_owned(),
        seeds: if args.quick { 2 } else { args.seeds },
        quick: args.quick,
        programs: args.programs.clone(),
        ways: args.ways.clone(),
        variations: args.variations,
        jobs: 2,
    };
    let bar = ProgressBar::new_spinner();
    bar.set_style(
        ProgressStyle::with_template("{elapsed_precise} {spinner} {pos} explorations, last {msg}").expect("a template"),
    );
    let report = walk::walk(&config, interrupt, |cell: &Cell| {
        bar.set_message(format!("{} by {}: {:.0} %", cell.program, cell.way, cell.coverage()));
        bar.inc(1);
    })
    .map_err(Failure::tool)?;
    bar.finish_and_clear();
    if let Some(folder) = &args.out {
        walk::write(&report, folder).map_err(Failure::tool)?;
    }
    if args.json {
        println!("{}", report.json());
    } else {
        print(&report);
    }
    let missed = PROGRAMS.iter().any(|p| report.row(p.name, "auto").is_some_and(|row| row.coverage < p.wanted));
    Ok(if missed { ExitCode::from(FOUND) } else { ExitCode::SUCCESS })
}

fn print(report: &Report) {
    println!("percent of what is feasible: median of the seeds (variance), and seconds");
    print!("{:<10}", "");
    report.ways.iter().for_each(|way| print!("{way:>24}"));
    println!();
    for program in &report.programs {
        print!("{program:<10}");
        for way in &report.ways {
            match report.row(program, way) {
                Some(row) => print!("{:>10.1} ({:>4.1}) {:>5.1} s", row.coverage, row.variance, row.seconds),
                None => print!("{:>24}", "-"),
            }
        }
        println!();
    }
    print!("{:<10}", "by lines");
    report.ways.iter().for_each(|way| print!("{:>10.1} {:>11.1} s", report.average(way), report.time(way)));
    println!();
    for way in report.ways.iter().filter(|way| **way != "auto") {
        let chances = report.programs.iter().filter_map(|p| Some((p, report.chance(p, "auto", way)?)));
        let clear: Vec<String> = chances.filter(|(_, p)| *p < 0.01).map(|(name, p)| format!("{name} {p:.4}")).collect();
        if !clear.is_empty() {
            println!(
                "auto differs from {way} beyond chance (Mann-Whitney U, two-sided, p < 0.01): {}",
                clear.join(", ")
            );
        }
    }
    for row in report.rows.iter().filter(|row| row.way == "auto" && !row.unsolved.is_empty()) {
        println!("not solved by every seed of auto in {}: {}", row.program, row.unsolved.join(", "));
    }
    for (name, speed) in &report.speeds {
        let ratio = speed.compiled / speed.interpreted;
        println!(
            "evaluations per second, {name}: {:.0} interpreted, {:.0} compiled ({ratio:.1} times)",
            speed.interpreted, speed.compiled
        );
    }
    println!("{:.0} s in all", report.seconds);
}
