//! Runs that were over their time: a hang is told only of a program that, left alone, runs on for ten times as long.
//!
//! An explored run that is cut off says little: tracking takes time, and so does a busy machine. Tests of such runs are run once more on the plain build
//! with much more time. One that ends within it, or that there is no time to wait for, shows no hang: its alarm is dropped, and so is the test,
//! which would take as long for whoever runs it.

use super::TestBed;
use super::native::Native;
use covet_project::Failure;
use covet_results::{AlarmKind, Record, Test, TestOutcome};
use covet_suite::ctest::{Flavour, Settings};
use covet_suite::replay::Verdict;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// So many times as long as the explored run.
const TIMES: u32 = 10;

/// Keeps the alarms of hangs that are hangs, with their tests.
pub fn settle(bed: &TestBed<'_>, record: &mut Record, native: &mut Native, run_time: Duration) -> Result<(), Failure> {
    let is_suspect = |test: &&Test| test.outcome == TestOutcome::Timeout && test.alarm.is_some();
    let runs_on = |test: &&Test| is_suspect(test) && !native.unstable.contains(&test.id);
    let suspects: Vec<Test> = record.tests.iter().filter(runs_on).cloned().collect();
    let mut is_hang: BTreeMap<Option<usize>, bool> = BTreeMap::new();
    for test in &suspects {
        // One test of each alarm is enough.
        if let Entry::Vacant(entry) = is_hang.entry(test.alarm) {
            entry.insert(runs_for(bed, record, test, run_time * TIMES)?);
        }
    }
    let ends = |test: &Test| !is_hang.get(&test.alarm).copied().unwrap_or(false);
    native.unstable.extend(suspects.iter().filter(|test| ends(test)).map(|test| test.id.clone()));
    let kept: BTreeSet<usize> = is_hang.iter().filter(|(_, hangs)| **hangs).filter_map(|(alarm, _)| *alarm).collect();
    drop_alarms(record, |at, kind| kind != AlarmKind::Timeout || kept.contains(&at));
    Ok(())
}

/// Whether a test still runs after that time.
fn runs_for(bed: &TestBed<'_>, record: &Record, test: &Test, time: Duration) -> Result<bool, Failure> {
    if bed.bounds.deadline.left().is_some_and(|left| left < time) {
        return Ok(false);
    }
    let settings = Settings { milliseconds: time.as_millis() as u64, ..bed.settings.clone() };
    let bounds = bed.bounds.clone();
    let patient = TestBed { compiled: bed.compiled, sources: bed.sources, settings, bounds };
    let alone = Record { tests: vec![test.clone()], ..record.clone() };
    let scratch = tempfile::tempdir().map_err(Failure::tool)?;
    let replay = patient.replayable(&patient.programs(&alone), scratch.path(), Flavour::Plain)?;
    Ok(matches!(replay.run(&test.id).map_err(Failure::tool)?, Some(Verdict::Passed)))
}

/// Drops the alarms that are not to be kept; tests keep pointing at theirs.
fn drop_alarms(record: &mut Record, keeps: impl Fn(usize, AlarmKind) -> bool) {
    let mut places = Vec::new();
    let mut kept = Vec::new();
    for (at, alarm) in std::mem::take(&mut record.alarms).into_iter().enumerate() {
        let is_kept = keeps(at, alarm.kind);
        places.push(is_kept.then_some(kept.len()));
        if is_kept {
            kept.push(alarm);
        }
    }
    record.alarms = kept;
    for test in &mut record.tests {
        test.alarm = test.alarm.and_then(|alarm| places[alarm]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use covet_results::Alarm;

    #[test]
    fn tests_keep_pointing_at_their_alarms() {
        let kinds = [AlarmKind::Timeout, AlarmKind::OutOfBounds, AlarmKind::Timeout, AlarmKind::Abort];
        let mut record = Record { alarms: kinds.map(Alarm::new).into(), ..Record::default() };
        record.tests = (0..4).map(|at| Test { alarm: Some(at), ..Test::new(format!("t-{at}"), "f") }).collect();
        drop_alarms(&mut record, |at, kind| kind != AlarmKind::Timeout || at == 2);
        assert_eq!(record.alarms.iter().map(|alarm| alarm.kind).collect::<Vec<_>>(), kinds[1..]);
        assert_eq!(record.tests.iter().map(|test| test.alarm).collect::<Vec<_>>(), [None, Some(0), Some(1), Some(2)]);
    }
}
