//! `covet bench walk`: runs the corpus and prints coverage by program and way.

use crate::arguments::bench::WalkBenchArgs;
use crate::failure::{FOUND, Failure};
use covet_bench::walk::{self, Cell, Report};
use covet_budget::Deadline;
use indicatif::{ProgressBar, ProgressStyle};
use std::path::Path;
use std::process::ExitCode;

pub fn perform(args: &WalkBenchArgs, scratch: &Path, deadline: &Deadline) -> Result<ExitCode, Failure> {
    let config = walk::Config {
        cache: scratch.join("cache"),
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
    let report = walk::walk(&config, deadline, |cell: &Cell| {
        bar.set_message(format!("{} by {}: {:.0} %", cell.program, cell.way, cell.coverage()));
        bar.inc(1);
    })
    .map_err(Failure::tool)?;
    bar.finish_and_clear();
    if let Some(folder) = &args.out {
        walk::write(&report, folder).map_err(Failure::tool)?;
    }
    if args.json {
        say!("{}", report.json());
    } else {
        print(&report);
    }
    let missed = walk::expectations(&report).iter().any(|(_, found)| !found);
    Ok(if missed { ExitCode::from(FOUND) } else { ExitCode::SUCCESS })
}

fn print(report: &Report) {
    if !report.programs.is_empty() {
        print_coverage(report);
        print_comparisons(report);
    }
    for row in report.rows.iter().filter(|row| row.way == "auto" && !row.unsolved.is_empty()) {
        say!("not solved by every seed of auto in {}: {}", row.program, row.unsolved.join(", "));
    }
    for of in &report.speeds {
        let (name, speed, ratio) = (of.of, of.speed, of.ratio());
        say!(
            "evaluations per second, {name}: {:.0} interpreted, {:.0} compiled ({ratio:.1} times)",
            speed.interpreted,
            speed.compiled
        );
        if of.calls.is_finite() {
            say!("  the calls alone: {:.0}, so {:.0} % of the compiled time", of.calls, 100.0 * of.in_calls());
        }
    }
    for cost in &report.integers {
        let ratio = cost.with / cost.without;
        let program = cost.program;
        say!(
            "{program}, integers only: {:.2} processor seconds with the walk, {:.2} without ({ratio:.2} times)",
            cost.with,
            cost.without
        );
    }
    if !report.integers.is_empty() {
        let (ratio, share) = (walk::ratio(&report.integers), 100.0 * walk::share(&report.integers));
        say!(
            "integer programs together: {ratio:.2} times the time without the walk; {share:.3} % of it is spent in the walk"
        );
    }
    for (what, found) in walk::expectations(report) {
        say!("{} {what}", if found { "holds: " } else { "missed:" });
    }
    say!("{:.0} s in all", report.seconds);
}

fn print_coverage(report: &Report) {
    say!("percent of what is feasible: median of the seeds (variance), and seconds");
    say_part!("{:<10}", "");
    report.ways.iter().for_each(|way| say_part!("{way:>24}"));
    say!();
    for program in &report.programs {
        say_part!("{program:<10}");
        for way in &report.ways {
            match report.row(program, way) {
                Some(row) => say_part!("{:>10.1} ({:>4.1}) {:>5.1} s", row.coverage, row.variance, row.seconds),
                None => say_part!("{:>24}", "-"),
            }
        }
        say!();
    }
    say_part!("{:<10}", "by lines");
    report.ways.iter().for_each(|way| say_part!("{:>10.1} {:>11.1} s", report.average(way), report.pass(way)));
    say!("   (wall-clock time of a pass, two explorations at a time)");
}

/// Where two ways differ beyond chance: each baseline with the published walk, that with ours, and every way with `auto`.
fn print_comparisons(report: &Report) {
    say!("differences beyond chance (Mann-Whitney U, two-sided, p < 0.01), and the coverage by lines in relation:");
    let with_paper = report.ways.iter().filter(|way| **way != "paper" && **way != "auto").map(|way| ("paper", *way));
    let with_auto =
        report.ways.iter().filter(|way| **way != "auto" && !way.starts_with("paper, ")).map(|way| ("auto", *way));
    for (one, other) in with_paper.chain(with_auto).filter(|(one, _)| report.has(one)) {
        let clear = |higher: bool| {
            let differs = |program: &&&str| {
                let (Some(a), Some(b)) = (report.row(program, one), report.row(program, other)) else { return false };
                let p = report.chance(program, one, other).unwrap_or(1.0);
                p < 0.01 && (a.coverage > b.coverage) == higher && a.coverage != b.coverage
            };
            let names: Vec<&str> = report.programs.iter().filter(differs).copied().collect();
            if names.is_empty() { "-".to_owned() } else { names.join(", ") }
        };
        let ratio = report.average(other) / report.average(one);
        say!("  {one} : {other} ({ratio:.2})  higher on {}; lower on {}", clear(true), clear(false));
    }
}
