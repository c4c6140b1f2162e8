//! What was found is checked natively before anyone hears of it: tests on a plain build, alarms on builds with sanitizers.
//!
//! A suite holds no test that fails its own replay: what the plain program does is what is recorded.

mod hangs;
mod native;
pub mod sanitizers;
mod sources;

use crate::alarms;
use crate::clock::{Clock, timed};
use covet_launch::Bounds;
use covet_project::{Compiled, Failure, Prepared, shipped_headers};
use covet_results::{Phases, Record, Test, TestOutcome};
use covet_scratch::Scratch;
use covet_source::TypeId;
use covet_suite::ctest::{self, Flavour, Settings, Sources, TestProgram};
use covet_suite::replay::{self, Replay};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

pub use hangs::time_of as time_of_hang;
pub use native::Native;
pub use sanitizers::reported;
pub use sources::TestSources;

/// Where C tests are made, built and run.
pub struct TestBed<'a> {
    pub compiled: &'a Compiled,
    pub sources: Sources<'a>,
    pub settings: Settings,
    /// How test programs are started.
    pub bounds: Bounds,
    /// How many programs are built, and tests run, at a time.
    pub threads: usize,
    /// The objects of the program's own files: what was compiled for one purpose serves the next.
    pub objects: Arc<Scratch>,
}

impl<'a> TestBed<'a> {
    /// Tests go into `folder`; each may run as long as runs may, and some more.
    pub fn new(
        compiled: &'a Compiled,
        sources: &'a TestSources,
        folder: &Path,
        run_time: Duration,
    ) -> Result<TestBed<'a>, Failure> {
        // A plain build on a busy machine may need longer than the instrumented one did.
        let milliseconds = (run_time.as_millis() as u64 * 2).max(1000);
        let settings = Settings { milliseconds, headers: shipped_headers(), ..Settings::new(folder) };
        let objects = Arc::new(Scratch::new().map_err(Failure::machine)?);
        let (sources, bounds) = (sources.as_sources(compiled), bounds(compiled));
        Ok(TestBed { compiled, sources, settings, bounds, threads: 1, objects })
    }

    pub fn programs(&self, record: &Record) -> Vec<TestProgram> {
        ctest::programs(self.sources, record, &self.settings)
    }

    /// Programs that find out what the tests can check.
    pub fn recording(&self, record: &Record) -> Vec<TestProgram> {
        let settings = Settings { is_recording: true, ..self.settings.clone() };
        ctest::programs(self.sources, record, &settings)
    }

    /// The records whose members the file of a test can name.
    pub fn records_of(&self, test: &Test) -> BTreeSet<TypeId> {
        let units = self.sources.units;
        ctest::unit_of(units, test).map(|unit| units[unit].records.clone()).unwrap_or_default()
    }

    /// The programs of the tests that compile.
    pub fn built(&self, record: &Record, native: &Native) -> Vec<TestProgram> {
        let is_built = |test: &&Test| !native.unbuilt.contains(&test.id);
        let mut tests: Vec<Test> = record.tests.iter().filter(is_built).cloned().collect();
        // Those that take all their time come last: a person sees the others sooner, and llvm-cov counts them when time is short.
        tests.sort_by_key(|test| test.outcome == TestOutcome::Timeout || native.runs_on(&test.id));
        self.programs(&Record { tests, ..record.clone() })
    }

    pub fn write(&self, programs: &[TestProgram]) -> Result<(), Failure> {
        ctest::write(programs, &self.settings).map_err(Failure::file(&self.settings.folder))
    }

    /// Test programs compiled and ready to run.
    pub fn replayable(&self, programs: &[TestProgram], scratch: &Path, flavour: Flavour) -> Result<Replay, Failure> {
        self.write(programs)?;
        let config = replay::Config {
            compiler: self.compiled.config.toolchain.program("clang"),
            flavour,
            scratch: scratch.to_owned(),
            objects: self.objects.path().to_owned(),
            // The test program gives a starved test up to six times its limit.
            time_limit: Duration::from_millis(self.settings.milliseconds) * 7 + Duration::from_secs(5),
            bounds: self.bounds.clone(),
            threads: self.threads,
        };
        Replay::build(programs, config).map_err(Failure::tool)
    }
}

/// How programs of these sources are started: in the sandbox, where they can read their libraries.
pub fn bounds(compiled: &Compiled) -> Bounds {
    Bounds { readable: compiled.project.libraries(), ..Bounds::default() }
}

/// Checks tests and alarms of a record natively, and makes the record say what the plain program does. What there is no time for is told in
/// notes; its tests stay as the exploration saw them.
pub fn confirm(
    bed: &mut TestBed<'_>,
    record: &mut Record,
    run_time: Duration,
    clock: &Clock<'_>,
    phases: &mut Phases,
) -> Result<Native, Failure> {
    let mut native = Native::default();
    hangs::keep_one_each(record);
    bed.bounds.deadline = clock.half();
    timed(&mut phases.replay, || native::check(bed, record, &mut native))?;
    bed.bounds.deadline = clock.most();
    let hangs = timed(&mut phases.confirm, || hangs::wait(bed, record, &mut native, run_time))?;
    bed.bounds.deadline = clock.half();
    timed(&mut phases.replay, || native::verify(bed, record, &mut native))?;
    if !native.unchecked.is_empty() {
        let (count, all, why) = (native.unchecked.len(), record.tests.len(), clock.why());
        let note = format!("{count} of {all} tests were not run on a plain build: {why}; `covet replay` runs them");
        record.notes.push(note);
    }
    hangs::settle(record, &hangs);
    let (tests, mismatches) = (record.tests.len(), native.mismatches.len());
    tracing::info!(tests, mismatches, unstable = native.unstable.len(), "tests run on the plain build");
    native::settle_alarms(bed, record, &native);
    record.tests.retain(|test| !native.unstable.contains(&test.id));
    Ok(native)
}

/// Puts the alarms to the sanitizers, with the time that is left, and says what is known about each.
pub fn explain(
    bed: &mut TestBed<'_>,
    prepared: &Prepared,
    record: &mut Record,
    native: &Native,
    clock: &Clock<'_>,
) -> Result<(), Failure> {
    bed.bounds.deadline = clock.measure();
    let unasked = sanitizers::ask(bed, record)?;
    if unasked > 0 {
        record.notes.push(format!("{unasked} alarms were not put to the sanitizers: {}", clock.why()));
    }
    native::explain_alarms(record, native);
    alarms::add_ranges(prepared, &mut record.alarms);
    Ok(())
}
