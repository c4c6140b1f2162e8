//! The IPPC paper's experiment with our own programs: eight units, the paper's iteration bounds, five techniques, several
//! seeds; Table 2 and Table 4 of the paper beside what we measure.
//!
//! Each run is a `covet cover` of its own, as a user would start it. The paper's four techniques run as its tool did, a process
//! for each run; `auto` is our default.

mod paper;
mod plot;
mod text;

use crate::Error;
use serde_json::{Value as Json, json};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};

pub use plot::svg;
pub use text::text;

/// One of the eight programs.
#[derive(Clone, Copy, Debug)]
pub struct Program {
    pub name: &'static str,
    pub function: &'static str,
    pub source: &'static str,
    /// The paper's bounds on iterations.
    pub bounds: [u64; 3],
}

macro_rules! program {
    ($name:literal, $file:literal, $function:literal, $bounds:expr) => {
        Program {
            name: $name,
            function: $function,
            source: include_str!(concat!("../../../benchmarks/ippc/", $file)),
            bounds: $bounds,
        }
    };
}

pub const PROGRAMS: [Program; 8] = [
    program!("gcd", "gcd.c", "gcd", [1000, 5000, 10000]),
    program!("bsort", "bsort.c", "bsort", [100, 500, 1000]),
    program!("sqrt", "sqrt.c", "square_root", [1000, 5000, 10000]),
    program!("prime", "prime.c", "prime", [100, 175, 250]),
    program!("factor", "factor.c", "factor", [50, 75, 100]),
    program!("replace", "replace.c", "replace", [1000, 5000, 10000]),
    program!("ptokens", "tokens.c", "tokens", [1000, 5000, 10000]),
    program!("grep", "search.c", "search", [100, 220, 340]),
];

/// A column of the tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Technique {
    Dfs,
    Cfg,
    Rnd,
    Ippc,
    Auto,
}

impl Technique {
    pub const ALL: [Technique; 5] = [Technique::Dfs, Technique::Cfg, Technique::Rnd, Technique::Ippc, Technique::Auto];

    pub const fn name(self) -> &'static str {
        match self {
            Technique::Dfs => "DFS",
            Technique::Cfg => "CFG",
            Technique::Rnd => "RND",
            Technique::Ippc => "IPPC",
            Technique::Auto => "auto",
        }
    }

    /// Strategy, way of solving, isolation.
    const fn options(self) -> [&'static str; 3] {
        match self {
            Technique::Dfs => ["dfs", "full", "fork"],
            Technique::Cfg => ["cfg", "full", "fork"],
            Technique::Rnd => ["random-branch", "full", "fork"],
            Technique::Ippc => ["dfs", "ippc", "fork"],
            Technique::Auto => ["auto", "auto", "auto"],
        }
    }
}

/// What to measure.
#[derive(Clone, Debug)]
pub struct Config {
    /// The `covet` to run.
    pub executable: PathBuf,
    pub scratch: PathBuf,
    pub seeds: u64,
    /// How many of the three bounds, smallest first.
    pub bounds: usize,
    /// Programs by name; empty is all.
    pub programs: Vec<String>,
    /// Seconds one run may take.
    pub limit: f64,
    /// Runs at the same time; those of `auto`, which has two processes at work, are always alone.
    pub jobs: usize,
}

/// Means over the seeds of one program, bound and technique.
#[derive(Clone, Debug, Default)]
pub struct Cell {
    pub calls: f64,
    pub mean_size: f64,
    pub max_size: f64,
    /// Percent.
    pub coverage: f64,
    pub seconds: f64,
    pub iterations: f64,
    /// Share of answers that no SMT check was needed for.
    pub without_smt: f64,
    pub unknown: f64,
    /// Runs that the time limit ended before their iterations were up.
    pub out_of_time: u64,
}

#[derive(Clone, Debug)]
pub struct Row {
    pub program: &'static str,
    pub bound: u64,
    /// In the order of [`Technique::ALL`].
    pub cells: Vec<Cell>,
}

impl Row {
    pub fn cell(&self, technique: Technique) -> &Cell {
        &self.cells[technique as usize]
    }

    /// How much smaller IPPC's constraints are than those of full path constraints.
    pub fn size_ratio(&self) -> f64 {
        self.cell(Technique::Dfs).mean_size / self.cell(Technique::Ippc).mean_size.max(1e-9)
    }

    /// How much faster than depth-first search with full path constraints.
    pub fn speedup(&self, technique: Technique) -> f64 {
        self.cell(Technique::Dfs).seconds / self.cell(technique).seconds.max(1e-9)
    }
}

/// Runs the experiment; `done` hears of each finished row.
pub fn ippc(config: &Config, interrupt: &AtomicBool, mut done: impl FnMut(&Row)) -> Result<Vec<Row>, Error> {
    let mut rows = Vec::new();
    for program in PROGRAMS {
        if !config.programs.is_empty() && !config.programs.iter().any(|name| name == program.name) {
            continue;
        }
        let source = config.scratch.join(format!("{}.c", program.name));
        std::fs::write(&source, program.source).map_err(Error::file(source.display()))?;
        for &bound in program.bounds.iter().take(config.bounds) {
            let mut cells = Vec::new();
            for technique in Technique::ALL {
                cells.push(measure(
                    config,
                    interrupt,
                    Setting { source: &source, program: &program, bound, technique },
                )?);
                // What was interrupted is no measurement.
                if interrupt.load(Ordering::Relaxed) {
                    return Ok(rows);
                }
            }
            let row = Row { program: program.name, bound, cells };
            done(&row);
            rows.push(row);
        }
    }
    Ok(rows)
}

/// What the runs of one cell have in common.
#[derive(Clone, Copy)]
struct Setting<'a> {
    source: &'a Path,
    program: &'a Program,
    bound: u64,
    technique: Technique,
}

fn measure(config: &Config, interrupt: &AtomicBool, setting: Setting<'_>) -> Result<Cell, Error> {
    let mut sum = Cell::default();
    for summary in summaries(config, interrupt, setting)? {
        let (totals, solver) = (&summary["totals"], &summary["totals"]["solver"]);
        let number = |value: &Json| value.as_f64().unwrap_or_default();
        let tiers = solver["tiers"].as_object().into_iter().flatten();
        let (mut answers, mut by_smt) = (0.0, 0.0);
        for (name, tier) in tiers {
            answers += number(&tier["answered"]);
            by_smt += if name == "linear" || name == "smt" { number(&tier["answered"]) } else { 0.0 };
        }
        let branches = &totals["branches"];
        sum.calls += number(&solver["calls"]);
        sum.mean_size += number(&solver["mean_constraints"]);
        sum.max_size = sum.max_size.max(number(&solver["max_constraints"]));
        sum.coverage += 100.0 * number(&branches["covered"]) / number(&branches["total"]).max(1.0);
        sum.seconds += number(&summary["functions"][0]["seconds"]);
        sum.iterations += number(&totals["iterations"]);
        sum.without_smt += if answers > 0.0 { 1.0 - (by_smt + number(&solver["unknown"])) / answers } else { 1.0 };
        sum.unknown += number(&solver["unknown"]);
        sum.out_of_time += u64::from(summary["stopped"] == "time");
    }
    let n = config.seeds.max(1) as f64;
    for value in [
        &mut sum.calls,
        &mut sum.mean_size,
        &mut sum.coverage,
        &mut sum.seconds,
        &mut sum.iterations,
        &mut sum.without_smt,
        &mut sum.unknown,
    ] {
        *value /= n;
    }
    Ok(sum)
}

/// The summaries of all seeds, unless interrupted.
fn summaries(config: &Config, interrupt: &AtomicBool, setting: Setting<'_>) -> Result<Vec<Json>, Error> {
    let jobs = if setting.technique == Technique::Auto { 1 } else { config.jobs.max(1) };
    let seeds: Vec<u64> = (1..=config.seeds).collect();
    let mut all = Vec::new();
    for some in seeds.chunks(jobs) {
        if interrupt.load(Ordering::Relaxed) {
            break;
        }
        let run = |seed: &u64| cover(config, setting, *seed);
        let ran: Vec<Result<Json, Error>> = std::thread::scope(|scope| {
            let threads: Vec<_> = some.iter().map(|seed| scope.spawn(move || run(seed))).collect();
            threads.into_iter().filter_map(|thread| thread.join().ok()).collect()
        });
        all.extend(ran.into_iter().collect::<Result<Vec<_>, _>>()?);
    }
    Ok(all)
}

/// One run, and its summary.
fn cover(config: &Config, setting: Setting<'_>, seed: u64) -> Result<Json, Error> {
    let Setting { source, program, bound, technique } = setting;
    let [strategy, solve, mode] = technique.options();
    let out = config.scratch.join(format!("out-{seed}"));
    // Results of earlier runs tell what is impossible: no technique shall learn from another.
    let _ = std::fs::remove_dir_all(&out);
    let mut command = Command::new(&config.executable);
    command.arg("cover").arg(source).args(["--function", program.function]);
    command.args(["--strategy", strategy, "--solve", solve, "--mode", mode, "--first", "random"]);
    command.args(["--iterations", &bound.to_string(), "--seed", &seed.to_string()]);
    command.args(["--time", &config.limit.to_string(), "--json", "--quiet", "--no-official", "--out"]).arg(&out);
    let output = command.stderr(Stdio::piped()).output().map_err(Error::file(config.executable.display()))?;
    serde_json::from_slice(&output.stdout).map_err(|_| {
        let message = String::from_utf8_lossy(&output.stderr);
        Error::Unexpected(format!("{} with {} gave no summary: {message}", program.name, technique.name()))
    })
}

/// What the paper's claims and ours look like in these rows: what was expected, and whether it was found.
pub fn expectations(rows: &[Row]) -> Vec<(String, bool)> {
    let mut found = Vec::new();
    for row in rows {
        let place = format!("{} {}", row.program, row.bound);
        let coverage = |technique| row.cell(technique).coverage;
        let same = (coverage(Technique::Dfs) - coverage(Technique::Ippc)).abs() < 0.05;
        found.push((format!("{place}: IPPC and DFS the same coverage"), same));
        if ["gcd", "prime", "factor", "ptokens"].contains(&row.program) {
            let ratio = row.size_ratio();
            found.push((format!("{place}: constraints at least 10x smaller ({ratio:.1}x)"), ratio >= 10.0));
        }
        let best = Technique::ALL[..4].iter().map(|technique| coverage(*technique)).fold(0.0, f64::max);
        found.push((format!("{place}: auto covers as much as the best"), coverage(Technique::Auto) >= best - 0.05));
        let speedup = row.speedup(Technique::Auto);
        found.push((format!("{place}: auto at least 20x faster than DFS ({speedup:.1}x)"), speedup >= 20.0));
        let share = row.cell(Technique::Auto).without_smt;
        found.push((format!("{place}: auto answers at least 90 % without SMT ({:.1} %)", 100.0 * share), share >= 0.9));
    }
    found
}

/// The rows, the paper's beside ours, as one object.
pub fn json(rows: &[Row], config: &Config) -> Json {
    let cell = |technique: Technique, cell: &Cell| {
        json!({
            "technique": technique.name(), "calls": cell.calls, "mean_constraints": cell.mean_size,
            "max_constraints": cell.max_size, "coverage": cell.coverage, "seconds": cell.seconds,
            "iterations": cell.iterations, "answers_without_smt": cell.without_smt, "unknown": cell.unknown,
            "out_of_time": cell.out_of_time,
        })
    };
    let row = |row: &Row| {
        let cells: Vec<Json> = Technique::ALL.iter().map(|t| cell(*t, row.cell(*t))).collect();
        json!({
            "program": row.program, "bound": row.bound, "techniques": cells, "size_ratio": row.size_ratio(),
            "speedup_ippc": row.speedup(Technique::Ippc), "speedup_auto": row.speedup(Technique::Auto),
            "paper": paper::json(row.program, row.bound),
        })
    };
    let expected = expectations(rows);
    json!({
        "schema": "covet/bench/ippc/1", "seeds": config.seeds, "limit_seconds": config.limit, "jobs": config.jobs,
        "rows": rows.iter().map(row).collect::<Vec<_>>(),
        "expectations": expected.iter().map(|(text, met)| json!({"text": text, "met": met})).collect::<Vec<_>>(),
    })
}
