//! Runs that were over their time: a hang is told only of a program that, left alone, runs on for ten times as long.
//!
//! An explored run that is cut off says little: tracking takes time, and so does a busy machine. Tests of such runs are run once more on the plain build
//! with much more time. One that ends within it, or that there is no time to wait for, shows no hang: its alarm is dropped, and so is the test,
//! which would take as long for whoever runs it.

use super::TestBed;
use super::native::{self, Native};
use covet_project::Failure;
use covet_results::{AlarmKind, Record, Test, TestOutcome};
use covet_scratch::Scratch;
use covet_suite::NativeEnd;
use covet_suite::ctest::{Flavour, Settings};
use covet_suite::observe::Observed;
use covet_suite::replay::{Expectation, Recorded, Verdict, together};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// So many times as long as the explored run.
const TIMES: u32 = 10;

/// Of the tests that seem to hang in one place, the smallest is enough: each takes all the time it is given, here and for whoever runs it.
pub fn keep_one_each(record: &mut Record) {
    let is_hang = |test: &Test| test.outcome == TestOutcome::Timeout;
    let mut smallest: BTreeMap<Option<usize>, (usize, usize)> = BTreeMap::new();
    for (at, test) in record.tests.iter().enumerate().filter(|(_, test)| is_hang(test)) {
        let size = covet_suite::minimal::size(test);
        let entry = smallest.entry(test.alarm).or_insert((size, at));
        *entry = (*entry).min((size, at));
    }
    let kept: BTreeSet<usize> = smallest.into_values().map(|(_, at)| at).collect();
    let mut at = 0..;
    record.tests.retain(|test| at.next().is_some_and(|at| !is_hang(test) || kept.contains(&at)));
    for (number, alarm) in record.alarms.iter_mut().enumerate().filter(|(_, alarm)| alarm.kind == AlarmKind::Timeout) {
        let test = record.tests.iter().find(|test| test.alarm == Some(number));
        alarm.test = test.map(|test| test.id.clone());
    }
}

/// Keeps the alarms of hangs that are hangs, with their tests. One that crashes natively instead is a crash.
pub fn settle(bed: &TestBed<'_>, record: &mut Record, native: &mut Native, run_time: Duration) -> Result<(), Failure> {
    let is_suspect = |test: &&Test| test.outcome == TestOutcome::Timeout;
    let suspects: Vec<Test> = record.tests.iter().filter(is_suspect).cloned().collect();
    let verdicts = wait_for(bed, record, &suspects, run_time * TIMES)?;
    let mut kept = BTreeSet::new();
    for (test, verdict) in record.tests.iter_mut().filter(|test| test.outcome == TestOutcome::Timeout).zip(verdicts) {
        match verdict {
            Verdict::Passed => kept.extend(test.alarm),
            Verdict::Failed { got: end @ NativeEnd::Died(_), .. } => {
                kept.extend(test.alarm);
                let verdict = Verdict::Failed { expected: Expectation::Anything, got: end.clone(), check: None };
                let run = Recorded { verdict, end: Some(end), observed: Observed::default() };
                native::settle(bed, test, (run, None), &[], native);
            }
            Verdict::Failed { .. } | Verdict::Undefined { .. } | Verdict::CouldNotBuild(_) | Verdict::NotRun => {
                native.unstable.insert(test.id.clone());
            }
        }
    }
    drop_alarms(record, |at, kind| kind != AlarmKind::Timeout || kept.contains(&at));
    Ok(())
}

/// What becomes of tests that are given that time; those that it is not there for are not run.
fn wait_for(bed: &TestBed<'_>, record: &Record, tests: &[Test], time: Duration) -> Result<Vec<Verdict>, Failure> {
    if tests.is_empty() || bed.bounds.deadline.left().is_some_and(|left| left < time) {
        return Ok(vec![Verdict::NotRun; tests.len()]);
    }
    let settings = Settings { milliseconds: time.as_millis() as u64, ..bed.settings.clone() };
    let (bounds, threads) = (bed.bounds.clone(), bed.threads);
    let patient = TestBed { compiled: bed.compiled, sources: bed.sources, settings, bounds, threads };
    let alone = Record { tests: tests.to_vec(), ..record.clone() };
    let scratch = Scratch::new().map_err(Failure::machine)?;
    let replay = patient.replayable(&patient.programs(&alone), scratch.path(), Flavour::Plain)?;
    let verdicts = together(threads, tests, |test| replay.run(&test.id).map_err(Failure::tool));
    verdicts.into_iter().map(|verdict| Ok(verdict?.unwrap_or(Verdict::NotRun))).collect()
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
