//! Depth first, as Algorithm 1 of the IPPC paper (CREST's default): of the last run's path, negate the last condition that
//! has not been negated at its place before; stop when there is none.
//!
//! The paper follows the last run only. A run that strays from its prediction would drop the branches it strayed
//! from, so the runs strayed from wait on a stack; while nothing strays the stack holds one run and the order is the paper's.

use crate::state::{Explored, Flip, RunNumber, State};
use crate::strategy::{News, Next, Strategy};

#[derive(Debug, Default)]
pub struct Dfs {
    stack: Vec<RunNumber>,
    retired: Vec<RunNumber>,
}

impl Strategy for Dfs {
    fn choose(&mut self, state: &State) -> Next {
        while let Some(&top) = self.stack.last() {
            let last_open = state.run(top).and_then(|run| last_open_flip(state, run));
            if let Some(flip) = last_open {
                return Next::Flip(flip);
            }
            self.retired.extend(self.stack.pop());
        }
        Next::Exhausted
    }

    fn update(&mut self, state: &State, news: News) {
        match news {
            News::Ran { run, flip, .. } => {
                if let (Some(&top), Some(flip)) = (self.stack.last(), flip)
                    && shares_prefix(state, run, flip)
                {
                    // Whatever is still open on the parent lies on the shared prefix, and so on the child.
                    self.stack.pop();
                    self.retired.push(top);
                }
                self.stack.push(run);
            }
            News::Unsolved(_) => {}
        }
    }

    fn ahead(&self, _: &State, _: usize) -> usize {
        1
    }

    fn retired(&mut self) -> Vec<RunNumber> {
        std::mem::take(&mut self.retired)
    }
}

fn last_open_flip(state: &State, run: &Explored) -> Option<Flip> {
    (0..run.decisions.len()).rev().find_map(|decision| state.open_flips(run, decision).next())
}

/// The new run passed the flipped decision's point, so it has everything before it in common with the run flipped.
fn shares_prefix(state: &State, new: RunNumber, flip: Flip) -> bool {
    let point = |run, at: usize| state.run(run).and_then(|run| run.decisions.get(at)).map(|decision| decision.point);
    let at = flip.decision as usize;
    point(new, at).is_some() && point(new, at) == point(flip.run, at)
}
