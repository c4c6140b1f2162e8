//! Answers by slice: the same goal over the same conditions has the same answer, whatever path it lies on.
//!
//! An unsatisfiable core (a part of a slice that rules out the goal by itself) rules it out in every slice that holds it.
//!
//! A satisfiable answer is kept as the values of the slice's variables; it fits any base input, since nothing else matters
//! to the slice. It is checked again like every other answer.

use crate::model::check::Change;
use crate::slice::marks::Marks;
use covet_expr::{Term, mix};
use rustc_hash::FxHashMap;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Known {
    Sat(Vec<Change>),
    Unsat,
}

/// Values and terms kept before starting over.
const MAX_KEPT: usize = 4_000_000;
/// Unsatisfiable cores kept per goal, and conditions in one.
const MAX_CORES: usize = 16;
const MAX_CORE: usize = 24;

/// A goal over a set of conditions. Of the set there is a sum of numbers that look random, one per condition: it does not depend on the
/// order, and two sets with the same sum are no more likely than two files with the same checksum of 128 bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Key {
    goal: Term,
    conditions: u128,
}

impl Key {
    /// `conditions` holds each condition once.
    pub fn new(conditions: &[Term], goal: Term) -> Key {
        let sum = conditions.iter().fold(0_u128, |sum, term| sum.wrapping_add(mix(0, term.index() as u128)));
        Key { goal, conditions: sum }
    }
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Cache {
    known: FxHashMap<Key, Known>,
    /// By goal: small sets of conditions that rule it out, unsatisfiable cores.
    cores: FxHashMap<Term, Vec<Box<[Term]>>>,
    asked: Marks,
    kept: usize,
}

impl Cache {
    pub fn get(&self, key: &Key) -> Option<&Known> {
        self.known.get(key)
    }

    pub fn put(&mut self, key: Key, answer: Known) {
        self.kept += match &answer {
            Known::Sat(values) => values.len() + 1,
            Known::Unsat => 1,
        };
        if self.kept > MAX_KEPT {
            self.clear();
        }
        self.known.insert(key, answer);
    }

    /// Remembers that `part` rules out `goal`.
    pub fn put_core(&mut self, goal: Term, part: &[Term]) {
        let cores = self.cores.entry(goal).or_default();
        if cores.len() < MAX_CORES && part.len() <= MAX_CORE {
            self.kept += part.len() + 1;
            cores.push(part.into());
        }
    }

    /// Whether a known part of the query is impossible.
    pub fn is_ruled_out(&mut self, conditions: &[Term], goal: Term) -> bool {
        let Some(cores) = self.cores.get(&goal) else { return false };
        self.asked.clear();
        for condition in conditions {
            self.asked.mark(condition.index());
        }
        cores.iter().any(|core| core.iter().all(|term| self.asked.is_marked(term.index())))
    }

    pub fn clear(&mut self) {
        self.known.clear();
        self.cores.clear();
        self.kept = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use covet_expr::Pool;
    use covet_input::VarId;

    #[test]
    fn keys_tell_sets_apart_and_orders_not() {
        let mut pool = Pool::new();
        let v: Vec<Term> = (0..64).map(|i| pool.var_with(VarId(i), 1, 0)).collect();
        assert_eq!(Key::new(&[v[1], v[2], v[3]], v[0]), Key::new(&[v[3], v[1], v[2]], v[0]));
        let mut keys = std::collections::HashSet::new();
        for a in 1..64 {
            for b in a + 1..64 {
                assert!(keys.insert(Key::new(&[v[a], v[b]], v[0])));
            }
        }
        assert!(keys.insert(Key::new(&[v[1], v[2]], v[3])));
    }

    #[test]
    fn a_core_rules_out_what_holds_all_of_it() {
        let mut pool = Pool::new();
        let v: Vec<Term> = (0..5).map(|i| pool.var_with(VarId(i), 1, 0)).collect();
        let mut cache = Cache::default();
        cache.put_core(v[0], &[v[2], v[1]]);
        assert!(cache.is_ruled_out(&[v[1], v[2], v[3]], v[0]));
        assert!(!cache.is_ruled_out(&[v[1], v[3]], v[0]));
        assert!(!cache.is_ruled_out(&[v[1], v[2]], v[4]));
    }
}
