//! Runs that were over their time: a hang is told only of a program that, left alone, runs on for ten times as long.
//!
//! An explored run that is cut off says little: tracking takes time, and so does a busy machine. Tests of such runs are run on the plain build
//! with much more time, after all others, since it takes so long. One that ends within it is a test of that; one that there is no time to wait
//! for shows nothing: its alarm is dropped, and so is the test, which would take as long for whoever runs it.

use super::TestBed;
use super::native::{self, Native};
use covet_launch::together;
use covet_project::Failure;
use covet_results::{AlarmKind, Record, Test, TestOutcome};
use covet_scratch::Scratch;
use covet_suite::NativeEnd;
use covet_suite::ctest::{Flavour, Settings};
use covet_suite::replay::Recorded;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
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

/// How long a program is left alone before it is said to hang, when its runs may take so long.
pub fn time_of(run_time: Duration) -> Duration {
    run_time * TIMES
}

/// A test of a run that was over its time.
pub fn is_suspect(test: &Test) -> bool {
    test.outcome == TestOutcome::Timeout && test.alarm.is_some()
}

/// Runs tests that may hang and waits for them; gives the alarms of those that do, or crash. Those that end are recorded as they did.
pub fn wait(
    bed: &TestBed<'_>,
    record: &mut Record,
    native: &mut Native,
    run_time: Duration,
) -> Result<BTreeSet<usize>, Failure> {
    let mut hangs = BTreeSet::new();
    let suspects: Vec<Test> = record.tests.iter().filter(|test| is_suspect(test)).cloned().collect();
    if suspects.is_empty() {
        return Ok(hangs);
    }
    let time = time_of(run_time);
    let settings = Settings { milliseconds: time.as_millis() as u64, ..bed.settings.clone() };
    let (bounds, threads) = (bed.bounds.clone(), bed.threads);
    let objects = Arc::clone(&bed.objects);
    let patient = TestBed { compiled: bed.compiled, sources: bed.sources, settings, bounds, threads, objects };
    let scratch = Scratch::new().map_err(Failure::machine)?;
    // As they will be written: a recording has more around its objects, in which a wild loop may go on for long.
    let programs = patient.programs(&Record { tests: suspects.clone(), ..record.clone() });
    let replay = patient.replayable(&programs, scratch.path(), Flavour::Plain)?;
    let runs = together(threads, &suspects, |_, test| {
        let has_time = bed.bounds.deadline.left().is_none_or(|left| left >= time);
        if has_time { replay.record(&test.id, false).map_err(Failure::tool) } else { Ok(None) }
    });
    for (mut test, first) in suspects.into_iter().zip(runs) {
        match first? {
            Some(Recorded { end: Some(NativeEnd::RunsOn { .. }), .. }) => hangs.extend(test.alarm),
            Some(first @ Recorded { end: Some(_), .. }) => {
                // A crash in the same loop, say, for want of memory.
                let has_died = matches!(first.end, Some(NativeEnd::Died(_)));
                hangs.extend(test.alarm.filter(|_| has_died));
                native::settle(bed, &mut test, (first, None), &[], native);
                record.tests.iter_mut().filter(|old| old.id == test.id).for_each(|old| *old = test.clone());
            }
            Some(Recorded { end: None, .. }) | None => drop(native.unstable.insert(test.id)),
        }
    }
    Ok(hangs)
}

/// Of the alarms of hangs keeps these.
pub fn settle(record: &mut Record, hangs: &BTreeSet<usize>) {
    drop_alarms(record, |at, kind| kind != AlarmKind::Timeout || hangs.contains(&at));
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
