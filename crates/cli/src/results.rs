//! What was found becomes files: the minimal suite, its C tests checked natively, the results database.
//!
//! Only tests that pass natively go into the C test programs; the others stay in the database, marked by their alarm's verdict.

use crate::failure::Failure;
use crate::prepare::{Prepared, shipped_headers};
use covet_source::{Translation, Unit};
use covet_suite::ctest::{self, Settings, Sources, TestProgram};
use covet_suite::replay::{self, Replay, Verdict};
use covet_suite::{Database, Record};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Files written, and what the native runs said.
pub struct Written {
    /// The C test programs, as paths.
    pub programs: Vec<PathBuf>,
    /// Tests that did not behave natively as recorded.
    pub unstable: Vec<String>,
    /// What the compiler said of a test program that does not build.
    pub complaint: Option<String>,
}

/// The models of all units side by side, as `covet-suite` wants them.
pub struct Models {
    translations: Vec<Translation>,
    units: Vec<Unit>,
}

impl Models {
    pub fn of(prepared: &Prepared) -> Models {
        // The user's own flags: what we add for our build is of no use to others.
        let translations = prepared.project.units.clone();
        Models { translations, units: prepared.program.units.iter().map(|unit| unit.model.clone()).collect() }
    }

    pub fn sources<'a>(&'a self, prepared: &'a Prepared) -> Sources<'a> {
        Sources {
            types: &prepared.program.types,
            translations: &self.translations,
            units: &self.units,
            link_flags: &prepared.project.link_flags,
        }
    }
}

/// Checks the tests natively, then writes everything into `folder`.
pub fn write(prepared: &Prepared, record: &mut Record, folder: &Path, run_time: Duration) -> Result<Written, Failure> {
    std::fs::create_dir_all(folder).map_err(Failure::file(folder))?;
    let models = Models::of(prepared);
    let sources = models.sources(prepared);
    let settings = settings(folder, run_time);
    let failed = check_natively(sources, record, &settings)?;
    confirm_alarms(record, &failed.tests);
    let stable = Record { tests: stable_tests(record, &failed.tests), ..record.clone() };
    let programs = ctest::programs(sources, &stable, &settings);
    ctest::write(&programs, &settings).map_err(Failure::file(folder))?;
    Database::create(folder)?.write(record)?;
    Ok(Written {
        programs: programs.iter().map(|program| folder.join(&program.name)).collect(),
        unstable: failed.tests.into_iter().collect(),
        complaint: failed.complaint,
    })
}

pub fn settings(folder: &Path, run_time: Duration) -> Settings {
    // A plain build on a busy machine may need longer than the instrumented one did.
    let milliseconds = (run_time.as_millis() as u64 * 2).max(1000);
    Settings { milliseconds, headers: shipped_headers(), ..Settings::new(folder) }
}

/// Test programs compiled plainly and ready to run.
pub fn replayable(programs: &[TestProgram], settings: &Settings, scratch: &Path) -> Result<Replay, Failure> {
    let mut scratch_settings = settings.clone();
    scratch_settings.folder = settings.folder.clone();
    ctest::write(programs, &scratch_settings).map_err(Failure::file(&settings.folder))?;
    let config = replay::Config {
        compiler: PathBuf::from("clang-19"),
        scratch: scratch.to_owned(),
        time_limit: Duration::from_millis(settings.milliseconds) * 2 + Duration::from_secs(5),
    };
    Replay::build(programs, config).map_err(Failure::tool)
}

#[derive(Default)]
struct Failed {
    tests: BTreeSet<String>,
    complaint: Option<String>,
}

/// Runs every test natively. A return value that is not reproduced (an address, say) is no longer expected; what then still
/// differs has failed.
fn check_natively(sources: Sources<'_>, record: &mut Record, settings: &Settings) -> Result<Failed, Failure> {
    let failed = run_all(sources, record, settings)?;
    if failed.complaint.is_some() || failed.tests.is_empty() {
        return Ok(failed);
    }
    let mut changed = false;
    for test in record.tests.iter_mut().filter(|test| failed.tests.contains(&test.id)) {
        changed |= test.returned.take().is_some();
    }
    if changed { run_all(sources, record, settings) } else { Ok(failed) }
}

fn run_all(sources: Sources<'_>, record: &Record, settings: &Settings) -> Result<Failed, Failure> {
    let scratch = tempfile::tempdir().map_err(Failure::tool)?;
    let programs = ctest::programs(sources, record, settings);
    let replay = replayable(&programs, settings, scratch.path())?;
    let mut failed = Failed::default();
    for test in &record.tests {
        match replay.run(&test.id).map_err(Failure::tool)? {
            Some(Verdict::Passed) => {}
            Some(Verdict::Failed { .. }) | None => {
                failed.tests.insert(test.id.clone());
            }
            Some(Verdict::CouldNotBuild(stderr)) => {
                failed.tests.insert(test.id.clone());
                failed.complaint.get_or_insert(stderr);
            }
        }
    }
    Ok(failed)
}

fn confirm_alarms(record: &mut Record, failed: &BTreeSet<String>) {
    for alarm in &mut record.alarms {
        alarm.native = alarm.test.as_ref().is_some_and(|test| !failed.contains(test));
        if alarm.native {
            alarm.verdict = "confirmed".to_string();
        }
    }
}

fn stable_tests(record: &Record, failed: &BTreeSet<String>) -> Vec<covet_suite::Test> {
    record.tests.iter().filter(|test| !failed.contains(&test.id)).cloned().collect()
}
