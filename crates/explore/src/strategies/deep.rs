//! Deeper: flip the last decision of a run that can still be flipped, then that of the run this led to, and so on. Loops that end by
//! themselves go on that way, pass after pass, as far as the program lets them.

use crate::state::{Explored, Flip, RunNumber, State};

#[derive(Debug, Default)]
pub struct Deep {
    asked: Option<Flip>,
    /// Where to go on: from this decision of the run on nothing is open.
    current: Option<(RunNumber, usize)>,
}

impl Deep {
    /// The last open branch of the run that the last step led to, or of the newest.
    pub fn next(&mut self, state: &State) -> Option<Flip> {
        let current = self.current.and_then(|(number, end)| Some((state.run(number)?, end)));
        let flip = current.and_then(|(run, end)| last_open(state, run, end));
        self.asked = flip.or_else(|| {
            let newest = state.runs().next_back()?;
            last_open(state, newest, newest.decisions.len())
        });
        self.current = self.asked.map(|flip| (flip.run, flip.decision as usize + 1));
        self.asked
    }

    /// A run was made for `flip`.
    pub fn add(&mut self, run: &Explored, flip: Option<Flip>) {
        if flip.is_some() && flip == self.asked {
            self.current = Some((run.number, run.decisions.len()));
        }
    }
}

fn last_open(state: &State, run: &Explored, end: usize) -> Option<Flip> {
    let is_branch = |flip: &Flip| state.edges.get(flip.to).counter.is_some();
    (0..end).rev().find_map(|decision| state.open_flips(run, decision).find(is_branch))
}
