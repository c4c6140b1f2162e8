//! What was found becomes files: the minimal suite, its C tests checked natively, the results database.
//!
//! A suite holds no test that fails its own replay: what the plain program does is what is recorded.

use crate::failure::Failure;
use crate::native::{self, Native};
use crate::prepare::{Prepared, shipped_headers};
use crate::sanitizers;
use covet_source::{Translation, Unit};
use covet_suite::ctest::{self, Flavour, Settings, Sources, Stub, TestProgram};
use covet_suite::replay::{self, Replay};
use covet_suite::{Database, Record};
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
}

impl Models {
    pub fn of(prepared: &Prepared) -> Models {
        // The user's own flags: what we add for our build is of no use to others.
        let written = |unit: &Translation| {
            let is_same = |written: &&Translation| (&written.directory, &written.file) == (&unit.directory, &unit.file);
            prepared.project.units.iter().find(is_same).unwrap_or(unit).clone()
        };
        let units = prepared.program.units.iter();
        let (translations, units) = units.map(|unit| (written(&unit.translation), unit.model.clone())).unzip();
        let stub = |stub: &covet_compile::Stub| Stub {
            name: stub.name.clone(),
            text: stub.text.clone(),
            only_for: (!stub.is_portable).then_some(stub.unit),
        };
        let preamble = Stub { name: String::new(), text: covet_compile::STUB_PREAMBLE.to_string(), only_for: None };
        let mut stubs: Vec<Stub> = prepared.program.stubs.iter().map(stub).collect();
        if !stubs.is_empty() {
            stubs.insert(0, preamble);
        }
        Models { translations, units, stubs }
    }

    pub fn sources<'a>(&'a self, prepared: &'a Prepared) -> Sources<'a> {
        Sources {
            types: &prepared.program.types,
            translations: &self.translations,
            units: &self.units,
            link_flags: &prepared.project.link_flags,
            stubs: &self.stubs,
        }
    }
}

/// Checks the tests natively, then writes everything into `folder`.
pub fn write(prepared: &Prepared, record: &mut Record, folder: &Path, run_time: Duration) -> Result<Written, Failure> {
    std::fs::create_dir_all(folder).map_err(Failure::file(folder))?;
    let models = Models::of(prepared);
    let sources = models.sources(prepared);
    let settings = settings(folder, run_time);
    let native = native::check(sources, record, &settings)?;
    native::settle_alarms(sources, record, &native);
    record.tests.retain(|test| !native.unstable.contains(&test.id));
    sanitizers::ask(sources, record, &settings)?;
    let is_built = |test: &&covet_suite::Test| !native.unbuilt.contains(&test.id);
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
