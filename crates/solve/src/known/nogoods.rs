//! Nogoods: what is known to be impossible, whatever the pool, the function or the run. Sets of conditions that rule out a
//! goal, as fingerprints over the names of the inputs. Kept from run to run by whoever owns the solver.

use crate::slice_query::SliceQuery;
use covet_expr::{Fingerprints, Pool};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Conditions in one nogood, nogoods per goal, nogoods in all.
const MAX_CONDITIONS: usize = 64;
const MAX_PER_GOAL: usize = 16;
const MAX_NOGOODS: usize = 100_000;

/// These conditions, in ascending order, rule out `goal`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Nogood {
    pub goal: u128,
    pub conditions: Box<[u128]>,
}

/// Nogoods by goal.
#[derive(Clone, Debug, Default)]
pub struct Nogoods {
    by_goal: BTreeMap<u128, Vec<Box<[u128]>>>,
    count: usize,
}

impl Nogoods {
    /// Adds one, unless a part of it is known already.
    pub fn add(&mut self, nogood: Nogood) {
        let known = self.by_goal.entry(nogood.goal).or_default();
        let is_new = !known.iter().any(|conditions| is_within(conditions, &nogood.conditions));
        if is_new && known.len() < MAX_PER_GOAL && self.count < MAX_NOGOODS {
            known.push(nogood.conditions);
            self.count += 1;
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = Nogood> + '_ {
        let of = |(goal, known): (&u128, &'_ Vec<Box<[u128]>>)| {
            let goal = *goal;
            known.iter().map(move |conditions| Nogood { goal, conditions: conditions.clone() }).collect::<Vec<_>>()
        };
        self.by_goal.iter().flat_map(of)
    }

    fn rule_out(&self, goal: u128, conditions: &[u128]) -> bool {
        self.by_goal.get(&goal).is_some_and(|known| known.iter().any(|part| is_within(part, conditions)))
    }
}

/// Whether all of `part` is in `whole`; both ascending.
fn is_within(part: &[u128], whole: &[u128]) -> bool {
    part.iter().all(|print| whole.binary_search(print).is_ok())
}

/// The nogoods of one solver: those it was given, and those it found.
#[derive(Debug, Default)]
pub(crate) struct NogoodRecorder {
    pub given: Arc<Nogoods>,
    pub found: Nogoods,
    prints: Fingerprints,
}

impl NogoodRecorder {
    /// Whether the query is known to be impossible.
    pub fn rule_out(&mut self, pool: &Pool, query: &SliceQuery<'_>) -> bool {
        let Some(goal) = self.prints.of(pool, query.goal) else { return false };
        if !self.given.by_goal.contains_key(&goal) {
            return false;
        }
        let prints = query.conditions.iter().filter_map(|t| self.prints.of(pool, *t));
        let mut conditions: Vec<u128> = prints.collect();
        conditions.sort_unstable();
        self.given.rule_out(goal, &conditions)
    }

    /// Remembers that the query is impossible.
    pub fn record(&mut self, pool: &Pool, query: &SliceQuery<'_>) {
        if query.conditions.len() > MAX_CONDITIONS {
            return;
        }
        let goal = self.prints.of(pool, query.goal);
        let conditions: Option<Vec<u128>> = query.conditions.iter().map(|t| self.prints.of(pool, *t)).collect();
        if let (Some(goal), Some(mut conditions)) = (goal, conditions) {
            conditions.sort_unstable();
            self.found.add(Nogood { goal, conditions: conditions.into() });
        }
    }

    /// Forgets what belongs to one pool.
    pub fn forget(&mut self) {
        self.prints = Fingerprints::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nogood_rules_out_every_query_that_holds_it() {
        let mut nogoods = Nogoods::default();
        nogoods.add(Nogood { goal: 7, conditions: [3, 9].into() });
        nogoods.add(Nogood { goal: 7, conditions: [3, 5, 9].into() });
        assert_eq!(nogoods.iter().count(), 1, "the second says no more than the first");
        assert!(nogoods.rule_out(7, &[1, 3, 4, 9]) && !nogoods.rule_out(7, &[3, 4]) && !nogoods.rule_out(8, &[3, 9]));
    }
}
