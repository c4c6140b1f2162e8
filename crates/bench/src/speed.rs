//! How fast: runs per second in reset and fork mode, the slowdown of concrete code, the cost of symbolic operations, memory.
//!
//! Everything is measured in one go and compared within it, as ratios: the machine is rarely quiet.

use crate::child::{self, End};
use crate::pair::{Pair, pair};
use crate::{Error, child::Ran};
use covet_abi::plan::{Place, Step};
use covet_execute::{Mode, RunInput, Worker};
use covet_input::{Input, ValueKind, VarId, Variable, Variables};
use covet_sites::FunctionNumber;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

#[derive(Clone, Debug)]
pub struct Config {
    pub cache: PathBuf,
    pub scratch: PathBuf,
    /// A tenth of the runs.
    pub quick: bool,
}

#[derive(Clone, Debug, Default)]
pub struct Report {
    pub reset_runs_per_second: f64,
    pub fork_runs_per_second: f64,
    /// Slowdown against plain `-O0`, by kind of code.
    pub slowdowns: Vec<(String, f64)>,
    /// One run of 100,000 symbolic operations, and the same natively.
    pub symbolic_milliseconds: f64,
    pub plain_milliseconds: f64,
    /// Expression nodes that run made.
    pub nodes: usize,
    /// Peak resident sizes in KiB, by what was run.
    pub peaks: Vec<(&'static str, u64)>,
}

impl Report {
    /// How many times the runs per second of fork mode reset mode makes; at least 50 is wanted.
    pub fn reset_over_fork(&self) -> f64 {
        self.reset_runs_per_second / self.fork_runs_per_second
    }

    /// Geometric mean of the slowdowns; at most 1.5 is wanted.
    pub fn slowdown(&self) -> f64 {
        let logs: f64 = self.slowdowns.iter().map(|(_, ratio)| ratio.ln()).sum();
        (logs / self.slowdowns.len().max(1) as f64).exp()
    }

    /// Milliseconds that the symbolic run may take: 50 times its plain time, and 20 more.
    pub fn symbolic_limit(&self) -> f64 {
        50.0 * self.plain_milliseconds + 20.0
    }

    pub fn is_within_targets(&self) -> bool {
        self.reset_over_fork() >= 50.0 && self.slowdown() <= 1.5 && self.symbolic_milliseconds <= self.symbolic_limit()
    }
}

const COMPUTE: &str = include_str!("../programs/compute.c");
const UNITS: &str = include_str!("../programs/units.c");
const LIMIT: Duration = Duration::from_secs(120);

pub fn speed(config: &Config) -> Result<Report, Error> {
    std::fs::create_dir_all(&config.scratch).map_err(Error::file(config.scratch.display()))?;
    let folder = tempfile::Builder::new().prefix("speed-").tempdir_in(&config.scratch);
    let folder = folder.map_err(Error::file(config.scratch.display()))?;
    let mut report = Report::default();
    concrete(config, &folder.path().join("compute"), &mut report)?;
    let units = source(UNITS, "units.c", config, &folder.path().join("units"))?;
    modes(config, &units, folder.path(), &mut report)?;
    symbolic(&units, folder.path(), &mut report)?;
    Ok(report)
}

fn source(text: &str, name: &str, config: &Config, folder: &Path) -> Result<Pair, Error> {
    std::fs::create_dir_all(folder).map_err(Error::file(folder.display()))?;
    let file = folder.join(name);
    std::fs::write(&file, text).map_err(Error::file(file.display()))?;
    pair(&file, &[], &config.cache, folder)
}

/// Plain and instrumented in turn, several times: each part counts with its best time on both sides.
fn concrete(config: &Config, folder: &Path, report: &mut Report) -> Result<(), Error> {
    let prepared = source(COMPUTE, "compute.c", config, folder)?;
    let (mut plain, mut ours) = (BTreeMap::new(), BTreeMap::new());
    let (mut plain_peak, mut our_peak) = (0, 0);
    for _ in 0..if config.quick { 1 } else { 5 } {
        let a = finished(child::run(&prepared.plain, folder, LIMIT)?)?;
        let b = finished(child::run(&prepared.subject.prepared.executable, folder, LIMIT)?)?;
        (plain_peak, our_peak) = (plain_peak.max(a.peak), our_peak.max(b.peak));
        keep_best(&mut plain, &a);
        keep_best(&mut ours, &b);
    }
    if plain.remove("result") != ours.remove("result") {
        return Err(Error::Unexpected("plain and instrumented code compute different results".to_owned()));
    }
    report.slowdowns = plain.iter().map(|(name, time)| (name.clone(), ours[name] as f64 / *time as f64)).collect();
    report.peaks.push(("plain program", plain_peak));
    report.peaks.push(("instrumented program", our_peak));
    Ok(())
}

fn finished(ran: Ran) -> Result<Ran, Error> {
    match ran.end {
        End::Exited(0) => Ok(ran),
        End::Exited(_) | End::Signalled(_) | End::TimedOut => {
            Err(Error::Unexpected(format!("a benchmark program ends {:?}", ran.end)))
        }
    }
}

/// Lines `name number`: the least number of each name.
fn keep_best(best: &mut BTreeMap<String, u64>, ran: &Ran) {
    for line in String::from_utf8_lossy(&ran.output).lines() {
        if let Some((name, number)) = line.split_once(' ').and_then(|(n, v)| Some((n, v.parse::<u64>().ok()?))) {
            let kept = best.entry(name.to_owned()).or_insert(number);
            *kept = number.min(*kept);
        }
    }
}

/// Runs per second of a small function in both modes.
fn modes(config: &Config, units: &Pair, scratch: &Path, report: &mut Report) -> Result<(), Error> {
    let share = if config.quick { 10 } else { 1 };
    let (reset, reset_peak) = runs_per_second(units, scratch, Mode::Reset, 200_000 / share)?;
    let (fork, fork_peak) = runs_per_second(units, scratch, Mode::Fork, 4_000 / share)?;
    report.reset_runs_per_second = reset;
    report.fork_runs_per_second = fork;
    report.peaks.push(("worker, reset mode", reset_peak));
    report.peaks.push(("worker, fork mode", fork_peak));
    Ok(())
}

fn runs_per_second(units: &Pair, scratch: &Path, mode: Mode, count: u32) -> Result<(f64, u64), Error> {
    let mut variables = Variables::default();
    let mut worker = worker(units, scratch, mode)?;
    let ids: Vec<VarId> = ["arg.a", "arg.b", "arg.c"].iter().map(|name| word(&mut variables, name)).collect();
    let entry = entry(units, "classify")?;
    let steps = arguments(&ids);
    let batch: Vec<RunInput> = (0..64u128)
        .map(|i| {
            let mut values = Input::default();
            for (at, id) in ids.iter().enumerate() {
                values.set(*id, (i * 7 + at as u128) % 11);
            }
            RunInput { entry, steps: steps.clone(), values, ..RunInput::default() }
        })
        .collect();
    worker.run(&mut variables, &batch)?;
    let (start, mut done, mut largest) = (Instant::now(), 0, 0);
    while done < count {
        done += worker.run(&mut variables, &batch)?.len() as u32;
        if done == batch.len() as u32 * 10 {
            largest = peak(&worker);
        }
    }
    Ok((f64::from(done) / start.elapsed().as_secs_f64(), largest))
}

/// The best of a few runs that make 100,000 symbolic operations each.
fn symbolic(units: &Pair, scratch: &Path, report: &mut Report) -> Result<(), Error> {
    let mut variables = Variables::default();
    let id = word(&mut variables, "arg.x");
    let entry = entry(units, "churn")?;
    let mut best = u64::MAX;
    for value in 0..20u128 {
        // A fresh worker each time: in an old one the nodes are there already.
        let mut worker = worker(units, scratch, Mode::Reset)?;
        let mut values = Input::default();
        values.set(id, value);
        let runs = worker
            .run(&mut variables, &[RunInput { entry, steps: arguments(&[id]), values, ..RunInput::default() }])?;
        best = best.min(runs[0].nanoseconds);
        report.nodes = worker.nodes().len();
        if value == 0 {
            report.peaks.push(("worker, 100,000 symbolic operations", peak(&worker)));
        }
    }
    let mut plain = BTreeMap::new();
    keep_best(&mut plain, &finished(child::run(&units.plain, scratch, LIMIT)?)?);
    report.symbolic_milliseconds = best as f64 / 1e6;
    report.plain_milliseconds = plain.get("churn").copied().unwrap_or(0) as f64 / 1e6;
    Ok(())
}

fn worker(units: &Pair, scratch: &Path, mode: Mode) -> Result<Worker, Error> {
    let program = covet_execute::Executable { path: units.subject.prepared.executable.clone() };
    let config = covet_execute::Config { mode, ..covet_execute::Config::new(scratch.join("workers")) };
    Ok(Worker::spawn(&program, &config)?)
}

fn entry(units: &Pair, name: &str) -> Result<FunctionNumber, Error> {
    let found = units.subject.prepared.map.function(name).map(|function| function.number);
    found.ok_or_else(|| Error::Unexpected(format!("no function {name}")))
}

fn word(variables: &mut Variables, name: &str) -> VarId {
    variables.intern(Variable { name: name.to_owned(), width: 32, kind: ValueKind::Signed, default: 0 })
}

/// Each variable is one argument.
fn arguments(ids: &[VarId]) -> Vec<Step> {
    let steps = |(at, id): (usize, &VarId)| {
        let slot = at as u32;
        [
            Step::Alloc { slot, bytes: 4, align: 4 },
            Step::Variable { at: Place::start_of(slot), variable: id.0, bit: 0 },
            Step::Argument { number: slot, slot },
        ]
    };
    ids.iter().enumerate().flat_map(steps).collect()
}

/// Peak resident size of the worker process in KiB.
fn peak(worker: &Worker) -> u64 {
    worker.process().map_or(0, child::peak_memory)
}
