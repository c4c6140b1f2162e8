//! One job under way: inputs planned, explored turn by turn with workers and solvers of its own, its runs collected, everything summed
//! up at the end.
//!
//! Between turns it may give up its processes ([`Underway::rest`]); the next turn starts them again.

use crate::collect::Collector;
use crate::event::{Event, Ran};
use crate::executor::{LiveExecutor, SharedBlueprint};
use crate::explore::{Explorer, described, worker_config};
use crate::job::{First, Job};
use crate::outcome::{self, Outcome};
use crate::plan::Plan;
use crate::solver::LiveSolver;
use covet_budget::Deadline;
use covet_explore::{Exploration, Parties, Progress, Stopped};
use covet_expr::Pool;
use covet_input::{Input, Variables};
use covet_project::{Entry, Failure};
use covet_results::{FunctionResult, Test};
use covet_unit::Blueprint;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

pub struct Underway<'e> {
    explorer: &'e Explorer<'e>,
    job: &'e Job,
    entry: Entry<'e>,
    exploration: Exploration,
    executor: LiveExecutor<'e>,
    solvers: Vec<LiveSolver>,
    collector: Collector<'e>,
    blueprint: SharedBlueprint<'e>,
    spent: Duration,
}

impl<'e> Underway<'e> {
    pub fn begin(explorer: &'e Explorer<'e>, job: &'e Job) -> Result<Underway<'e>, Failure> {
        let prepared = explorer.prepared;
        let entry = prepared.entry(&job.entry)?;
        let began = Instant::now();
        let Plan { mut blueprint, mut variables } = Plan::of(prepared, entry, job)?;
        // Random first values are the worker's to choose: it knows the bounds.
        let first = match &job.config.first {
            First::Zeros | First::Random => Input::default(),
            First::Test(test) => restored(&mut blueprint, &mut variables, test),
        };
        let blueprint = Arc::new(Mutex::new(blueprint));
        let config = worker_config(explorer.scratch.path(), job, &explorer.memory);
        let config = covet_execute::Config { patience: explorer.patience, ..config };
        let workers = job.config.workers;
        let executor = LiveExecutor::new(prepared, config, workers, Arc::clone(&blueprint), entry);
        let mut solvers: Vec<LiveSolver> = (0..workers.max(1)).map(|_| LiveSolver::new(job)).collect();
        solvers.iter_mut().for_each(|live| live.solver.use_nogoods(explorer.nogoods.recall()));
        let collector = Collector::new(prepared, entry, Arc::clone(&blueprint), &explorer.symbols);
        let pool = Pool::with_library(Arc::clone(&prepared.library));
        let config = explorer.config(job, entry, first);
        let exploration = Exploration::new(config, Arc::clone(&prepared.map), variables, pool);
        let spent = began.elapsed();
        Ok(Underway { explorer, job, entry, exploration, executor, solvers, collector, blueprint, spent })
    }

    /// Goes on until it ends, by its own time or for want of anything to do, or `turn` is over.
    pub fn advance(&mut self, turn: &Deadline) -> Result<Progress, Failure> {
        let _span = tracing::info_span!("explore", function = self.job.entry.name).entered();
        let began = Instant::now();
        let left = self.job.budget.time.saturating_sub(self.spent);
        let end = self.explorer.deadline.within(left);
        self.executor.deadline = end.clone();
        self.solvers.iter_mut().for_each(|live| live.deadline = end.clone());
        let turn = end.at().map_or_else(|| turn.clone(), |moment| turn.by(moment));
        let progress = self.go_on(&turn);
        self.spent += began.elapsed();
        Ok(match progress? {
            Progress::Paused if end.is_interrupted() => Progress::Ended(Stopped::Interrupted),
            Progress::Paused if end.is_over() => Progress::Ended(Stopped::Time),
            progress @ (Progress::Paused | Progress::Ended(_)) => progress,
        })
    }

    fn go_on(&mut self, turn: &Deadline) -> Result<Progress, Failure> {
        let (collector, sink) = (&mut self.collector, self.explorer.sink);
        let mut listener = |event: covet_explore::Event<'_>| match event {
            covet_explore::Event::Ran(ran) => {
                collector.take(&ran);
                sink.event(Event::Ran(Ran {
                    executions: ran.figures.executions,
                    covered_goals: ran.covered_goals,
                    all_goals: ran.all_goals,
                }));
            }
            covet_explore::Event::Asked { solving, .. } => sink.event(Event::Asked { solving }),
        };
        let mut solvers: Vec<Box<dyn covet_explore::Solver + '_>> =
            self.solvers.iter_mut().map(|solver| Box::new(solver) as Box<dyn covet_explore::Solver + '_>).collect();
        let memory = &self.explorer.memory;
        let parties = Parties { executor: &mut self.executor, solvers: &mut solvers, listener: &mut listener, memory };
        self.exploration.advance(parties, turn).map_err(Failure::tool)
    }

    /// Gives up the worker processes and the solvers' contexts.
    pub fn rest(&mut self) {
        self.executor.rest();
        self.solvers.iter_mut().for_each(|live| live.solver.rest());
    }

    /// As [`Underway::rest`], and keeps no more of its runs than their inputs.
    pub fn shed(&mut self) {
        self.rest();
        self.exploration.shed();
    }

    /// What was found.
    pub fn finish(self, stopped: Stopped) -> Result<Outcome, Failure> {
        let Underway { explorer, job, entry, exploration, executor, solvers, collector, blueprint, spent } = self;
        let collected = collector.finish();
        let statistics = explorer.learn(&solvers)?;
        let mut notes = notes(&executor, &blueprint.lock().unwrap_or_else(PoisonError::into_inner));
        let report = exploration.finish(stopped);
        if report.figures.shed > 0 {
            notes.push("there was not enough memory for all that was begun (--memory)".to_string());
        }
        if collected.tests.is_empty() && report.figures.abandoned > 0 {
            notes.push("no run agreed with what is assumed about it".to_string());
        }
        let stopped = outcome::stopped(report.stopped);
        let figures = &report.figures;
        tracing::info!(?stopped, figures.executions, figures.paths, figures.divergences, "explored");
        let coverage = explorer.summary(job, entry.number, &collected.covered);
        let mut counters = outcome::counters(report, &statistics, coverage);
        counters.crashes = collected.crashes;
        counters.externals = externals(&executor, &explorer.prepared.map.externals);
        let seconds = spent.as_secs_f64();
        let function = FunctionResult { stopped: Some(stopped), seconds, counters, ..described(entry) };
        Ok(Outcome { function, tests: collected.tests, alarms: collected.alarms, notes })
    }
}

/// The input of a recorded test.
fn restored(blueprint: &mut Blueprint<'_>, variables: &mut Variables, test: &Test) -> Input {
    let values: Vec<(String, u128)> = test.inputs.iter().map(|(name, value)| (name.clone(), value.bits)).collect();
    blueprint.restored(variables, &values, &test.pointers)
}

fn notes(executor: &LiveExecutor<'_>, blueprint: &Blueprint<'_>) -> Vec<String> {
    let mut notes: Vec<String> = Vec::new();
    for told in executor.told() {
        notes.extend(told.warnings);
        if let Some(demotion) = told.demotion {
            let more = if demotion.still_differs { "; and it still differs in fresh processes" } else { "" };
            notes.push(format!("went over to fork mode: an input run twice differed ({}){more}", demotion.reason));
        }
    }
    notes.extend(executor.unreadable.iter().take(1).map(|error| format!("a trace could not be read: {error}")));
    notes.extend(blueprint.notes.iter().cloned());
    notes
}

fn externals(executor: &LiveExecutor<'_>, names: &[String]) -> BTreeMap<String, u64> {
    let mut calls: BTreeMap<String, u64> = BTreeMap::new();
    for (number, count) in executor.told().into_iter().flat_map(|told| told.externals) {
        if let Some(name) = names.get(number as usize) {
            *calls.entry(name.clone()).or_default() += count;
        }
    }
    calls
}
