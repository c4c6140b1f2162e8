//! Does a path condition hold under the very input that produced it? If not, instrumentation and meaning disagree.

use crate::condition::PathCondition;
use covet_expr::{Evaluator, Pool};
use covet_input::Input;

/// Outcome of checking one run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Verification {
    pub checked: usize,
    /// Conditions that are false under the run's input, contradictions included.
    pub mismatches: usize,
    /// The first of them, by condition number; `None` also when only contradictions were found.
    pub first: Option<usize>,
    /// The event of the first mismatch.
    pub event: Option<u32>,
}

impl Verification {
    pub fn is_clean(&self) -> bool {
        self.mismatches == 0
    }
}

/// Evaluates every condition of a path under the run's own input.
pub fn verify(path: &PathCondition, pool: &Pool, input: &Input) -> Verification {
    let mut result = Verification {
        checked: path.len() + path.contradictions.len(),
        mismatches: path.contradictions.len(),
        first: None,
        event: path.contradictions.first().copied(),
    };
    let mut evaluator = Evaluator::new(pool, input);
    for (i, condition) in path.conditions.iter().enumerate() {
        if evaluator.holds(condition.term) {
            continue;
        }
        result.mismatches += 1;
        if result.first.is_none() {
            result.first = Some(i);
            result.event = Some(result.event.map_or(condition.event, |event| event.min(condition.event)));
        }
    }
    result
}
