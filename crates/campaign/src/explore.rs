//! A job → its outcome: inputs planned, workers and solvers started, runs collected, everything summed up.

use crate::collect::Collector;
use crate::early;
use crate::event::{Event, Ran, Sink};
use crate::executor::LiveExecutor;
use crate::job::{First, Job, Scope};
use crate::nogoods::NogoodStore;
use crate::outcome::{self, Outcome};
use crate::plan::Plan;
use crate::solver::LiveSolver;
use covet_abi::check::Checks;
use covet_coverage::{Covered, GoalSet, Summary};
use covet_explore::{Config, Parties, explore};
use covet_expr::Pool;
use covet_input::{Input, Variables};
use covet_project::{Entry, Failure, Prepared, Symbols};
use covet_results::{FunctionResult, Stopped, Test};
use covet_scratch::Scratch;
use covet_sites::FunctionNumber;
use covet_sites::cfg::reachable_from;
use covet_unit::Blueprint;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// What explorations of one program share: jobs and their outcomes are data, this is where they happen.
pub struct Explorer<'a> {
    pub prepared: &'a Prepared,
    pub symbols: Symbols,
    pub nogoods: NogoodStore,
    /// For the workers' private folders.
    pub scratch: Scratch,
    /// How long engine and worker look out for each other before they sleep.
    pub patience: Duration,
    /// Set from outside to stop.
    pub interrupt: &'a AtomicBool,
    pub sink: &'a dyn Sink,
}

impl<'a> Explorer<'a> {
    /// Explores on its own, with nothing known from earlier.
    pub fn new(prepared: &'a Prepared, interrupt: &'a AtomicBool, sink: &'a dyn Sink) -> Result<Explorer<'a>, Failure> {
        let scratch = Scratch::new().map_err(Failure::machine)?;
        let (symbols, nogoods) = (Symbols::of(prepared), NogoodStore::default());
        Ok(Explorer { prepared, symbols, nogoods, scratch, patience: patience(1), interrupt, sink })
    }

    /// Does one job.
    pub fn explore(&self, job: &Job) -> Result<Outcome, Failure> {
        let prepared = self.prepared;
        let entry = prepared.entry(&job.entry)?;
        let began = Instant::now();
        let _span = tracing::info_span!("explore", function = job.entry.name).entered();
        let Plan { mut blueprint, mut variables } = Plan::of(prepared, entry, job)?;
        // Random first values are the worker's to choose: it knows the bounds.
        let first = match &job.config.first {
            First::Zeros | First::Random => Input::default(),
            First::Test(test) => restored(&mut blueprint, &mut variables, test),
        };
        let blueprint = Rc::new(RefCell::new(blueprint));
        let config = covet_execute::Config { patience: self.patience, ..worker_config(self.scratch.path(), job) };
        let workers = job.config.workers;
        let started = LiveExecutor::start(prepared, config, workers, Rc::clone(&blueprint), entry);
        let mut executor = match started {
            Ok(executor) => executor,
            Err(error) => return self.not_started(job, entry, &error),
        };
        let mut solvers: Vec<LiveSolver> = (0..workers.max(1)).map(|_| LiveSolver::new(job)).collect();
        solvers.iter_mut().for_each(|live| live.solver.use_nogoods(self.nogoods.recall()));
        let mut collector = Collector::new(prepared, entry, Rc::clone(&blueprint), &self.symbols);
        let report = {
            let mut listener = |event: covet_explore::Event<'_>| match event {
                covet_explore::Event::Ran(ran) => {
                    collector.take(&ran);
                    self.sink.event(Event::Ran(Ran {
                        executions: ran.figures.executions,
                        covered_goals: ran.covered_goals,
                        all_goals: ran.all_goals,
                    }));
                }
                covet_explore::Event::Asked { solving, .. } => self.sink.event(Event::Asked { solving }),
            };
            let mut boxed: Vec<Box<dyn covet_explore::Solver + '_>> =
                solvers.iter_mut().map(|solver| Box::new(solver) as Box<dyn covet_explore::Solver + '_>).collect();
            let parties = Parties {
                executor: &mut executor,
                solvers: &mut boxed,
                interrupt: self.interrupt,
                listener: &mut listener,
            };
            let config = self.config(job, entry, first);
            let pool = Pool::with_library(Arc::clone(&prepared.library));
            explore(config, Arc::clone(&prepared.map), variables, pool, parties).map_err(Failure::tool)?
        };
        let collected = collector.finish();
        let statistics = self.learn(&solvers)?;
        let mut notes = notes(&executor, &blueprint.borrow());
        if collected.tests.is_empty() && report.figures.abandoned > 0 {
            notes.push("no run agreed with what is assumed about it".to_string());
        }
        let stopped = outcome::stopped(report.stopped);
        let figures = &report.figures;
        tracing::info!(?stopped, figures.executions, figures.paths, figures.divergences, "explored");
        let coverage = self.summary(job, entry.number, &collected.covered);
        let mut counters = outcome::counters(report, &statistics, coverage);
        counters.crashes = collected.crashes;
        counters.externals = externals(&executor, prepared);
        let function = FunctionResult {
            stopped: Some(stopped),
            seconds: began.elapsed().as_secs_f64(),
            counters,
            ..described(entry)
        };
        Ok(Outcome { function, tests: collected.tests, alarms: collected.alarms, notes })
    }

    /// The outcome of a job whose program does not get as far as its entry: what it died of, or else why it cannot be run.
    fn not_started(&self, job: &Job, entry: Entry<'_>, error: &covet_execute::Error) -> Result<Outcome, Failure> {
        let covet_execute::Error::NotReady { signal: Some(signal), .. } = error else {
            return Err(Failure::tool(error));
        };
        let alarm = early::alarm(self.prepared, entry, *signal).ok_or_else(|| Failure::tool(error))?;
        let mut function = FunctionResult { stopped: Some(Stopped::Exhausted), ..described(entry) };
        let coverage = self.summary(job, entry.number, &Covered::default());
        (function.counters.statements, function.counters.branches) = (coverage.statements, coverage.branches);
        (function.counters.executions, function.counters.crashes) = (1, 1);
        let note = format!("signal {signal} ends the program before `main`, so nothing else of it can be run");
        Ok(Outcome { function, tests: Vec::new(), alarms: vec![alarm], notes: vec![note] })
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

    fn config(&self, job: &Job, entry: Entry<'_>, first: Input) -> Config {
        Config {
            strategy: job.config.strategy,
            seed: job.seed,
            iterations: job.budget.iterations,
            time: Some(job.budget.time),
            max_depth: job.config.max_depth,
            until: job.config.until,
            goals: self.goals(job, entry.number),
            first: vec![first],
        }
    }

    fn goals(&self, job: &Job, entry: FunctionNumber) -> GoalSet {
        let map = &self.prepared.map;
        let functions = match job.goals.scope {
            Scope::Program => reachable_from(map, &[entry]),
            Scope::Entry => vec![entry],
        };
        GoalSet::of(map, &functions, job.goals.criterion)
    }

    fn summary(&self, job: &Job, entry: FunctionNumber, covered: &Covered) -> Summary {
        match job.goals.scope {
            Scope::Program => Summary::whole_program(&self.prepared.map, covered),
            Scope::Entry => Summary::of(&self.prepared.map, [entry], covered),
        }
    }

    /// What the solvers counted, together; what they found impossible is kept.
    fn learn(&self, solvers: &[LiveSolver]) -> Result<covet_solve::Statistics, Failure> {
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

fn described(entry: Entry<'_>) -> FunctionResult {
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

/// Limits and choices for workers.
pub fn worker_config(scratch: &Path, job: &Job) -> covet_execute::Config {
    let runs = &job.config.runs;
    covet_execute::Config {
        mode: runs.mode,
        time_limit: Duration::from_millis(runs.milliseconds),
        memory_limit: runs.memory << 20,
        sandbox: runs.sandbox,
        checks: Checks(runs.checks),
        seed: job.seed,
        first: match job.config.first {
            First::Random => covet_execute::First::Random,
            First::Zeros | First::Test(_) => covet_execute::First::Zeros,
        },
        ..covet_execute::Config::new(scratch.to_owned())
    }
}

/// The input of a recorded test.
fn restored(blueprint: &mut Blueprint<'_>, variables: &mut Variables, test: &Test) -> Input {
    let values: Vec<(String, u128)> = test.inputs.iter().map(|(name, value)| (name.clone(), value.bits)).collect();
    blueprint.restored(variables, &values, &test.pointers)
}

fn notes(executor: &LiveExecutor<'_>, blueprint: &Blueprint<'_>) -> Vec<String> {
    let mut notes: Vec<String> = Vec::new();
    for worker in executor.workers() {
        notes.extend(worker.warnings().iter().cloned());
        if let Some(demotion) = worker.demoted() {
            let more = if demotion.still_differs { "; and it still differs in fresh processes" } else { "" };
            notes.push(format!("went over to fork mode: an input run twice differed ({}){more}", demotion.reason));
        }
    }
    notes.extend(executor.unreadable.iter().take(1).map(|error| format!("a trace could not be read: {error}")));
    notes.extend(blueprint.notes.iter().cloned());
    notes
}

fn externals(executor: &LiveExecutor<'_>, prepared: &Prepared) -> BTreeMap<String, u64> {
    let name = |number: u32| prepared.map.externals.get(number as usize).cloned();
    let mut calls: BTreeMap<String, u64> = BTreeMap::new();
    for (number, count) in executor.workers().flat_map(|worker| worker.externals()) {
        if let Some(name) = name(number) {
            *calls.entry(name).or_default() += count;
        }
    }
    calls
}
