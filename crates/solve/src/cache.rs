//! Answers by slice: the same goal over the same conditions has the same answer, whatever path it lies on.
//!
//! A part of a slice that was refused alone refuses every slice that holds it.
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
/// Refusing parts kept per goal, and conditions in one.
const MAX_CORES: usize = 16;
const MAX_CORE: usize = 24;

#[derive(Clone, Debug, Default)]
pub(crate) struct Cache {
    known: FxHashMap<Box<[Term]>, Known>,
    /// By goal: small sets of conditions that rule it out.
    cores: FxHashMap<Term, Vec<Box<[Term]>>>,
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

    /// Remembers that `part` rules out `goal`.
    pub fn put_core(&mut self, goal: Term, part: &[Term]) {
        let cores = self.cores.entry(goal).or_default();
        if cores.len() < MAX_CORES && part.len() <= MAX_CORE {
            self.terms += part.len() + 1;
            cores.push(part.into());
        }
    }

    /// Whether a known part of the question with this key is impossible.
    pub fn is_refused(&self, key: &[Term]) -> bool {
        let Some((goal, conditions)) = key.split_last() else { return false };
        let holds = |core: &[Term]| core.iter().all(|term| conditions.binary_search(term).is_ok());
        self.cores.get(goal).is_some_and(|cores| cores.iter().any(|core| holds(core)))
    }

    pub fn clear(&mut self) {
        self.known.clear();
        self.cores.clear();
        self.terms = 0;
    }
}
