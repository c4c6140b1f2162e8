//! A worker: batches in, runs out, through time-outs, deaths and demotion to fork mode.
//!
//! Invariant: between calls the worker is idle and the engine owns the pages, so the views of the arena are stable.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Duration;

use covet_abi::node::{Node, Table};
use covet_abi::process::{Failure, OUTPUT, Status};
use covet_abi::shared::{Isolation, MAX_BATCH};
use covet_abi::termination::Termination;
use covet_budget::Deadline;
use covet_input::{VarId, Variables};
use covet_launch::{End, Resource, Running};
use tempfile::TempDir;

use crate::Error;
use crate::config::{Config, Executable, Mode};
use crate::pace::Pace;
use crate::patience::Patience;
use crate::result::Run;
use crate::shared::Shared;
use crate::spawn::spawn;
use crate::translate::{Filling, RunInput, Translation};
use crate::wait::{Awaited, Waited, await_reply, comes_soon, futex_wake};

/// A worker that has served this many runs is replaced: what libraries leak adds up.
const RETIREMENT: u64 = 200_000;

/// In [`Mode::Auto`]: when this many processes in a row were lost after fewer than [`SHORT_LIFE`] runs, forking is cheaper.
const SHORT_LIVES: u32 = 4;
const SHORT_LIFE: u64 = 50;

/// Why a worker no longer runs in reset mode.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Demotion {
    /// How the second run of an input differed from the first.
    pub reason: String,
    /// True when it still does in fresh processes: the program itself is not deterministic.
    pub still_differs: bool,
}

pub struct Worker {
    program: Executable,
    config: Config,
    shared: Shared,
    folder: TempDir,
    child: Option<Running>,
    /// What earlier processes were refused.
    refused: BTreeMap<u32, u64>,
    /// The number of the last request.
    request: u32,
    translation: Translation,
    isolation: Isolation,
    demoted: Option<Demotion>,
    warnings: Vec<String>,
    /// Inputs run so far, and runs of the present process.
    inputs: u64,
    served: u64,
    processes: u64,
    short_lives: u32,
    patience: Patience,
    /// A run has ruined the shared pages: they are to be emptied before the next batch.
    damaged: bool,
    /// When no run may go on any more.
    deadline: Deadline,
    pace: Pace,
}

impl Worker {
    pub fn spawn(program: &Executable, config: &Config) -> Result<Worker, Error> {
        let at_scratch = |source| Error::Scratch { path: config.scratch.clone(), source };
        fs::create_dir_all(&config.scratch).map_err(at_scratch)?;
        let folder = tempfile::Builder::new().prefix("worker-").tempdir_in(&config.scratch).map_err(at_scratch)?;
        let isolation = match config.mode {
            Mode::Fork => Isolation::Fork,
            Mode::Reset | Mode::Auto => Isolation::Reset,
        };
        let mut worker = Worker {
            program: program.clone(),
            config: config.clone(),
            shared: Shared::new(&config.arena)?,
            folder,
            child: None,
            refused: BTreeMap::new(),
            request: 0,
            translation: Translation::default(),
            isolation,
            demoted: None,
            warnings: Vec::new(),
            inputs: 0,
            served: 0,
            processes: 0,
            short_lives: 0,
            patience: Patience::new(config.patience),
            damaged: false,
            deadline: config.deadline.clone(),
            pace: Pace::default(),
        };
        worker.start()?;
        Ok(worker)
    }

    /// From now on runs are broken off, and none begun, when this deadline has come.
    pub fn until(&mut self, deadline: Deadline) {
        self.deadline = deadline;
    }

    /// What the runs so far were like.
    pub fn pace(&self) -> Pace {
        self.pace
    }

    /// Goes on at the pace of another worker of this program.
    pub fn keep_pace(&mut self, pace: Pace) {
        self.pace = pace;
    }

    /// Runs every input once and says what happened, in order: only of the first few when the deadline comes before the end. New
    /// variables are added to `variables`.
    pub fn run(&mut self, variables: &mut Variables, inputs: &[RunInput]) -> Result<Vec<Run>, Error> {
        if self.damaged || self.shared.variables_nearly_full() {
            self.renew()?;
        } else if self.shared.nearly_full() {
            self.shared.empty_arena();
        }
        let mut runs: Vec<Run> = Vec::with_capacity(inputs.len());
        while runs.len() < inputs.len() && !self.deadline.is_over() {
            let epoch = self.epoch();
            let more = self.run_some(variables, &inputs[runs.len()..])?;
            if self.epoch() != epoch {
                // The pages had to be emptied in between: what the earlier runs refer to is gone.
                runs.iter_mut().for_each(Run::forget_events);
            }
            runs.extend(more);
        }
        Ok(runs)
    }

    /// Runs at least the first of the inputs, unless the deadline comes.
    fn run_some(&mut self, variables: &mut Variables, inputs: &[RunInput]) -> Result<Vec<Run>, Error> {
        let until_check = match (self.config.mode, self.isolation) {
            (Mode::Auto, Isolation::Reset) => self.until_check(),
            (Mode::Auto | Mode::Reset | Mode::Fork, _) => usize::MAX,
        };
        if until_check == 0 {
            return Ok(self.run_checked(variables, &inputs[0])?.into_iter().collect());
        }
        self.run_batch(variables, &inputs[..inputs.len().min(until_check).min(MAX_BATCH)])
    }

    /// Inputs before the next one that is run twice.
    fn until_check(&self) -> usize {
        let every = u64::from(self.config.check_every.max(1));
        ((every - self.inputs % every) % every) as usize
    }

    /// Runs an input twice; when the runs differ, the worker goes over to fork mode and the input is run there.
    fn run_checked(&mut self, variables: &mut Variables, input: &RunInput) -> Result<Option<Run>, Error> {
        let pair = [input.clone(), input.clone()];
        let mut runs = self.run_all(variables, &pair)?;
        let [first, second] = &runs[..] else { return Ok(runs.pop()) };
        self.inputs += 1;
        let Some(reason) = first.difference(second) else { return Ok(Some(runs.swap_remove(0))) };
        self.demote(reason)?;
        let mut runs = self.run_all(variables, &pair)?;
        let [first, second] = &runs[..] else { return Ok(runs.pop()) };
        let still_differs = first.difference(second).is_some();
        self.demoted = Some(Demotion { reason: reason.to_string(), still_differs });
        Ok(Some(runs.swap_remove(0)))
    }

    fn demote(&mut self, reason: &str) -> Result<(), Error> {
        self.demoted = Some(Demotion { reason: reason.to_string(), still_differs: false });
        self.isolation = Isolation::Fork;
        tracing::info!(reason, "worker demoted to fork mode");
        self.stop();
        self.start()
    }

    /// Runs all of a few inputs, in as many hand-overs as it takes and the deadline allows.
    fn run_all(&mut self, variables: &mut Variables, inputs: &[RunInput]) -> Result<Vec<Run>, Error> {
        let mut runs = Vec::new();
        while runs.len() < inputs.len() && !self.deadline.is_over() {
            let more = self.hand_over(variables, &inputs[runs.len()..])?;
            runs.extend(more);
        }
        Ok(runs)
    }

    fn run_batch(&mut self, variables: &mut Variables, inputs: &[RunInput]) -> Result<Vec<Run>, Error> {
        let runs = self.hand_over(variables, inputs)?;
        self.inputs += runs.len() as u64;
        Ok(runs)
    }

    /// One hand-over: runs as many of the inputs as fit and as the worker survives, at least one unless the deadline comes.
    fn hand_over(&mut self, variables: &mut Variables, inputs: &[RunInput]) -> Result<Vec<Run>, Error> {
        if self.damaged {
            self.renew()?;
        } else if self.child.is_none() {
            self.replace()?;
        }
        let batch = self.fill(variables, inputs)?;
        let patience = if self.isolation == Isolation::Reset { self.patience.now() } else { Duration::ZERO };
        self.shared.control().patience = patience.as_micros() as u32;
        self.request = self.request.wrapping_add(1);
        let request = self.request;
        let word = self.shared.word(|control| &mut control.request);
        word.store(request, Ordering::SeqCst);
        if self.shared.word(|control| &mut control.worker_sleeps).load(Ordering::SeqCst) != 0 {
            futex_wake(word);
        }
        let Some(child) = &mut self.child else { return Ok(Vec::new()) };
        let soon = comes_soon(&self.shared, request, patience);
        if !patience.is_zero() {
            self.patience.looked(soon);
        }
        let waited = match soon {
            true => Waited::Replied,
            false => {
                let (limit, deadline) = (self.pace.limit(self.config.time_limit), &self.deadline);
                let awaited = Awaited { request, batch: batch as u32, limit, deadline };
                await_reply(child, &self.shared, &awaited).map_err(Error::Watch)?
            }
        };
        let mut finished = (self.shared.control().done as usize).min(batch);
        self.damaged |= self.shared.take_over();
        match waited {
            Waited::Died(end, over_time) => {
                // One that had to be killed may hang because of what it has done to the pages.
                self.damaged |= over_time;
                self.lose();
                if finished < batch {
                    self.tell_death(finished, end, over_time);
                    finished += 1;
                }
            }
            Waited::Cut => {
                // The run that was broken off is as if it had not been begun, and no sign of a program that kills its processes.
                self.damaged = true;
                self.lose();
                self.served = self.served.max(SHORT_LIFE);
            }
            Waited::Replied if finished == 0 => {
                // A reply without a run: somebody else has written it.
                self.stop();
                self.damaged = true;
                self.tell_death(0, End::Killed(libc::SIGKILL), false);
                finished = 1;
            }
            Waited::Replied if self.shared.control().ready == 0 => {
                // The process was not fit for another run and has ended itself.
                self.stop();
            }
            Waited::Replied => {}
        }
        self.served += finished as u64;
        self.translation.catch_up(&self.shared, variables);
        let results = self.shared.results();
        let read = |result| Run::read(&self.shared, &self.translation, result);
        let runs: Vec<Run> = results[..finished].iter().map(read).collect();
        for run in &runs {
            self.pace.learn(run.termination, Duration::from_nanos(run.nanoseconds));
        }
        if runs.last().is_some_and(|run| run.termination == Termination::TimedOut) {
            // A process lost to a time-out says nothing about resetting it.
            self.served = self.served.max(SHORT_LIFE);
        }
        if self.served > RETIREMENT {
            self.stop();
        }
        Ok(runs)
    }

    /// Writes the batch into the pages. Returns its length.
    fn fill(&mut self, variables: &Variables, inputs: &[RunInput]) -> Result<usize, Error> {
        self.shared.fill_in();
        let mut filling = Filling {
            shared: &mut self.shared,
            translation: &mut self.translation,
            variables,
            first: self.config.first,
            seed: self.config.seed,
            count: 0,
            steps: 0,
            values: 0,
            stubs: 0,
        };
        for input in inputs {
            if !filling.add(input)? {
                break;
            }
        }
        let batch = filling.count;
        for result in &mut self.shared.results()[..batch] {
            result.termination = 0;
        }
        let limit = self.pace.limit(self.config.time_limit);
        let control = self.shared.control();
        control.time_limit_ms = limit.as_millis() as u64;
        control.batch = batch as u32;
        control.done = 0;
        control.event_count = 0;
        control.list_count = 0;
        control.control_flow_count = 0;
        control.call_count = 0;
        Ok(batch)
    }

    /// Completes the result of the run during which the worker died.
    fn tell_death(&mut self, index: usize, end: End, over_time: bool) {
        let result = &mut self.shared.results()[index];
        if result.termination != 0 {
            return;
        }
        let control = self.shared.control();
        result.events_len = (control.event_count as u32).saturating_sub(result.events_at);
        result.control_flow_len = (control.control_flow_count as u32).saturating_sub(result.control_flow_at);
        result.calls_len = (control.call_count as u32).saturating_sub(result.calls_at);
        (result.covered_len, result.vectors_len, result.frames_len) = (0, 0, 0);
        let (termination, code) = match end {
            _ if over_time => (Termination::TimedOut, 0),
            End::Killed(signal) => Termination::of_status(Status::Killed(signal)),
            End::Exited(code) if Failure::from_code(code).is_some() => (Termination::WorkerLost, code),
            End::Exited(code) => Termination::of_status(Status::Exited(code)),
            End::Over(Resource::Memory) => (Termination::OutOfMemory, 0),
            End::Over(Resource::Tasks | Resource::Scratch) => (Termination::WorkerLost, 0),
        };
        result.termination = termination as u32;
        result.code = code;
    }

    /// Starts a process in the place of one that was lost or has retired.
    fn replace(&mut self) -> Result<(), Error> {
        self.short_lives = if self.served < SHORT_LIFE { self.short_lives + 1 } else { 0 };
        let losing =
            self.short_lives >= SHORT_LIVES && self.isolation == Isolation::Reset && self.config.mode == Mode::Auto;
        if losing { self.demote("its processes do not survive their runs") } else { self.start() }
    }

    /// Starts a process on the pages. Variables and nodes in them stay.
    fn start(&mut self) -> Result<(), Error> {
        self.shared.fill_in();
        let control = self.shared.control();
        (control.request, control.reply, control.ready) = (0, 0, 0);
        self.request = 0;
        (control.batch, control.done) = (0, 0);
        (control.worker_sleeps, control.engine_sleeps) = (0, 0);
        control.isolation = self.isolation as u32;
        control.first = self.config.first as u32;
        control.seed = self.config.seed;
        control.memory_limit = self.config.memory_limit;
        control.stack_limit = self.config.stack_limit;
        control.keep_output = u32::from(self.config.keep_output);
        control.checks = self.config.checks.0;
        let (child, warnings) = spawn(&self.program, &self.config, &self.shared, self.folder.path(), &self.deadline)?;
        for warning in warnings {
            if !self.warnings.contains(&warning) {
                self.warnings.push(warning);
            }
        }
        tracing::debug!(process = child.process(), isolation = ?self.isolation, last_served = self.served, "worker started");
        child.process().into_iter().for_each(|process| self.config.memory.watch(process));
        self.child = Some(child);
        self.served = 0;
        self.processes += 1;
        Ok(())
    }

    /// Ends the process, if there is one.
    fn stop(&mut self) {
        self.child.iter_mut().for_each(Running::end_now);
        self.lose();
    }

    /// The process is no more; what it was refused is kept.
    fn lose(&mut self) {
        if let Some(child) = self.child.take() {
            child.process().into_iter().for_each(|process| self.config.memory.forget(process));
            let refused = child.refused().into_iter();
            refused.for_each(|(call, count)| *self.refused.entry(call).or_default() += u64::from(count));
        }
    }

    /// Starts over with an empty table of variables.
    fn renew(&mut self) -> Result<(), Error> {
        self.stop();
        self.shared.empty_arena();
        self.shared.empty_variables();
        self.translation.forget();
        self.damaged = false;
        self.start()
    }

    /// Nodes of the present epoch; index 0 is not a node.
    pub fn nodes(&self) -> &[Node] {
        self.shared.nodes()
    }

    pub fn tables(&self) -> &[Table] {
        self.shared.tables()
    }

    /// Entries of the tables.
    pub fn entries(&self) -> &[u32] {
        self.shared.entries()
    }

    /// Changes when the nodes, tables and entries were emptied.
    pub fn epoch(&self) -> u64 {
        self.shared.epoch()
    }

    /// The engine's id of each variable of the worker's table.
    pub fn variable_map(&self) -> &[VarId] {
        self.translation.map()
    }

    /// Calls of functions without a model: number in the program's external table, and how often.
    pub fn externals(&self) -> Vec<(u32, u64)> {
        let counts = self.shared.externals().iter().enumerate();
        counts.filter(|(_, count)| **count > 0).map(|(number, count)| (number as u32, *count)).collect()
    }

    /// System calls that its processes were refused, by number, and how often.
    pub fn refused(&self) -> BTreeMap<u32, u64> {
        let mut all = self.refused.clone();
        let present = self.child.as_ref().map(Running::refused).unwrap_or_default();
        present.into_iter().for_each(|(call, count)| *all.entry(call).or_default() += u64::from(count));
        all
    }

    /// What the sandbox cannot do on this machine.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Why the worker went over to fork mode, if it did.
    pub fn demoted(&self) -> Option<&Demotion> {
        self.demoted.as_ref()
    }

    pub fn isolation(&self) -> Isolation {
        self.isolation
    }

    /// Processes started so far.
    pub fn processes(&self) -> u64 {
        self.processes
    }

    /// The number of the present worker process.
    pub fn process(&self) -> Option<u32> {
        self.child.as_ref().and_then(|child| u32::try_from(child.process()?).ok())
    }

    /// Where the last run's output is, when the configuration keeps it.
    pub fn output(&self) -> PathBuf {
        self.folder.path().join(OUTPUT)
    }
}

impl Drop for Worker {
    /// The kernel takes its time to clear up after a process; nobody need wait for that.
    fn drop(&mut self) {
        if let Some(mut child) = self.child.take() {
            child.process().into_iter().for_each(|process| self.config.memory.forget(process));
            // Where no thread can be had, it is done here.
            let _ = std::thread::Builder::new().spawn(move || child.end_now());
        }
    }
}
