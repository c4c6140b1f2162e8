//! Rarest first: of what paths have in common (an outcome, so many times on one path) the rarest is looked for on, in runs that have
//! it, behind the place where they have it. What few inputs have led to is where nobody has looked yet. Only branches are turned: other
//! objects and sizes are for goals.

use crate::state::{Explored, Flip, RunNumber, State};
use crate::tree::EdgeId;
use std::collections::BTreeMap;

/// Runs remembered per feature: the newest.
const RUNS: usize = 64;

#[derive(Debug, Default)]
struct Feature {
    /// Runs that have it.
    hits: u32,
    /// Each with the decision that gave it the feature.
    runs: Vec<(RunNumber, u32)>,
}

#[derive(Debug, Default)]
pub struct Rare {
    features: BTreeMap<(EdgeId, u32), Feature>,
    /// All runs that may have something left, newest last.
    runs: Vec<RunNumber>,
}

impl Rare {
    pub fn add(&mut self, run: &Explored) {
        self.runs.push(run.number);
        for (at, decision) in run.decisions.iter().enumerate().filter(|(_, decision)| is_counted(decision.passed)) {
            let feature = self.features.entry((decision.edge, decision.passed)).or_default();
            feature.hits = feature.hits.saturating_add(1);
            if feature.runs.len() == RUNS {
                feature.runs.remove(0);
            }
            feature.runs.push((run.number, at as u32));
        }
    }

    /// An open flip behind the rarest feature that has one; then any.
    pub fn next(&mut self, state: &State) -> Option<Flip> {
        let mut order: Vec<(u32, (EdgeId, u32))> = self.features.iter().map(|(key, of)| (of.hits, *key)).collect();
        order.sort_unstable();
        let rarest = order.into_iter().find_map(|(_, key)| self.features.get_mut(&key)?.next(state));
        rarest.or_else(|| self.any(state))
    }

    fn any(&mut self, state: &State) -> Option<Flip> {
        while let Some(&number) = self.runs.last() {
            let found = open_branch(state, number, 0);
            if found.is_some() {
                return found;
            }
            self.runs.pop();
        }
        None
    }
}

impl Feature {
    /// Of the newest run with an open flip; runs without are forgotten.
    fn next(&mut self, state: &State) -> Option<Flip> {
        while let Some(&(number, at)) = self.runs.last() {
            let found = open_branch(state, number, at as usize + 1);
            if found.is_some() {
                return found;
            }
            self.runs.pop();
        }
        None
    }
}

/// An open flip of a branch, from decision `from` on.
fn open_branch(state: &State, run: RunNumber, from: usize) -> Option<Flip> {
    let run = state.run(run)?;
    let is_branch = |flip: &Flip| state.edges.get(flip.to).counter.is_some();
    (from..run.decisions.len()).find_map(|decision| state.open_flips(run, decision).find(is_branch))
}

/// The first few times, then every doubling.
fn is_counted(passed: u32) -> bool {
    passed < 3 || (passed + 1).is_power_of_two()
}
