//! Random branch (RND): flip a decision of the last run chosen at random; when none of its decisions is left, go on from another
//! run chosen at random.

use super::cfg::any_open_flip;
use crate::random::Random;
use crate::state::{Explored, Flip, RunNumber, State};
use crate::strategy::{News, Next, Strategy};

#[derive(Debug)]
pub struct RandomBranch {
    random: Random,
    current: Option<RunNumber>,
    /// Runs that may have something left.
    runs: Vec<RunNumber>,
}

impl RandomBranch {
    pub fn new(seed: u64) -> RandomBranch {
        RandomBranch { random: Random::new(seed), current: None, runs: Vec::new() }
    }

    /// A random one of the runs that are held and may have something left.
    pub fn any_run<'a>(&mut self, state: &'a State) -> Option<&'a Explored> {
        while !self.runs.is_empty() {
            let at = self.random.below(self.runs.len());
            match state.run(self.runs[at]) {
                None => drop(self.runs.swap_remove(at)),
                found => return found,
            }
        }
        None
    }

    /// A random open flip of `run`.
    fn flip_of(&mut self, state: &State, run: &Explored) -> Option<Flip> {
        let count = run.decisions.len();
        if count == 0 {
            return None;
        }
        let start = self.random.below(count);
        (0..count).map(|step| (start + step) % count).find_map(|decision| {
            let open: Vec<Flip> = state.open_flips(run, decision).collect();
            (!open.is_empty()).then(|| open[self.random.below(open.len())])
        })
    }
}

impl Strategy for RandomBranch {
    fn choose(&mut self, state: &State) -> Next {
        if let Some(run) = self.current.and_then(|number| state.run(number))
            && let Some(flip) = self.flip_of(state, run)
        {
            return Next::Flip(flip);
        }
        while !self.runs.is_empty() {
            let at = self.random.below(self.runs.len());
            let number = self.runs[at];
            if let Some(flip) = state.run(number).and_then(|run| self.flip_of(state, run)) {
                self.current = Some(number);
                return Next::Flip(flip);
            }
            self.runs.swap_remove(at);
        }
        any_open_flip(state).map_or(Next::Exhausted, Next::Flip)
    }

    fn update(&mut self, _: &State, news: News) {
        match news {
            News::Ran { run, .. } => {
                self.current = Some(run);
                self.runs.push(run);
            }
            News::Unsolved(_) => {}
        }
    }
}
