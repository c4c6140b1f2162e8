//! Did the run go where the solver said it would?
//!
//! A prediction remembers the decisions up to the one that was turned round (shared with the path it came from) and what
//! was expected there. A prediction that had to give up a soft pin is speculative: when it diverges, nothing is wrong.

use crate::condition::{Alternative, PathCondition};
use crate::decision::{Decision, Outcome};
use std::sync::Arc;

/// What is to happen at the turned decision.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Expected {
    Is(Outcome),
    /// Any target (or uncharted switch value) but this one.
    OtherTarget(u64),
}

impl Expected {
    pub fn admits(self, outcome: Outcome) -> bool {
        match (self, outcome) {
            (Expected::Is(wanted), _) => wanted == outcome,
            (Expected::OtherTarget(old), Outcome::Target(new) | Outcome::Case(new)) => old != new,
            (Expected::OtherTarget(_), Outcome::Default) => true,
            (Expected::OtherTarget(_), Outcome::Direction(_)) => false,
        }
    }
}

/// Where a solved input is to lead.
#[derive(Clone, Debug)]
pub struct Prediction {
    path: Arc<[Decision]>,
    at: usize,
    pub expected: Expected,
    /// A soft pin was dropped: the run may go elsewhere.
    pub speculative: bool,
}

/// How a run compares with its prediction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    Followed,
    /// At decision number `at`; `got` is `None` when the run ended before it.
    Diverged {
        at: usize,
        expected: Decision,
        got: Option<Decision>,
    },
}

impl Prediction {
    /// That a run takes `alternative` at condition `i` of `path`.
    pub fn of(path: &PathCondition, i: usize, alternative: &Alternative, speculative: bool) -> Prediction {
        Prediction {
            path: Arc::clone(path.decisions()),
            at: path.decisions_before(i),
            expected: alternative.expected,
            speculative,
        }
    }

    /// Number of decisions before the turned one.
    pub fn depth(&self) -> usize {
        self.at
    }

    /// Compares with the decisions of the run.
    pub fn check(&self, actual: &[Decision]) -> Verdict {
        for at in 0..self.at {
            let got = actual.get(at).copied();
            if got != Some(self.path[at]) {
                return Verdict::Diverged { at, expected: self.path[at], got };
            }
        }
        let site = self.path[self.at].site;
        let got = actual.get(self.at).copied();
        match got {
            Some(decision) if decision.site == site && self.expected.admits(decision.outcome) => Verdict::Followed,
            _ => {
                let outcome = match self.expected {
                    Expected::Is(outcome) => outcome,
                    Expected::OtherTarget(_) => self.path[self.at].outcome,
                };
                Verdict::Diverged { at: self.at, expected: Decision { site, outcome }, got }
            }
        }
    }
}
