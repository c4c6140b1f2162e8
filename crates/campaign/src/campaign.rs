//! Many jobs → one record: units explored in turns, what they find kept in the store as it is found; then a minimal suite, checked
//! natively, measured and written, each phase within its share of the time.

use crate::clock::{Clock, timed};
use crate::confirm::{self, Native, TestBed, TestSources};
use crate::event::{Event, Phase, Sink};
use crate::explore::{Explorer, patience};
use crate::hunt::{Contexts, Hunt, KnownCalls, Outside, Testimonies, environments, from_main};
use crate::job::{Job, Scope};
use crate::journal::Journal;
use crate::nogoods::NogoodStore;
use crate::notes;
use crate::official;
use crate::phases::Load;
use crate::recorded;
use crate::rounds::{Attempt, Rounds};
use crate::told;
use crate::verdicts;
use covet_budget::{Deadline, Memory};
use covet_coverage::Count;
use covet_launch::Bounds;
use covet_project::interface::{Exports, Interface};
use covet_project::{Failure, Prepared, Symbols, entries};
use covet_results::{Meta, Official, Phases, Record, Stopped, Store};
use covet_scratch::Scratch;
use covet_suite::ctest::TestProgram;
use std::path::Path;
use std::time::{Duration, Instant};

/// Everything a command explores, and where its results go.
pub struct Campaign<'a> {
    pub prepared: &'a Prepared,
    /// What the results say of where they came from.
    pub meta: Meta,
    pub jobs: Vec<Job>,
    /// When the command began, and what it took to prepare the program.
    pub began: Instant,
    pub phases: Phases,
    /// When the whole command must be over; an interrupt ends it earlier, keeping what there is.
    pub deadline: &'a Deadline,
    /// Jobs at a time.
    pub threads: usize,
    /// The output folder.
    pub out: &'a Path,
    /// Whether llvm-cov measures the suite.
    pub official: bool,
    /// What the command may use.
    pub memory: Memory,
    /// How alarms are judged; without it, by the run that raised them alone.
    pub hunt: Option<Hunt>,
    pub sink: &'a dyn Sink,
}

/// The part of the command's memory that SMT solvers may have.
const FOR_SOLVERS: u64 = 4;
/// Bytes that a test program may have, however little is left.
const LEAST_FOR_A_TEST: u64 = 64 << 20;

impl Campaign<'_> {
    /// Explores, checks, measures and writes.
    pub fn run(mut self) -> Result<Record, Failure> {
        let known = self.known_calls()?;
        let interface = self.interface()?;
        let files = self.prepared.program.units.len().max(1) as f64;
        let compiled = Duration::try_from_secs_f64(self.phases.compile / files).unwrap_or_default();
        let run_time = self.jobs.first().map_or(0, |job| job.config.runs.milliseconds);
        let run_time = Duration::from_millis(run_time);
        let clock = Clock::new(self.began, compiled, confirm::time_of_hang(run_time), self.threads, self.deadline);
        let clock = clock.judging(self.hunt.as_ref().is_some_and(Hunt::asks_callers));
        let meta = recorded::with_test_memory(self.meta.clone(), self.memory_of_a_test());
        let (store, note) = Store::begin(self.out, &meta, &self.prepared.map)?;
        let mut record = Record { meta, phases: self.phases, ..Record::default() };
        record.notes.extend(note.into_iter().chain(self.notes()));
        covet_solve::backends::limit_memory(self.memory.limit() / FOR_SOLVERS);
        self.sink.event(Event::Phase(Phase::Explore));
        let explorer = self.explorer(&store, &clock)?;
        let known = known.map(|known| self.with_own_runs(known, &explorer, &clock));
        self.choose_units(known.as_ref(), &mut record);
        let journal = Journal::new(store);
        let attempts = timed(&mut record.phases.explore, || self.explore_all(&explorer, &journal, &clock));
        let load = journal.load(self.official);
        tracing::info!(?load, "explored");
        let (mut store, unwritable) = journal.close();
        let said = self.gather(&explorer, attempts, &clock, &mut record)?;
        self.judge(&explorer, known.as_ref(), interface.as_ref(), said, &clock.judge(load), &mut record);
        self.show_from_main(&explorer, &clock, &mut record);
        record.notes.extend(unwritable.map(|error| format!("not kept while exploring: {error}")));
        self.sink.event(Event::Phase(Phase::Confirm));
        let mut phases = record.phases;
        let own = covet_suite::minimal::Own::of(&self.prepared.map);
        timed(&mut phases.write, || covet_suite::minimise(&mut record, &own));
        let sources = TestSources::of(self.prepared);
        let mut bed = TestBed::new(self.prepared, &sources, self.out, run_time)?;
        bed.threads = self.threads;
        self.memory.give_back();
        let room = self.memory.room() / self.threads.max(1) as u64;
        bed.bounds.memory = room.clamp(LEAST_FOR_A_TEST, bed.bounds.memory);
        bed.settings.memory = self.memory_of_a_test();
        bed.bounds.confined = self.jobs.first().is_none_or(|job| job.config.runs.sandbox);
        let native = confirm::confirm(&mut bed, &mut record, run_time, &clock, &mut phases)?;
        let written = |bed: &TestBed<'_>, record: &Record| {
            let programs = bed.built(record, &native);
            bed.write(&programs).map(|()| programs)
        };
        let programs = timed(&mut phases.write, || written(&bed, &record))?;
        self.sink.event(Event::Phase(Phase::Measure));
        timed(&mut phases.measure, || self.measure(&mut record, &programs, &bed.bounds, &clock));
        self.sink.event(Event::Phase(Phase::Confirm));
        timed(&mut phases.confirm, || confirm::explain(&mut bed, self.prepared, &mut record, &native, &clock))?;
        verdicts::settle(&mut record);
        timed(&mut phases.confirm, || self.show_outside(interface.as_ref(), &bed, &clock, &mut record));
        told::tell(self.prepared, &mut record, self.out, self.hunt.is_some());
        // Now with all that is known of the alarms that they show.
        let programs = timed(&mut phases.write, || written(&bed, &record))?;
        record.programs = programs.iter().map(|program| program.name.clone()).collect();
        if clock.is_interrupted() {
            record.stopped = Some(Stopped::Interrupted);
        }
        self.sink.event(Event::Phase(Phase::Write));
        record.notes.extend(unbuilt(&native));
        adopt(&mut record, native);
        record.notes = notes::gathered(record.notes);
        (record.phases, record.seconds) = (phases, clock.seconds());
        let written =
            timed(&mut phases.write, || store.finish(&record).and_then(|()| explorer.nogoods.save(&mut store)));
        (record.phases, record.seconds) = (phases, clock.seconds());
        written.map(|()| record).map_err(Failure::from)
    }

    /// What recorded profiles say; states that calls began in are where explorations begin, too.
    fn known_calls(&mut self) -> Result<Option<KnownCalls>, Failure> {
        let Some(hunt) = &self.hunt else { return Ok(None) };
        let known = KnownCalls::recorded(hunt, self.prepared)?;
        for job in &mut self.jobs {
            let number = self.prepared.ids.function_number(&job.entry);
            job.states = number.map_or_else(Vec::new, |number| known.states(number));
        }
        Ok(Some(known))
    }

    /// What the project offers, for hunts.
    fn interface(&self) -> Result<Option<Interface<'_>>, Failure> {
        let Some(hunt) = &self.hunt else { return Ok(None) };
        let exports = hunt.exports.as_deref().map(Exports::read).transpose()?;
        Interface::of(self.prepared, exports.as_ref()).map(Some)
    }

    /// Looks for tests of alarms that use the public interface alone, with the time that is left.
    fn show_outside(
        &self,
        interface: Option<&Interface<'_>>,
        bed: &TestBed<'_>,
        clock: &Clock<'_>,
        record: &mut Record,
    ) {
        let (Some(interface), Some(like)) = (interface, self.jobs.first()) else { return };
        let Campaign { prepared, out, memory, sink, .. } = self;
        let (deadline, patience) = (clock.measure(), self.patience());
        let (bounds, objects) = (&bed.bounds, bed.objects.path());
        let outside =
            Outside { prepared, interface, like, out, bounds, objects, memory, deadline, patience, sink: *sink };
        if let Err(failure) = outside.show(record) {
            record.notes.push(format!("not all was tried through the public interface: {}", failure.message()));
        }
        verdicts::settle(record);
    }

    /// What a test is refused when it asks for more, here and wherever it will run.
    fn memory_of_a_test(&self) -> u64 {
        let share = self.memory.limit() / (2 * self.threads.max(1) as u64);
        covet_suite::ctest::MEMORY.min(1 << share.max(LEAST_FOR_A_TEST).ilog2())
    }

    fn explorer(&self, store: &Store, clock: &Clock<'_>) -> Result<Explorer<'_>, Failure> {
        let workers = self.jobs.first().map_or(1, |job| job.config.workers);
        // Where jobs take turns, what one learned before another began is a matter of timing: then it serves the next command.
        let in_turn = self.threads() == 1 && self.deadline.at().is_none();
        let left = clock.explore(Load::default()).left();
        let fair = |left: Duration| left.mul_f64(self.threads() as f64 / self.jobs.len().max(1) as f64);
        Ok(Explorer {
            prepared: self.prepared,
            symbols: Symbols::of(self.prepared),
            nogoods: NogoodStore::open(store, in_turn),
            scratch: Scratch::new().map_err(Failure::machine)?,
            patience: patience(self.threads() * workers),
            fair: left.map_or(Duration::MAX, fair),
            deadline: self.deadline.clone(),
            memory: self.memory.clone(),
            workers: self.threads() * workers.max(1),
            beliefs: self.hunt.as_ref().is_none_or(|hunt| hunt.beliefs).then(|| entries::beliefs(self.prepared)),
            has_invariants: self.hunt.as_ref().is_none_or(|hunt| hunt.invariants),
            sink: self.sink,
        })
    }

    fn explore_all(&self, explorer: &Explorer<'_>, journal: &Journal, clock: &Clock<'_>) -> Vec<Attempt> {
        let until = || clock.explore(journal.load(self.official));
        let (jobs, threads) = (&self.jobs[..], self.threads());
        Rounds { explorer, jobs, journal: Some(journal), until: &until, threads, sink: self.sink }.explore()
    }

    /// What became of all jobs, in their order, as one record. A failure when nothing at all came of them.
    fn gather(
        &self,
        explorer: &Explorer<'_>,
        attempts: Vec<Attempt>,
        clock: &Clock<'_>,
        record: &mut Record,
    ) -> Result<Testimonies, Failure> {
        let (mut failures, mut is_cut, mut is_done) = (Vec::new(), false, false);
        let mut said = Testimonies::default();
        for (job, attempt) in self.jobs.iter().zip(attempts) {
            let outcome = match attempt {
                Attempt::Done(outcome) => *outcome,
                Attempt::NotBegun => {
                    is_cut = true;
                    explorer.failed(job, format!("not explored: {}", clock.why()), 0.0)
                }
                Attempt::Failed(failed, seconds) => {
                    let outcome = explorer.failed(job, failed.message().to_string(), seconds);
                    failures.push(failed);
                    outcome
                }
            };
            is_done |= outcome.function.failure.is_none();
            let alarms = outcome.alarms.clone();
            let places = outcome.join(record);
            if let Ok(entry) = self.prepared.entry(&job.entry) {
                said.add(entry.number, alarms, &places);
            }
        }
        if is_cut {
            let stopped = if clock.is_interrupted() { Stopped::Interrupted } else { Stopped::Time };
            record.stopped = record.stopped.max(Some(stopped));
        }
        let must_agree = self.jobs.first().is_some_and(|job| job.config.solver.cross_check);
        match (is_done, failures.len()) {
            (true, 0) => Ok(said),
            (true, _) if !must_agree => Ok(said),
            (false, 0) => Err(Failure::Cut(format!("nothing was explored: {}", clock.why()))),
            (_, _) => Err(self.of_all(failures)),
        }
    }

    /// Puts alarms to those who call their functions, where that is wanted.
    fn judge(
        &self,
        explorer: &Explorer<'_>,
        known: Option<&KnownCalls>,
        interface: Option<&Interface<'_>>,
        said: Testimonies,
        deadline: &Deadline,
        record: &mut Record,
    ) {
        let Some(hunt) = &self.hunt else { return };
        if hunt.is_published() {
            verdicts::without_assumptions(record);
        }
        if !hunt.asks_callers() {
            return;
        }
        self.sink.event(Event::Phase(Phase::Judge));
        let offered = interface.into_iter().flat_map(Interface::offered);
        let offered = offered.map(|exported| exported.function.name.as_str()).collect();
        let hidden = interface.map(Interface::hidden).unwrap_or_default();
        let contexts = Contexts {
            explorer,
            jobs: &self.jobs,
            threads: self.threads,
            deadline: deadline.within(self.patience()),
            believes_explored: hunt.is_published(),
            offered: &offered,
            hidden: &hidden,
            on_contexts: &|functions| known.and_then(|known| known.on_contexts(hunt, functions)),
        };
        let mut seconds = 0.0;
        timed(&mut seconds, || contexts.judge(said, record));
        record.phases.explore += seconds;
    }

    /// What recorded profiles do not say, Covet's own runs do.
    fn with_own_runs(&self, known: KnownCalls, explorer: &Explorer<'_>, clock: &Clock<'_>) -> KnownCalls {
        match (&self.hunt, self.jobs.first()) {
            (Some(hunt), Some(like)) => known.or_explored(hunt, explorer, like, &clock.explore(Load::default())),
            _ => known,
        }
    }

    /// Which functions are stubs while others are explored; the results say so too.
    fn choose_units(&self, known: Option<&KnownCalls>, record: &mut Record) {
        let (Some(hunt), Some(known)) = (&self.hunt, known) else { return };
        hunt.choose_units(self.prepared, known);
        recorded::note_units(&mut record.meta, self.prepared.program.replacements.units());
        record.notes.extend(known.notes.iter().cloned());
    }

    /// What each thing that is done with alarms may take where the command has no time: as long as they were looked for.
    fn patience(&self) -> Duration {
        self.jobs.iter().fold(Duration::ZERO, |all, job| all.saturating_add(job.budget.time))
    }

    /// Looks for runs of a program's `main` that show its alarms.
    fn show_from_main(&self, explorer: &Explorer<'_>, clock: &Clock<'_>, record: &mut Record) {
        let (Some(hunt), Some(like)) = (&self.hunt, self.jobs.first()) else { return };
        let mut seconds = 0.0;
        let around = environments(self.prepared, hunt.examples);
        let done = timed(&mut seconds, || from_main(explorer, like, &around, &clock.half(), self.patience(), record));
        record.phases.explore += seconds;
        if let Err(failure) = done {
            record.notes.push(format!("not all was tried from `main`: {}", failure.message()));
        }
    }

    /// One failure for many.
    fn of_all(&self, mut failures: Vec<Failure>) -> Failure {
        let (count, is_users) = (failures.len(), failures.iter().all(|failure| matches!(failure, Failure::User(_))));
        let first = failures.swap_remove(0);
        if self.jobs.len() == 1 {
            return first;
        }
        let message = format!("{count} of {} functions could not be explored: {}", self.jobs.len(), first.message());
        if is_users { Failure::User(message) } else { Failure::Tool(message) }
    }

    fn threads(&self) -> usize {
        self.threads.clamp(1, self.jobs.len().max(1))
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
    fn measure(&self, record: &mut Record, programs: &[TestProgram], bounds: &Bounds, clock: &Clock<'_>) {
        if !self.official || programs.is_empty() {
            return;
        }
        let bounds = Bounds { deadline: clock.official(), ..bounds.clone() };
        let measured = match official::measure_suite(self.prepared, programs, self.out, &bounds, self.threads) {
            Ok(measured) => measured,
            Err(failure) if bounds.deadline.is_over() || matches!(failure, Failure::Cut(_)) => {
                record.notes.push(format!("no official coverage: {}", clock.why()));
                return;
            }
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
