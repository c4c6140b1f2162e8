//! What is known so far: the tree, coverage, and the runs whose decisions may still be flipped. Strategies read it; only
//! the engine changes it.
//!
//! A flip is open when its direction was neither seen nor asked for at its point of the tree. Seeking a violation is
//! open a few times per place and local context (in loops: in the first rounds, then ever more seldom), and not at all once that
//! violation has been seen.

use crate::edges::{Direction, Edge, Edges};
use crate::engine::Until;
use crate::tree::{Asked, EdgeId, Placed, Point, Tree};
use covet_abi::check::Check;
use covet_coverage::{Covered, Gain, GoalSet};
use covet_input::{Input, Variables};
use covet_sites::cfg::{Distance, Distances, FAR, ProgramGraph};
use covet_sites::{Counter, SiteMap, SiteNumber, VectorNumber};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Number of a run of this exploration, from 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct RunNumber(pub u32);

/// A decision that a run's input made.
#[derive(Clone, Copy, Debug)]
pub struct Decision {
    pub point: Point,
    pub edge: EdgeId,
    /// Which condition of the run's path condition it is.
    pub condition: u32,
    /// How often the path took this edge before.
    pub passed: u32,
}

/// A run whose decisions may be flipped.
#[derive(Debug)]
pub struct Explored {
    pub number: RunNumber,
    pub input: Input,
    pub decisions: Vec<Decision>,
    /// Decisions before this one stand at places of the tree that an earlier run has passed, with the same directions, and were offered with it.
    pub fresh: usize,
    /// Goals it was the first to cover.
    pub new_goals: usize,
    /// Counters that it covered.
    pub reached: u32,
    /// The flip that led here.
    pub parent: Option<Flip>,
    /// Inputs that it asked for before it ended by itself, tracked to the end.
    pub asked: u32,
}

/// "Run `run` again, but at decision `decision` go to `to`."
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Flip {
    pub run: RunNumber,
    pub decision: u32,
    pub to: EdgeId,
}

/// Runs without a new branch before branches of callees are given up.
const PATIENCE: u64 = 400;

/// The same before it is given up to go, without a crash, where only runs that crashed have been.
const PATIENCE_AFTER_CRASHES: u64 = 100;

/// Decisions of runs made after all was covered, since a violation may need a path that covers nothing new: as many as it took to cover
/// all, but at least and at most so many. Long paths are dear.
const FURTHER: (usize, usize) = (20_000, 40_000);
/// So many times that where violations are what counts.
const SEARCHED: usize = 20;
/// A question that got no answer costs about this part of a run, one that took an effort about as much as so many decisions.
const UNSOLVED: usize = 4;
const EFFORT: usize = 200;
/// Runs without a new branch for each further choice made ahead, the most of these, and decisions of a run that is too long for company.
const IDLE: u64 = 16;
const MOST_AHEAD: usize = 8;
const LONG: usize = 10_000;
/// Questions for one violation in one context: with another way to it the answer may be another.
const QUESTIONS: u8 = 3;

/// Runs sent to one outcome that may be abandoned before known assumptions are kept for good there.
const MOST_ABANDONED: u32 = 3;

/// How deep and how far to go.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bounds {
    /// Deepest decision that may be flipped.
    pub max_depth: Option<usize>,
    pub until: Until,
}

pub struct State {
    pub map: Arc<SiteMap>,
    /// What is wanted.
    pub goals: GoalSet,
    /// Runs made, and attempts since a goal was last covered.
    runs_made: u64,
    idle_runs: u64,
    /// Decisions of runs until all that is wanted was covered, and since.
    spent: usize,
    further: usize,
    pub edges: Edges,
    pub tree: Tree,
    pub variables: Variables,
    graph: ProgramGraph,
    distances: Distances,
    runs: BTreeMap<RunNumber, Explored>,
    /// Decisions held by `runs`.
    held: usize,
    pub bounds: Bounds,
    /// Runs sent there that were abandoned at an assumption.
    abandoned: FxHashMap<EdgeId, u32>,
    /// Questions put for a violation in a context.
    contexts: FxHashMap<(EdgeId, Context), u8>,
    violated: BTreeSet<EdgeId>,
    /// What runs that ended well have reached, and the required goals that only others have.
    reached_well: Covered,
    reached_badly: BTreeSet<Counter>,
}

impl State {
    /// Nothing run yet.
    pub fn new(map: Arc<SiteMap>, goals: GoalSet, bounds: Bounds, variables: Variables) -> State {
        let graph = ProgramGraph::of(&map);
        let distances = graph.distances(goals.targets());
        State {
            goals,
            runs_made: 0,
            idle_runs: 0,
            spent: 0,
            further: 0,
            edges: Edges::default(),
            tree: Tree::default(),
            variables,
            graph,
            distances,
            runs: BTreeMap::new(),
            held: 0,
            bounds,
            abandoned: FxHashMap::default(),
            contexts: FxHashMap::default(),
            violated: BTreeSet::new(),
            reached_well: Covered::default(),
            reached_badly: BTreeSet::new(),
            map,
        }
    }

    pub fn run(&self, number: RunNumber) -> Option<&Explored> {
        self.runs.get(&number)
    }

    /// Runs still held, oldest first.
    pub fn runs(&self) -> impl DoubleEndedIterator<Item = &Explored> {
        self.runs.values()
    }

    /// Every goal is covered; or every required one is, and the rest has resisted for long. What functions call has
    /// branches that no call of theirs can take, so waiting for all of them would mean waiting for ever.
    pub fn goals_met(&self) -> bool {
        if self.bounds.until == Until::Exhausted {
            return false;
        }
        if self.goals.is_met() {
            return self.reached_badly.is_empty() || self.idle_runs > PATIENCE_AFTER_CRASHES;
        }
        let patience = PATIENCE.max(self.runs_made / 2);
        self.idle_runs > patience && self.goals.required_is_met()
    }

    /// Choices that may be made before the answer to the first is known: where nothing new has come for long, the next answer will
    /// hardly change the choice, and runs made together take less time.
    pub fn ahead(&self) -> usize {
        let is_long = self.runs.values().next_back().is_some_and(|last| last.decisions.len() > LONG);
        if is_long { 1 } else { (1 + (self.idle_runs / IDLE) as usize).min(MOST_AHEAD) }
    }

    /// Whether violations are what counts.
    pub fn is_searching(&self) -> bool {
        self.bounds.until == Until::Searched
    }

    /// Enough was tried after all was covered.
    pub fn has_looked_on(&self) -> bool {
        let times = if self.is_searching() { SEARCHED } else { 1 };
        self.further >= times * self.spent.clamp(FURTHER.0, FURTHER.1)
    }

    /// Whether pointers may share objects to get there: not for branches that are no goal any more.
    pub fn may_share(&self, to: EdgeId) -> bool {
        self.edges.get(to).counter.is_none() || !self.goals_met()
    }

    /// Whether going there is worth an input that breaks a known assumption: not once several such runs were abandoned.
    pub fn may_break_assumptions(&self, to: EdgeId) -> bool {
        self.abandoned.get(&to).is_none_or(|runs| *runs < MOST_ABANDONED)
    }

    /// Flips of one decision that are still open.
    pub fn open_flips<'a>(&'a self, run: &'a Explored, decision: usize) -> impl Iterator<Item = Flip> + 'a {
        let Decision { point, edge, .. } = run.decisions[decision];
        let within = self.bounds.max_depth.is_none_or(|depth| decision < depth);
        let others = if within { self.edges.alternatives(edge) } else { &[] };
        let is_open = move |to: &&EdgeId| !self.tree.is_tried(point, **to) && self.is_worth_asking(run, decision, **to);
        others.iter().filter(is_open).map(move |&to| Flip { run: run.number, decision: decision as u32, to })
    }

    /// True when `flip` can still be asked for.
    pub fn is_open(&self, flip: Flip) -> bool {
        let Some(run) = self.run(flip.run) else { return false };
        self.open_flips(run, flip.decision as usize).any(|open| open == flip)
    }

    pub fn is_spent(&self, run: &Explored) -> bool {
        (0..run.decisions.len()).all(|decision| self.open_flips(run, decision).next().is_none())
    }

    /// Seeks a violation rather than a branch.
    pub fn is_check(&self, to: EdgeId) -> bool {
        matches!(self.edges.get(to).direction, Direction::Check(_, true))
    }

    /// Going there covers a goal that is open, or one that only runs have covered which ended badly.
    pub fn is_goal(&self, to: EdgeId) -> bool {
        match self.edges.get(to) {
            Edge { counter: Some(counter), .. } => self.goals.wants(counter) || self.reached_badly.contains(&counter),
            Edge { direction: Direction::Check(check, true), site, .. } => {
                Check::from_u16(check).is_some_and(|check| self.goals.wants_violation(site, check))
            }
            Edge { counter: None, .. } => false,
        }
    }

    /// Only runs that ended badly have been there.
    pub fn is_reached_badly(&self, to: EdgeId) -> bool {
        self.edges.get(to).counter.is_some_and(|counter| self.reached_badly.contains(&counter))
    }

    /// Choices between going there and the nearest goal.
    pub fn distance(&self, to: EdgeId) -> Distance {
        match self.edges.get(to) {
            _ if self.is_goal(to) => 0,
            Edge { counter: Some(counter), .. } => self.graph.after(&self.distances, counter),
            Edge { direction: Direction::Assumption(_) | Direction::Check(_, false), .. } => 0,
            Edge { counter: None, .. } => FAR,
        }
    }

    fn is_worth_asking(&self, run: &Explored, decision: usize, to: EdgeId) -> bool {
        if !self.is_check(to) {
            return true;
        }
        let asked = || self.contexts.get(&(to, context(run, decision))).copied().unwrap_or(0);
        !self.violated.contains(&to) && (asked() < QUESTIONS || self.is_goal(to))
    }
}

/// Where a check stands: the decision just before it, and about how often the path has passed it.
type Context = (Option<EdgeId>, u32);

fn context(run: &Explored, decision: usize) -> Context {
    let before = decision.checked_sub(1).map(|before| run.decisions[before].edge);
    (before, about(run.decisions[decision].passed))
}

/// The number up to 16, then by the four leading digits of its binary form.
fn about(number: u32) -> u32 {
    let dropped = (32 - number.leading_zeros()).saturating_sub(4);
    number >> dropped << dropped
}

/// Changes, made by the engine.
impl State {
    /// A run has bumped these counters, which ascend, and evaluated these condition vectors.
    pub fn cover(&mut self, run: RunNumber, counters: &[Counter], vectors: &[VectorNumber]) -> Gain {
        self.runs_made += 1;
        self.idle_runs += 1;
        let before = self.goals.count();
        let mut gain = self.goals.cover(&self.map, run.0, counters);
        gain.goals += self.goals.evaluate(&self.map, run.0, vectors);
        if self.goals.count() != before {
            self.distances = self.graph.distances(self.goals.targets());
        }
        if gain.goals > 0 {
            self.idle_runs = 0;
        }
        gain
    }

    /// A run that ended well has bumped these counters; tells whether none had bumped one of them before.
    pub fn reach_well(&mut self, counters: &[Counter]) -> bool {
        let news = self.reached_well.merge(counters.iter().copied());
        let before = self.reached_badly.len();
        self.reached_badly.retain(|counter| !news.contains(counter));
        if self.reached_badly.len() < before {
            self.idle_runs = 0;
        }
        !news.is_empty()
    }

    /// Whether no run that ended well has bumped one of these counters.
    pub fn is_farther(&self, counters: &[Counter]) -> bool {
        counters.iter().any(|counter| !self.reached_well.contains(*counter))
    }

    /// A run has bumped these counters and ended badly: what it showed can hardly be checked.
    pub fn reach_badly(&mut self, counters: &[Counter]) {
        let is_new = |counter: &&Counter| !self.reached_well.contains(**counter) && self.goals.requires(**counter);
        self.reached_badly.extend(counters.iter().filter(is_new));
    }

    /// Of what a run has violated on its way, so many were goals.
    pub fn meet_violations(&mut self, run: RunNumber, decisions: &[Decision]) -> usize {
        if !self.goals.seeks_violations() {
            return 0;
        }
        let mut met = 0;
        for decision in decisions {
            let Edge { site, direction, .. } = self.edges.get(decision.edge);
            if let Direction::Check(check, true) = direction
                && let Some(check) = Check::from_u16(check)
            {
                met += usize::from(self.goals.violate(run.0, site, check));
            }
        }
        if met > 0 {
            self.idle_runs = 0;
            self.distances = self.graph.distances(self.goals.targets());
        }
        met
    }

    /// Enters a path of at most `length` steps `(site, direction, condition)` into the tree.
    pub fn place(
        &mut self,
        length: usize,
        path: impl Iterator<Item = (SiteNumber, Direction, u32)>,
    ) -> (Vec<Decision>, Placed) {
        let map = Arc::clone(&self.map);
        let mut edges = Vec::with_capacity(length);
        let mut decisions = Vec::with_capacity(length);
        self.edges.begin_path();
        for (site, direction, condition) in path {
            let edge = self.edges.intern(&map, site, direction);
            self.edges.prepare(&map, edge);
            edges.push(edge);
            decisions.push(Decision { point: Point::ROOT, edge, condition, passed: self.edges.pass(edge) });
            if let Direction::Check(_, true) = direction {
                self.violated.insert(edge);
            }
        }
        let placed = self.tree.insert(&edges);
        decisions.iter_mut().zip(&placed.points).for_each(|(decision, point)| decision.point = *point);
        (decisions, placed)
    }

    /// A run sent there broke an assumption.
    pub fn abandon(&mut self, to: EdgeId) {
        *self.abandoned.entry(to).or_default() += 1;
    }

    /// Work was done, in decisions.
    fn spend(&mut self, decisions: usize) {
        let counted = if self.goals_met() { &mut self.further } else { &mut self.spent };
        *counted += decisions;
    }

    /// Questions took this many efforts.
    pub fn strain(&mut self, efforts: u64) {
        self.spend(EFFORT * efforts as usize);
    }

    pub fn hold(&mut self, run: Explored) {
        self.spend(run.decisions.len() + 1);
        self.held += run.decisions.len();
        self.runs.insert(run.number, run);
    }

    pub fn release(&mut self, number: RunNumber) -> Option<Explored> {
        let run = self.runs.remove(&number)?;
        self.held -= run.decisions.len();
        Some(run)
    }

    /// Decisions held by all runs together.
    pub fn held(&self) -> usize {
        self.held
    }

    /// Remembers how asking for `flip` went; from then on it is not open.
    pub fn mark(&mut self, flip: Flip, answer: Asked) {
        let Some(run) = self.runs.get(&flip.run) else { return };
        let decision = flip.decision as usize;
        let point = run.decisions[decision].point;
        if self.is_check(flip.to) && !self.tree.is_tried(point, flip.to) {
            *self.contexts.entry((flip.to, context(run, decision))).or_default() += 1;
        }
        let length = run.decisions.len();
        if answer == Asked::Infeasible {
            self.idle_runs += 1;
            let times = if self.is_searching() { SEARCHED } else { 1 };
            self.spend(length / (UNSOLVED * times) + 1);
        }
        self.tree.mark(point, flip.to, answer);
    }
}
