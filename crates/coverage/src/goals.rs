//! A set of goals: which are open, which run covered them, where they are, and what the next run brings.
//!
//! A branch outcome is covered when its counter is bumped, a line when any counter is that leads to it without a choice, a violation when
//! the path of a run says so. While exploring, everything is dense: each counter knows how many open goals it would cover, so the question
//! that is asked most, "is this outcome wanted?", is one look.

use crate::goal::{Goal, GoalId, GoalKind, Line, counts_branches, lines_of, site_of};
use crate::mcdc::{Evaluated, Half};
use crate::{Count, Covered, Criterion};
use covet_abi::check::Check;
use covet_sites::cfg::{BlockNumber, Target, reachable_from};
use covet_sites::{Counter, DecisionInfo, DecisionNumber, FunctionNumber, SiteMap, SiteNumber, VectorNumber};
use std::collections::{BTreeMap, BTreeSet};

/// Number of a run, as the exploration counts them.
pub type Run = u32;

/// Goals, and how far they are met.
#[derive(Clone, Debug, Default)]
pub struct GoalSet {
    entries: Vec<Entry>,
    /// The goals that a counter covers, as positions in `entries`; sorted.
    covers: Vec<(Counter, u32)>,
    /// For each counter: open goals that it would cover.
    wanted: Vec<u32>,
    violations: BTreeMap<(SiteNumber, Check), usize>,
    /// By decision: the goals that are halves of its conditions.
    halves: BTreeMap<DecisionNumber, Vec<usize>>,
    evaluated: Evaluated,
    open: usize,
    open_required: usize,
    covered: Covered,
    /// Counters that were bumped by runs which say nothing about the program.
    seen: Covered,
    growth: Option<Growth>,
}

#[derive(Clone, Debug)]
struct Entry {
    goal: Goal,
    function: FunctionNumber,
    is_required: bool,
    means: Means,
    /// The first run that covered it.
    covered_by: Option<Run>,
}

/// What covers a goal, and where that happens.
#[derive(Clone, Debug)]
enum Means {
    Branch(Counter),
    Line(Box<Line>),
    Half(Vec<Counter>),
    Violation(BlockNumber),
}

/// A set that takes in what functions give that are met on the way.
#[derive(Clone, Debug)]
struct Growth {
    criterion: Criterion,
    wanted: BTreeSet<FunctionNumber>,
    /// Functions of the user that are not wanted yet, by the counter of their entry.
    others: Vec<(Counter, FunctionNumber)>,
}

/// What one run has brought.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gain {
    /// Goals that no run before had covered.
    pub goals: usize,
    /// Counters that no run before had bumped.
    pub counters: usize,
}

/// A goal that the program at hand does not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the program has no such goal (any more): {0}")]
pub struct NoSuchGoal(pub String);

impl GoalSet {
    /// What `functions` give by `criterion` is required; what the functions give that they call, or that a run enters through a pointer,
    /// is wanted as well. Library models give nothing.
    pub fn of(map: &SiteMap, functions: &[FunctionNumber], criterion: Criterion) -> GoalSet {
        let wanted: BTreeSet<_> = reachable_from(map, functions).into_iter().collect();
        let is_other = |function: &&covet_sites::FunctionInfo| !function.is_model && !wanted.contains(&function.number);
        let others = map.functions.iter().filter(is_other).map(|function| (function.counter_start, function.number));
        let mut entries = entries(map, &wanted, criterion);
        entries.iter_mut().for_each(|entry| entry.is_required = functions.contains(&entry.function));
        let growth = Growth { criterion, others: others.collect(), wanted };
        GoalSet::with(map, entries, Some(growth))
    }

    /// These goals, all of them required, and no others.
    pub fn only(map: &SiteMap, goals: impl IntoIterator<Item = Goal>) -> Result<GoalSet, NoSuchGoal> {
        let goals: BTreeSet<_> = goals.into_iter().collect();
        let entry = |goal: Goal| entry(map, goal).ok_or_else(|| NoSuchGoal(format!("{goal:?}")));
        let mut entries = goals.into_iter().map(entry).collect::<Result<Vec<_>, _>>()?;
        entries.iter_mut().for_each(|entry| entry.is_required = true);
        Ok(GoalSet::with(map, entries, None))
    }

    /// As [`GoalSet::only`], of goals that were named in this build or an earlier one.
    pub fn named<'a>(map: &SiteMap, goals: impl IntoIterator<Item = &'a GoalId>) -> Result<GoalSet, NoSuchGoal> {
        let ids = map.ids();
        let find = |id: &GoalId| id.find(map, &ids).ok_or_else(|| NoSuchGoal(id.to_string()));
        GoalSet::only(map, goals.into_iter().map(find).collect::<Result<Vec<_>, _>>()?)
    }

    fn with(map: &SiteMap, entries: Vec<Entry>, growth: Option<Growth>) -> GoalSet {
        let mut set = GoalSet {
            entries: Vec::with_capacity(entries.len()),
            covers: Vec::with_capacity(entries.len()),
            wanted: vec![0; map.counters as usize],
            violations: BTreeMap::new(),
            halves: BTreeMap::new(),
            evaluated: Evaluated::default(),
            open: 0,
            open_required: 0,
            covered: Covered::default(),
            seen: Covered::default(),
            growth,
        };
        set.add(entries);
        set
    }

    /// Taking the outcome with this counter would cover a goal that is open.
    pub fn wants(&self, counter: Counter) -> bool {
        self.wanted.get(counter.index()).is_some_and(|open| *open > 0)
    }

    /// Taking the outcome with this counter is or was a goal, and one that is required.
    pub fn requires(&self, counter: Counter) -> bool {
        let first = self.covers.partition_point(|(other, _)| *other < counter);
        let mut own = self.covers[first..].iter().take_while(|(other, _)| *other == counter);
        own.any(|(_, at)| self.entries[*at as usize].is_required)
    }

    /// So would violating this check at this site.
    pub fn wants_violation(&self, site: SiteNumber, check: Check) -> bool {
        let at = self.violations.get(&(site, check));
        at.is_some_and(|at| self.entries[*at].is_open())
    }

    /// Some of the goals, open or not, are violations.
    pub fn seeks_violations(&self) -> bool {
        !self.violations.is_empty()
    }

    /// Every goal is covered.
    pub fn is_met(&self) -> bool {
        self.open == 0
    }

    /// Every goal is covered that is not merely welcome.
    pub fn required_is_met(&self) -> bool {
        self.open_required == 0
    }

    pub fn count(&self) -> Count {
        Count { covered: self.entries.len() - self.open, total: self.entries.len() }
    }

    pub fn by_kind(&self) -> BTreeMap<GoalKind, Count> {
        self.counted(|entry| entry.goal.kind())
    }

    pub fn by_function(&self) -> BTreeMap<FunctionNumber, Count> {
        self.counted(|entry| entry.function)
    }

    /// All goals, each with the first run that covered it.
    pub fn iter(&self) -> impl Iterator<Item = (Goal, Option<Run>)> + '_ {
        self.entries.iter().map(|entry| (entry.goal, entry.covered_by))
    }

    pub fn open(&self) -> impl Iterator<Item = Goal> + '_ {
        self.entries.iter().filter(|entry| entry.is_open()).map(|entry| entry.goal)
    }

    /// Where the open goals are.
    pub fn targets(&self) -> impl Iterator<Item = Target> + '_ {
        self.entries.iter().filter(|entry| entry.is_open()).flat_map(Entry::targets)
    }

    /// Counters that some run has bumped.
    pub fn covered(&self) -> &Covered {
        &self.covered
    }

    /// Goals that are open although runs have been there: all of these were abandoned further on.
    pub fn seen(&self) -> impl Iterator<Item = Goal> + '_ {
        let was_seen = |entry: &&Entry| entry.counters().iter().any(|counter| self.seen.contains(*counter));
        self.entries.iter().filter(|entry| entry.is_open()).filter(was_seen).map(|entry| entry.goal)
    }

    fn counted<K: Ord>(&self, key: impl Fn(&Entry) -> K) -> BTreeMap<K, Count> {
        let mut counts: BTreeMap<K, Count> = BTreeMap::new();
        for entry in &self.entries {
            *counts.entry(key(entry)).or_default() += Count::of([!entry.is_open()]);
        }
        counts
    }
}

/// What runs bring.
impl GoalSet {
    /// A run has bumped these counters, which ascend.
    pub fn cover(&mut self, map: &SiteMap, run: Run, counters: &[Counter]) -> Gain {
        let new: Vec<Counter> = counters.iter().copied().filter(|counter| !self.covered.contains(*counter)).collect();
        if new.is_empty() {
            return Gain::default();
        }
        self.adopt(map, run, &new);
        let before = self.open;
        for &counter in &new {
            self.covered.insert(counter);
            let first = self.covers.partition_point(|(other, _)| *other < counter);
            let own = self.covers[first..].iter().take_while(|(other, _)| *other == counter);
            let own: Vec<usize> = own.map(|(_, at)| *at as usize).collect();
            own.into_iter().for_each(|at| self.close(at, run));
        }
        Gain { goals: before - self.open, counters: new.len() }
    }

    /// A run that was abandoned later has bumped these counters.
    pub fn see(&mut self, counters: &[Counter]) {
        self.seen.merge(counters.iter().copied());
    }

    /// A run has violated this check at this site; tells whether that was a goal still open.
    pub fn violate(&mut self, run: Run, site: SiteNumber, check: Check) -> bool {
        let was_open = self.wants_violation(site, check);
        if let Some(&at) = self.violations.get(&(site, check)) {
            self.close(at, run);
        }
        was_open
    }

    /// A run has evaluated these condition vectors; gives how many goals that covered.
    pub fn evaluate(&mut self, map: &SiteMap, run: Run, vectors: &[VectorNumber]) -> usize {
        if self.halves.is_empty() {
            return 0;
        }
        let before = self.open;
        for decision in self.evaluated.add(map, vectors) {
            for at in self.halves.get(&decision).cloned().unwrap_or_default() {
                match self.entries[at].goal {
                    Goal::Half(half) if self.evaluated.has_pair(map, half) => self.close(at, run),
                    Goal::Half(_) | Goal::Branch(_) | Goal::Line(..) | Goal::Violation(..) => {}
                }
            }
        }
        before - self.open
    }

    /// What has been evaluated of the decisions, to ask what is missing of a pair.
    pub fn evaluated(&self) -> &Evaluated {
        &self.evaluated
    }

    /// A function entered although no direct call leads to it is wanted from then on, with all that it calls.
    fn adopt(&mut self, map: &SiteMap, run: Run, new: &[Counter]) {
        let Some(growth) = &mut self.growth else { return };
        let is_entered = |(counter, _): &&(Counter, FunctionNumber)| new.binary_search(counter).is_ok();
        let entered: Vec<_> = growth.others.iter().filter(is_entered).map(|(_, function)| *function).collect();
        if entered.is_empty() {
            return;
        }
        let reachable = reachable_from(map, &entered).into_iter();
        let fresh: BTreeSet<_> = reachable.filter(|function| growth.wanted.insert(*function)).collect();
        growth.others.retain(|(_, function)| !fresh.contains(function));
        let first = self.entries.len();
        let entries = entries(map, &fresh, growth.criterion);
        self.add(entries);
        // Nothing of a function that was never entered is covered; should a run say otherwise, it is old news.
        for at in first..self.entries.len() {
            if self.entries[at].counters().iter().any(|counter| self.covered.contains(*counter)) {
                self.close(at, run);
            }
        }
    }

    fn add(&mut self, entries: Vec<Entry>) {
        for entry in entries {
            let at = self.entries.len();
            self.open += 1;
            self.open_required += usize::from(entry.is_required);
            for &counter in entry.counters() {
                if counter.index() >= self.wanted.len() {
                    self.wanted.resize(counter.index() + 1, 0);
                }
                self.wanted[counter.index()] += 1;
                self.covers.push((counter, at as u32));
            }
            match entry.goal {
                Goal::Violation(site, check) => drop(self.violations.insert((site, check), at)),
                Goal::Half(half) => self.halves.entry(half.decision).or_default().push(at),
                Goal::Branch(_) | Goal::Line(..) => {}
            }
            self.entries.push(entry);
        }
        self.covers.sort_unstable();
    }

    fn close(&mut self, at: usize, run: Run) {
        let entry = &mut self.entries[at];
        if !entry.is_open() {
            return;
        }
        entry.covered_by = Some(run);
        self.open -= 1;
        self.open_required -= usize::from(entry.is_required);
        entry.counters().iter().for_each(|counter| self.wanted[counter.index()] -= 1);
    }
}

impl Entry {
    fn new(goal: Goal, function: FunctionNumber, means: Means) -> Entry {
        Entry { goal, function, is_required: false, means, covered_by: None }
    }

    fn is_open(&self) -> bool {
        self.covered_by.is_none()
    }

    /// Each of these, bumped, covers it.
    fn counters(&self) -> &[Counter] {
        match &self.means {
            Means::Branch(counter) => std::slice::from_ref(counter),
            Means::Line(line) => &line.counters,
            Means::Half(_) | Means::Violation(_) => &[],
        }
    }

    fn targets(&self) -> impl Iterator<Item = Target> + '_ {
        let (one, blocks, edges): (Option<Target>, &[BlockNumber], &[Counter]) = match &self.means {
            Means::Branch(counter) => (Some(Target::Edge(*counter)), &[], &[]),
            Means::Line(line) => (None, &line.blocks, &[]),
            Means::Half(tests) => (None, &[], tests),
            Means::Violation(block) => (Some(Target::Within(self.function, *block)), &[], &[]),
        };
        let blocks = blocks.iter().map(|block| Target::Block(self.function, *block));
        one.into_iter().chain(blocks).chain(edges.iter().map(|counter| Target::Edge(*counter)))
    }
}

/// What functions give by a criterion, in order.
fn entries(map: &SiteMap, functions: &BTreeSet<FunctionNumber>, criterion: Criterion) -> Vec<Entry> {
    match criterion {
        Criterion::Branch => branches(map, functions),
        Criterion::Mcdc => {
            let own = map.decisions.iter().filter(|decision| functions.contains(&decision.function));
            branches(map, functions).into_iter().chain(own.flat_map(|decision| halves(map, decision))).collect()
        }
        Criterion::Statement => functions.iter().flat_map(|number| lines(map, *number)).collect(),
    }
}

fn branches(map: &SiteMap, functions: &BTreeSet<FunctionNumber>) -> Vec<Entry> {
    let own = map.sites.iter().filter(|site| functions.contains(&site.function) && counts_branches(site.kind));
    let outcomes: BTreeMap<_, _> =
        own.flat_map(|site| site.counters().map(|counter| (counter, site.function))).collect();
    let entry = |(counter, function)| Entry::new(Goal::Branch(counter), function, Means::Branch(counter));
    outcomes.into_iter().map(entry).collect()
}

/// Both halves of every condition of a decision, in a program that counts its vectors; near where the condition is decided.
fn halves<'m>(map: &'m SiteMap, decision: &'m DecisionInfo) -> impl Iterator<Item = Entry> + 'm {
    let conditions = (0..).zip(&decision.conditions.0).filter(|_| decision.vectors.is_some());
    conditions.flat_map(move |(condition, info)| {
        let counters = info.tests.iter().filter_map(|test| map.sites.get(test.site.index()));
        let counters: Vec<Counter> = counters.flat_map(|site| site.counters()).collect();
        [false, true].map(|outcome| {
            let half = Half { decision: decision.number, condition, outcome };
            Entry::new(Goal::Half(half), decision.function, Means::Half(counters.clone()))
        })
    })
}

fn lines(map: &SiteMap, function: FunctionNumber) -> impl Iterator<Item = Entry> + use<> {
    let lines = lines_of(&map.functions[function.index()]).into_iter();
    lines.map(move |(number, line)| Entry::new(Goal::Line(function, number), function, Means::Line(Box::new(line))))
}

fn entry(map: &SiteMap, goal: Goal) -> Option<Entry> {
    match goal {
        Goal::Branch(counter) => Some(Entry::new(goal, site_of(map, counter)?.function, Means::Branch(counter))),
        Goal::Line(function, _) => {
            map.functions.get(function.index())?;
            lines(map, function).find(|entry| entry.goal == goal)
        }
        Goal::Half(half) => {
            let decision = map.decisions.get(half.decision.index())?;
            halves(map, decision).find(|entry| entry.goal == goal)
        }
        Goal::Violation(site, _) => {
            let site = map.sites.get(site.index())?;
            Some(Entry::new(goal, site.function, Means::Violation(site.block)))
        }
    }
}

#[cfg(test)]
mod tests;
