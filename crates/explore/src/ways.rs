//! Ways that other entries have gone → flips that lead the runs of this one along them.
//!
//! An alarm of a function comes with the decisions of the run that showed it. Whether a caller gets there is seen soonest on the same way: each run of
//! the caller is laid beside it, and where it leaves the way, that decision is flipped.
//!
//! ```text
//! way of f     a1  b0  c1  ✗
//! run of main  x1  y0  a1  b1  ...      progress 1: flip b to 0
//! run of main  x1  y0  a1  b0  c0 ...   progress 2: flip c to 1
//! ```
//!
//! What decides by values that are no input here leaves no decision in the run; the way goes on behind it. A run may call the function several
//! times: the call that follows the way farthest counts.

use crate::edges::Direction;
use crate::engine::Exploration;
use crate::merge::steps_of;
use crate::state::{Decision, Flip, RunNumber};
use crate::strategy::StrategyName;
use covet_path::PathCondition;
use covet_sites::{SiteMap, SiteNumber};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Decisions of a run in the user's code: sites and the outcomes taken there.
pub type Way = Vec<(SiteNumber, u32)>;

/// Decisions of a way that are kept: who followed so many has come near.
const MOST_STEPS: usize = 1_000;
/// Flips along ways before something else has its turn.
const IN_A_ROW: u32 = 12;
/// Decisions of a run that are laid beside ways: a longer one goes round loops.
const LONGEST: usize = 50_000;
/// Places to leave a way that are remembered: the farthest.
const MOST_LEFT: usize = 200;

/// The way that a run has gone.
pub fn way(path: &PathCondition, map: &SiteMap) -> Way {
    let is_users = |site: &SiteNumber| {
        let function = map.sites.get(site.index()).map(|site| site.function);
        function.is_some_and(|function| !map.functions[function.index()].is_model)
    };
    let step = |(site, direction, _): (SiteNumber, Direction, u32)| match direction {
        Direction::Number(outcome) => Some((site, outcome)).filter(|(site, _)| is_users(site)),
        Direction::Target(_)
        | Direction::Elsewhere(_)
        | Direction::Object(_)
        | Direction::Check(..)
        | Direction::Assumption(_) => None,
    };
    steps_of(path, map).filter_map(step).take(MOST_STEPS).collect()
}

/// The ways to follow, and where runs have left them.
#[derive(Default)]
pub(crate) struct Ways {
    ways: Vec<Way>,
    /// For each site the ways that pass it, each with the places at which it does.
    passing: FxHashMap<SiteNumber, Vec<(usize, Vec<usize>)>>,
    /// By progress: the flips that would go on along a way.
    left: BTreeMap<(usize, u32), Flip>,
    in_a_row: u32,
}

/// How far a run has followed a way, and the decision by which it left it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Left {
    progress: usize,
    decision: usize,
    wanted: u32,
}

impl Ways {
    pub fn new(ways: Vec<Way>) -> Ways {
        let mut passing: FxHashMap<SiteNumber, Vec<(usize, Vec<usize>)>> = FxHashMap::default();
        for (number, way) in ways.iter().enumerate() {
            for (at, (site, _)) in way.iter().enumerate() {
                let ways = passing.entry(*site).or_default();
                match ways.last_mut() {
                    Some((last, places)) if *last == number => places.push(at),
                    Some(_) | None => ways.push((number, vec![at])),
                }
            }
        }
        Ways { ways, passing, ..Ways::default() }
    }

    /// Runs have other numbers from now on.
    pub fn forget_runs(&mut self) {
        self.left.clear();
    }

    /// Where a run leaves the ways, each time that it comes to one.
    fn left(&self, run: impl Iterator<Item = (SiteNumber, Option<u32>)>) -> Vec<Left> {
        // For each way the next step, and how many were taken.
        let mut followed = vec![(0, 0); self.ways.len()];
        let mut left = Vec::new();
        for (decision, (site, outcome)) in run.enumerate() {
            let (Some(passing), Some(outcome)) = (self.passing.get(&site), outcome) else { continue };
            for (way, places) in passing {
                let (at, progress) = &mut followed[*way];
                let Some(&place) = places.get(places.partition_point(|place| *place < *at)) else { continue };
                let wanted = self.ways[*way][place].1;
                if outcome == wanted {
                    (*at, *progress) = (place + 1, *progress + 1);
                    continue;
                }
                left.push(Left { progress: *progress, decision, wanted });
                (*at, *progress) = (0, 0);
            }
        }
        left
    }
}

impl Exploration {
    /// Lays a new run beside the ways.
    pub(crate) fn lay_beside(&mut self, number: RunNumber) {
        let Some(run) = self.state.run(number).filter(|_| !self.ways.ways.is_empty()) else { return };
        let taken = |decision: &Decision| {
            let edge = self.state.edges.get(decision.edge);
            match edge.direction {
                Direction::Number(outcome) => (edge.site, Some(outcome)),
                Direction::Target(_)
                | Direction::Elsewhere(_)
                | Direction::Object(_)
                | Direction::Check(..)
                | Direction::Assumption(_) => (edge.site, None),
            }
        };
        let left = self.ways.left(run.decisions.iter().take(LONGEST).map(taken));
        for Left { progress, decision, wanted } in left {
            let is_wanted = |flip: &Flip| self.state.edges.get(flip.to).direction == Direction::Number(wanted);
            if let Some(flip) = self.state.open_flips(run, decision).find(is_wanted) {
                self.ways.left.insert((progress, number.0), flip);
            }
        }
        while self.ways.left.len() > MOST_LEFT {
            self.ways.left.pop_first();
        }
    }

    /// The flip that goes farthest along a way, if it is the turn of such.
    pub(crate) fn along_a_way(&mut self) -> Option<Flip> {
        if self.config.strategy != StrategyName::Auto || self.ways.in_a_row >= IN_A_ROW {
            self.ways.in_a_row = 0;
            return None;
        }
        while let Some((_, flip)) = self.ways.left.pop_last() {
            if self.state.is_open(flip) {
                self.ways.in_a_row += 1;
                return Some(flip);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(way: &[(u32, u32)], run: &[(u32, u32)]) -> Vec<(usize, usize, u32)> {
        let way = way.iter().map(|(site, outcome)| (SiteNumber(*site), *outcome)).collect();
        let left = Ways::new(vec![way]).left(run.iter().map(|(site, outcome)| (SiteNumber(*site), Some(*outcome))));
        left.into_iter().map(|left| (left.progress, left.decision, left.wanted)).collect()
    }

    #[test]
    fn a_run_is_followed_until_it_decides_otherwise() {
        let way = [(1, 1), (2, 0), (3, 1)];
        assert_eq!(left(&way, &[(8, 1), (1, 1), (2, 1), (3, 1)]), [(1, 2, 0)]);
        assert_eq!(left(&way, &[(1, 1), (2, 0), (3, 1)]), []);
        // What is concrete in the run is passed over, and so is what the way has not seen.
        assert_eq!(left(&way, &[(9, 0), (1, 1), (7, 1), (3, 0)]), [(1, 3, 1)]);
    }

    #[test]
    fn rounds_of_a_loop_and_further_calls_are_told_apart() {
        let way = [(1, 1), (1, 1), (1, 0), (2, 1)];
        assert_eq!(left(&way, &[(1, 1), (1, 0), (2, 1)]), [(1, 1, 1)]);
        let two_calls = [(1, 0), (1, 1), (1, 1), (1, 0), (2, 0)];
        assert_eq!(left(&way, &two_calls), [(0, 0, 1), (3, 4, 1)]);
    }
}
