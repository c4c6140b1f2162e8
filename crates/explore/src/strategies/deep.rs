//! Deeper: flip the last decision of a run that can still be flipped, then that of the run this led to, and so on. Loops that end by
//! themselves go on that way, pass after pass, as far as the program lets them.

use crate::state::{Explored, Flip, RunNumber, State};

#[derive(Debug, Default)]
pub struct Deep {
    asked: Option<Flip>,
    current: Option<RunNumber>,
}

impl Deep {
    /// The last open branch of the run that the last step led to, or of the newest.
    pub fn next(&mut self, state: &State) -> Option<Flip> {
        let current = self.current.and_then(|number| state.run(number));
        let flip = current.and_then(|run| last_open(state, run));
        self.asked = flip.or_else(|| last_open(state, state.runs().next_back()?));
        self.current = self.asked.map(|flip| flip.run);
        self.asked
    }

    /// A run was made for `flip`.
    pub fn add(&mut self, run: &Explored, flip: Option<Flip>) {
        if flip.is_some() && flip == self.asked {
            self.current = Some(run.number);
        }
    }
}

fn last_open(state: &State, run: &Explored) -> Option<Flip> {
    let is_branch = |flip: &Flip| state.edges.get(flip.to).counter.is_some();
    (0..run.decisions.len()).rev().find_map(|decision| state.open_flips(run, decision).find(is_branch))
}
