//! One entry of a prepared program is explored: inputs planned, workers and solvers started, events collected.

use crate::args::{CommonArgs, RunMode, SolveMode, SurroundingsArgs, UntilArg};
use crate::collect::{Collected, Collector, built};
use crate::failure::Failure;
use crate::input_args::InputArgs;
use crate::live::{LiveExecutor, LiveSolver};
use crate::memory::Memory;
use crate::progress::Progress;
use covet_execute::{First, Mode};
use covet_explore::{Config, Event, Parties, Report, Until, explore};
use covet_expr::Pool;
use covet_input::{Input, Variables};
use covet_project::Prepared;
use covet_project::Symbols;
use covet_project::{Entry, HARNESS, entries};
use covet_results::Test;
use covet_settings::{FunctionSettings, Size};
use covet_sites::FunctionNumber;
use covet_unit::{Blueprint, GlobalPlace, ProgramSetup, Sizes, Surroundings};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// What one exploration found.
pub struct Finished {
    pub collected: Collected,
    pub report: Report,
    pub solver: covet_solve::Statistics,
    /// Functions without a model, by name: calls with symbolic arguments.
    pub externals: Vec<(String, u64)>,
    pub warnings: Vec<String>,
}

/// How an entry is entered.
pub struct Plan<'a> {
    pub blueprint: Blueprint<'a>,
    pub variables: Variables,
}

/// Makes the plan of an entry: a program's surroundings for `main` and harnesses, arguments otherwise.
pub fn plan<'a>(
    prepared: &'a Prepared,
    entry: Entry<'_>,
    surroundings: &SurroundingsArgs,
    input: &InputArgs,
    own: Option<&FunctionSettings>,
) -> Result<Plan<'a>, Failure> {
    let mut variables = Variables::default();
    let around = Surroundings {
        types: &prepared.program.types,
        callables: entries::callables(prepared, entry.function),
        views: entries::views(prepared, entry.function),
        limits: input.limits(),
        sizes: sizes(own),
    };
    let setup = ProgramSetup {
        arguments: surroundings.arguments.clone(),
        stdin: surroundings.stdin,
        files: surroundings.files.clone(),
    };
    let parameters = entry.function.parameters.len();
    let mut blueprint = match entry.function.name.as_str() {
        "main" => covet_unit::plan_program(around, &setup, parameters, &mut variables),
        HARNESS => covet_unit::plan_harness(around, surroundings.size, &setup, &mut variables),
        _ => covet_unit::plan_function(around, entry.function, &mut variables),
    };
    let mut globals =
        input.symbolic_globals.iter().map(|name| entries::global(prepared, name)).collect::<Result<Vec<_>, _>>()?;
    if input.all_globals {
        globals.extend(entries::globals_of(prepared, entry.function));
    }
    let mut added = BTreeSet::new();
    for (global, number) in globals.into_iter().filter(|(_, number)| added.insert(*number)) {
        covet_unit::add_global(GlobalPlace { global, number }, &mut variables, &mut blueprint);
    }
    Ok(Plan { blueprint, variables })
}

/// The sizes that the settings of a function say.
fn sizes(own: Option<&FunctionSettings>) -> Sizes {
    let mut sizes = Sizes::default();
    for (path, size) in own.iter().flat_map(|own| &own.sizes) {
        let path = format!("arg.{}", path.value);
        match size {
            Size::Fixed(count) => drop(sizes.fixed.insert(path, *count)),
            Size::Parameter(name) => drop(sizes.counted.insert(path, name.clone())),
        }
    }
    sizes
}

/// Limits and choices for workers.
pub fn worker_config(scratch: &Path, common: &CommonArgs) -> covet_execute::Config {
    covet_execute::Config {
        mode: match common.mode {
            RunMode::Reset => Mode::Reset,
            RunMode::Fork => Mode::Fork,
            RunMode::Auto => Mode::Auto,
        },
        time_limit: Duration::from_millis(common.run_time),
        memory_limit: common.run_memory << 20,
        sandbox: !common.no_sandbox,
        checks: common.checks(),
        seed: common.seed,
        first: if common.first == "random" { First::Random } else { First::Zeros },
        patience: patience(common),
        ..covet_execute::Config::new(scratch.to_owned())
    }
}

/// Engine and worker look out for each other where every worker has a core of its own.
fn patience(common: &CommonArgs) -> Duration {
    const PATIENCE: Duration = Duration::from_micros(400);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    if cores >= 2 * common.jobs as usize { PATIENCE } else { Duration::ZERO }
}

pub fn solver_config(common: &CommonArgs) -> covet_solve::Config {
    let mode = match common.solve {
        SolveMode::Full => covet_solve::Mode::Full,
        SolveMode::Ippc => covet_solve::Mode::Ippc,
        SolveMode::Auto => covet_solve::Mode::Auto,
    };
    covet_solve::Config {
        mode,
        tiers: common.solver_tiers.unwrap_or(mode.usual_tiers()),
        smt_command: common.smt_command.clone(),
        cross_check: common.cross_check,
        seed: common.seed as u32,
        walk: common.walk.config(),
        ..covet_solve::Config::default()
    }
}

/// Everything an exploration is told.
pub struct Assignment<'a> {
    pub prepared: &'a Prepared,
    pub entry: Entry<'a>,
    /// Functions whose branches are wanted.
    pub targets: Vec<FunctionNumber>,
    pub plan: Plan<'a>,
    pub common: &'a CommonArgs,
    pub iterations: Option<u64>,
    pub workers: usize,
    pub time: Duration,
    /// A test to start from.
    pub start: Option<&'a Test>,
    pub scratch: &'a Path,
    pub symbols: &'a Symbols,
    pub interrupt: &'a AtomicBool,
    pub progress: &'a Progress,
    pub memory: &'a Memory,
}

impl Assignment<'_> {
    pub fn explore(self) -> Result<Finished, Failure> {
        let Plan { mut blueprint, mut variables } = self.plan;
        // Random first values are the worker's to choose: it knows the bounds.
        let first = self.start.map_or_else(Input::default, |test| restored(&mut blueprint, &mut variables, test));
        let blueprint = Rc::new(RefCell::new(blueprint));
        let (prepared, common) = (self.prepared, self.common);
        let config = worker_config(self.scratch, common);
        let mut executor =
            LiveExecutor::start(prepared, config, self.workers, Rc::clone(&blueprint), self.entry.number)
                .map_err(Failure::tool)?;
        let mut live: Vec<LiveSolver> =
            (0..self.workers).map(|_| LiveSolver::new(solver_config(common), self.time)).collect();
        live.iter_mut().for_each(|live| live.solver.use_nogoods(self.memory.recall()));
        let mut collector = Collector::new(prepared, self.entry.function, Rc::clone(&blueprint), self.symbols);
        let config = Config {
            strategy: common.strategy,
            seed: common.seed,
            iterations: self.iterations,
            time: Some(self.time),
            max_depth: common.max_depth,
            until: match common.until {
                UntilArg::Covered => Until::Covered,
                UntilArg::Exhausted => Until::Exhausted,
            },
            targets: self.targets,
            first: vec![first],
        };
        let progress = self.progress;
        let mut listener = |event: Event<'_>| match event {
            Event::Ran(ran) => {
                collector.take(&ran);
                progress.ran(&ran);
            }
            Event::Asked { solving, .. } => progress.solved(solving),
        };
        let mut solvers: Vec<Box<dyn covet_explore::Solver + '_>> =
            live.iter_mut().map(|solver| Box::new(solver) as Box<dyn covet_explore::Solver + '_>).collect();
        let parties = Parties {
            executor: &mut executor,
            solvers: &mut solvers,
            interrupt: self.interrupt,
            listener: &mut listener,
        };
        let pool = Pool::with_library(Arc::clone(&prepared.library));
        let report = explore(config, Arc::clone(&prepared.map), variables, pool, parties).map_err(Failure::tool)?;
        drop(solvers);
        if let Some(script) = live.iter().find_map(|live| live.solver.disagreement()) {
            return Err(Failure::Tool(format!("two solvers disagree on this question:\n{script}")));
        }
        live.iter().for_each(|live| self.memory.add(live.solver.found_nogoods()));
        let mut solver = covet_solve::Statistics::default();
        live.iter().for_each(|live| solver.add(&live.solver.statistics));
        let warnings = warnings(&executor, &blueprint.borrow());
        let externals = externals(&executor, prepared);
        Ok(Finished { collected: collector.finish(), report, solver, externals, warnings })
    }
}

/// The input of a recorded test.
fn restored(blueprint: &mut Blueprint<'_>, variables: &mut Variables, test: &Test) -> Input {
    let values: Vec<(String, u128)> = test.inputs.iter().map(|(name, value)| (name.clone(), value.bits)).collect();
    let pointers = test.pointers.iter().map(|(path, pointee)| (path.clone(), built(pointee))).collect();
    blueprint.restored(variables, &values, &pointers)
}

fn warnings(executor: &LiveExecutor<'_>, blueprint: &Blueprint<'_>) -> Vec<String> {
    let mut warnings: Vec<String> = Vec::new();
    for worker in executor.workers() {
        warnings.extend(worker.warnings().iter().cloned());
        if let Some(demotion) = worker.demoted() {
            let more = if demotion.still_differs { "; and it still differs in fresh processes" } else { "" };
            warnings.push(format!("went over to fork mode: an input run twice differed ({}){more}", demotion.reason));
        }
    }
    warnings.extend(executor.unreadable.iter().take(1).map(|error| format!("a trace could not be read: {error}")));
    warnings.extend(blueprint.notes.iter().cloned());
    warnings
}

fn externals(executor: &LiveExecutor<'_>, prepared: &Prepared) -> Vec<(String, u64)> {
    let name = |number: u32| prepared.map.externals.get(number as usize).cloned();
    let mut calls: BTreeMap<String, u64> = BTreeMap::new();
    for (number, count) in executor.workers().flat_map(|worker| worker.externals()) {
        if let Some(name) = name(number) {
            *calls.entry(name).or_default() += count;
        }
    }
    calls.into_iter().collect()
}
