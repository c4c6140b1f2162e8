//! Explorations of entries → what each of them says about alarms: shown from there, refuted, or nothing.

use crate::outcome::Outcome;
use covet_coverage::Covered;
use covet_results::{Alarm, Stopped, Test};
use covet_sites::{Counter, FunctionNumber};
use std::collections::{BTreeMap, BTreeSet};

/// What is known from every entry that was explored, by its number. Alarms are numbers in the record.
#[derive(Default)]
pub struct Testimonies {
    by_entry: BTreeMap<FunctionNumber, Testimony>,
}

/// What the explorations of one entry said.
#[derive(Default)]
struct Testimony {
    /// Alarms that it was asked about.
    sought: BTreeSet<usize>,
    shown: BTreeMap<usize, Shown>,
    /// Every path of those that were asked for was tried.
    is_complete: bool,
    paths: u64,
    /// What its runs reached when it was asked.
    reached: Covered,
}

/// An alarm as an entry shows it.
pub struct Shown {
    pub alarm: Alarm,
    pub test: Option<Test>,
}

/// How far a refutation goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Extent {
    /// Every path was tried.
    AllPaths,
    /// Those that were explored got to the call, and no further.
    Explored,
}

/// What an entry says about an alarm below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Says {
    Shown,
    Refuted { extent: Extent, paths: u64 },
    Nothing,
}

impl Testimonies {
    /// What exploring an entry for its own sake has shown, with the places of these alarms in the record. Their tests are there already.
    pub fn add(&mut self, entry: FunctionNumber, alarms: Vec<Alarm>, places: &[usize]) {
        let own = self.by_entry.entry(entry).or_default();
        for (alarm, place) in alarms.into_iter().zip(places) {
            own.shown.entry(*place).or_insert(Shown { alarm, test: None });
        }
    }

    /// What an entry has shown that was asked about `sought`, with a number for the tests that come of it.
    pub fn ask(
        &mut self,
        entry: FunctionNumber,
        sought: &[usize],
        all: &[Alarm],
        outcome: Option<&Outcome>,
        turn: usize,
    ) {
        let own = self.by_entry.entry(entry).or_default();
        own.sought.extend(sought);
        let Some(outcome) = outcome else { return };
        own.is_complete = outcome.function.stopped == Some(Stopped::Exhausted);
        own.paths += outcome.function.counters.paths;
        outcome.tests.iter().for_each(|test| drop(own.reached.merge(test.covers.iter().copied())));
        for &number in sought {
            let is_shown = |alarm: &&Alarm| alarm.is_same_fault(&all[number]) && goes_through(alarm, &all[number]);
            if let Some(alarm) = outcome.alarms.iter().find(is_shown) {
                let mut shown = Shown::of(alarm, outcome);
                // Numbers of runs are those of another exploration.
                shown.rename(turn, number);
                own.shown.entry(number).or_insert(shown);
            }
        }
    }

    /// The entries that show an alarm, ascending.
    pub fn showing(&self, alarm: usize) -> BTreeSet<FunctionNumber> {
        let shows = |(entry, own): (&FunctionNumber, &Testimony)| own.shown.contains_key(&alarm).then_some(*entry);
        self.by_entry.iter().filter_map(shows).collect()
    }

    pub fn shown(&self, entry: FunctionNumber, alarm: usize) -> Option<&Shown> {
        self.by_entry.get(&entry)?.shown.get(&alarm)
    }

    /// Whether the entry need not be asked about an alarm any more.
    pub fn is_known(&self, entry: FunctionNumber, alarm: usize) -> bool {
        self.by_entry.get(&entry).is_some_and(|own| own.shown.contains_key(&alarm) || own.sought.contains(&alarm))
    }

    /// What the entry says about an alarm in what it calls, which begins with the counter `callee`.
    pub fn says(&self, entry: FunctionNumber, alarm: usize, callee: Counter) -> Says {
        let Some(own) = self.by_entry.get(&entry) else { return Says::Nothing };
        let refuted = |extent| Says::Refuted { extent, paths: own.paths };
        match (own.shown.contains_key(&alarm), own.sought.contains(&alarm)) {
            (true, _) => Says::Shown,
            (false, false) => Says::Nothing,
            (false, true) if own.is_complete => refuted(Extent::AllPaths),
            (false, true) if own.reached.contains(callee) => refuted(Extent::Explored),
            (false, true) => Says::Nothing,
        }
    }
}

/// Whether the calls that lead to an alarm are those of a known one: the same mistake by another way says nothing about the function that raised it.
pub fn goes_through(alarm: &Alarm, known: &Alarm) -> bool {
    let raised = known.stack.last().map(|frame| &frame.function);
    raised.is_none_or(|raised| alarm.stack.is_empty() || alarm.stack.iter().any(|frame| frame.function == *raised))
}

impl Shown {
    /// Whether somebody showed it who was asked about it, as a caller of the function that raised it.
    pub fn is_by_caller(&self) -> bool {
        self.test.is_some()
    }

    fn of(alarm: &Alarm, outcome: &Outcome) -> Shown {
        let test = outcome.tests.iter().find(|test| Some(&test.id) == alarm.test.as_ref());
        Shown { alarm: alarm.clone(), test: test.cloned() }
    }

    fn rename(&mut self, turn: usize, number: usize) {
        if let Some(test) = &mut self.test {
            test.id = format!("{}#asked-{turn}", test.id);
            test.alarm = Some(number);
            self.alarm.test = Some(test.id.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use covet_results::{AlarmKind, FunctionResult};

    fn outcome(stopped: Stopped, lines: &[u32], covers: &[u32]) -> Outcome {
        let alarm = |line: &u32| Alarm { line: *line, test: Some("t".into()), ..Alarm::new(AlarmKind::OutOfBounds) };
        let covers = covers.iter().copied().map(Counter).collect();
        Outcome {
            function: FunctionResult { stopped: Some(stopped), ..FunctionResult::default() },
            tests: vec![Test { covers, ..Test::new("t", "b") }],
            alarms: lines.iter().map(alarm).collect(),
            notes: Vec::new(),
        }
    }

    #[test]
    fn an_entry_says_no_more_than_it_was_asked() {
        let all: Vec<Alarm> = [3, 9].map(|line| Alarm { line, ..Alarm::new(AlarmKind::OutOfBounds) }).into();
        let (b, callee) = (FunctionNumber(1), Counter(7));
        let asked = |stopped, lines: &[u32], covers: &[u32]| {
            let mut said = Testimonies::default();
            said.ask(b, &[0], &all, Some(&outcome(stopped, lines, covers)), 0);
            said
        };
        assert_eq!(asked(Stopped::Reached, &[3], &[]).says(b, 0, callee), Says::Shown);
        let refuted = |extent| Says::Refuted { extent, paths: 0 };
        assert_eq!(asked(Stopped::Exhausted, &[9], &[]).says(b, 0, callee), refuted(Extent::AllPaths));
        assert_eq!(asked(Stopped::Time, &[], &[7]).says(b, 0, callee), refuted(Extent::Explored));
        assert_eq!(asked(Stopped::Time, &[], &[6]).says(b, 0, callee), Says::Nothing, "it never got to the call");
        let said = asked(Stopped::Exhausted, &[9], &[7]);
        assert_eq!(said.says(b, 1, callee), Says::Nothing, "nobody asked about that");
        assert!(said.is_known(b, 0) && !said.is_known(b, 1) && said.showing(0).is_empty());
    }

    #[test]
    fn tests_of_another_exploration_have_names_of_their_own() {
        let all = [Alarm { line: 3, ..Alarm::new(AlarmKind::OutOfBounds) }];
        let mut said = Testimonies::default();
        said.ask(FunctionNumber(1), &[0], &all, Some(&outcome(Stopped::Reached, &[3], &[])), 4);
        let shown = said.shown(FunctionNumber(1), 0).unwrap();
        let test = shown.test.as_ref().unwrap();
        assert_eq!((test.id.as_str(), test.alarm), ("t#asked-4", Some(0)));
        assert_eq!(shown.alarm.test.as_deref(), Some("t#asked-4"));
    }
}
