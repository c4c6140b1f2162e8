//! The real parties of an exploration: worker processes as the executor, the layered solver behind its small trait.

use covet_abi::event::Concretization;
use covet_execute::{Config, Executable, Run, RunInput, Worker};
use covet_explore::{Execution, Executor};
use covet_expr::Pool;
use covet_expr::query::{Answer, Query};
use covet_input::{Input, Variables};
use covet_path::{Arena, Importer, PathCondition, TraceError};
use covet_project::Prepared;
use covet_sites::{Counter, FunctionNumber};
use covet_unit::Blueprint;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Runs one entry of the program in one or more workers.
pub struct LiveExecutor<'a> {
    lanes: Vec<Lane>,
    start: Start,
    blueprint: SharedBlueprint<'a>,
    entry: FunctionNumber,
    cases: Vec<Vec<u64>>,
    /// Traces that could not be read.
    pub unreadable: Vec<String>,
}

/// The blueprint grows with the inputs that are built, and tells what they are.
pub type SharedBlueprint<'a> = Rc<RefCell<Blueprint<'a>>>;

/// How workers are started.
struct Start {
    program: Executable,
    config: Config,
}

struct Lane {
    worker: Worker,
    importer: Importer,
}

impl Start {
    fn lane(&self) -> Result<Lane, covet_execute::Error> {
        Ok(Lane { worker: Worker::spawn(&self.program, &self.config)?, importer: Importer::new() })
    }
}

type Failed = Box<dyn std::error::Error + Send + Sync>;

impl<'a> LiveExecutor<'a> {
    pub fn start(
        prepared: &Prepared,
        config: Config,
        workers: usize,
        blueprint: SharedBlueprint<'a>,
        entry: FunctionNumber,
    ) -> Result<LiveExecutor<'a>, covet_execute::Error> {
        let start = Start { program: Executable { path: prepared.executable.clone() }, config };
        let lanes = (0..workers.max(1)).map(|_| start.lane()).collect::<Result<_, _>>()?;
        let cases = prepared.map.sites.iter().map(|site| site.cases.clone()).collect();
        Ok(LiveExecutor { lanes, start, blueprint, entry, cases, unreadable: Vec::new() })
    }

    /// Runs one input and keeps the raw events, for people who want to see them.
    pub fn run_raw(&mut self, variables: &mut Variables, input: &Input) -> Result<Run, covet_execute::Error> {
        let request = self.request(variables, input);
        let mut runs = self.lanes[0].worker.run(variables, &[request])?;
        Ok(runs.swap_remove(0))
    }

    /// The path condition of the run just made by [`LiveExecutor::run_raw`].
    pub fn path(&mut self, pool: &mut Pool, variables: &Variables, run: &Run) -> Result<PathCondition, TraceError> {
        self.lanes[0].path(pool, variables, run, &self.cases)
    }

    pub fn workers(&self) -> impl Iterator<Item = &Worker> {
        self.lanes.iter().map(|lane| &lane.worker)
    }

    fn request(&self, variables: &mut Variables, input: &Input) -> RunInput {
        let steps = self.blueprint.borrow_mut().steps(variables, input);
        RunInput { entry: self.entry, steps, values: input.clone(), ..RunInput::default() }
    }

    /// Every worker runs its share at the same time: request `k` goes to worker `k` modulo their number.
    fn run_at_once(&mut self, variables: &mut Variables, requests: &[RunInput]) -> Result<Vec<Vec<Run>>, Failed> {
        let (count, shared) = (self.lanes.len(), variables.len());
        let shares: Vec<Vec<RunInput>> =
            (0..count).map(|lane| requests.iter().skip(lane).step_by(count).cloned().collect()).collect();
        let mut done: Vec<Result<(Variables, Vec<Run>), covet_execute::Error>> = Vec::new();
        std::thread::scope(|scope| {
            let run = |(lane, share): (&mut Lane, &Vec<RunInput>)| {
                let mut known = variables.clone();
                let runs = lane.worker.run(&mut known, share)?;
                Ok((known, runs))
            };
            let threads: Vec<_> =
                self.lanes.iter_mut().zip(&shares).map(|pair| scope.spawn(move || run(pair))).collect();
            done.extend(threads.into_iter().filter_map(|thread| thread.join().ok()));
        });
        let mut runs = Vec::new();
        for (lane, done) in done.into_iter().enumerate() {
            let (known, mut made) = done?;
            if !adopt(variables, &known, shared) {
                // Two workers met different variables first; this one starts over with the others' numbering.
                self.lanes[lane] = self.start.lane()?;
                made = self.lanes[lane].worker.run(variables, &shares[lane])?;
            }
            runs.push(made);
        }
        Ok(runs)
    }

    fn execution(&mut self, lane: usize, pool: &mut Pool, variables: &Variables, run: Run) -> Execution {
        let (path, is_readable) = match self.lanes[lane].path(pool, variables, &run, &self.cases) {
            Ok(path) => (path, true),
            Err(error) => {
                self.unreadable.push(error.to_string());
                (PathCondition::from_conditions(Vec::new()), false)
            }
        };
        let mut covered: Vec<Counter> = run.covered.iter().map(|(counter, _)| *counter).collect();
        covered.sort_unstable();
        Execution {
            concretised: concretised(&run),
            is_truncated: !is_readable || run.flags.is_truncated(),
            path,
            covered,
            input: run.input,
            order: run.order,
            outcome: run.termination,
            code: run.code,
            returned: run.returned,
            fault: run.fault,
            frames: run.frames,
            elapsed: Duration::from_nanos(run.nanoseconds),
        }
    }
}

impl Lane {
    fn path(
        &mut self,
        pool: &mut Pool,
        variables: &Variables,
        run: &Run,
        cases: &[Vec<u64>],
    ) -> Result<PathCondition, TraceError> {
        let arena = Arena {
            nodes: self.worker.nodes(),
            tables: self.worker.tables(),
            entries: self.worker.entries(),
            variables: self.worker.variable_map(),
            epoch: self.worker.epoch(),
        };
        PathCondition::of(pool, variables, &mut self.importer, &arena, &run.events, cases)
    }
}

/// Registers what a worker has met beyond the first `shared` variables. False when its numbers for them are taken by others.
fn adopt(variables: &mut Variables, known: &Variables, shared: usize) -> bool {
    let mut agreed = true;
    for (id, variable) in known.iter().skip(shared) {
        agreed &= variables.intern(variable.clone()) == id;
    }
    agreed
}

impl Executor for LiveExecutor<'_> {
    fn run(&mut self, pool: &mut Pool, variables: &mut Variables, inputs: &[Input]) -> Result<Vec<Execution>, Failed> {
        let requests: Vec<RunInput> = inputs.iter().map(|input| self.request(variables, input)).collect();
        if self.lanes.len() == 1 || requests.len() == 1 {
            let runs = self.lanes[0].worker.run(variables, &requests)?;
            return Ok(runs.into_iter().map(|run| self.execution(0, pool, variables, run)).collect());
        }
        let mut lanes: Vec<_> = self.run_at_once(variables, &requests)?.into_iter().map(Vec::into_iter).collect();
        let mut executions = Vec::with_capacity(requests.len());
        for number in 0..requests.len() {
            let lane = number % lanes.len();
            let run = lanes[lane].next().ok_or("a worker gave back fewer runs than it was asked for")?;
            executions.push(self.execution(lane, pool, variables, run));
        }
        Ok(executions)
    }
}

fn concretised(run: &Run) -> BTreeMap<&'static str, u64> {
    let counted = |(number, count): (usize, &u32)| {
        let reason = Concretization::from_u16(number as u16)?;
        (*count > 0).then_some((reason.text(), u64::from(*count)))
    };
    run.concretised.iter().enumerate().filter_map(counted).collect()
}

/// The layered solver.
pub struct LiveSolver {
    pub solver: covet_solve::Solver,
    /// When the exploration should be over.
    end: Instant,
    /// The longest a question may take, in milliseconds.
    longest: u32,
}

/// The least a question is given, in milliseconds, however little time is left.
const LEAST: u32 = 100;
/// The most, as a share of the whole time: one that is not answered must leave some for others.
const SHARE: u32 = 10;

impl LiveSolver {
    pub fn new(config: covet_solve::Config, time: Duration) -> LiveSolver {
        let share = (time / SHARE).as_millis().try_into().unwrap_or(u32::MAX);
        let longest = config.timeout_ms.min(share);
        LiveSolver { solver: covet_solve::Solver::new(config), end: Instant::now() + time, longest }
    }
}

impl covet_explore::Solver for &mut LiveSolver {
    fn solve(&mut self, pool: &Pool, query: &Query<'_>) -> Answer {
        let left = self.end.saturating_duration_since(Instant::now()).as_millis();
        self.solver.config.timeout_ms = self.longest.min(left.try_into().unwrap_or(u32::MAX)).max(LEAST);
        self.solver.solve(pool, query)
    }

    fn efforts(&self) -> u64 {
        self.solver.statistics.smt_calls
    }
}
