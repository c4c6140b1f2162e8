//! One job under way: inputs planned, explored turn by turn with workers and solvers of its own, its runs collected, everything summed
//! up at the end.
//!
//! Between turns it may give up its processes ([`Underway::rest`]); the next turn starts them again.

use crate::calls::RunCalls;
use crate::carved;
use crate::collect::Collector;
use crate::early;
use crate::event::{Event, Ran};
use crate::executor::{LiveExecutor, SharedBlueprint};
use crate::explore::{Explorer, described, worker_config};
use crate::job::{First, Job};
use crate::journal::News;
use crate::judge::Judge;
use crate::outcome::{self, Outcome};
use crate::plan::{Plan, Stage};
use crate::seeds;
use crate::solver::LiveSolver;
use covet_budget::Deadline;
use covet_coverage::Count;
use covet_explore::{Exploration, Parties, Progress, Stopped, Until};
use covet_expr::Pool;
use covet_input::{Input, Variables};
use covet_project::{Entry, Failure};
use covet_results::{Counters, FunctionResult, Test};
use covet_unit::Blueprint;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long an exploration that seeks something goes on before it hears of interrupts.
const LONGEST_STEP: Duration = Duration::from_millis(200);

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
    /// The program is as it starts, as long as that leads anywhere; then there is more that may be otherwise.
    next: Option<Stage>,
    /// Runs when the last goal was covered, and how many goals were.
    progress: (u64, usize),
    /// The signal that ends the program before its entry.
    died: Option<i32>,
    /// All that was sought is shown.
    is_shown: Arc<AtomicBool>,
    /// How often it ended because there was no memory.
    pub starved: u32,
}

impl<'e> Underway<'e> {
    pub fn begin(explorer: &'e Explorer<'e>, job: &'e Job) -> Result<Underway<'e>, Failure> {
        let prepared = explorer.prepared;
        let entry = prepared.entry(&job.entry)?;
        let began = Instant::now();
        let (stage, last) = (Stage::first(prepared, entry, job), Stage::last(prepared, entry, job));
        let next = Some(last).filter(|last| *last != stage);
        let Plan { mut blueprint, mut variables } = Plan::of(prepared, entry, job, stage)?;
        // Random first values are the worker's to choose: it knows the bounds.
        let first = match &job.config.first {
            First::Zeros | First::Random => Input::default(),
            First::Test(test) => restored(&mut blueprint, &mut variables, test),
        };
        let carved = carved::inputs(prepared, job, &mut blueprint, &mut variables);
        let seeded = seeds::inputs(&job.environment, &variables);
        let blueprint = Arc::new(Mutex::new(blueprint));
        let config = worker_config(explorer.prepared, explorer.scratch.path(), job, &explorer.memory, explorer.workers);
        let config = covet_execute::Config { patience: explorer.patience, ..config };
        let workers = job.config.workers;
        let executor = LiveExecutor::new(prepared, config, workers, Arc::clone(&blueprint), entry, job.is_whole);
        let mut solvers: Vec<LiveSolver> = (0..workers.max(1)).map(|_| LiveSolver::new(job, explorer.fair)).collect();
        solvers.iter_mut().for_each(|live| live.solver.use_nogoods(explorer.nogoods.recall()));
        let judge = Judge::new(explorer, job, entry);
        let mut collector = Collector::new(prepared, entry, Arc::clone(&blueprint), &explorer.symbols, judge);
        let first = std::iter::once(first).chain(carved.inputs()).chain(seeded).collect();
        collector.carved = carved;
        let pool = Pool::with_library(Arc::clone(&prepared.library));
        let config = explorer.config(job, entry, first);
        let exploration = Exploration::new(config, Arc::clone(&prepared.map), variables, pool);
        let spent = began.elapsed();
        let (progress, died) = ((0, 0), None);
        Ok(Underway {
            explorer,
            job,
            entry,
            exploration,
            executor,
            solvers,
            collector,
            blueprint,
            spent,
            next,
            progress,
            died,
            is_shown: Arc::default(),
            starved: 0,
        })
    }

    /// Goes on until it ends, for want of anything to do, of its own time, or at `end`; or until `turn` is over. Runs and questions are broken
    /// off at `end` only: where turns begin and end must not show in what is found. What is found is given to `keep` at once.
    pub fn advance(
        &mut self,
        turn: &Deadline,
        end: &Deadline,
        keep: &mut dyn FnMut(News),
    ) -> Result<Progress, Failure> {
        let _span = tracing::info_span!("explore", function = self.job.entry.name).entered();
        let began = Instant::now();
        let left = self.job.budget.time.saturating_sub(self.spent);
        let end = end.within(left);
        self.executor.deadline = end.clone();
        self.solvers.iter_mut().for_each(|live| live.deadline = end.clone());
        let turn = end.at().map_or_else(|| turn.clone(), |moment| turn.by(moment));
        let progress = self.go_on(&self.until_shown(&turn), keep);
        self.spent += began.elapsed();
        let progress = progress.or_else(|error| self.died(&error).ok_or_else(|| Failure::tool(error)))?;
        if self.is_shown.load(Ordering::Relaxed) {
            return Ok(Progress::Ended(Stopped::Reached));
        }
        if let Some(stage) = self.next.filter(|stage| self.is_to_widen(progress, stage)) {
            self.widen(stage)?;
            return Ok(Progress::Paused);
        }
        Ok(match progress {
            Progress::Paused if end.is_interrupted() => Progress::Ended(Stopped::Interrupted),
            Progress::Paused if end.is_over() => Progress::Ended(Stopped::Time),
            progress @ (Progress::Paused | Progress::Ended(_)) => progress,
        })
    }

    /// The turn, or the round in which all that is sought was shown; whoever interrupts a turn is heard when it is over.
    fn until_shown(&self, turn: &Deadline) -> Deadline {
        let shown = Deadline::on(&self.is_shown);
        match (self.job.sought.is_empty(), turn.at()) {
            (true, _) => turn.clone(),
            (false, Some(moment)) => shown.by(moment),
            (false, None) => shown.within(LONGEST_STEP),
        }
    }

    /// Whether more than the first stage is worth a look: goals are open, or crashes are sought where memory may run out; and the first has nothing more to
    /// show, or is not likely to.
    fn is_to_widen(&mut self, progress: Progress, stage: &Stage) -> bool {
        /// So many runs without a goal.
        const STALE: u64 = 20_000;
        let is_hunted = stage.refuses && self.job.config.until == Until::Searched;
        if self.died.is_some() || self.exploration.goals().is_met() && !is_hunted {
            return false;
        }
        let (runs, covered) = (self.exploration.figures().executions, self.goals().covered);
        if covered > self.progress.1 {
            self.progress = (runs, covered);
        }
        match progress {
            Progress::Ended(stopped) => matches!(stopped, Stopped::Exhausted | Stopped::Covered),
            Progress::Paused => {
                let own = self.job.budget.time.min(self.explorer.fair);
                runs - self.progress.0 > STALE || self.spent > own / 2
            }
        }
    }

    /// From now on the globals that the code reads are input, as far as it names them, and allocations may fail.
    fn widen(&mut self, stage: Stage) -> Result<(), Failure> {
        let prepared = self.explorer.prepared;
        let Plan { mut blueprint, mut variables } = Plan::of(prepared, self.entry, self.job, stage)?;
        let carved = carved::inputs(prepared, self.job, &mut blueprint, &mut variables);
        let seeded = seeds::inputs(&self.job.environment, &variables);
        let first = std::iter::once(Input::default()).chain(carved.inputs()).chain(seeded).collect();
        self.collector.carved = carved;
        self.next = None;
        self.executor.rest();
        *self.blueprint.lock().unwrap_or_else(PoisonError::into_inner) = blueprint;
        let pool = Pool::with_library(Arc::clone(&prepared.library));
        self.exploration.widen(variables, pool, first);
        Ok(())
    }

    fn go_on(&mut self, turn: &Deadline, keep: &mut dyn FnMut(News)) -> Result<Progress, covet_explore::Error> {
        let (collector, sink) = (&mut self.collector, self.explorer.sink);
        let (explorer, job, entry) = (self.explorer, self.job, self.entry);
        let (began, spent, is_shown) = (Instant::now(), self.spent, &self.is_shown);
        let mut listener = |event: covet_explore::Event<'_>| match event {
            covet_explore::Event::Ran(ran) => {
                collector.take(&ran);
                if !job.sought.is_empty() && collector.shows_all(&job.sought) {
                    is_shown.store(true, Ordering::Relaxed);
                }
                if let Some((tests, alarms)) = collector.news() {
                    let coverage = explorer.summary(job, entry.number, collector.covered());
                    let counters = Counters {
                        executions: ran.figures.executions,
                        iterations: ran.figures.iterations,
                        statements: coverage.statements,
                        branches: coverage.branches,
                        ..Counters::default()
                    };
                    let seconds = (spent + began.elapsed()).as_secs_f64();
                    let function = FunctionResult { seconds, counters, ..described(entry) };
                    keep(News { function, tests, alarms });
                }
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
        self.exploration.advance(parties, turn)
    }

    /// A program that dies before its entry has shown all there is of it; none when something else went wrong.
    fn died(&mut self, error: &covet_explore::Error) -> Option<Progress> {
        let covet_explore::Error::Executor(error) = error;
        let covet_execute::Error::NotReady { signal: Some(signal), .. } = error.downcast_ref()? else { return None };
        self.collector.died(early::alarm(self.explorer.prepared, self.entry, *signal)?);
        self.died = Some(*signal);
        Some(Progress::Ended(Stopped::Exhausted))
    }

    /// Gives up the worker processes and the solvers' contexts.
    pub fn rest(&mut self) {
        self.executor.rest();
        self.solvers.iter_mut().for_each(|live| live.solver.rest());
    }

    /// As [`Underway::rest`], and keeps no more of its runs than their inputs.
    pub fn shed(&mut self) {
        self.rest();
        self.solvers.iter_mut().for_each(|live| live.solver.forget());
        self.exploration.shed();
    }

    /// Whether there is something to shed.
    pub fn holds_runs(&self) -> bool {
        self.exploration.holds_runs()
    }

    /// From now on the calls of every run are kept.
    pub fn log_calls(&mut self) {
        self.executor.calls = Some(Vec::new());
    }

    /// The calls of every run so far.
    pub fn calls(&self) -> &[RunCalls] {
        self.executor.calls.as_deref().unwrap_or_default()
    }

    /// How many goals there are, and how many of them are covered.
    pub fn goals(&self) -> Count {
        self.exploration.goals().count()
    }

    /// No run was made yet.
    pub fn has_nothing(&self) -> bool {
        self.exploration.figures().executions == 0
    }

    /// What was found.
    pub fn finish(self, stopped: Stopped) -> Result<Outcome, Failure> {
        let Underway {
            explorer, job, entry, exploration, executor, solvers, collector, blueprint, spent, died, ..
        } = self;
        let collected = collector.finish();
        let statistics = explorer.learn(&solvers)?;
        let mut notes = notes(&executor);
        let told = |signal| format!("signal {signal} ends the program before `main`, so nothing else of it can be run");
        notes.extend(died.map(told));
        let report = exploration.finish(stopped);
        if report.figures.bounded > 0 {
            // What was left out and never looked at is nobody's concern.
            notes.extend(blueprint.lock().unwrap_or_else(PoisonError::into_inner).notes.iter().cloned());
        }
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
        counters.refused = refused(&executor);
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

fn notes(executor: &LiveExecutor<'_>) -> Vec<String> {
    let mut notes: Vec<String> = Vec::new();
    for told in executor.told() {
        notes.extend(told.warnings);
        if let Some(demotion) = told.demotion {
            let more = if demotion.still_differs { "; and it still differs in fresh processes" } else { "" };
            notes.push(format!("went over to fork mode: an input run twice differed ({}){more}", demotion.reason));
        }
    }
    let refused = refused(executor);
    if !refused.is_empty() {
        let told = refused.iter().map(|(call, count)| format!("{call} ({count})"));
        notes.push(format!("refused by the sandbox: {}", told.collect::<Vec<_>>().join(", ")));
    }
    notes.extend(executor.unreadable.iter().take(1).map(|error| format!("a trace could not be read: {error}")));
    notes
}

/// System calls that were refused, by name.
fn refused(executor: &LiveExecutor<'_>) -> BTreeMap<String, u64> {
    let mut refused: BTreeMap<String, u64> = BTreeMap::new();
    for (call, count) in executor.told().into_iter().flat_map(|told| told.refused) {
        *refused.entry(covet_launch::call_name(call)).or_default() += count;
    }
    refused
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
