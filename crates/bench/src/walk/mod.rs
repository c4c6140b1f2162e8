//! `covet bench walk`: the Concolic Walk's corpus, explored by several ways of solving, with several seeds.
//!
//! Each exploration is prepared, done and confirmed as a command would, so what is measured is what people get.

mod evaluations;
mod expectations;
mod integers;
mod plot;
mod programs;
mod statistics;
mod ways;

use crate::Error;
use crate::subject::{Subject, Together};
use covet_budget::Deadline;
use covet_campaign::Scope;
use covet_project::Parts;
use covet_results::{Record, Test};
use serde_json::{Value as Json, json};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

pub use evaluations::{Evaluations, evaluations};
pub use expectations::expectations;
pub use integers::{Cost, ratio, share};
pub use plot::svg;
pub use programs::{PROGRAMS, Program, Score};
pub use statistics::mann_whitney;
pub use ways::{VARIATIONS, WAYS, Way};

#[derive(Clone, Debug)]
pub struct Config {
    /// What was compiled before.
    pub cache: PathBuf,
    pub scratch: PathBuf,
    pub seeds: u64,
    /// Half the time for each program.
    pub quick: bool,
    /// All when empty.
    pub programs: Vec<String>,
    pub ways: Vec<String>,
    pub variations: bool,
    /// Explorations at once.
    pub jobs: usize,
}

/// One exploration.
#[derive(Clone, Debug)]
pub struct Cell {
    pub program: &'static str,
    pub way: &'static str,
    pub seed: u64,
    pub covered: u64,
    pub total: u64,
    pub seconds: f64,
    /// Functions that were not solved.
    pub unsolved: Vec<String>,
}

impl Cell {
    pub fn coverage(&self) -> f64 {
        if self.total == 0 { 0.0 } else { 100.0 * self.covered as f64 / self.total as f64 }
    }
}

/// All explorations of one program by one way.
#[derive(Clone, Debug)]
pub struct Row {
    pub program: &'static str,
    pub way: &'static str,
    /// Median, in percent of what is feasible.
    pub coverage: f64,
    pub variance: f64,
    pub lowest: f64,
    pub highest: f64,
    /// Median.
    pub seconds: f64,
    pub samples: Vec<f64>,
    /// Functions that some seed did not solve.
    pub unsolved: Vec<String>,
}

#[derive(Clone, Debug)]
pub struct Report {
    pub programs: Vec<&'static str>,
    pub ways: Vec<&'static str>,
    pub rows: Vec<Row>,
    /// Wall-clock seconds of everything.
    pub seconds: f64,
    /// Wall-clock seconds of each pass over the programs: way, seconds.
    pub passes: Vec<(&'static str, f64)>,
    /// What the walk costs programs without floats.
    pub integers: Vec<Cost>,
    /// Evaluations of a condition per second, by what is evaluated.
    pub speeds: Vec<Evaluations>,
}

impl Report {
    pub fn row(&self, program: &str, way: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.program == program && row.way == way)
    }

    /// The mean of a way's medians, weighted by lines of code.
    pub fn average(&self, way: &str) -> f64 {
        let of_way = || self.rows.iter().filter(|row| row.way == way);
        let weight = |row: &Row| PROGRAMS.iter().find(|p| p.name == row.program).map_or(0.0, |p| p.weight);
        of_way().map(|row| row.coverage * weight(row)).sum::<f64>() / of_way().map(weight).sum::<f64>()
    }

    /// Wall-clock seconds of one pass over the programs by one way: the median of the seeds.
    pub fn pass(&self, way: &str) -> f64 {
        let of_way: Vec<f64> =
            self.passes.iter().filter(|(name, _)| *name == way).map(|(_, seconds)| *seconds).collect();
        statistics::median(&of_way)
    }

    pub fn has(&self, way: &str) -> bool {
        self.ways.contains(&way)
    }

    /// Whether all programs were measured.
    pub fn is_whole(&self) -> bool {
        self.programs.len() == PROGRAMS.len()
    }

    /// Of a program, how likely the difference between two ways is chance.
    pub fn chance(&self, program: &str, one: &str, other: &str) -> Option<f64> {
        Some(mann_whitney(&self.row(program, one)?.samples, &self.row(program, other)?.samples))
    }

    pub fn json(&self) -> Json {
        let row = |row: &Row| {
            let compared = self.ways.iter().filter(|way| **way != row.way);
            let chances: serde_json::Map<String, Json> = compared
                .filter_map(|way| Some(((*way).to_owned(), json!(self.chance(row.program, row.way, way)?))))
                .collect();
            json!({
                "program": row.program, "way": row.way, "coverage": row.coverage, "variance": row.variance,
                "lowest": row.lowest, "highest": row.highest, "seconds": row.seconds, "samples": row.samples,
                "unsolved": row.unsolved, "mann_whitney": chances,
            })
        };
        let speeds: serde_json::Map<String, Json> = self
            .speeds
            .iter()
            .map(|of| {
                let calls = of.calls.is_finite().then_some(of.calls);
                let rates =
                    json!({"interpreted": of.speed.interpreted, "compiled": of.speed.compiled, "calls_alone": calls});
                (of.of.to_owned(), rates)
            })
            .collect();
        let averages: serde_json::Map<String, Json> = self
            .ways
            .iter()
            .map(|way| ((*way).to_owned(), json!({"coverage": self.average(way), "seconds": self.pass(way)})))
            .collect();
        let integers: serde_json::Map<String, Json> = self
            .integers
            .iter()
            .map(|cost| {
                (cost.program.to_owned(), json!({"with": cost.with, "without": cost.without, "in_walk": cost.in_walk}))
            })
            .collect();
        let expected: serde_json::Map<String, Json> =
            expectations(self).into_iter().map(|(what, found)| (what, json!(found))).collect();
        json!({
            "schema": "covet/bench/walk/1", "seconds": self.seconds, "averages": averages, "evaluations_per_second": speeds,
            "integer_programs": integers, "expectations": expected,
            "rows": self.rows.iter().map(row).collect::<Vec<_>>(),
        })
    }
}

/// Explores every program by every way with every seed; tells of each as it ends.
pub fn walk(config: &Config, deadline: &Deadline, told: impl Fn(&Cell) + Sync) -> Result<Report, Error> {
    let programs: Vec<&Program> = PROGRAMS.iter().filter(|p| chosen(&config.programs, p.name)).collect();
    let mut ways: Vec<&Way> = WAYS.iter().filter(|way| chosen(&config.ways, way.name)).collect();
    let wanted = |way: &&Way| config.variations || (!config.ways.is_empty() && chosen(&config.ways, way.name));
    ways.extend(VARIATIONS.iter().filter(wanted));
    for program in &programs {
        let path = source(config, program);
        std::fs::write(&path, program.text).map_err(Error::file(path.display()))?;
    }
    // The longest first, so that all explorers end at about the same time.
    let mut longest_first = programs.clone();
    longest_first.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    let started = Instant::now();
    let (mut cells, mut passes) = (Vec::new(), Vec::new());
    for way in &ways {
        for seed in 1..=config.seeds {
            let work: Vec<Work<'_>> = longest_first.iter().map(|program| (*program, *way, seed)).collect();
            let pass = Instant::now();
            cells.extend(in_parallel(config, deadline, &work, &told)?);
            passes.push((way.name, pass.elapsed().as_secs_f64()));
        }
    }
    let integers = if chosen(&config.programs, "integers") && ways.iter().any(|way| way.name == "auto") {
        integers::integers(config, deadline)?
    } else {
        Vec::new()
    };
    let mut rows = Vec::new();
    for program in &programs {
        for way in &ways {
            let of_row: Vec<&Cell> = cells.iter().filter(|c| c.program == program.name && c.way == way.name).collect();
            if !of_row.is_empty() {
                rows.push(row(&of_row));
            }
        }
    }
    Ok(Report {
        programs: programs.iter().map(|p| p.name).collect(),
        ways: ways.iter().map(|way| way.name).collect(),
        rows,
        seconds: started.elapsed().as_secs_f64(),
        passes,
        integers,
        speeds: evaluations(Duration::from_millis(300)),
    })
}

fn chosen(names: &[String], name: &str) -> bool {
    names.is_empty() || names.iter().any(|wanted| wanted == name)
}

fn source(config: &Config, program: &Program) -> PathBuf {
    config.scratch.join(format!("{}.c", program.name))
}

type Work<'a> = (&'a Program, &'a Way, u64);

fn in_parallel(
    config: &Config,
    deadline: &Deadline,
    work: &[Work<'_>],
    told: &(impl Fn(&Cell) + Sync),
) -> Result<Vec<Cell>, Error> {
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<(usize, Result<Cell, Error>)>> = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..config.jobs.max(1) {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(one) = work.get(at) else { break };
                    if deadline.is_over() {
                        break;
                    }
                    let cell = explore(config, deadline, *one, at);
                    if let Ok(cell) = &cell {
                        told(cell);
                    }
                    results.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((at, cell));
                }
            });
        }
    });
    let mut results = results.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    results.sort_by_key(|(at, _)| *at);
    results.into_iter().map(|(_, cell)| cell).collect()
}

fn explore(config: &Config, deadline: &Deadline, (program, way, seed): Work<'_>, at: usize) -> Result<Cell, Error> {
    let started = Instant::now();
    let out = config.scratch.join(format!("out-{at}"));
    let time = if config.quick { program.seconds / 2.0 } else { program.seconds };
    let project = covet_project::Config::new(&config.scratch, &config.cache);
    let (parts, scope) = match program.score {
        Score::Solved(_) => (Parts::Some, Scope::Entry),
        Score::Branches { .. } => (Parts::All, Scope::Program),
    };
    let subject = Subject::prepare(&project, vec![source(config, program)], vec!["-lm".to_owned()], parts)?;
    let entries = match program.score {
        Score::Solved(names) => subject.functions(&names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>())?,
        Score::Branches { .. } => vec![covet_project::entries::program(&subject.prepared)?],
    };
    let job = |entry| {
        let mut job = subject.job(entry);
        job.goals.scope = scope;
        (job.seed, job.budget.time) = (seed, Duration::from_secs_f64(time));
        (way.configure)(&mut job.config);
        job
    };
    let jobs = entries.into_iter().map(job).collect();
    let how = Together { time: Some(time), threads: 1, out: &out, official: false };
    let record = subject.campaign(jobs, how, deadline)?;
    let _ = std::fs::remove_dir_all(&out);
    let (covered, total, unsolved) = score(program, &record);
    let seconds = started.elapsed().as_secs_f64();
    Ok(Cell { program: program.name, way: way.name, seed, covered, total, seconds, unsolved })
}

/// What was covered, of how much, and which functions were not solved.
fn score(program: &Program, record: &Record) -> (u64, u64, Vec<String>) {
    match program.score {
        Score::Branches { infeasible } => {
            let branches = record.totals().branches;
            (branches.covered as u64, (branches.total as u64).saturating_sub(infeasible), Vec::new())
        }
        Score::Solved(_) => {
            let solved = |name: &str| {
                let is_one = |test: &Test| test.returned.is_some_and(|value| value.signed() == 1);
                record.tests.iter().any(|test| test.function == name && is_one(test))
            };
            let names: Vec<&str> = record.functions.iter().map(|function| function.name.as_str()).collect();
            let unsolved: Vec<String> =
                names.iter().filter(|name| !solved(name)).map(|name| (*name).to_owned()).collect();
            let total = names.len() as u64;
            (total - unsolved.len() as u64, total.saturating_sub(program.unsatisfiable), unsolved)
        }
    }
}

fn row(cells: &[&Cell]) -> Row {
    let samples: Vec<f64> = cells.iter().map(|cell| cell.coverage()).collect();
    let seconds: Vec<f64> = cells.iter().map(|cell| cell.seconds).collect();
    let mut unsolved: Vec<String> = cells.iter().flat_map(|cell| cell.unsolved.clone()).collect();
    unsolved.sort_unstable();
    unsolved.dedup();
    Row {
        program: cells[0].program,
        way: cells[0].way,
        coverage: statistics::median(&samples),
        variance: statistics::variance(&samples),
        lowest: samples.iter().copied().fold(f64::INFINITY, f64::min),
        highest: samples.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        seconds: statistics::median(&seconds),
        samples,
        unsolved,
    }
}

/// Writes `results.json` and `results.svg` into a folder.
pub fn write(report: &Report, folder: &Path) -> Result<(), Error> {
    std::fs::create_dir_all(folder).map_err(Error::file(folder.display()))?;
    let files = [("results.json", format!("{:#}\n", report.json())), ("results.svg", svg(report))];
    for (name, text) in files {
        let path = folder.join(name);
        std::fs::write(&path, text).map_err(Error::file(path.display()))?;
    }
    Ok(())
}
