//! What entries say about alarms → what is told of each: the outermost entry that shows it, or why it is not believed.

use super::callers::Callers;
use super::sought::can_be_sought;
use super::testimony::{Extent, Says, Testimonies};
use covet_results::{Alarm, AlarmKind, Record, Verdict};
use covet_sites::{FunctionNumber, SiteMap};
use std::collections::BTreeSet;

/// Callers that are named in a reason.
const MOST_NAMED: usize = 3;

pub struct Judgement<'j> {
    pub map: &'j SiteMap,
    pub callers: &'j Callers,
    pub said: &'j Testimonies,
    /// The structures that only the library can fill.
    pub hidden: &'j BTreeSet<String>,
    /// Functions that no other program can call.
    pub unseen: &'j BTreeSet<&'j str>,
    /// What did not happen on the paths explored is refuted, and alarms are told by the unit that raised them, as published.
    pub believes_explored: bool,
}

/// What those say who call the functions that show an alarm.
#[derive(Debug, Default)]
struct Above {
    /// Callers that do not allow it, how far they were followed, and on how many paths.
    refuting: Vec<(FunctionNumber, Extent, u64)>,
    /// Callers of whom nothing is known, or that nobody knows.
    is_silent: bool,
    /// Someone outside may call it, or nobody does.
    is_free: bool,
}

impl Judgement<'_> {
    /// Makes every alarm say what is known of it.
    pub fn tell(&self, record: &mut Record) {
        self.tell_of_depth(record);
        let is_asked = |alarm: &usize| can_be_sought(record.alarms[*alarm].kind);
        for alarm in (0..record.alarms.len()).filter(is_asked).collect::<Vec<_>>() {
            let showing = self.said.showing(alarm);
            let Some(best) = showing.iter().copied().max_by_key(|entry| self.rank(*entry, alarm, &showing)) else {
                continue;
            };
            self.tell_from(best, alarm, record);
            let (chosen, reason) = self.verdict(best, alarm, &showing);
            let told = &mut record.alarms[alarm];
            // What may be believed of the input stays true, whoever hands it on.
            let believed = told.told.reason.take();
            told.told.reason = Some(believed.into_iter().chain([reason]).collect::<Vec<_>>().join("; "));
            match chosen {
                Chosen::Refuted => told.verdict = Verdict::Filtered,
                Chosen::Assumed(assumption) => told.assumptions.push(assumption),
                Chosen::Shown => {}
            }
        }
    }

    /// How deep a function calls itself, and how long it goes on, is up to its callers, unless nobody stands between it and the user.
    fn tell_of_depth(&self, record: &mut Record) {
        for number in 0..record.alarms.len() {
            let what = match record.alarms[number].kind {
                AlarmKind::StackOverflow => "lets it call itself so often",
                AlarmKind::Timeout => "lets it go on for so long",
                _ => continue,
            };
            let is_called = |entry: &&FunctionNumber| {
                !self.callers.is_outside(**entry) && !self.callers.callers(**entry, number).functions.is_empty()
            };
            let showing = self.said.showing(number);
            match (showing.iter().find(|entry| !is_called(entry)), showing.iter().find(is_called)) {
                (Some(free), others) => {
                    if others.is_some() {
                        self.tell_from(*free, number, record);
                    }
                    let hidden = self.hidden_inside(&record.alarms[number]).map(|hidden| left_so(Some(hidden)));
                    record.alarms[number].assumptions.extend(hidden);
                }
                (None, Some(entry)) => {
                    let assumption = format!("a caller of {} {what}", self.name(*entry));
                    record.alarms[number].assumptions.push(assumption);
                }
                (None, None) => {}
            }
        }
    }

    /// How much it says that an entry shows an alarm: without a guess, from outside, from further out.
    fn rank(&self, entry: FunctionNumber, alarm: usize, showing: &BTreeSet<FunctionNumber>) -> Rank {
        let needs_nothing = self.said.shown(entry, alarm).is_some_and(|shown| shown.alarm.assumptions.is_empty());
        let below = self.callers.below(entry);
        let outer = showing.intersection(&below).count();
        let (is_whole, is_outside) = (self.callers.is_whole_program(entry), self.callers.is_outside(entry));
        (needs_nothing, is_whole, is_outside, outer, std::cmp::Reverse(entry))
    }

    /// The alarm is told as `entry` shows it, by a test from there.
    fn tell_from(&self, entry: FunctionNumber, alarm: usize, record: &mut Record) {
        let Some(shown) = self.said.shown(entry, alarm) else { return };
        let told = &mut record.alarms[alarm];
        told.told = shown.alarm.told.clone();
        if told.test == shown.alarm.test || self.believes_explored {
            return;
        }
        let known = |id: &Option<String>| record.tests.iter().any(|test| Some(&test.id) == id.as_ref());
        if let (Some(test), false) = (&shown.test, known(&shown.alarm.test)) {
            record.tests.push(test.clone());
        }
        let from = shown.alarm.clone();
        (told.assumptions, told.stack, told.test, told.verdict) =
            (from.assumptions, from.stack, from.test, from.verdict);
    }

    fn verdict(&self, best: FunctionNumber, alarm: usize, showing: &BTreeSet<FunctionNumber>) -> (Chosen, String) {
        let name = self.name(best);
        if self.callers.is_whole_program(best) {
            return (Chosen::Shown, format!("a run from {name} gets there"));
        }
        let mut seen = showing.clone();
        let mut above = Above::default();
        showing.iter().for_each(|entry| self.look_above(*entry, alarm, &mut seen, &mut above));
        let is_decided = !above.is_free && !above.is_silent && !above.refuting.is_empty();
        // All paths of a caller are those from the states it was begun in: another one may let it through.
        let needs_state =
            |entry: &FunctionNumber| self.said.shown(*entry, alarm).is_some_and(|shown| shown.alarm.told.needs_state);
        let least = if showing.iter().all(needs_state) { Extent::Explored } else { Extent::AllPaths };
        let extent = above.refuting.iter().map(|(_, extent, _)| (*extent).max(least)).max();
        let who = self.named(&above.refuting);
        match (is_decided, extent) {
            (true, Some(Extent::AllPaths)) => {
                return (Chosen::Refuted, format!("no caller allows it: not on any path of {who}"));
            }
            (true, Some(Extent::Explored)) if self.believes_explored => {
                return (
                    Chosen::Refuted,
                    format!("no caller was seen to allow it: not on the paths explored of {who}"),
                );
            }
            _ => {}
        }
        let shown = self.said.shown(best, alarm);
        let is_called = |alarm: &Alarm| alarm.stack.last().is_some_and(|frame| frame.function != alarm.function);
        // The call is real: that of a caller who was asked and made all that matters, and one to which an entry hands on data as it got them.
        let is_context = shown.is_some_and(|shown| {
            let told = &shown.alarm.told;
            shown.is_by_caller() && told.inside.is_empty() || is_called(&shown.alarm) && told.is_data
        });
        let is_unchecked = shown.is_some_and(|shown| shown.alarm.told.is_unchecked);
        let hidden = shown.and_then(|shown| self.hidden_inside(&shown.alarm));
        let is_made_up = shown.is_some_and(|shown| {
            let told = &shown.alarm.told;
            !told.is_data && !told.is_unchecked && (told.is_by_number || !told.inside.is_empty())
        });
        let of_best = self.callers.callers(best, alarm);
        match (is_decided, above.is_free) {
            (true, _) if is_unchecked => {
                (Chosen::Shown, format!("nothing keeps it from {name}: nobody checks what decides it"))
            }
            (true, _) => {
                let assumption = format!("a caller of {name} gives it this: none did on the paths explored of {who}");
                (
                    Chosen::Assumed(assumption),
                    format!("no caller was seen to allow it: not on the paths explored of {who}"),
                )
            }
            (false, true) if self.callers.is_outside(best) && hidden.is_some() => (
                Chosen::Assumed(left_so(hidden)),
                format!("{name} can be called from outside, with what this library makes"),
            ),
            (false, true) if self.callers.is_outside(best) => {
                (Chosen::Shown, format!("{name} can be called from outside"))
            }
            (false, true) if of_best.functions.is_empty() && is_made_up && self.is_ours_alone(best) => (
                Chosen::Assumed(format!("somebody calls {name} with this")),
                format!("nothing in these sources calls {name}"),
            ),
            (false, true) if of_best.functions.is_empty() => {
                (Chosen::Shown, format!("nothing in these sources calls {name}"))
            }
            (false, _) if is_context => {
                (Chosen::Shown, format!("shown from {name}; whether its callers allow it is not known"))
            }
            (false, _) if is_unchecked => {
                (Chosen::Shown, format!("nothing keeps it from {name}; none of its callers could be followed as far"))
            }
            (false, _) => {
                let assumption = format!("a caller of {name} gives it this: none was found that does");
                (Chosen::Assumed(assumption), format!("whether a caller of {name} allows it is not known"))
            }
        }
    }

    /// Whether nobody but these sources can call a function.
    fn is_ours_alone(&self, function: FunctionNumber) -> bool {
        let function = &self.map.functions[function.index()];
        function.is_static || self.unseen.contains(function.name.as_str())
    }

    /// The structure that decides an alarm and that only this library can fill.
    fn hidden_inside<'a>(&self, alarm: &'a Alarm) -> Option<&'a str> {
        let is_free = alarm.told.is_unchecked || alarm.told.is_data;
        alarm.told.inside.iter().map(String::as_str).find(|name| !is_free && self.hidden.contains(*name))
    }

    /// Adds what the callers of `entry`, which shows the alarm, say. Those in `seen` are looked at elsewhere.
    fn look_above(&self, entry: FunctionNumber, alarm: usize, seen: &mut BTreeSet<FunctionNumber>, above: &mut Above) {
        let of = self.callers.callers(entry, alarm);
        above.is_free |= self.callers.is_outside(entry) || of.functions.is_empty() && !of.is_open;
        above.is_silent |= of.is_open;
        let callee = self.map.functions[entry.index()].counter_start;
        for caller in of.functions.into_iter().filter(|caller| seen.insert(*caller)) {
            match self.said.says(caller, alarm, callee) {
                // All that show it are looked at.
                Says::Shown => {}
                Says::Refuted { extent, paths } => above.refuting.push((caller, extent, paths)),
                Says::Nothing => above.is_silent = true,
            }
        }
    }

    fn name(&self, function: FunctionNumber) -> String {
        format!("`{}`", self.map.functions[function.index()].name)
    }

    /// Callers by name, with the paths that they were followed on.
    fn named(&self, callers: &[(FunctionNumber, Extent, u64)]) -> String {
        let named =
            callers.iter().take(MOST_NAMED).map(|(caller, _, paths)| format!("{} ({paths})", self.name(*caller)));
        let named: Vec<String> = named.collect();
        match callers.len().saturating_sub(MOST_NAMED) {
            0 => named.join(", "),
            more => format!("{} and {more} more", named.join(", ")),
        }
    }
}

fn left_so(hidden: Option<&str>) -> String {
    format!("the functions that make `{}` leave it so", hidden.unwrap_or_default())
}

type Rank = (bool, bool, bool, usize, std::cmp::Reverse<FunctionNumber>);

enum Chosen {
    Shown,
    Refuted,
    /// It is shown if this holds.
    Assumed(String),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::Outcome;
    use covet_results::{AlarmKind, Frame, FunctionResult, Stopped, Test};
    use covet_sites::Counter;
    use covet_sites::testing::{block, function, program};

    /// `3 -> 2 -> 1 -> 0`, the alarm is in 0.
    fn map() -> SiteMap {
        let calling = |callees: &[u32]| vec![block(&[], callees)];
        let callees: [&[u32]; 4] = [&[], &[0], &[1], &[2]];
        let functions = (0..).zip(callees).map(|(number, callees)| function(number, number * 10, calling(callees)));
        program(functions.collect(), &[])
    }

    fn alarm(entry: u32, assumptions: &[&str]) -> Alarm {
        let frame = |number: u32| Frame { function: format!("f{number}"), ..Frame::default() };
        Alarm {
            function: "f0".into(),
            test: Some(format!("f{entry}")),
            stack: (0..=entry).map(frame).collect(),
            assumptions: assumptions.iter().map(|text| text.to_string()).collect(),
            ..Alarm::new(AlarmKind::OutOfBounds)
        }
    }

    /// What an entry says: whether it shows the alarm, why it stopped, what it reached.
    fn outcome(entry: u32, shows: bool, stopped: Stopped, reached: u32) -> Outcome {
        let test = Test { covers: vec![Counter(reached)], ..Test::new(format!("f{entry}"), format!("f{entry}")) };
        Outcome {
            function: FunctionResult { stopped: Some(stopped), ..FunctionResult::default() },
            tests: vec![test],
            alarms: if shows { vec![alarm(entry, &[])] } else { Vec::new() },
            notes: Vec::new(),
        }
    }

    type Said = (u32, bool, Stopped, u32);

    fn judged(said: &[Said], outside: &[u32], whole: &[u32], believes_explored: bool) -> Record {
        judged_of(alarm(0, &[]), said, outside, whole, believes_explored)
    }

    fn judged_of(own: Alarm, said: &[Said], outside: &[u32], whole: &[u32], believes_explored: bool) -> Record {
        let map = map();
        let mut record = Record { alarms: vec![own], tests: vec![Test::new("f0", "f0")], ..Record::default() };
        let mut testimonies = Testimonies::default();
        testimonies.add(FunctionNumber(0), record.alarms.clone(), &[0]);
        for &(entry, shows, stopped, reached) in said {
            let outcome = outcome(entry, shows, stopped, reached);
            testimonies.ask(FunctionNumber(entry), &[0], &record.alarms, Some(&outcome), 0);
        }
        let callers = Callers::by_hand(&map, outside, whole);
        let (hidden, unseen) = Default::default();
        let (callers, said) = (&callers, &testimonies);
        Judgement { map: &map, callers, said, hidden: &hidden, unseen: &unseen, believes_explored }.tell(&mut record);
        record
    }

    #[test]
    fn callers_refute_on_all_paths_or_on_those_explored() {
        let all = judged(&[(1, false, Stopped::Exhausted, 0)], &[], &[], false);
        assert_eq!(all.alarms[0].verdict, Verdict::Filtered);
        assert!(all.alarms[0].told.reason.as_deref().unwrap().contains("not on any path of `f1`"));
        let explored = &[(1, false, Stopped::Time, 0)];
        let ours = judged(explored, &[], &[], false);
        assert_eq!((ours.alarms[0].verdict, ours.alarms[0].assumptions.len()), (Verdict::Likely, 1));
        let published = judged(explored, &[], &[], true);
        assert_eq!(published.alarms[0].verdict, Verdict::Filtered);
        assert!(published.alarms[0].told.reason.as_deref().unwrap().contains("explored of `f1`"));
        let never_there = judged(&[(1, false, Stopped::Time, 99)], &[], &[], true);
        assert_eq!((never_there.alarms[0].verdict, never_there.alarms[0].assumptions.len()), (Verdict::Likely, 1));
    }

    #[test]
    fn other_states_and_data_that_nobody_checks_are_not_up_to_the_paths_of_callers() {
        let told = |is_unchecked, needs_state| covet_results::Told { is_unchecked, needs_state, ..Default::default() };
        let own = |told| Alarm { told, ..alarm(0, &[]) };
        let all_paths = &[(1, false, Stopped::Exhausted, 0)];
        let state = judged_of(own(told(false, true)), all_paths, &[], &[], false);
        assert_eq!((state.alarms[0].verdict, state.alarms[0].assumptions.len()), (Verdict::Likely, 1));
        let silent = &[(1, false, Stopped::Time, 99)];
        let unchecked = judged_of(own(told(true, false)), silent, &[], &[], false);
        assert_eq!(unchecked.alarms[0].assumptions.len(), 0);
        let checked = judged_of(own(told(false, false)), silent, &[], &[], false);
        assert_eq!(checked.alarms[0].assumptions.len(), 1);
    }

    #[test]
    fn an_alarm_is_told_from_as_far_out_as_it_is_shown() {
        let shown = judged(&[(1, true, Stopped::Reached, 0), (2, true, Stopped::Reached, 0)], &[], &[], false);
        let told = &shown.alarms[0];
        assert_eq!((told.stack.len(), told.assumptions.len(), told.verdict), (3, 0, Verdict::Likely));
        assert!(shown.tests.iter().any(|test| Some(&test.id) == told.test.as_ref() && test.function == "f2"));
        let refuted = judged(&[(1, true, Stopped::Reached, 0), (2, false, Stopped::Exhausted, 0)], &[], &[], false);
        assert_eq!(refuted.alarms[0].verdict, Verdict::Filtered, "whoever shows it is called by nobody who does");
        let main = [(1, true, Stopped::Reached, 0), (2, true, Stopped::Reached, 0), (3, true, Stopped::Reached, 0)];
        let main = judged(&main, &[], &[3], false);
        assert!(main.alarms[0].told.reason.as_deref().unwrap().contains("`f3`"));
    }

    #[test]
    fn what_is_offered_or_called_by_nobody_promises_nothing() {
        let offered = judged(&[], &[0], &[], false);
        assert_eq!((offered.alarms[0].assumptions.len(), offered.alarms[0].verdict), (0, Verdict::Likely));
        let called_by_offered = judged(&[(1, false, Stopped::Exhausted, 0)], &[1], &[], false);
        assert_eq!(called_by_offered.alarms[0].verdict, Verdict::Filtered);
        let last = judged(
            &[(1, true, Stopped::Time, 0), (2, true, Stopped::Time, 0), (3, true, Stopped::Time, 0)],
            &[],
            &[],
            false,
        );
        assert!(last.alarms[0].told.reason.as_deref().unwrap().contains("nothing in these sources calls `f3`"));
    }
}
