//! The interface of a strategy: choose what to try next, learn what came of it. One file per strategy in `strategies`.

use crate::state::{Flip, RunNumber, State};
use crate::strategies;
use covet_input::Input;
use std::fmt;
use std::str::FromStr;

/// What to do next.
#[derive(Clone, Debug, PartialEq)]
pub enum Next {
    /// Ask the solver for an input that takes another outcome, and run it.
    Flip(Flip),
    /// Run this input as it is.
    Input(Input),
    /// Every goal is covered, and the strategy seeks nothing else.
    Covered,
    /// Nothing is left to try.
    Exhausted,
}

/// What became of a choice.
#[derive(Clone, Copy, Debug)]
pub enum News {
    /// A run was made and is held in the state; `arrived` says that it went where the flip wanted.
    Ran { run: RunNumber, flip: Option<Flip>, arrived: bool },
    /// No input was found, or the input found had been run before.
    Unsolved(Flip),
}

/// Decides what is tried next.
pub trait Strategy: Send {
    /// The next thing to try. A flip must be open.
    fn choose(&mut self, state: &State) -> Next;

    fn update(&mut self, state: &State, news: News);

    /// How often it may choose before it has heard of the first of these choices.
    fn ahead(&self, _state: &State, solvers: usize) -> usize {
        solvers
    }

    /// Runs it will never ask about again.
    fn retired(&mut self) -> Vec<RunNumber> {
        Vec::new()
    }
}

/// The strategies by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StrategyName {
    Dfs,
    BoundedDfs,
    RandomBranch,
    Cfg,
    Generational,
    RandomInput,
    #[default]
    Auto,
}

impl StrategyName {
    pub const ALL: [StrategyName; 7] = [
        StrategyName::Dfs,
        StrategyName::BoundedDfs,
        StrategyName::RandomBranch,
        StrategyName::Cfg,
        StrategyName::Generational,
        StrategyName::RandomInput,
        StrategyName::Auto,
    ];

    pub const fn text(self) -> &'static str {
        match self {
            StrategyName::Dfs => "dfs",
            StrategyName::BoundedDfs => "bounded-dfs",
            StrategyName::RandomBranch => "random-branch",
            StrategyName::Cfg => "cfg",
            StrategyName::Generational => "generational",
            StrategyName::RandomInput => "random-input",
            StrategyName::Auto => "auto",
        }
    }

    pub fn build(self, seed: u64) -> Box<dyn Strategy + Send> {
        match self {
            // The bound itself is a limit of the state, for every strategy.
            StrategyName::Dfs | StrategyName::BoundedDfs => Box::new(strategies::Dfs::default()),
            StrategyName::RandomBranch => Box::new(strategies::RandomBranch::new(seed)),
            StrategyName::Cfg => Box::new(strategies::Cfg::default()),
            StrategyName::Generational => Box::new(strategies::Generational::default()),
            StrategyName::RandomInput => Box::new(strategies::RandomInput::new(seed)),
            StrategyName::Auto => Box::new(strategies::Auto::new(seed)),
        }
    }
}

impl fmt::Display for StrategyName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

impl FromStr for StrategyName {
    type Err = String;

    fn from_str(text: &str) -> Result<StrategyName, String> {
        let known = || StrategyName::ALL.map(StrategyName::text).join(", ");
        StrategyName::ALL
            .into_iter()
            .find(|name| name.text() == text)
            .ok_or_else(|| format!("unknown strategy {text:?}; choose one of {}", known()))
    }
}
