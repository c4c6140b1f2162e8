//! Random input: no solving at all. Every variable met so far gets a random value, run after run, until a budget ends it. A
//! program without input variables is exhausted after its first run.

use crate::random::{Random, random_input};
use crate::state::State;
use crate::strategy::{News, Next, Strategy};

#[derive(Debug)]
pub struct RandomInput {
    random: Random,
}

impl RandomInput {
    pub fn new(seed: u64) -> RandomInput {
        RandomInput { random: Random::new(seed) }
    }
}

impl Strategy for RandomInput {
    fn choose(&mut self, state: &State) -> Next {
        if state.variables.is_empty() {
            return Next::Exhausted;
        }
        Next::Input(random_input(&mut self.random, &state.variables))
    }

    fn update(&mut self, _: &State, _: News) {}
}
