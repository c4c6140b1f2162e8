//! Tests are run on the plain build before they are written down: what the plain program does is what counts.
//!
//! A test that ends otherwise than the explored run did is a mismatch: it is counted, and takes over the native ending. One that does
//! not even end the same way twice is left out. What else both runs found in memory, and printed, is checked from now on.

use super::{TestBed, hangs};
use crate::alarms;
use covet_project::{Failure, HARNESS};
use covet_results::{Alarm, AlarmKind, Mismatch, Record, Sanitizer, Test, TestOutcome};
use covet_scratch::Scratch;
use covet_suite::NativeEnd;
use covet_suite::ctest::{Flavour, Watched};
use covet_suite::replay::{Recorded, Verdict};
use std::collections::{BTreeMap, BTreeSet};

/// What an alarm rests on that only a native run has shown.
const UNSEEN: &str = "what lies around its objects is as in the plain build: the explored run went on";

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
    /// Tests whose checks did not hold a third time.
    relieved: BTreeSet<String>,
    /// Tests that there was no time for.
    pub unchecked: BTreeSet<String>,
}

/// Runs every test natively, twice under different circumstances, but those that may hang; those that end otherwise than recorded are recorded anew, and all
/// take over what was found besides.
pub fn check(bed: &TestBed<'_>, record: &mut Record, native: &mut Native) -> Result<(), Failure> {
    let others: Vec<String> =
        record.tests.iter().filter(|test| !hangs::is_suspect(test)).map(|test| test.id.clone()).collect();
    if bed.bounds.deadline.is_over() {
        native.unchecked.extend(others);
        return Ok(());
    }
    let scratch = Scratch::new().map_err(Failure::machine)?;
    let programs = bed.recording(record);
    let replay = bed.replayable(&programs, scratch.path(), Flavour::Recording)?;
    let ids: Vec<&str> = others.iter().map(String::as_str).collect();
    let first = replay.record_all(&ids, false).map_err(Failure::tool)?;
    // A second look at what takes all its time would take as long again.
    let is_long = |end: &Option<NativeEnd>| matches!(end, None | Some(NativeEnd::RunsOn { .. }));
    let is_short = |run: &Option<Recorded>| run.as_ref().is_some_and(|run| !is_long(&run.end));
    let again: Vec<&str> = ids.iter().zip(&first).filter(|(_, run)| is_short(run)).map(|(id, _)| *id).collect();
    let mut second = replay.record_all(&again, true).map_err(Failure::tool)?.into_iter();
    for (test, first) in record.tests.iter_mut().filter(|test| !hangs::is_suspect(test)).zip(first) {
        let Some(first) = first else {
            native.unbuilt.insert(test.id.clone());
            continue;
        };
        let second = if is_long(&first.end) { None } else { second.next().flatten() };
        let watched = programs.iter().map(|program| program.watched(&test.id)).find(|watched| !watched.is_empty());
        settle(bed, test, (first, second), watched.unwrap_or_default(), native);
    }
    Ok(())
}

/// What two runs of a test said becomes what it expects.
pub fn settle(
    bed: &TestBed<'_>,
    test: &mut Test,
    (first, second): (Recorded, Option<Recorded>),
    watched: &[Watched],
    native: &mut Native,
) {
    let expected = match first.verdict {
        Verdict::CouldNotBuild(stderr) => {
            native.unbuilt.insert(test.id.clone());
            native.complaint.get_or_insert(stderr);
            return;
        }
        Verdict::Undefined { got } => {
            native.undefined.insert(test.id.clone(), got);
            return;
        }
        Verdict::NotRun => {
            native.unchecked.insert(test.id.clone());
            return;
        }
        Verdict::Passed => None,
        Verdict::Failed { expected, .. } => Some(expected),
    };
    let end = first.end.unwrap_or(NativeEnd::Silent { was_killed: true });
    if expected.is_some() && end == NativeEnd::Died(libc::SIGILL) {
        // A value that C leaves undefined ended the recording ([`Flavour::Recording`]): how the plain program goes on from there is not to be relied on.
        test.returned = None;
        return;
    }
    let again = second.as_ref().and_then(|second| second.end.clone());
    let is_steady = again.as_ref().is_none_or(|again| end.is_like(again));
    // A value that is another one each time (an address, say) is not expected.
    let is_value_steady = again.is_none_or(|again| again == end);
    if let Some(expected) = expected.filter(|_| is_value_steady || !is_steady) {
        tracing::info!(test.id, explored = %expected, native = %end, "mismatch");
        let is_left_out = !is_steady || !end.adopt(test);
        if is_left_out {
            native.unstable.insert(test.id.clone());
        }
        native.mismatches.push(Mismatch {
            test: test.id.clone(),
            function: test.function.clone(),
            file: test.file.clone(),
            explored: expected.to_string(),
            native: end.to_string(),
            is_left_out,
        });
        native.ends.insert(test.id.clone(), end);
    } else if !is_steady {
        native.unstable.insert(test.id.clone());
    } else if !is_value_steady {
        test.returned = None;
    }
    let Some(second) = second.filter(|_| matches!(test.outcome, TestOutcome::Returned | TestOutcome::Exited)) else {
        return;
    };
    let visible = bed.records_of(test);
    let found = covet_suite::observe::checks(bed.sources.types, &visible, watched, &first.observed, &second.observed);
    test.checks = found;
    if test.returned.is_some() {
        // That is checked already.
        test.checks.retain(|check| check.what != "result");
    }
}

impl Native {
    /// Whether the plain program was still running when the time of a test was up.
    pub fn runs_on(&self, test: &str) -> bool {
        let ends = self.undefined.get(test).into_iter().chain(self.ends.get(test));
        ends.into_iter().any(|end| matches!(end, NativeEnd::RunsOn { .. }))
    }
}

/// Runs the tests as they will be written: one that fails a check loses its checks, one that still fails is left out.
pub fn verify(bed: &TestBed<'_>, record: &mut Record, native: &mut Native) -> Result<(), Failure> {
    for is_last in [false, true] {
        let is_chosen = |test: &&Test| {
            !native.unbuilt.contains(&test.id)
                && !native.unstable.contains(&test.id)
                && is_last == test.checks.is_empty()
        };
        // What was recorded anew, or lost its checks, is as it will be written for the first time. What crashes may do so because of what lay around
        // the objects of the record.
        let is_doubtful = |test: &&Test| {
            let is_crash = matches!(test.outcome, TestOutcome::Crashed | TestOutcome::Violated);
            is_crash || native.relieved.contains(&test.id) || native.ends.contains_key(&test.id)
        };
        let is_wanted = |test: &&Test| is_chosen(test) && (!is_last || is_doubtful(test));
        let tests: Vec<Test> = record.tests.iter().filter(is_wanted).cloned().collect();
        if bed.bounds.deadline.is_over() {
            promise_less(record);
            continue;
        }
        if tests.is_empty() {
            continue;
        }
        let scratch = Scratch::new().map_err(Failure::machine)?;
        let programs = bed.programs(&Record { tests: tests.clone(), ..record.clone() });
        let replay = bed.replayable(&programs, scratch.path(), Flavour::Plain)?;
        let ids: Vec<&str> = tests.iter().map(|test| test.id.as_str()).collect();
        for (test, verdict) in tests.iter().zip(replay.run_all(&ids).map_err(Failure::tool)?) {
            let is_fine = matches!(verdict, Some(Verdict::Passed | Verdict::Undefined { .. } | Verdict::NotRun));
            if is_fine {
                continue;
            }
            tracing::info!(test.id, ?verdict, "the checks do not hold");
            if let (true, Some(Verdict::CouldNotBuild(stderr))) = (is_last, &verdict) {
                native.unbuilt.insert(test.id.clone());
                native.complaint.get_or_insert_with(|| stderr.clone());
            } else if let (TestOutcome::Crashed, Some(Verdict::Failed { got, .. })) = (test.outcome, &verdict) {
                // It depends on what lies around its objects: it still shows the alarm, to a sanitizer.
                native.undefined.insert(test.id.clone(), got.clone());
                let shown = record.tests.iter_mut().find(|other| other.id == test.id);
                shown.into_iter().for_each(|test| test.outcome = TestOutcome::Violated);
            } else if is_last {
                native.unstable.insert(test.id.clone());
            } else {
                native.relieved.insert(test.id.clone());
                let relieved = record.tests.iter_mut().find(|other| other.id == test.id);
                relieved.into_iter().for_each(|test| test.checks.clear());
            }
        }
    }
    Ok(())
}

/// Where a wild access leads is up to what lies around, with another compiler elsewhere than with this one: how it ends is not promised.
fn promise_less(record: &mut Record) {
    let Record { tests, alarms, .. } = record;
    for test in tests.iter_mut().filter(|test| test.outcome == TestOutcome::Crashed) {
        let kind = test.alarm.and_then(|alarm| alarms.get(alarm)).map(|alarm| alarm.kind);
        if kind == Some(AlarmKind::SegmentationFault) {
            test.outcome = TestOutcome::Violated;
        }
    }
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

/// Alarms say what happened natively, of the kind that the plain program showed.
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
        alarm.test = alarm.test.take().filter(|test| !native.unstable.contains(test));
    }
    promise_less(record);
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
    // The input of a whole program is what a user may give it; any other was made up, and which part of it matters here nobody has seen.
    let is_whole = matches!(test.function.as_str(), "main" | HARNESS);
    let assumptions = if is_whole { Vec::new() } else { vec![UNSEEN.to_string()] };
    Alarm {
        function: test.function.clone(),
        file: test.file.clone(),
        line,
        test: Some(test.id.clone()),
        assumptions,
        ..Alarm::new(kind)
    }
}
