//! What the explorations of one program share, and what all of them are told.

use crate::event::Sink;
use crate::job::{First, Job, Scope};
use crate::nogoods::NogoodStore;
use crate::outcome::Outcome;
use crate::solver::LiveSolver;
use crate::underway::Underway;
use covet_abi::check::Checks;
use covet_budget::{Deadline, Memory};
use covet_coverage::{Covered, Goal, GoalSet, Summary};
use covet_explore::{Config, Progress, Texts, Way};
use covet_input::Input;
use covet_project::{Entry, Failure, Prepared, Symbols, entries};
use covet_results::FunctionResult;
use covet_scratch::Scratch;
use covet_sites::FunctionNumber;
use covet_sites::cfg::reachable_from;
use covet_source::Beliefs;
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

/// What explorations of one program share: jobs and their outcomes are data, this is where they happen.
pub struct Explorer<'a> {
    pub prepared: &'a Prepared,
    pub symbols: Symbols,
    pub nogoods: NogoodStore,
    /// For the workers' private folders.
    pub scratch: Scratch,
    /// How long engine and worker look out for each other before they sleep.
    pub patience: Duration,
    /// What each exploration has of the time, if all have the same.
    pub fair: Duration,
    /// When every exploration is over.
    pub deadline: Deadline,
    /// What all explorations may use together, and how many workers share it.
    pub memory: Memory,
    pub workers: usize,
    /// What the program's code says of its pointers and numbers; none when that is not to count.
    pub beliefs: Option<Beliefs<'a>>,
    /// Whether structures are taken to keep what all their writers keep.
    pub has_invariants: bool,
    pub sink: &'a dyn Sink,
}

impl<'a> Explorer<'a> {
    /// Explores on its own, with nothing known from earlier.
    pub fn new(prepared: &'a Prepared, deadline: &Deadline, sink: &'a dyn Sink) -> Result<Explorer<'a>, Failure> {
        let scratch = Scratch::new().map_err(Failure::machine)?;
        let (symbols, nogoods) = (Symbols::of(prepared), NogoodStore::default());
        let (deadline, memory, fair) = (deadline.clone(), Memory::default(), Duration::MAX);
        let (patience, workers) = (patience(1), 1);
        let (beliefs, has_invariants) = (Some(entries::beliefs(prepared)), true);
        Ok(Explorer {
            prepared,
            symbols,
            nogoods,
            scratch,
            patience,
            fair,
            deadline,
            memory,
            workers,
            beliefs,
            has_invariants,
            sink,
        })
    }

    /// Does one job at a stretch.
    pub fn explore(&self, job: &Job) -> Result<Outcome, Failure> {
        let mut underway = self.begin(job)?;
        loop {
            if let Progress::Ended(stopped) = underway.advance(&self.deadline, &self.deadline, &mut |_| {})? {
                return underway.finish(stopped);
            }
        }
    }

    /// Plans a job; nothing is run yet.
    pub fn begin<'e>(&'e self, job: &'e Job) -> Result<Underway<'e>, Failure> {
        Underway::begin(self, job)
    }

    /// The outcome of a job that came to nothing.
    pub fn failed(&self, job: &Job, reason: String, seconds: f64) -> Outcome {
        let mut function =
            FunctionResult { name: job.entry.name.clone(), file: job.entry.file.clone(), ..FunctionResult::default() };
        if let Ok(entry) = self.prepared.entry(&job.entry) {
            function = described(entry);
            let coverage = self.summary(job, entry.number, &Covered::default());
            (function.counters.statements, function.counters.branches) = (coverage.statements, coverage.branches);
        }
        (function.failure, function.seconds) = (Some(reason), seconds);
        Outcome { function, tests: Vec::new(), alarms: Vec::new(), notes: Vec::new() }
    }

    pub(crate) fn config(&self, job: &Job, entry: Entry<'_>, first: Vec<Input>) -> Config {
        let rooms = entries::rooms_of(self.prepared, entry.function).into_iter().collect();
        Config {
            strategy: job.config.strategy,
            seed: job.seed,
            iterations: job.budget.iterations,
            max_depth: job.config.max_depth,
            until: job.config.until,
            goals: self.goals(job, entry.number),
            first,
            max_inputs: job.config.runs.max_inputs,
            texts: Texts { first: job.inputs.limits.bytes, rooms },
            ways: ways(job),
        }
    }

    fn goals(&self, job: &Job, entry: FunctionNumber) -> GoalSet {
        let map = &self.prepared.map;
        let sought: Vec<Goal> = job.sought.iter().flat_map(|sought| sought.goals(map)).collect();
        if let (false, Ok(goals)) = (sought.is_empty(), GoalSet::only(map, sought)) {
            return goals;
        }
        let functions = match job.goals.scope {
            Scope::Program => reachable_from(map, &[entry]),
            Scope::Entry => vec![entry],
        };
        GoalSet::of(map, &functions, job.goals.criterion)
    }

    pub(crate) fn summary(&self, job: &Job, entry: FunctionNumber, covered: &Covered) -> Summary {
        match job.goals.scope {
            Scope::Program => Summary::whole_program(&self.prepared.map, covered),
            Scope::Entry => Summary::of(&self.prepared.map, [entry], covered),
        }
    }

    /// What the solvers counted, together; what they found impossible is kept.
    pub(crate) fn learn(&self, solvers: &[LiveSolver]) -> Result<covet_solve::Statistics, Failure> {
        if let Some(script) = solvers.iter().find_map(|live| live.solver.disagreement()) {
            return Err(Failure::Tool(format!("two solvers disagree on this question:\n{script}")));
        }
        let mut statistics = covet_solve::Statistics::default();
        for live in solvers {
            self.nogoods.add(live.solver.found_nogoods());
            statistics.add(&live.solver.statistics);
        }
        Ok(statistics)
    }
}

pub(crate) fn described(entry: Entry<'_>) -> FunctionResult {
    FunctionResult {
        name: entry.function.name.clone(),
        file: entry.function.file.to_string_lossy().into_owned(),
        line: entry.function.line,
        ..FunctionResult::default()
    }
}

/// Engine and worker look out for each other where every worker has a core of its own.
pub fn patience(workers: usize) -> Duration {
    const PATIENCE: Duration = Duration::from_micros(400);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    if cores >= 2 * workers { PATIENCE } else { Duration::ZERO }
}

/// Limits and choices for `workers`, which share a part of `memory`.
pub fn worker_config(
    prepared: &Prepared,
    scratch: &Path,
    job: &Job,
    memory: &Memory,
    workers: usize,
) -> covet_execute::Config {
    let runs = &job.config.runs;
    let share = memory.limit() / (2 * workers.max(1) as u64);
    covet_execute::Config {
        mode: runs.mode,
        time_limit: Duration::from_millis(runs.milliseconds),
        // What a run allocates takes twice as much with what is known of it.
        memory_limit: (runs.memory << 20).min(share / 3),
        process_limit: (share / 2 * 3).max(LEAST_FOR_A_WORKER),
        arena: arena(memory.limit() / workers.max(1) as u64),
        memory: memory.clone(),
        sandbox: runs.sandbox,
        readable: prepared.project.libraries(),
        checks: Checks(runs.checks),
        seed: job.seed,
        first: match job.config.first {
            First::Random => covet_execute::First::Random,
            First::Zeros | First::Test(_) => covet_execute::First::Zeros,
        },
        ..covet_execute::Config::new(scratch.to_owned())
    }
}

/// A worker that has less gets nowhere.
const LEAST_FOR_A_WORKER: u64 = 256 << 20;

/// What a run's trace may take where a worker's runs have this `share` of the memory: what the engine makes of it takes several times as much, and it holds more than one.
fn arena(share: u64) -> covet_execute::ArenaSizes {
    const OF_A_NODE: u64 = 512;
    const OF_AN_EVENT: u64 = 1024;
    let below = |count: u64| 1 << count.max(1).ilog2();
    let usual = covet_execute::ArenaSizes::default();
    covet_execute::ArenaSizes {
        nodes: usual.nodes.min(below(share / OF_A_NODE)),
        events: usual.events.min(below(share / OF_AN_EVENT)),
        ..usual
    }
}

/// The ways to what is sought, each once.
fn ways(job: &Job) -> Vec<Way> {
    let ways: BTreeSet<Way> = job.sought.iter().map(|sought| sought.way.clone()).collect();
    ways.into_iter().filter(|way| !way.is_empty()).collect()
}
