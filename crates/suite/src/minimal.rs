//! Many runs → a small suite that reaches the same: greedy set cover over counters.
//!
//! The first run that shows an alarm is always kept, as is every crash or time-out without one. The choice depends on the runs alone: ties go to the run with
//! the smaller input, then to the earlier one. Kept tests are ordered by function, plain returns first, and numbered `f-001`.

use crate::record::{Outcome, Record, Test};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashSet};

/// Keeps the tests that together reach every counter, gives them ids, and makes alarms name them.
pub fn minimise(record: &mut Record) {
    let keep = chosen(&record.tests);
    let mut old_to_new = BTreeMap::new();
    let mut kept: Vec<Test> = Vec::with_capacity(keep.len());
    for index in keep {
        kept.push(record.tests[index].clone());
    }
    sort(&mut kept);
    number(&mut kept, &mut old_to_new);
    for alarm in &mut record.alarms {
        if let Some(test) = &mut alarm.test
            && let Some(new) = old_to_new.get(test)
        {
            test.clone_from(new);
        }
    }
    record.tests = kept;
}

/// Indices of the tests to keep, ascending.
pub fn chosen(tests: &[Test]) -> Vec<usize> {
    let mut reached: HashSet<u32> = HashSet::new();
    let mut kept = vec![false; tests.len()];
    let mut shown: HashSet<usize> = HashSet::new();
    for (index, test) in tests.iter().enumerate().filter(|(_, test)| must_stay(test)) {
        // One test per alarm; a crash that nobody named stays in any case.
        if test.alarm.is_none_or(|alarm| shown.insert(alarm)) {
            kept[index] = true;
            reached.extend(&test.covers);
        }
    }
    // Lazy greedy: gains only shrink, so a stale entry is re-weighed when it surfaces.
    let gain = |test: &Test, reached: &HashSet<u32>| test.covers.iter().filter(|c| !reached.contains(c)).count();
    let mut candidates: BinaryHeap<(usize, Reverse<(usize, usize)>)> = (0..tests.len())
        .filter(|&index| !kept[index])
        .map(|index| (gain(&tests[index], &reached), Reverse((size(&tests[index]), index))))
        .collect();
    while let Some((promised, Reverse((size, index)))) = candidates.pop() {
        let now = gain(&tests[index], &reached);
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
    keep_one_per_function(tests, &mut kept);
    (0..tests.len()).filter(|&index| kept[index]).collect()
}

fn must_stay(test: &Test) -> bool {
    test.alarm.is_some() || matches!(test.outcome, Outcome::Crashed | Outcome::Timeout)
}

/// A function whose runs reach nothing new (no branches of its own) still deserves a test.
fn keep_one_per_function(tests: &[Test], kept: &mut [bool]) {
    let mut served: HashSet<&str> = HashSet::new();
    for (index, test) in tests.iter().enumerate() {
        if kept[index] {
            served.insert(&test.function);
        }
    }
    for (index, test) in tests.iter().enumerate() {
        if served.insert(&test.function) {
            kept[index] = true;
        }
    }
}

/// How much a person has to read: values that are not zero.
fn size(test: &Test) -> usize {
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

fn number(tests: &mut [Test], old_to_new: &mut BTreeMap<String, String>) {
    let mut used: BTreeMap<String, usize> = BTreeMap::new();
    for test in tests {
        let next = used.entry(test.function.clone()).or_insert(0);
        *next += 1;
        let id = format!("{}-{:03}", test.function, next);
        old_to_new.insert(std::mem::replace(&mut test.id, id.clone()), id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Alarm;

    fn reaching(id: &str, function: &str, covers: &[u32]) -> Test {
        Test { covers: covers.to_vec(), ..Test::new(id, function) }
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
        crash.outcome = Outcome::Crashed;
        crash.alarm = Some(0);
        let mut record = Record {
            tests: vec![crash, reaching("x1", "f", &[1, 2]), reaching("x2", "f", &[2]), reaching("x3", "g", &[])],
            alarms: vec![Alarm { test: Some("x9".to_string()), ..Alarm::default() }],
            ..Record::default()
        };
        minimise(&mut record);
        let ids: Vec<&str> = record.tests.iter().map(|test| test.id.as_str()).collect();
        assert_eq!(ids, ["f-001", "f-002", "g-001"]);
        assert_eq!(record.tests[1].outcome, Outcome::Crashed);
        assert_eq!(record.alarms[0].test.as_deref(), Some("f-002"));
    }
}
