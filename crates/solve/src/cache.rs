//! Answers by slice: the same goal over the same conditions has the same answer, whatever path it lies on.
//!
//! A satisfiable answer is kept as the values of the slice's variables; it fits any base input, since nothing else matters
//! to the slice. It is checked again like every other answer.

use crate::check::Change;
use covet_expr::Term;
use rustc_hash::FxHashMap;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Known {
    Sat(Vec<Change>),
    Unsat,
}

/// Entries kept before starting over; a slice of a long path is a long key.
const MAX_TERMS: usize = 4_000_000;

#[derive(Clone, Debug, Default)]
pub(crate) struct Cache {
    known: FxHashMap<Box<[Term]>, Known>,
    terms: usize,
}

impl Cache {
    /// The key of a question: its conditions in ascending order, then the goal.
    pub fn key(conditions: &[Term], goal: Term) -> Box<[Term]> {
        let mut key = conditions.to_vec();
        key.sort_unstable();
        key.push(goal);
        key.into_boxed_slice()
    }

    pub fn get(&self, key: &[Term]) -> Option<&Known> {
        self.known.get(key)
    }

    pub fn put(&mut self, key: Box<[Term]>, answer: Known) {
        self.terms += key.len();
        if self.terms > MAX_TERMS {
            self.clear();
        }
        self.known.insert(key, answer);
    }

    pub fn clear(&mut self) {
        self.known.clear();
        self.terms = 0;
    }
}
