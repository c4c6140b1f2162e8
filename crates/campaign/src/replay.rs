//! Recorded tests → whether the plain program still behaves as recorded.

use crate::confirm::{TestBed, TestSources};
use crate::recorded;
use covet_project::{Config, Failure};
use covet_results::{Database, Record};
use covet_scratch::Scratch;
use covet_suite::ctest::Flavour;
use covet_suite::replay::Verdict;
use std::path::Path;

/// What became of a test; none when its function is not in the sources any more.
pub struct Replayed {
    pub test: String,
    pub verdict: Option<Verdict>,
}

/// Runs the named tests of the results in `out` (all when none is named) on a plain build. The results stay as they are.
pub fn replay(config: &Config, out: &Path, names: &[String]) -> Result<Vec<Replayed>, Failure> {
    let mut record = Database::open(out)?.read()?;
    if record.stopped.is_none() {
        // The command was killed: what it had kept is no suite yet.
        covet_suite::minimise(&mut record);
    }
    let wanted = wanted_tests(&record, names)?;
    let compiled = recorded::compile(&record.meta, config)?;
    let scratch = Scratch::new().map_err(Failure::machine)?;
    let sources = TestSources::of(&compiled);
    let mut bed = TestBed::new(&compiled, &sources, out, recorded::run_time(&record.meta));
    bed.threads = std::thread::available_parallelism().map_or(1, usize::from);
    bed.settings.memory = recorded::test_memory(&record.meta);
    bed.settings.folder = scratch.path().to_owned();
    let replay = bed.replayable(&bed.programs(&record), scratch.path(), Flavour::Plain)?;
    let verdicts = replay.run_all(&wanted.iter().map(String::as_str).collect::<Vec<_>>()).map_err(Failure::tool)?;
    Ok(wanted.into_iter().zip(verdicts).map(|(test, verdict)| Replayed { test, verdict }).collect())
}

fn wanted_tests(record: &Record, names: &[String]) -> Result<Vec<String>, Failure> {
    let known: Vec<&String> = record.tests.iter().map(|test| &test.id).collect();
    if let Some(missing) = names.iter().find(|name| !known.contains(name)) {
        let some: Vec<&str> = known.iter().take(5).map(|id| id.as_str()).collect();
        let (count, some) = (known.len(), some.join(", "));
        return Err(Failure::User(format!("no test `{missing}` here; there are {count} tests: {some} ...")));
    }
    Ok(if names.is_empty() { known.into_iter().cloned().collect() } else { names.to_vec() })
}
