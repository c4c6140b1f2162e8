//! Recorded tests → whether the plain program still behaves as recorded.

use crate::confirm::{TestBed, TestSources};
use crate::recorded;
use covet_project::{Config, Failure};
use covet_results::{Database, Record};
use covet_scratch::Scratch;
use covet_suite::ctest::Flavour;
use covet_suite::replay::{Replay, Verdict};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What became of a test; none when its function is not in the sources any more.
pub struct Replayed {
    pub test: String,
    pub verdict: Option<Verdict>,
}

/// Runs the named tests (by their ids, or by those of alarms) of the results in `out` on a plain build, all when none is named. The results
/// stay as they are.
pub fn replay(config: &Config, out: &Path, names: &[String]) -> Result<Vec<Replayed>, Failure> {
    let record = read(out)?;
    let wanted = wanted_tests(&record, names)?;
    let scratch = Scratch::new().map_err(Failure::machine)?;
    let replay = built(config, &record, scratch.path(), None)?;
    let verdicts = replay.run_all(&wanted.iter().map(String::as_str).collect::<Vec<_>>()).map_err(Failure::tool)?;
    Ok(wanted.into_iter().zip(verdicts).map(|(test, verdict)| Replayed { test, verdict }).collect())
}

/// A test that can be run under a debugger: its program, which is given its id.
pub struct Debuggable {
    pub test: String,
    pub executable: PathBuf,
    /// Where to stop: the place of the alarm, as file and line.
    pub stop: Option<(String, u32)>,
    /// Holds the executable.
    _folder: Scratch,
}

/// Builds the test called `name` (or that of the alarm called so) as it is replayed, to be run by the user himself, for as long as he likes.
pub fn debuggable(config: &Config, out: &Path, name: &str) -> Result<Debuggable, Failure> {
    let mut record = read(out)?;
    let test = wanted_test(&record, name)?;
    let shown = record.tests.iter().find(|one| one.id == test).and_then(|one| record.alarms.get(one.alarm?));
    let named = record.alarms.iter().find(|alarm| alarm.id == name).or(shown);
    let stop = named.filter(|alarm| alarm.line > 0).map(|alarm| (alarm.file.clone(), alarm.line));
    record.tests.retain(|one| one.id == test);
    let folder = Scratch::new().map_err(Failure::machine)?;
    let replay = built(config, &record, folder.path(), Some(A_LONG_TIME))?;
    match (replay.executable(&test), replay.verdict_of_build(&test)) {
        (Some(executable), _) => Ok(Debuggable { executable: executable.to_owned(), test, stop, _folder: folder }),
        (None, Some(Verdict::CouldNotBuild(stderr))) => {
            Err(Failure::User(format!("{test} does not compile any more:\n{stderr}")))
        }
        (None, _) => Err(Failure::User(format!("the function of {test} is not in the sources any more"))),
    }
}

/// Longer than anybody looks at one test.
const A_LONG_TIME: Duration = Duration::from_secs(24 * 60 * 60);

fn read(out: &Path) -> Result<Record, Failure> {
    let mut record = Database::open(out)?.read()?;
    if record.stopped.is_none() {
        // The command was killed: what it had kept is no suite yet.
        covet_suite::minimise(&mut record, &Default::default());
    }
    Ok(record)
}

/// The test programs of a record, built from the sources as they are now. A test may take as long as runs may, unless it is said how long.
fn built(config: &Config, record: &Record, folder: &Path, time: Option<Duration>) -> Result<Replay, Failure> {
    let compiled = recorded::compile(&record.meta, config)?;
    let sources = TestSources::of(&compiled);
    let mut bed = TestBed::new(&compiled, &sources, folder, recorded::run_time(&record.meta))?;
    bed.threads = std::thread::available_parallelism().map_or(1, usize::from);
    bed.settings.memory = recorded::test_memory(&record.meta);
    if let Some(time) = time {
        bed.settings.milliseconds = time.as_millis() as u64;
    }
    bed.replayable(&bed.programs(record), folder, Flavour::Plain)
}

/// The tests of these names, each that of a test or of an alarm that has one; all when none is named.
fn wanted_tests(record: &Record, names: &[String]) -> Result<Vec<String>, Failure> {
    if names.is_empty() {
        return Ok(record.tests.iter().map(|test| test.id.clone()).collect());
    }
    names.iter().map(|name| wanted_test(record, name)).collect()
}

fn wanted_test(record: &Record, name: &str) -> Result<String, Failure> {
    if record.tests.iter().any(|test| test.id == name) {
        return Ok(name.to_string());
    }
    match record.alarms.iter().find(|alarm| alarm.id == name) {
        Some(alarm) => alarm.test.clone().ok_or_else(|| {
            Failure::User(format!("there is no test of {name}: the program did not end the same way twice"))
        }),
        None => {
            let ids: Vec<&String> = record.tests.iter().map(|test| &test.id).collect();
            let some: Vec<&str> = ids.iter().take(5).map(|id| id.as_str()).collect();
            let (tests, alarms, some) = (ids.len(), record.alarms.len(), some.join(", "));
            Err(Failure::User(format!(
                "no test or alarm `{name}` here; there are {tests} tests ({some} ...) and {alarms} alarms"
            )))
        }
    }
}
