//! Goals: flip straight to a branch outcome nobody has taken. Every such outcome has a list of places where it could be had; the
//! one asked for least often goes first, so that a hopeless one does not starve the others.

use crate::random::Random;
use crate::state::{Explored, Flip, RunNumber, State};
use crate::tree::EdgeId;
use std::collections::BTreeMap;

/// Places remembered per outcome; beyond that a random one gives way.
const PLACES: usize = 256;

/// Where an outcome could be had, and how often it was asked for.
#[derive(Debug, Default)]
struct Chances {
    attempts: u32,
    places: Vec<(RunNumber, u32)>,
}

#[derive(Debug)]
pub struct Goals {
    open: BTreeMap<EdgeId, Chances>,
    random: Random,
}

impl Goals {
    pub fn new(seed: u64) -> Goals {
        Goals { open: BTreeMap::new(), random: Random::new(seed) }
    }

    /// Remembers where a new run passed an outcome that is wanted, looking at some of its decisions.
    pub fn add(&mut self, state: &State, run: &Explored, sample: &[usize]) {
        self.open.retain(|edge, _| state.is_goal(*edge));
        for &decision in sample {
            for flip in state.open_flips(run, decision).filter(|flip| state.is_goal(flip.to)) {
                let goal = self.open.entry(flip.to).or_default();
                let place = (flip.run, flip.decision);
                if goal.places.len() < PLACES {
                    goal.places.push(place);
                } else {
                    goal.places[self.random.below(PLACES)] = place;
                }
            }
        }
    }

    /// A flip to a wanted outcome.
    pub fn next(&mut self, state: &State) -> Option<Flip> {
        // Where runs have been, if only to crash, comes after all that none has reached.
        let rank = |(edge, goal): (&EdgeId, &Chances)| (state.is_reached_badly(*edge), goal.attempts, *edge);
        let mut order: Vec<(bool, u32, EdgeId)> = self.open.iter().map(rank).collect();
        order.sort_unstable();
        for (_, _, edge) in order {
            let goal = self.open.get_mut(&edge)?;
            while !goal.places.is_empty() {
                let (run, decision) = goal.places.remove(pick(goal, &mut self.random));
                let flip = Flip { run, decision, to: edge };
                if state.is_goal(edge) && state.is_open(flip) {
                    goal.attempts += 1;
                    return Some(flip);
                }
            }
        }
        None
    }
}

/// In turn the newest place, the shallowest, and any.
fn pick(goal: &Chances, random: &mut Random) -> usize {
    let last = goal.places.len() - 1;
    match goal.attempts % 3 {
        0 => (0..=last).min_by_key(|at| goal.places[*at].1).unwrap_or(last),
        1 => last,
        _ => random.below(last + 1),
    }
}
