//! What is known to be impossible, whatever the pool, the function or the run: parts of path constraints that rule out a goal,
//! as fingerprints over the names of the inputs. Kept from run to run by whoever owns the solver.

use crate::question::Question;
use covet_expr::{Fingerprints, Pool};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Conditions in one part, parts per goal, parts in all.
const MAX_PART: usize = 64;
const MAX_PER_GOAL: usize = 16;
const MAX_PARTS: usize = 100_000;

/// The conditions `part`, in ascending order, rule out `goal`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Refusal {
    pub goal: u128,
    pub part: Box<[u128]>,
}

/// Refusals by goal.
#[derive(Clone, Debug, Default)]
pub struct Refusals {
    by_goal: BTreeMap<u128, Vec<Box<[u128]>>>,
    count: usize,
}

impl Refusals {
    /// Adds one, unless a part of it is known already.
    pub fn add(&mut self, refusal: Refusal) {
        let known = self.by_goal.entry(refusal.goal).or_default();
        let is_new = !known.iter().any(|part| is_within(part, &refusal.part));
        if is_new && known.len() < MAX_PER_GOAL && self.count < MAX_PARTS {
            known.push(refusal.part);
            self.count += 1;
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = Refusal> + '_ {
        let of = |(goal, parts): (&u128, &'_ Vec<Box<[u128]>>)| {
            let goal = *goal;
            parts.iter().map(move |part| Refusal { goal, part: part.clone() }).collect::<Vec<_>>()
        };
        self.by_goal.iter().flat_map(of)
    }

    fn refuses(&self, goal: u128, conditions: &[u128]) -> bool {
        self.by_goal.get(&goal).is_some_and(|parts| parts.iter().any(|part| is_within(part, conditions)))
    }
}

/// Whether all of `part` is in `whole`; both ascending.
fn is_within(part: &[u128], whole: &[u128]) -> bool {
    part.iter().all(|print| whole.binary_search(print).is_ok())
}

/// The refusals of one solver: those it was given, and those it found.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    pub given: Arc<Refusals>,
    pub found: Refusals,
    prints: Fingerprints,
}

impl Memory {
    /// Whether the question is known to be impossible.
    pub fn refuses(&mut self, pool: &Pool, question: &Question<'_>) -> bool {
        let Some(goal) = self.prints.of(pool, question.goal) else { return false };
        if !self.given.by_goal.contains_key(&goal) {
            return false;
        }
        let prints = question.conditions.iter().filter_map(|t| self.prints.of(pool, *t));
        let mut conditions: Vec<u128> = prints.collect();
        conditions.sort_unstable();
        self.given.refuses(goal, &conditions)
    }

    /// Remembers that the question is impossible.
    pub fn remember(&mut self, pool: &Pool, question: &Question<'_>) {
        if question.conditions.len() > MAX_PART {
            return;
        }
        let goal = self.prints.of(pool, question.goal);
        let part: Option<Vec<u128>> = question.conditions.iter().map(|t| self.prints.of(pool, *t)).collect();
        if let (Some(goal), Some(mut part)) = (goal, part) {
            part.sort_unstable();
            self.found.add(Refusal { goal, part: part.into() });
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
    fn a_part_refuses_every_whole_that_holds_it() {
        let mut refusals = Refusals::default();
        refusals.add(Refusal { goal: 7, part: [3, 9].into() });
        refusals.add(Refusal { goal: 7, part: [3, 5, 9].into() });
        assert_eq!(refusals.iter().count(), 1, "the second says no more than the first");
        assert!(refusals.refuses(7, &[1, 3, 4, 9]) && !refusals.refuses(7, &[3, 4]) && !refusals.refuses(8, &[3, 9]));
    }
}
