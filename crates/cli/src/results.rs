//! What was found becomes files: the minimal suite, its C tests checked natively, the results database.
//!
//! A suite holds no test that fails its own replay: what the plain program does is what is recorded.

use crate::failure::Failure;
use crate::native::{self, Native};
use crate::{alarms, sanitizers};
use covet_compile::Program;
use covet_project::{Compiled, Prepared, shipped_headers};
use covet_results::{Database, Record};
use covet_source::{Translation, Unit};
use covet_suite::ctest::{self, Flavour, Replaced, Settings, Sources, Stub, TestProgram};
use covet_suite::replay::{self, Replay};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Files written, and what the native runs said.
pub struct Written {
    /// The C test programs, as paths.
    pub programs: Vec<PathBuf>,
    pub native: Native,
}

/// The models of all units side by side, as `covet-suite` wants them.
pub struct Models {
    translations: Vec<Translation>,
    units: Vec<Unit>,
    stubs: Vec<Stub>,
    replaced: Vec<Replaced>,
}

impl Models {
    pub fn of(compiled: &Compiled) -> Models {
        let program = &compiled.program;
        // The user's own flags: what we add for our build is of no use to others.
        let written = |unit: &Translation| {
            let is_same = |written: &&Translation| (&written.directory, &written.file) == (&unit.directory, &unit.file);
            compiled.project.units.iter().find(is_same).unwrap_or(unit).clone()
        };
        let units = program.units.iter();
        let (translations, units) = units.map(|unit| (written(&unit.translation), unit.model.clone())).unzip();
        let stub = |stub: &covet_compile::Stub| Stub {
            name: stub.name.clone(),
            text: stub.plain.clone(),
            only_for: (!stub.is_portable).then_some(stub.unit),
        };
        let stubs = program.stubs.iter().map(stub).collect();
        let replaced = program.replacements.functions.iter().map(|function| replaced(program, function)).collect();
        Models { translations, units, stubs, replaced }
    }

    pub fn sources<'a>(&'a self, compiled: &'a Compiled) -> Sources<'a> {
        Sources {
            types: &compiled.program.types,
            translations: &self.translations,
            units: &self.units,
            link_flags: &compiled.project.link_flags,
            stubs: &self.stubs,
            replaced: &self.replaced,
            preamble: covet_compile::STUB_PREAMBLE,
        }
    }
}

/// A function with a stub beside it, and the functions whose tests replace it.
fn replaced(program: &Program, replaced: &covet_compile::Replaced) -> Replaced {
    let wants = |function: &covet_source::Function| {
        function.has_body && program.replacements.wanted_by(function).contains(&replaced.number)
    };
    let of_unit = |(unit, functions): (usize, &Vec<covet_source::Function>)| {
        functions.iter().filter(|f| wants(f)).map(|f| (unit, f.name.clone())).collect::<Vec<_>>()
    };
    Replaced {
        name: replaced.name.clone(),
        unit: replaced.unit,
        stub: replaced.stub.clone(),
        stub_name: replaced.stub_name.clone(),
        wanted_by: program.units.iter().map(|unit| &unit.model.functions).enumerate().flat_map(of_unit).collect(),
    }
}

/// Checks the tests natively, then writes everything into `folder`.
/// With `is_hurried`, only what the tests need to be true.
pub fn write(
    prepared: &Prepared,
    record: &mut Record,
    folder: &Path,
    run_time: Duration,
    is_hurried: impl Fn() -> bool,
) -> Result<Written, Failure> {
    std::fs::create_dir_all(folder).map_err(Failure::file(folder))?;
    let models = Models::of(prepared);
    let sources = models.sources(prepared);
    let settings = settings(folder, run_time);
    let native = native::check(sources, record, &settings)?;
    native::settle_alarms(sources, record, &native);
    record.tests.retain(|test| !native.unstable.contains(&test.id));
    if !is_hurried() {
        sanitizers::ask(sources, record, &settings)?;
    }
    native::explain_alarms(record, &native);
    alarms::add_ranges(prepared, &mut record.alarms);
    let is_built = |test: &&covet_results::Test| !native.unbuilt.contains(&test.id);
    let built = Record { tests: record.tests.iter().filter(is_built).cloned().collect(), ..record.clone() };
    let programs = ctest::programs(sources, &built, &settings);
    ctest::write(&programs, &settings).map_err(Failure::file(folder))?;
    Database::create(folder)?.write(record)?;
    Ok(Written { programs: programs.iter().map(|program| folder.join(&program.name)).collect(), native })
}

pub fn settings(folder: &Path, run_time: Duration) -> Settings {
    // A plain build on a busy machine may need longer than the instrumented one did.
    let milliseconds = (run_time.as_millis() as u64 * 2).max(1000);
    Settings { milliseconds, headers: shipped_headers(), ..Settings::new(folder) }
}

/// Test programs compiled and ready to run.
pub fn replayable(
    programs: &[TestProgram],
    settings: &Settings,
    scratch: &Path,
    flavour: Flavour,
) -> Result<Replay, Failure> {
    let mut scratch_settings = settings.clone();
    scratch_settings.folder = settings.folder.clone();
    ctest::write(programs, &scratch_settings).map_err(Failure::file(&settings.folder))?;
    let config = replay::Config {
        compiler: PathBuf::from("clang-19"),
        flavour,
        scratch: scratch.to_owned(),
        // The test program gives a starved test up to six times its limit.
        time_limit: Duration::from_millis(settings.milliseconds) * 7 + Duration::from_secs(5),
    };
    Replay::build(programs, config).map_err(Failure::tool)
}
