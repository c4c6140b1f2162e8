//! Random branch (RND): flip a decision of the last run chosen at random; when none of its decisions is left, go on from another
//! run chosen at random.

use crate::random::Random;
use crate::state::{Explored, Flip, RunNumber, State};
use crate::strategy::{News, Next, Strategy};

#[derive(Debug)]
pub struct RandomBranch {
    random: Random,
    current: Option<RunNumber>,
}

impl RandomBranch {
    pub fn new(seed: u64) -> RandomBranch {
        RandomBranch { random: Random::new(seed), current: None }
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
        let mut runs: Vec<&Explored> = state.runs().collect();
        while !runs.is_empty() {
            let run = runs.swap_remove(self.random.below(runs.len()));
            if let Some(flip) = self.flip_of(state, run) {
                self.current = Some(run.number);
                return Next::Flip(flip);
            }
        }
        Next::Exhausted
    }

    fn update(&mut self, _: &State, news: News) {
        match news {
            News::Ran { run, .. } => self.current = Some(run),
            News::Refused(_) => {}
        }
    }
}
