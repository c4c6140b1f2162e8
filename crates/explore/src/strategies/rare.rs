//! Rarest first: of what paths have in common (an outcome, so many times on one path) the rarest is looked for on, in runs that have
//! it, behind the place where they have it. What few inputs have led to is where nobody has looked yet. Only branches are turned: other
//! objects and sizes are for goals.

use crate::state::{Explored, Flip, RunNumber, State};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// Runs remembered per feature: the newest.
const RUNS: usize = 64;

/// What is not open stays so: every run comes with the decision to look on from.
type Place = (RunNumber, u32);

#[derive(Debug, Default)]
struct Feature {
    /// Runs that have it.
    hits: u32,
    runs: VecDeque<Place>,
}

#[derive(Debug, Default)]
pub struct Rare {
    /// By edge, then by how often it was passed.
    features: Vec<Vec<Feature>>,
    /// All runs that may have something left, newest last.
    runs: VecDeque<Place>,
}

impl Rare {
    pub fn add(&mut self, run: &Explored) {
        self.runs.push_back((run.number, 0));
        for (at, decision) in run.decisions.iter().enumerate() {
            let Some(pass) = pass_number(decision.passed) else { continue };
            let edge = decision.edge.0 as usize;
            if self.features.len() <= edge {
                self.features.resize_with(edge + 1, Vec::new);
            }
            if self.features[edge].len() <= pass {
                self.features[edge].resize_with(pass + 1, Feature::default);
            }
            let feature = &mut self.features[edge][pass];
            feature.hits = feature.hits.saturating_add(1);
            if feature.runs.len() == RUNS {
                feature.runs.pop_front();
            }
            feature.runs.push_back((run.number, at as u32 + 1));
        }
    }

    /// An open flip behind the rarest feature that has one; then any.
    pub fn next(&mut self, state: &State) -> Option<Flip> {
        let mut order = Vec::new();
        for (edge, features) in self.features.iter().enumerate() {
            let alive = features.iter().enumerate().filter(|(_, feature)| !feature.runs.is_empty());
            order.extend(alive.map(|(pass, feature)| Reverse((feature.hits, edge, pass))));
        }
        let mut order = BinaryHeap::from(order);
        while let Some(Reverse((_, edge, pass))) = order.pop() {
            let found = newest_open(state, &mut self.features[edge][pass].runs);
            if found.is_some() {
                return found;
            }
        }
        newest_open(state, &mut self.runs)
    }
}

/// An open flip of the newest run that has one; runs without are forgotten.
fn newest_open(state: &State, runs: &mut VecDeque<Place>) -> Option<Flip> {
    while let Some((number, from)) = runs.back_mut() {
        if let Some(flip) = open_branch(state, *number, *from as usize) {
            *from = flip.decision;
            return Some(flip);
        }
        runs.pop_back();
    }
    None
}

/// An open flip of a branch, from decision `from` on.
fn open_branch(state: &State, run: RunNumber, from: usize) -> Option<Flip> {
    let run = state.run(run)?;
    let is_branch = |flip: &Flip| state.edges.get(flip.to).counter.is_some();
    (from..run.decisions.len()).find_map(|decision| state.open_flips(run, decision).find(is_branch))
}

/// The passes that count: the first few, then every doubling. Numbered from 0.
fn pass_number(passed: u32) -> Option<usize> {
    match passed {
        0..3 => Some(passed as usize),
        _ => (passed + 1).is_power_of_two().then(|| (passed + 1).ilog2() as usize + 1),
    }
}
