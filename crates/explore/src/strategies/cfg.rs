//! Control-flow directed: flip towards the nearest branch nobody has taken, by distance over the interprocedural
//! control-flow graph; among equally near flips the one whose outcome is rarest, then the shallowest, then the newest.
//!
//! Distances and hit counts only grow while exploring, so a queue with stale keys is exact: an entry that surfaces
//! with an outdated key is put back with its present one.

use super::sample::sample;
use crate::state::{Explored, Flip, State};
use crate::strategy::{News, Next, Strategy};
use covet_sites::cfg::Distance;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Smaller is better.
type Key = (Distance, u32, u32, Reverse<u32>);

#[derive(Debug, Default)]
pub struct Cfg {
    queue: BinaryHeap<Reverse<(Key, u32)>>,
    flips: Vec<Flip>,
    order: Order,
}

/// Which of equally near flips comes first.
#[derive(Clone, Copy, Debug, Default)]
enum Order {
    #[default]
    Shallow,
    /// That of the run that reached the most. What stands before the branch may be no condition on inputs but the state that earlier
    /// inputs have left, and who did more has been in more states.
    Rich,
}

impl Cfg {
    /// Among equally near flips, those of the runs that reached the most.
    pub fn rich() -> Cfg {
        Cfg { order: Order::Rich, ..Cfg::default() }
    }

    /// The best open flip by distance, if any is queued.
    pub fn nearest(&mut self, state: &State) -> Option<Flip> {
        while let Some(Reverse((key, number))) = self.queue.pop() {
            let flip = self.flips[number as usize];
            if !state.is_open(flip) {
                continue;
            }
            let now = self.key_of(state, flip);
            if now <= key {
                return Some(flip);
            }
            self.queue.push(Reverse((now, number)));
        }
        self.flips.clear();
        None
    }

    /// Queues flips of some decisions of a new run.
    pub fn add(&mut self, state: &State, run: &Explored, sample: &[usize]) {
        for &decision in sample {
            for flip in state.open_flips(run, decision) {
                let number = self.flips.len() as u32;
                self.flips.push(flip);
                self.queue.push(Reverse((self.key_of(state, flip), number)));
            }
        }
    }

    fn key_of(&self, state: &State, flip: Flip) -> Key {
        // In powers of two, so that keys seldom go stale.
        let hits = state.edges.hits(flip.to).checked_ilog2().map_or(0, |power| power + 1);
        let (distance, newest) = (state.distance(flip.to), Reverse(flip.run.0));
        match self.order {
            Order::Shallow => (distance, hits, flip.decision, newest),
            Order::Rich => (u32::MAX - state.run(flip.run).map_or(0, |run| run.reached), distance, hits, newest),
        }
    }
}

impl Strategy for Cfg {
    fn choose(&mut self, state: &State) -> Next {
        match self.nearest(state).or_else(|| any_open_flip(state)) {
            Some(flip) => Next::Flip(flip),
            None => Next::Exhausted,
        }
    }

    fn update(&mut self, state: &State, news: News) {
        match news {
            News::Ran { run, .. } => {
                let Some(run) = state.run(run) else { return };
                self.add(state, run, &sample(state, run));
            }
            News::Unsolved(_) => {}
        }
    }
}

/// The first open flip of the newest run that has one: what samples leave out.
pub(super) fn any_open_flip(state: &State) -> Option<Flip> {
    state
        .runs()
        .rev()
        .find_map(|run| (0..run.decisions.len()).find_map(|decision| state.open_flips(run, decision).next()))
}
