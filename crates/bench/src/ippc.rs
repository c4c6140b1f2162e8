//! The IPPC paper's experiment with our own programs: eight units, the paper's iteration bounds, five techniques, several
//! seeds; Table 2 and Table 4 of the paper beside what we measure.
//!
//! Each run is a job of its own that knows nothing of the others. The paper's four techniques run as its tool did, a process
//! for each run; `auto` is our default.

mod paper;
mod plot;
mod text;

use crate::Error;
use crate::subject::Subject;
use covet_budget::Deadline;
use covet_campaign::{Budget, First};
use covet_execute::Mode;
use covet_explore::StrategyName;
use covet_project::Parts;
use covet_results::{FunctionResult, Stopped};
use serde_json::{Value as Json, json};
use std::path::PathBuf;
use std::time::Duration;

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
    const fn options(self) -> (StrategyName, covet_solve::Mode, Mode) {
        match self {
            Technique::Dfs => (StrategyName::Dfs, covet_solve::Mode::Full, Mode::Fork),
            Technique::Cfg => (StrategyName::Cfg, covet_solve::Mode::Full, Mode::Fork),
            Technique::Rnd => (StrategyName::RandomBranch, covet_solve::Mode::Full, Mode::Fork),
            Technique::Ippc => (StrategyName::Dfs, covet_solve::Mode::Ippc, Mode::Fork),
            Technique::Auto => (StrategyName::Auto, covet_solve::Mode::Auto, Mode::Auto),
        }
    }
}

/// What to measure.
#[derive(Clone, Debug)]
pub struct Config {
    pub cache: PathBuf,
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
pub fn ippc(config: &Config, deadline: &Deadline, mut done: impl FnMut(&Row)) -> Result<Vec<Row>, Error> {
    let mut rows = Vec::new();
    for program in PROGRAMS {
        if !config.programs.is_empty() && !config.programs.iter().any(|name| name == program.name) {
            continue;
        }
        let source = config.scratch.join(format!("{}.c", program.name));
        std::fs::write(&source, program.source).map_err(Error::file(source.display()))?;
        let project = covet_project::Config::new(&config.scratch, &config.cache);
        let subject = Subject::prepare(&project, vec![source], Vec::new(), Parts::Some)?;
        for &bound in program.bounds.iter().take(config.bounds) {
            let mut cells = Vec::new();
            for technique in Technique::ALL {
                cells.push(measure(
                    config,
                    deadline,
                    Setting { subject: &subject, program: &program, bound, technique },
                )?);
                // What was interrupted is no measurement.
                if deadline.is_over() {
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
    subject: &'a Subject,
    program: &'a Program,
    bound: u64,
    technique: Technique,
}

fn measure(config: &Config, deadline: &Deadline, setting: Setting<'_>) -> Result<Cell, Error> {
    let mut sum = Cell::default();
    for FunctionResult { counters, seconds, stopped, .. } in results(config, deadline, setting)? {
        let solver = &counters.solver;
        let answers: u64 = solver.tiers.values().map(|tier| tier.answered).sum();
        let by_smt: u64 =
            ["linear", "smt"].iter().filter_map(|tier| solver.tiers.get(*tier)).map(|tier| tier.answered).sum();
        sum.calls += solver.calls as f64;
        sum.mean_size += solver.mean_constraints;
        sum.max_size = sum.max_size.max(solver.max_constraints as f64);
        sum.coverage += 100.0 * counters.branches.covered as f64 / counters.branches.total.max(1) as f64;
        sum.seconds += seconds;
        sum.iterations += counters.iterations as f64;
        let with_smt = (by_smt + solver.unknown) as f64;
        sum.without_smt += if answers > 0 { 1.0 - with_smt / answers as f64 } else { 1.0 };
        sum.unknown += solver.unknown as f64;
        sum.out_of_time += u64::from(stopped == Some(Stopped::Time));
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

/// The results of all seeds, unless interrupted.
fn results(config: &Config, deadline: &Deadline, setting: Setting<'_>) -> Result<Vec<FunctionResult>, Error> {
    let jobs = if setting.technique == Technique::Auto { 1 } else { config.jobs.max(1) };
    let seeds: Vec<u64> = (1..=config.seeds).collect();
    let mut all = Vec::new();
    for some in seeds.chunks(jobs) {
        if deadline.is_over() {
            break;
        }
        let run = |seed: &u64| explore(config, deadline, setting, *seed);
        let ran: Vec<Result<FunctionResult, Error>> = std::thread::scope(|scope| {
            let threads: Vec<_> = some.iter().map(|seed| scope.spawn(move || run(seed))).collect();
            threads.into_iter().filter_map(|thread| thread.join().ok()).collect()
        });
        all.extend(ran.into_iter().collect::<Result<Vec<_>, _>>()?);
    }
    Ok(all)
}

/// One exploration.
fn explore(config: &Config, deadline: &Deadline, setting: Setting<'_>, seed: u64) -> Result<FunctionResult, Error> {
    let Setting { subject, program, bound, technique } = setting;
    let entries = subject.functions(&[program.function.to_owned()])?;
    let mut job = subject.job(entries[0]);
    (job.config.strategy, job.config.solver.mode, job.config.runs.mode) = technique.options();
    job.config.first = First::Random;
    job.seed = seed;
    job.budget = Budget { time: Duration::from_secs_f64(config.limit), iterations: Some(bound) };
    Ok(subject.explore(&job, deadline)?.function)
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
