//! The default: coverage-guided, interleaved. Turns are dealt in a fixed cycle to flips that reach an uncovered outcome directly, to
//! those nearest to one (of any run, and of runs that did much), to the generational search, to random branches, to what few paths have in common, to ever deeper paths and to
//! arrays in order, so that none starves. Once every goal is covered violations are sought, those that need another path too, for a while.

use super::cfg::any_open_flip;
use super::sample::sample;
use super::{Arranged, Cfg, Deep, Generational, Goals, RandomBranch, Rare};
use crate::random::{Random, perturbed};
use crate::state::{Explored, Flip, RunNumber, State};
use crate::strategy::{News, Next, Strategy};
use std::collections::VecDeque;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turn {
    Goal,
    Near,
    Rich,
    Generation,
    Random,
    Rare,
    Deep,
    Violation,
    Arranged,
}

/// A turn that finds nothing passes to the one behind it.
const CYCLE: [Turn; 15] = [
    Turn::Goal,
    Turn::Arranged,
    Turn::Deep,
    Turn::Goal,
    Turn::Near,
    Turn::Goal,
    Turn::Generation,
    Turn::Goal,
    Turn::Deep,
    Turn::Rare,
    Turn::Violation,
    Turn::Near,
    Turn::Goal,
    Turn::Rich,
    Turn::Random,
];

/// After so many turns, one in so many runs a random change of a good input: it gets past what solving cannot.
const RANDOM_AFTER: u64 = 200;
const RANDOM_EVERY: u64 = 25;

pub struct Auto {
    goals: Goals,
    near: Cfg,
    /// The same, from runs that did much.
    rich: Cfg,
    generational: Generational,
    random_branch: RandomBranch,
    rare: Rare,
    deep: Deep,
    arranged: Arranged,
    random: Random,
    turn: u64,
    /// Runs with violations that may not have been asked about, oldest first, each from a decision on.
    unchecked: VecDeque<(RunNumber, usize)>,
}

impl Auto {
    pub fn new(seed: u64) -> Auto {
        let mut random = Random::new(seed);
        Auto {
            goals: Goals::new(random.draw()),
            near: Cfg::default(),
            rich: Cfg::rich(),
            generational: Generational::default(),
            random_branch: RandomBranch::new(random.draw()),
            rare: Rare::default(),
            deep: Deep::default(),
            arranged: Arranged::default(),
            random,
            turn: 0,
            unchecked: VecDeque::new(),
        }
    }

    fn take(&mut self, turn: Turn, state: &State) -> Option<Next> {
        let flip = match turn {
            Turn::Goal => self.goals.next(state),
            Turn::Near => self.near.nearest(state),
            Turn::Rich => self.rich.nearest(state),
            Turn::Generation => self.generational.next_child(state),
            Turn::Random => match self.random_branch.choose(state) {
                Next::Flip(flip) => Some(flip),
                Next::Input(_) | Next::Covered | Next::Exhausted => None,
            },
            Turn::Rare => self.rare.next(state),
            Turn::Deep => self.deep.next(state),
            Turn::Violation => self.next_violation(state),
            Turn::Arranged => return self.arranged.next(state).map(Next::Input),
        };
        flip.map(Next::Flip)
    }

    fn next_violation(&mut self, state: &State) -> Option<Flip> {
        while let Some((number, from)) = self.unchecked.front_mut() {
            if let Some(flip) = state.run(*number).and_then(|run| open_check(state, run, *from)) {
                *from = flip.decision as usize;
                return Some(flip);
            }
            self.unchecked.pop_front();
        }
        None
    }

    fn random_change(&mut self, state: &State) -> Option<Next> {
        let is_due = self.turn > RANDOM_AFTER && self.turn.is_multiple_of(RANDOM_EVERY);
        if !is_due || state.variables.is_empty() {
            return None;
        }
        let base = self.random_branch.any_run(state)?;
        let one_in = 1 + self.random.below(8);
        Some(Next::Input(perturbed(&mut self.random, &state.variables, &base.input, one_in)))
    }
}

impl Strategy for Auto {
    fn choose(&mut self, state: &State) -> Next {
        if state.goals_met() {
            let next = match self.next_violation(state) {
                None if !state.has_looked_on() => self.rare.next(state),
                found => found,
            };
            match next {
                Some(flip) => return Next::Flip(flip),
                None if state.has_looked_on() || !state.is_searching() => return Next::Covered,
                None => {}
            }
        }
        let first = self.turn as usize;
        self.turn += 1;
        if let Some(change) = self.random_change(state) {
            return change;
        }
        for step in 0..CYCLE.len() {
            if let Some(next) = self.take(CYCLE[(first + step) % CYCLE.len()], state) {
                return next;
            }
        }
        any_open_flip(state).map_or(Next::Exhausted, Next::Flip)
    }

    fn ahead(&self, state: &State, solvers: usize) -> usize {
        solvers.max(state.ahead())
    }

    fn update(&mut self, state: &State, news: News) {
        self.random_branch.update(state, news);
        match news {
            News::Ran { run, flip, .. } => {
                let Some(run) = state.run(run) else { return };
                let sample = sample(state, run);
                self.goals.add(state, run, &sample);
                self.near.add(state, run, &sample);
                self.rich.add(state, run, &sample);
                self.generational.add(run);
                self.rare.add(run);
                self.deep.add(run, flip);
                self.unchecked.push_back((run.number, run.fresh));
            }
            News::Unsolved(_) => {}
        }
    }
}

fn open_check(state: &State, run: &Explored, from: usize) -> Option<Flip> {
    let of = |decision| state.open_flips(run, decision).find(|flip| state.is_check(flip.to));
    (from..run.decisions.len()).find_map(of)
}
