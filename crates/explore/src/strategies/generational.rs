//! Generational search (SAGE): expand one run completely, flipping each of its decisions after the one it was itself made by; then
//! expand the child that covered most.

use super::cfg::any_open_flip;
use crate::state::{Explored, Flip, RunNumber, State};
use crate::strategy::{News, Next, Strategy};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

#[derive(Debug, Default)]
pub struct Generational {
    /// Best first: most new branches, then oldest.
    waiting: BinaryHeap<(usize, Reverse<RunNumber>)>,
    /// The run being expanded, and its next decision.
    expanding: Option<(RunNumber, usize)>,
}

impl Generational {
    /// The next flip of the run being expanded, or of the next one.
    pub fn next_child(&mut self, state: &State) -> Option<Flip> {
        loop {
            let (number, from) = match self.expanding {
                Some(place) => place,
                None => {
                    let (_, Reverse(number)) = self.waiting.pop()?;
                    let bound =
                        state.run(number).and_then(|run| run.parent).map_or(0, |flip| flip.decision as usize + 1);
                    (number, bound)
                }
            };
            let found = state.run(number).and_then(|run| {
                (from..run.decisions.len()).find_map(|decision| state.open_flips(run, decision).next())
            });
            // The same decision again: a switch has more than one other outcome.
            self.expanding = found.map(|flip| (number, flip.decision as usize));
            if found.is_some() {
                return found;
            }
        }
    }

    pub fn add(&mut self, run: &Explored) {
        self.waiting.push((run.new_goals, Reverse(run.number)));
    }
}

impl Strategy for Generational {
    fn choose(&mut self, state: &State) -> Next {
        match self.next_child(state).or_else(|| any_open_flip(state)) {
            Some(flip) => Next::Flip(flip),
            None => Next::Exhausted,
        }
    }

    fn update(&mut self, state: &State, news: News) {
        match news {
            News::Ran { run, .. } => state.run(run).into_iter().for_each(|run| self.add(run)),
            News::Unsolved(_) => {}
        }
    }
}
