//! Worker processes as the executor of an exploration: inputs become requests, what comes back becomes path conditions.

use crate::calls::RunCalls;
use covet_abi::event::Concretization;
use covet_abi::logs::Logs;
use covet_abi::shared::{InputBounds, ResultFlags};
use covet_budget::Deadline;
use covet_execute::{Config, Demotion, Executable, Mode, Pace, Run, RunInput, StubSet, Worker};
use covet_explore::{Execution, Executor};
use covet_expr::Pool;
use covet_input::{Input, Variables};
use covet_path::{Arena, Importer, PathCondition, TraceError};
use covet_project::{Entry, Prepared};
use covet_sites::{Counter, FunctionNumber};
use covet_unit::Blueprint;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Runs one entry of the program in one or more workers, which are started when they are needed.
pub struct LiveExecutor<'a> {
    readers: Vec<Reader>,
    start: Start,
    /// What workers that were given up had to tell.
    gone: Vec<Told>,
    blueprint: SharedBlueprint<'a>,
    entry: FunctionNumber,
    stubs: StubSet,
    cases: Arc<[Vec<u64>]>,
    /// When runs are broken off.
    pub deadline: Deadline,
    /// Traces that could not be read.
    pub unreadable: Vec<String>,
    /// The calls of every run, where they are wanted.
    pub calls: Option<Vec<RunCalls>>,
    /// Conditions of the longest run of those made last.
    longest: usize,
}

/// The blueprint grows with the inputs that are built, and tells what they are.
pub type SharedBlueprint<'a> = Arc<Mutex<Blueprint<'a>>>;

/// What a worker has to tell besides its runs.
#[derive(Clone, Debug, Default)]
pub struct Told {
    pub warnings: Vec<String>,
    /// System calls that were refused, by number, and how often.
    pub refused: BTreeMap<u32, u64>,
    pub demotion: Option<Demotion>,
    /// Calls of functions without a model: number in the program's external table, and how often.
    pub externals: Vec<(u32, u64)>,
}

/// Conditions that runs made at once may have together, going by the longest of those before: all of them are held until the last is done.
const TOGETHER: usize = 1 << 18;

/// How workers are started.
struct Start {
    program: Executable,
    config: Config,
    workers: usize,
    /// Of the workers that were given up.
    pace: Pace,
}

/// A worker, and what reads its traces.
struct Reader {
    worker: Worker,
    importer: Importer,
}

impl Start {
    fn reader(&self) -> Result<Reader, covet_execute::Error> {
        let mut worker = Worker::spawn(&self.program, &self.config)?;
        worker.keep_pace(self.pace);
        Ok(Reader { worker, importer: Importer::new() })
    }
}

type Failed = Box<dyn std::error::Error + Send + Sync>;

impl<'a> LiveExecutor<'a> {
    pub fn new(
        prepared: &Prepared,
        config: Config,
        workers: usize,
        blueprint: SharedBlueprint<'a>,
        entry: Entry<'_>,
        is_whole: bool,
    ) -> LiveExecutor<'a> {
        let replacements = &prepared.program.replacements;
        let wanted =
            if is_whole { replacements.said_by(entry.function) } else { replacements.wanted_by(entry.function) };
        let program = Executable { path: prepared.executable.clone() };
        LiveExecutor {
            readers: Vec::new(),
            start: Start { program, config, workers: workers.max(1), pace: Pace::default() },
            gone: Vec::new(),
            blueprint,
            entry: entry.number,
            stubs: wanted.into_iter().collect(),
            cases: prepared.map.sites.iter().map(|site| site.cases.clone()).collect(),
            deadline: Deadline::default(),
            unreadable: Vec::new(),
            calls: None,
            longest: 0,
        }
    }

    /// Starts what is not there, and tells all how long they may run.
    fn wake(&mut self) -> Result<(), covet_execute::Error> {
        while self.readers.len() < self.start.workers {
            self.readers.push(self.start.reader()?);
        }
        self.readers.iter_mut().for_each(|reader| reader.worker.until(self.deadline.clone()));
        Ok(())
    }

    /// Gives up the workers; what they were demoted to stays.
    pub fn rest(&mut self) {
        self.start.pace = self.readers.first().map_or(self.start.pace, |reader| reader.worker.pace());
        let told: Vec<Told> = self.readers.drain(..).map(|reader| Told::of(&reader.worker)).collect();
        if told.iter().any(|told| told.demotion.is_some()) {
            self.start.config.mode = Mode::Fork;
        }
        self.gone.extend(told);
    }

    /// What the workers, also those of earlier turns, have to tell.
    pub fn told(&self) -> Vec<Told> {
        self.gone.iter().cloned().chain(self.readers.iter().map(|reader| Told::of(&reader.worker))).collect()
    }

    /// Runs one input and keeps the raw events, for people who want to see them.
    pub fn run_raw(&mut self, variables: &mut Variables, input: &Input) -> Result<Run, covet_execute::Error> {
        self.wake()?;
        let request = self.request(variables, input);
        let mut runs = self.readers[0].worker.run(variables, &[request])?;
        Ok(runs.swap_remove(0))
    }

    /// The path condition of the run just made by [`LiveExecutor::run_raw`].
    pub fn path(&mut self, pool: &mut Pool, variables: &Variables, run: &Run) -> Result<PathCondition, TraceError> {
        self.readers[0].path(pool, variables, run, &self.cases)
    }

    fn request(&self, variables: &mut Variables, input: &Input) -> RunInput {
        let steps = self.blueprint.lock().unwrap_or_else(PoisonError::into_inner).steps(variables, input);
        let logs = if self.calls.is_some() { Logs::CALLS } else { Logs::NONE };
        let (values, stubs) = (input.clone(), self.stubs.clone());
        RunInput { entry: self.entry, steps, values, stubs, logs, ..RunInput::default() }
    }

    /// Every worker runs its share at the same time: request `k` goes to worker `k` modulo their number.
    fn run_at_once(&mut self, variables: &mut Variables, requests: &[RunInput]) -> Result<Vec<Vec<Run>>, Failed> {
        let (count, shared) = (self.readers.len(), variables.len());
        let shares: Vec<Vec<RunInput>> =
            (0..count).map(|at| requests.iter().skip(at).step_by(count).cloned().collect()).collect();
        let mut done: Vec<Result<(Variables, Vec<Run>), covet_execute::Error>> = Vec::new();
        std::thread::scope(|scope| {
            let run = |(reader, share): (&mut Reader, &Vec<RunInput>)| {
                let mut known = variables.clone();
                let runs = reader.worker.run(&mut known, share)?;
                Ok((known, runs))
            };
            let threads: Vec<_> =
                self.readers.iter_mut().zip(&shares).map(|pair| scope.spawn(move || run(pair))).collect();
            done.extend(threads.into_iter().filter_map(|thread| thread.join().ok()));
        });
        let mut runs = Vec::new();
        for (at, done) in done.into_iter().enumerate() {
            let (known, mut made) = done?;
            if !adopt(variables, &known, shared) {
                // Two workers met different variables first; this one starts over with the others' numbering.
                self.readers[at] = self.start.reader()?;
                self.readers[at].worker.until(self.deadline.clone());
                made = self.readers[at].worker.run(variables, &shares[at])?;
            }
            runs.push(made);
        }
        Ok(runs)
    }

    fn execution(&mut self, at: usize, pool: &mut Pool, variables: &Variables, run: Run) -> Execution {
        let (path, is_readable) = match self.readers[at].path(pool, variables, &run, &self.cases) {
            Ok(path) => (path, true),
            Err(error) => {
                self.unreadable.push(error.to_string());
                (PathCondition::from_conditions(Vec::new()), false)
            }
        };
        if let Some(calls) = &mut self.calls {
            calls.push(RunCalls::of(&run.calls));
        }
        let mut covered: Vec<Counter> = run.covered.iter().map(|(counter, _)| *counter).collect();
        covered.sort_unstable();
        let blueprint = self.blueprint.lock().unwrap_or_else(PoisonError::into_inner);
        let is_past = run.fault != 0 && blueprint.is_past_limits(variables, &run.input, run.fault);
        let is_bounded = is_past || blueprint.is_at_an_end(&run.touched);
        drop(blueprint);
        Execution {
            vectors: run.vectors.iter().map(|(vector, _)| *vector).collect(),
            concretised: concretised(&run),
            is_truncated: !is_readable || run.flags.is_truncated(),
            asked: run.asked,
            is_cut: run.flags.is_cut(),
            is_capped: run.flags.has(ResultFlags::CAPPED),
            is_stalled: run.flags.has(ResultFlags::STALLED),
            is_bounded,
            path,
            covered,
            input: run.input,
            order: run.order,
            touched: run.touched,
            termination: run.termination,
            code: run.code,
            returned: run.returned,
            fault: run.fault,
            frames: run.frames,
            elapsed: Duration::from_nanos(run.nanoseconds),
        }
    }
}

impl Told {
    fn of(worker: &Worker) -> Told {
        Told {
            warnings: worker.warnings().to_vec(),
            demotion: worker.demoted().cloned(),
            externals: worker.externals(),
            refused: worker.refused(),
        }
    }
}

impl Reader {
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
    fn run(
        &mut self,
        pool: &mut Pool,
        variables: &mut Variables,
        inputs: &[Input],
        bounds: InputBounds,
    ) -> Result<Vec<Execution>, Failed> {
        self.wake()?;
        let bounded = |input| RunInput { bounds, ..self.request(variables, input) };
        let together = (TOGETHER / self.longest.max(1)).max(1);
        let requests: Vec<RunInput> = inputs.iter().take(together).map(bounded).collect();
        let executions = self.executions(pool, variables, &requests)?;
        self.longest = executions.iter().map(|execution| execution.path.conditions.len()).max().unwrap_or(0);
        Ok(executions)
    }

    fn forget(&mut self) {
        self.readers.iter_mut().for_each(|reader| reader.importer = Importer::new());
    }
}

impl LiveExecutor<'_> {
    /// What became of the first of the requests; those behind them, if any, there was no time for.
    fn executions(
        &mut self,
        pool: &mut Pool,
        variables: &mut Variables,
        requests: &[RunInput],
    ) -> Result<Vec<Execution>, Failed> {
        if self.readers.len() == 1 || requests.len() == 1 {
            let runs = self.readers[0].worker.run(variables, requests)?;
            return Ok(runs.into_iter().map(|run| self.execution(0, pool, variables, run)).collect());
        }
        let mut shares: Vec<_> = self.run_at_once(variables, requests)?.into_iter().map(Vec::into_iter).collect();
        let mut executions = Vec::with_capacity(requests.len());
        for number in 0..requests.len() {
            let at = number % shares.len();
            // One that had no time for all of its share ends the list.
            let Some(run) = shares[at].next() else { break };
            executions.push(self.execution(at, pool, variables, run));
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
