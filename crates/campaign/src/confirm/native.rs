//! Tests are run on the plain build before they are written down: what the plain program does is what counts.
//!
//! A test that ends otherwise than the explored run did is a mismatch: it is counted, and takes over the native ending. One that does
//! not even end the same way twice is left out.

use super::TestBed;
use crate::alarms;
use covet_project::Failure;
use covet_results::{Alarm, AlarmKind, Mismatch, Record, Sanitizer, Test};
use covet_scratch::Scratch;
use covet_suite::ctest::Flavour;
use covet_suite::replay::Verdict;
use covet_suite::{Expectation, NativeEnd};
use std::collections::{BTreeMap, BTreeSet};

/// What the native runs said.
#[derive(Default)]
pub struct Native {
    pub mismatches: Vec<Mismatch>,
    /// How the tests of these mismatches ended.
    ends: BTreeMap<String, NativeEnd>,
    /// Tests of what C leaves undefined: how they ended.
    pub undefined: BTreeMap<String, NativeEnd>,
    /// Tests that do not end the same way twice.
    pub unstable: BTreeSet<String>,
    /// Tests that do not compile as C.
    pub unbuilt: BTreeSet<String>,
    /// What the compiler said of them.
    pub complaint: Option<String>,
    /// Tests that there was no time for.
    pub unchecked: BTreeSet<String>,
}

/// Runs every test natively; those that end otherwise than recorded are recorded anew.
pub fn check(bed: &TestBed<'_>, record: &mut Record) -> Result<Native, Failure> {
    let mut native = Native::default();
    let all = record.tests.iter().map(|test| test.id.clone()).collect();
    let differing = run(bed, record, &all, &mut native)?;
    let again = adopt(record, &differing);
    let changing = run(bed, record, &again, &mut native)?;
    // A value that is another one each time (an address, say) is not expected.
    let returned = |failed: &Failed| matches!(failed.got, NativeEnd::Returned(_));
    let by_value: BTreeSet<String> = changing
        .iter()
        .filter(|(id, failed)| returned(failed) && returned(&differing[*id]))
        .map(|(id, _)| id.clone())
        .collect();
    record.tests.iter_mut().filter(|test| by_value.contains(&test.id)).for_each(|test| test.returned = None);
    let lasting = run(bed, record, &by_value, &mut native)?;
    native.unstable = changing.keys().filter(|id| !by_value.contains(*id)).chain(lasting.keys()).cloned().collect();
    native.unstable.extend(differing.keys().filter(|id| !again.contains(*id)).cloned());
    for test in record.tests.iter().filter(|test| !by_value.contains(&test.id)) {
        if let Some(failed) = differing.get(&test.id) {
            tracing::info!(test.id, explored = %failed.expected, native = %failed.got, "mismatch");
            native.mismatches.push(Mismatch {
                test: test.id.clone(),
                function: test.function.clone(),
                file: test.file.clone(),
                explored: failed.expected.to_string(),
                native: failed.got.to_string(),
                is_left_out: native.unstable.contains(&test.id),
            });
            native.ends.insert(test.id.clone(), failed.got.clone());
        }
    }
    Ok(native)
}

struct Failed {
    expected: Expectation,
    got: NativeEnd,
}

/// Runs the tests with these ids; gives those that did not end as expected.
fn run(
    bed: &TestBed<'_>,
    record: &Record,
    ids: &BTreeSet<String>,
    native: &mut Native,
) -> Result<BTreeMap<String, Failed>, Failure> {
    let mut failed = BTreeMap::new();
    if ids.is_empty() || bed.bounds.deadline.is_over() {
        native.unchecked.extend(ids.iter().cloned());
        return Ok(failed);
    }
    let is_chosen = |test: &&Test| ids.contains(&test.id);
    let chosen = Record { tests: record.tests.iter().filter(is_chosen).cloned().collect(), ..record.clone() };
    let scratch = Scratch::new().map_err(Failure::machine)?;
    let replay = bed.replayable(&bed.programs(&chosen), scratch.path(), Flavour::Plain)?;
    for test in &chosen.tests {
        match replay.run(&test.id).map_err(Failure::tool)? {
            Some(Verdict::Passed) => {}
            Some(Verdict::Undefined { got }) => {
                native.undefined.insert(test.id.clone(), got);
            }
            Some(Verdict::Failed { expected, got }) => {
                failed.insert(test.id.clone(), Failed { expected, got });
            }
            Some(Verdict::CouldNotBuild(stderr)) => {
                native.unbuilt.insert(test.id.clone());
                native.complaint.get_or_insert(stderr);
            }
            Some(Verdict::NotRun) => {
                native.unchecked.insert(test.id.clone());
            }
            None => {
                native.unbuilt.insert(test.id.clone());
            }
        }
    }
    Ok(failed)
}

/// Makes tests expect what they did; gives those that can.
fn adopt(record: &mut Record, differing: &BTreeMap<String, Failed>) -> BTreeSet<String> {
    let mut adopted = BTreeSet::new();
    for test in &mut record.tests {
        if differing.get(&test.id).is_some_and(|failed| failed.got.adopt(test)) {
            adopted.insert(test.id.clone());
        }
    }
    adopted
}

/// Why the plain build did not show an alarm, where nobody has said so yet.
pub fn explain_alarms(record: &mut Record, native: &Native) {
    for alarm in record.alarms.iter_mut().filter(|alarm| !alarm.native && alarm.sanitizer.is_none()) {
        let Some(test) = &alarm.test else { continue };
        let mismatch = native.mismatches.iter().find(|mismatch| mismatch.test == *test);
        let why = if native.unbuilt.contains(test) {
            "its test does not compile".to_string()
        } else if native.unstable.contains(test) {
            "the plain program does not always end the same way".to_string()
        } else if let Some(mismatch) = mismatch {
            format!("the plain program {}", mismatch.native)
        } else {
            continue;
        };
        alarm.sanitizer = Some(Sanitizer::Not(why));
    }
}

/// Alarms say what happened natively: confirmed where the plain program ended badly too, of the kind it showed.
pub fn settle_alarms(bed: &TestBed<'_>, record: &mut Record, native: &Native) {
    let silent: BTreeSet<&str> = native.unbuilt.iter().chain(&native.unstable).map(String::as_str).collect();
    for mismatch in native.mismatches.iter().filter(|mismatch| !silent.contains(mismatch.test.as_str())) {
        let Some(test) = record.tests.iter_mut().find(|test| test.id == mismatch.test) else { continue };
        match (native.ends.get(&mismatch.test).and_then(alarms::native_kind), test.alarm) {
            (Some(kind), Some(alarm)) => {
                let alarm = &mut record.alarms[alarm];
                let ran_away =
                    alarm.kind == AlarmKind::Timeout && kind == AlarmKind::SegmentationFault && is_recursive(alarm);
                alarm.kind = if ran_away { AlarmKind::StackOverflow } else { kind };
            }
            // A hang is told of a run that hung while explored, and for long (`hangs`): a server waits for ever for what its test does not have.
            (Some(AlarmKind::Timeout), None) => {}
            (Some(kind), None) => {
                test.alarm = Some(record.alarms.len());
                record.alarms.push(unplaced(bed, kind, test));
            }
            (None, _) => {}
        }
    }
    let ended_badly = |id: &String| {
        let badly = |test: &&Test| test.id == *id && test.outcome.ended_badly();
        if let Some(end) = native.undefined.get(id) {
            return matches!(end, NativeEnd::Died(_));
        }
        !silent.contains(id.as_str()) && record.tests.iter().any(|test| badly(&test))
    };
    for (at, alarm) in record.alarms.iter_mut().enumerate() {
        alarm.id = format!("{}-{}", alarm.kind, at + 1);
        alarm.native = alarm.test.as_ref().is_some_and(ended_badly);
        if alarm.native && alarm.verdict != covet_results::Verdict::Latent {
            alarm.verdict = covet_results::Verdict::Confirmed;
        }
        alarm.test = alarm.test.take().filter(|test| !native.unstable.contains(test));
    }
}

/// Whether the run was deep in a recursion: the plain program gets to the end of the stack sooner.
fn is_recursive(alarm: &Alarm) -> bool {
    let of_same =
        |frame: &&covet_results::Frame| alarm.stack.first().is_some_and(|first| first.function == frame.function);
    alarm.stack.iter().filter(of_same).count() >= MANY_CALLS
}

const MANY_CALLS: usize = 16;

/// An alarm that only the plain program raised: all that is known of its place is the function entered.
fn unplaced(bed: &TestBed<'_>, kind: AlarmKind, test: &Test) -> Alarm {
    let functions = || bed.sources.units.iter().filter_map(|unit| unit.function(&test.function));
    let in_file = functions().find(|function| function.file.to_string_lossy() == test.file);
    let line = in_file.or_else(|| functions().next()).map_or(0, |function| function.line);
    Alarm {
        function: test.function.clone(),
        file: test.file.clone(),
        line,
        verdict: covet_results::Verdict::Confirmed,
        test: Some(test.id.clone()),
        ..Alarm::new(kind)
    }
}
