//! Many runs → a small suite that reaches the same: greedy set cover over counters.
//!
//! What a function has of its own is reached by its own tests: those of its callers see little of what it did, and a reader looks for
//! its cases here. The smallest run of each entry that shows an alarm is always kept, as is every crash or time-out without one. What they reach is still reached
//! by a run that ends well if there is one: a crash leaves the rest of its block undone. The choice depends on the runs alone: ties
//! go to the run with the smaller input, then to the earlier one. Kept tests are ordered by function, plain returns first, and
//! numbered `f-001`.

use covet_results::{Alarm, Record, Test};
use covet_sites::{Counter, SiteMap};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashSet};
use std::ops::Range;

/// The counters that each function has of its own, by name and file. Where nothing is known, tests stand in for one another.
#[derive(Clone, Debug, Default)]
pub struct Own(BTreeMap<(String, String), Vec<Range<Counter>>>);

impl Own {
    pub fn of(map: &SiteMap) -> Own {
        let mut own = Own::default();
        for function in map.functions.iter().filter(|function| !function.is_model) {
            let range = function.counter_start..function.counter_start + function.counter_len;
            own.0.entry((function.name.clone(), function.file.clone())).or_default().push(range);
        }
        own
    }

    fn ranges(&self, test: &Test) -> &[Range<Counter>] {
        self.0.get(&(test.function.clone(), test.file.clone())).map_or(&[], Vec::as_slice)
    }
}

/// Keeps the tests that together reach every counter, gives them ids, and makes alarms name them.
pub fn minimise(record: &mut Record, own: &Own) {
    let chosen = chosen(&record.tests, &record.alarms, own);
    let mut kept: Vec<Test> = chosen.into_iter().map(|index| record.tests[index].clone()).collect();
    sort(&mut kept);
    let before = number(&mut kept);
    for (index, alarm) in record.alarms.iter_mut().enumerate() {
        // Several may show it: the one it was made from is told, or another one of the same entry.
        let entry = record.tests.iter().find(|test| Some(&test.id) == alarm.test.as_ref()).map(|test| &test.function);
        let mut shown: Vec<(&Test, &String)> =
            kept.iter().zip(&before).filter(|(test, _)| test.alarm == Some(index)).collect();
        shown.sort_by_key(|(test, id)| (Some(*id) != alarm.test.as_ref(), Some(&test.function) != entry));
        alarm.test = shown.first().map(|(test, _)| test.id.clone());
    }
    record.tests = kept;
}

/// Indices of the tests to keep, ascending. Of those that show an alarm, the one that it names, which depends on the fewest guesses; of other
/// entries, the smallest.
pub fn chosen(tests: &[Test], alarms: &[Alarm], own: &Own) -> Vec<usize> {
    let is_told =
        |test: &Test, alarm: usize| alarms.get(alarm).is_some_and(|alarm| alarm.test.as_ref() == Some(&test.id));
    let mut kept = vec![false; tests.len()];
    let mut shown: BTreeMap<(usize, &str, &str), usize> = BTreeMap::new();
    for (index, test) in tests.iter().enumerate().filter(|(_, test)| !ended_well(test)) {
        match test.alarm {
            Some(alarm) => {
                let best = shown.entry((alarm, &test.function, &test.file)).or_insert(index);
                let rank = |test: &Test| (!is_told(test, alarm), size(test));
                if rank(test) < rank(&tests[*best]) {
                    *best = index;
                }
            }
            // A crash that nobody named stays in any case.
            None => kept[index] = true,
        }
    }
    shown.values().for_each(|&index| kept[index] = true);
    let mut by_function: BTreeMap<(&str, &str), Vec<usize>> = BTreeMap::new();
    for (index, test) in tests.iter().enumerate().filter(|(_, test)| ended_well(test)) {
        by_function.entry((&test.function, &test.file)).or_default().push(index);
    }
    let mut reached: HashSet<Counter> = HashSet::new();
    for candidates in by_function.values() {
        let ranges = own.ranges(&tests[candidates[0]]);
        let counts = |counter: &Counter| ranges.iter().any(|range| range.contains(counter));
        let mut of_its_own = HashSet::new();
        cover(tests, candidates, counts, &mut of_its_own, &mut kept);
        reached.extend(of_its_own);
    }
    let (well, badly): (Vec<usize>, Vec<usize>) = (0..tests.len()).partition(|&index| ended_well(&tests[index]));
    cover(tests, &well, |_| true, &mut reached, &mut kept);
    reached.extend(badly.iter().filter(|&&index| kept[index]).flat_map(|&index| &tests[index].covers));
    cover(tests, &badly, |_| true, &mut reached, &mut kept);
    keep_one_per_function(tests, &mut kept);
    (0..tests.len()).filter(|&index| kept[index]).collect()
}

/// Keeps candidates until together they reach all that any of them does, of the counters that count.
fn cover(
    tests: &[Test],
    candidates: &[usize],
    counts: impl Fn(&Counter) -> bool,
    reached: &mut HashSet<Counter>,
    kept: &mut [bool],
) {
    // Lazy greedy: gains only shrink, so a stale entry is re-weighed when it surfaces.
    let gain = |test: &Test, reached: &HashSet<Counter>| {
        test.covers.iter().filter(|counter| counts(counter) && !reached.contains(counter)).count()
    };
    let mut candidates: BinaryHeap<(usize, Reverse<(usize, usize)>)> = candidates
        .iter()
        .filter(|&&index| !kept[index])
        .map(|&index| (gain(&tests[index], reached), Reverse((size(&tests[index]), index))))
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

/// Gives the ids that they had before.
fn number(tests: &mut [Test]) -> Vec<String> {
    let mut used: BTreeMap<String, usize> = BTreeMap::new();
    let numbered = |test: &mut Test| {
        let next = used.entry(test.function.clone()).or_insert(0);
        *next += 1;
        std::mem::replace(&mut test.id, format!("{}-{:03}", test.function, next))
    };
    tests.iter_mut().map(numbered).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use covet_results::AlarmKind;
    use covet_results::TestOutcome;

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
        assert_eq!(chosen(&tests, &[], &Own::default()), [1, 3]);
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
        minimise(&mut record, &Own::default());
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
        assert_eq!(chosen(&[crash.clone(), reaching("b", "f", &[1, 2])], &[], &Own::default()), [0, 1]);
        assert_eq!(chosen(&[crash, reaching("b", "f", &[])], &[], &Own::default()), [0, 1]);
    }

    #[test]
    fn many_runs_that_show_one_alarm_are_one_test() {
        let show =
            |covers: &[u32]| Test { outcome: TestOutcome::Crashed, alarm: Some(0), ..reaching("x", "f", covers) };
        assert_eq!(chosen(&[show(&[1]), show(&[1]), show(&[1, 2])], &[], &Own::default()), [0, 2]);
    }

    #[test]
    fn the_test_that_an_alarm_names_stays_although_another_is_smaller() {
        let one = covet_input::Value { bits: 1, width: 8, kind: covet_input::ValueKind::Byte };
        let show = |id: &str| Test { outcome: TestOutcome::Crashed, alarm: Some(0), ..Test::new(id, "f") };
        let named = Test { inputs: vec![("arg.x".into(), one)], ..show("x2") };
        let alarm = Alarm { test: Some("x2".to_string()), ..Alarm::new(AlarmKind::Abort) };
        let mut record = Record { tests: vec![show("x1"), named], alarms: vec![alarm], ..Record::default() };
        minimise(&mut record, &Own::default());
        assert_eq!((record.tests.len(), record.tests[0].inputs.len()), (1, 1));
        assert_eq!(record.alarms[0].test.as_deref(), Some("f-001"));
    }

    #[test]
    fn a_function_reaches_its_own_by_its_own_tests() {
        let own = Own(BTreeMap::from([
            (("f".to_owned(), String::new()), vec![Counter(1)..Counter(4)]),
            (("g".to_owned(), String::new()), vec![Counter(4)..Counter(6)]),
        ]));
        let tests = [
            reaching("a", "f", &[1, 2]),
            reaching("b", "f", &[1, 3]),
            reaching("c", "g", &[1, 2, 3, 4, 5]),
            reaching("d", "g", &[1, 2, 5]),
        ];
        assert_eq!(chosen(&tests, &[], &own), [0, 1, 2]);
        assert_eq!(chosen(&tests, &[], &Own::default()), [0, 2], "one of each function, whatever it reaches");
    }
}
