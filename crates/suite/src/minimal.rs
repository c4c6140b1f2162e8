//! Many runs → a small suite that reaches the same: greedy set cover over counters.
//!
//! The smallest run of each entry that shows an alarm is always kept, as is every crash or time-out without one. What they reach is still reached
//! by a run that ends well if there is one: a crash leaves the rest of its block undone. The choice depends on the runs alone: ties
//! go to the run with the smaller input, then to the earlier one. Kept tests are ordered by function, plain returns first, and
//! numbered `f-001`.

use covet_results::{Record, Test};
use covet_sites::Counter;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashSet};

/// Keeps the tests that together reach every counter, gives them ids, and makes alarms name them.
pub fn minimise(record: &mut Record) {
    let mut kept: Vec<Test> = chosen(&record.tests).into_iter().map(|index| record.tests[index].clone()).collect();
    sort(&mut kept);
    number(&mut kept);
    for (index, alarm) in record.alarms.iter_mut().enumerate() {
        // Several entries may show it: that of the run it was made from is told.
        let entry = record.tests.iter().find(|test| Some(&test.id) == alarm.test.as_ref()).map(|test| &test.function);
        let mut shown: Vec<&Test> = kept.iter().filter(|test| test.alarm == Some(index)).collect();
        shown.sort_by_key(|test| Some(&test.function) != entry);
        alarm.test = shown.first().map(|test| test.id.clone());
    }
    record.tests = kept;
}

/// Indices of the tests to keep, ascending.
pub fn chosen(tests: &[Test]) -> Vec<usize> {
    let mut kept = vec![false; tests.len()];
    let mut shown: BTreeMap<(usize, &str, &str), usize> = BTreeMap::new();
    for (index, test) in tests.iter().enumerate().filter(|(_, test)| !ended_well(test)) {
        match test.alarm {
            Some(alarm) => {
                let smallest = shown.entry((alarm, &test.function, &test.file)).or_insert(index);
                if size(test) < size(&tests[*smallest]) {
                    *smallest = index;
                }
            }
            // A crash that nobody named stays in any case.
            None => kept[index] = true,
        }
    }
    shown.values().for_each(|&index| kept[index] = true);
    let mut reached: HashSet<Counter> = HashSet::new();
    cover(tests, |index| ended_well(&tests[index]), &mut reached, &mut kept);
    for (index, test) in tests.iter().enumerate() {
        if kept[index] {
            reached.extend(&test.covers);
        }
    }
    cover(tests, |index| !ended_well(&tests[index]), &mut reached, &mut kept);
    keep_one_per_function(tests, &mut kept);
    (0..tests.len()).filter(|&index| kept[index]).collect()
}

/// Keeps candidates until together they reach all that any of them does.
fn cover(tests: &[Test], is_candidate: impl Fn(usize) -> bool, reached: &mut HashSet<Counter>, kept: &mut [bool]) {
    // Lazy greedy: gains only shrink, so a stale entry is re-weighed when it surfaces.
    let gain = |test: &Test, reached: &HashSet<Counter>| test.covers.iter().filter(|c| !reached.contains(c)).count();
    let mut candidates: BinaryHeap<(usize, Reverse<(usize, usize)>)> = (0..tests.len())
        .filter(|&index| !kept[index] && is_candidate(index))
        .map(|index| (gain(&tests[index], reached), Reverse((size(&tests[index]), index))))
        .collect();
    while let Some((promised, Reverse((size, index)))) = candidates.pop() {
        let now = gain(&tests[index], reached);
        if now == 0 {
            continue;
        }
        if now < promised {
            candidates.push((now, Reverse((size, index))));
            continue;
        }
        kept[index] = true;
        reached.extend(&tests[index].covers);
    }
}

fn ended_well(test: &Test) -> bool {
    test.alarm.is_none() && !test.outcome.ended_badly()
}

/// A function whose runs reach nothing new (no branches of its own) still deserves a test, one that ends well if possible.
fn keep_one_per_function(tests: &[Test], kept: &mut [bool]) {
    for only_well in [true, false] {
        let mut served: HashSet<&str> = HashSet::new();
        let counts = |test: &Test| !only_well || ended_well(test);
        served.extend(
            tests
                .iter()
                .zip(kept.iter())
                .filter(|(test, kept)| **kept && counts(test))
                .map(|(test, _)| test.function.as_str()),
        );
        for (test, kept) in tests.iter().zip(kept.iter_mut()).filter(|(test, _)| counts(test)) {
            *kept |= served.insert(&test.function);
        }
    }
}

/// How much a person has to read: values that are not zero.
pub fn size(test: &Test) -> usize {
    test.inputs.iter().filter(|(_, value)| value.bits != 0).count()
}

fn sort(tests: &mut [Test]) {
    let mut order: BTreeMap<String, usize> = BTreeMap::new();
    for test in tests.iter() {
        let next = order.len();
        order.entry(test.function.clone()).or_insert(next);
    }
    tests.sort_by_key(|test| (order[&test.function], test.alarm.is_some(), test.outcome));
}

fn number(tests: &mut [Test]) {
    let mut used: BTreeMap<String, usize> = BTreeMap::new();
    for test in tests {
        let next = used.entry(test.function.clone()).or_insert(0);
        *next += 1;
        test.id = format!("{}-{:03}", test.function, next);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use covet_results::TestOutcome;
    use covet_results::{Alarm, AlarmKind};

    fn reaching(id: &str, function: &str, covers: &[u32]) -> Test {
        Test { covers: covers.iter().copied().map(Counter).collect(), ..Test::new(id, function) }
    }

    #[test]
    fn keeps_what_together_reaches_everything() {
        let tests = [
            reaching("a", "f", &[1, 2]),
            reaching("b", "f", &[1, 2, 3]),
            reaching("c", "f", &[3]),
            reaching("d", "f", &[1, 4]),
        ];
        assert_eq!(chosen(&tests), [1, 3]);
    }

    #[test]
    fn keeps_every_crash_and_alarm_and_renumbers() {
        let mut crash = reaching("x9", "f", &[1]);
        crash.outcome = TestOutcome::Crashed;
        crash.alarm = Some(0);
        let mut record = Record {
            tests: vec![crash, reaching("x1", "f", &[1, 2]), reaching("x2", "f", &[2]), reaching("x3", "g", &[])],
            alarms: vec![Alarm { test: Some("x9".to_string()), ..Alarm::new(AlarmKind::Abort) }],
            ..Record::default()
        };
        minimise(&mut record);
        assert_eq!(record.tests.iter().filter(|test| test.function == "f").count(), 2);
        let ids: Vec<&str> = record.tests.iter().map(|test| test.id.as_str()).collect();
        assert_eq!(ids, ["f-001", "f-002", "g-001"]);
        assert_eq!(record.tests[1].outcome, TestOutcome::Crashed);
        assert_eq!(record.alarms[0].test.as_deref(), Some("f-002"));
    }

    #[test]
    fn a_crash_does_not_stand_for_a_run_that_ends_well() {
        let mut crash = reaching("a", "f", &[1, 2]);
        crash.outcome = TestOutcome::Crashed;
        crash.signal = Some(8);
        assert_eq!(chosen(&[crash.clone(), reaching("b", "f", &[1, 2])]), [0, 1]);
        assert_eq!(chosen(&[crash, reaching("b", "f", &[])]), [0, 1]);
    }

    #[test]
    fn many_runs_that_show_one_alarm_are_one_test() {
        let show =
            |covers: &[u32]| Test { outcome: TestOutcome::Crashed, alarm: Some(0), ..reaching("x", "f", covers) };
        assert_eq!(chosen(&[show(&[1]), show(&[1]), show(&[1, 2])]), [0, 2]);
    }
}
