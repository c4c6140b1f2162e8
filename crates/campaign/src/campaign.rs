//! Many jobs → one record: units explored side by side, each kept in the store as soon as it is done; then a minimal suite, checked
//! natively, measured and written.

use crate::confirm::{self, Native, TestBed, TestSources};
use crate::event::{Event, Phase, Sink};
use crate::explore::{Explorer, patience};
use crate::job::{Job, Scope};
use crate::nogoods::NogoodStore;
use crate::outcome::Outcome;
use crate::{official, pool};
use covet_budget::{Deadline, Memory};
use covet_coverage::Count;
use covet_project::{Failure, Prepared, Symbols};
use covet_results::store::Unit;
use covet_results::{Meta, Official, Record, Stopped, Store};
use covet_suite::ctest::TestProgram;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

/// Everything a command explores, and where its results go.
pub struct Campaign<'a> {
    pub prepared: &'a Prepared,
    /// What the results say of where they came from.
    pub meta: Meta,
    pub jobs: Vec<Job>,
    /// Seconds for all jobs together.
    pub time: Option<f64>,
    /// Jobs at a time.
    pub threads: usize,
    /// The output folder.
    pub out: &'a Path,
    /// Whether llvm-cov measures the suite.
    pub official: bool,
    /// Set from outside to stop, keeping what there is.
    pub deadline: &'a Deadline,
    /// What the command may use.
    pub memory: Memory,
    pub sink: &'a dyn Sink,
}

/// What became of one job.
enum Attempt {
    Done(Box<Outcome>),
    /// Why it was not begun.
    NotBegun(Stopped),
    Failed(Failure, f64),
}

impl Campaign<'_> {
    /// Explores, checks, measures and writes.
    pub fn run(self) -> Result<Record, Failure> {
        let started = Instant::now();
        let (mut store, note) = Store::begin(self.out, &self.meta, &self.prepared.map)?;
        let mut record = Record { meta: self.meta.clone(), ..Record::default() };
        record.notes.extend(note);
        record.notes.extend(self.notes());
        self.sink.event(Event::Phase(Phase::Explore));
        let explorer = self.explorer(&store)?;
        self.explore_all(&explorer, started, &mut store, &mut record)?;
        self.sink.event(Event::Phase(Phase::Confirm));
        covet_suite::minimise(&mut record);
        let sources = TestSources::of(self.prepared);
        let run_time = self.jobs.first().map_or(0, |job| job.config.runs.milliseconds);
        let run_time = Duration::from_millis(run_time);
        let bed = TestBed::new(self.prepared, &sources, self.out, run_time);
        let is_hurried = || self.is_interrupted();
        let native = confirm::confirm(&bed, self.prepared, &mut record, is_hurried, run_time, self.deadline)?;
        let programs = bed.built(&record, &native);
        bed.write(&programs)?;
        record.programs = programs.iter().map(|program| program.name.clone()).collect();
        self.sink.event(Event::Phase(Phase::Measure));
        self.measure(&mut record, &programs);
        if self.is_interrupted() {
            record.stopped = Some(Stopped::Interrupted);
        }
        self.sink.event(Event::Phase(Phase::Write));
        record.notes.extend(unbuilt(&native));
        adopt(&mut record, native);
        record.seconds = started.elapsed().as_secs_f64();
        store.finish(&record)?;
        explorer.nogoods.save(&mut store)?;
        Ok(record)
    }

    fn explorer(&self, store: &Store) -> Result<Explorer<'_>, Failure> {
        let workers = self.jobs.first().map_or(1, |job| job.config.workers);
        Ok(Explorer {
            prepared: self.prepared,
            symbols: Symbols::of(self.prepared),
            nogoods: NogoodStore::open(store, self.threads() == 1),
            scratch: tempfile::tempdir().map_err(Failure::tool)?,
            patience: patience(self.threads() * workers),
            deadline: self.deadline.clone(),
            memory: self.memory.clone(),
            sink: self.sink,
        })
    }

    fn explore_all(
        &self,
        explorer: &Explorer<'_>,
        started: Instant,
        store: &mut Store,
        record: &mut Record,
    ) -> Result<(), Failure> {
        let (mut failure, mut unwritable) = (None, None);
        let attempt = |at: usize| self.attempt(explorer, started, at);
        let take = |at: usize, attempt: Attempt| {
            let job = &self.jobs[at];
            let outcome = match attempt {
                Attempt::Done(outcome) => *outcome,
                Attempt::NotBegun(stopped) => {
                    record.stopped = Some(stopped);
                    let why = if stopped == Stopped::Interrupted { "interrupted" } else { "the time was up" };
                    explorer.failed(job, format!("not explored: {why}"), 0.0)
                }
                Attempt::Failed(failed, seconds) => {
                    let outcome = explorer.failed(job, failed.message().to_string(), seconds);
                    failure.get_or_insert(failed);
                    outcome
                }
            };
            let first = record.tests.len();
            outcome.join(record);
            if let Some(function) = record.functions.last() {
                let unit = Unit { function, tests: &record.tests[first..], alarms: &record.alarms };
                // Whether it can be written is said once.
                unwritable = unwritable.take().or(store.append(unit).err());
            }
        };
        pool::in_order(self.jobs.len(), self.threads(), attempt, take);
        record.notes.extend(unwritable.map(|error| format!("not kept while exploring: {error}")));
        let must_agree = self.jobs.first().is_some_and(|job| job.config.solver.cross_check);
        match failure {
            Some(failure) if self.jobs.len() == 1 || must_agree => Err(failure),
            Some(_) | None => Ok(()),
        }
    }

    /// Does one job; a failure of ours, be it a panic, is its failure alone.
    fn attempt(&self, explorer: &Explorer<'_>, started: Instant, at: usize) -> Attempt {
        let mut job = self.jobs[at].clone();
        job.budget.time = self.time_for(started, at);
        if self.is_interrupted() {
            return Attempt::NotBegun(Stopped::Interrupted);
        }
        if job.budget.time.is_zero() {
            return Attempt::NotBegun(Stopped::Time);
        }
        let name = job.entry.name.as_str();
        self.sink.event(Event::Began { name });
        let began = Instant::now();
        let explored = catch_unwind(AssertUnwindSafe(|| explorer.explore(&job)));
        let failed = |failure| Attempt::Failed(failure, began.elapsed().as_secs_f64());
        let attempt = match explored {
            Ok(Ok(outcome)) => Attempt::Done(Box::new(outcome)),
            Ok(Err(failure)) => failed(failure),
            Err(panic) => {
                let text = panic.downcast_ref::<String>().map(String::as_str);
                let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no reason given");
                failed(Failure::Tool(format!("the exploration broke down: {text}")))
            }
        };
        self.sink.event(Event::Ended { name });
        attempt
    }

    /// The time that job number `at` may take: its own, or its share of what is left of all.
    fn time_for(&self, started: Instant, at: usize) -> Duration {
        let own = self.jobs[at].budget.time;
        let left = (self.jobs.len() - at) as f64;
        let share = |total: f64| (total - started.elapsed().as_secs_f64()) / left * self.threads() as f64;
        self.time.map_or(own, |total| own.min(Duration::from_secs_f64(share(total).max(0.0))))
    }

    fn threads(&self) -> usize {
        self.threads.clamp(1, self.jobs.len().max(1))
    }

    fn is_interrupted(&self) -> bool {
        self.deadline.is_interrupted()
    }

    /// What of the program is not as one might think.
    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        for broken in &self.prepared.program.broken {
            let first = broken.stderr.lines().find(|line| line.contains("error:")).unwrap_or("clang refuses it");
            notes.push(format!("left out: {}: {first}", broken.file.display()));
        }
        let stubs: Vec<&str> = self.prepared.program.stubs.iter().map(|stub| stub.name.as_str()).collect();
        if !stubs.is_empty() {
            notes.push(format!("defined nowhere, so what they give is an input: {}", stubs.join(", ")));
        }
        if !self.prepared.missing.is_empty() {
            let names = self.prepared.missing.join(", ");
            notes.push(format!(
                "defined nowhere, so a call crashes: {names}; name the files or libraries that define them"
            ));
        }
        notes
    }

    /// Official coverage, where it is wanted and there is something to measure.
    fn measure(&self, record: &mut Record, programs: &[TestProgram]) {
        if !self.official || programs.is_empty() || self.is_interrupted() {
            return;
        }
        let measured = match official::measure_suite(self.prepared, programs, self.out) {
            Ok(measured) => measured,
            Err(failure) => {
                record.notes.push(format!("no official coverage: {}", failure.message()));
                return;
            }
        };
        record.notes.extend(measured.lost.iter().map(|lost| format!("not in the official coverage: {lost}")));
        let is_program = self.jobs.first().is_some_and(|job| job.goals.scope == Scope::Program);
        for function in record.functions.iter_mut().filter(|function| function.failure.is_none()) {
            let own = measured.of(Path::new(&function.file), &function.name);
            let (statements, branches) = match (is_program, own) {
                (true, _) => (measured.statements(), measured.branches()),
                (false, Some(own)) => (own.statements, own.branches),
                (false, None) => (Count::default(), Count::default()),
            };
            function.counters.official = Some(Official { statements, branches, ..Official::default() });
        }
    }
}

/// Which tests are in no test program, and why.
fn unbuilt(native: &Native) -> Option<String> {
    let names: Vec<&str> = native.unbuilt.iter().map(String::as_str).collect();
    let said = native.complaint.as_deref().unwrap_or("their functions are not in the sources as libclang reads them");
    (!names.is_empty()).then(|| format!("{} tests cannot be written as C ({}):\n{said}", names.len(), names.join(", ")))
}

/// The record takes over what the native runs said, and functions count their tests.
fn adopt(record: &mut Record, native: Native) {
    record.mismatches = native.mismatches;
    for part in &mut record.functions {
        let is_own = |function: &str, file: &str| function == part.name && file == part.file;
        let tests = record.tests.iter().filter(|test| is_own(&test.function, &test.file));
        let mismatches = record.mismatches.iter().filter(|mismatch| is_own(&mismatch.function, &mismatch.file));
        let unbuilt = tests.clone().filter(|test| native.unbuilt.contains(&test.id)).count();
        part.counters.unbuilt = unbuilt as u64;
        (part.counters.tests, part.counters.mismatches) = (tests.count() as u64, mismatches.count() as u64);
    }
}
