//! Condition vectors that were evaluated → which conditions were shown to decide on their own (MC/DC), as llvm-cov counts.
//!
//! Two vectors of a decision are a pair for a condition when their outcomes differ and it is the only condition with different values
//! among those that both have evaluated. A half of a condition is the side of a pair with one outcome; both are covered when the pair is there.

use covet_sites::{ConditionVector, DecisionNumber, SiteMap, VectorNumber};
use std::collections::{BTreeMap, BTreeSet};

/// One side of a pair that shows a condition's own effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Half {
    pub decision: DecisionNumber,
    /// Its place among the conditions of the decision.
    pub condition: u32,
    /// What the decision is on this side.
    pub outcome: bool,
}

/// The vectors that runs have evaluated.
#[derive(Clone, Debug, Default)]
pub struct Evaluated {
    by_decision: BTreeMap<DecisionNumber, BTreeSet<u32>>,
}

impl Evaluated {
    /// Adds vectors; gives the decisions that have one more than before.
    pub fn add(&mut self, map: &SiteMap, vectors: &[VectorNumber]) -> BTreeSet<DecisionNumber> {
        let mut grown = BTreeSet::new();
        for &vector in vectors {
            let Some((decision, first)) =
                map.vector(vector).and_then(|(decision, _)| Some((decision, decision.vectors?)))
            else {
                continue;
            };
            if self.by_decision.entry(decision.number).or_default().insert(vector.0 - first.0) {
                grown.insert(decision.number);
            }
        }
        grown
    }

    /// Whether a pair is there.
    pub fn has_pair(&self, map: &SiteMap, half: Half) -> bool {
        let vectors = self.vectors(map, half.decision);
        let is_side = |vector: &&ConditionVector| vector.outcome == half.outcome;
        vectors.iter().filter(is_side).any(|one| vectors.iter().any(|other| is_pair(half.condition, one, other)))
    }

    /// The vectors on the side of `half` that would complete a pair: with what was evaluated, or with anything while there is nothing to
    /// pair with.
    pub fn completing(&self, map: &SiteMap, half: Half) -> Vec<ConditionVector> {
        let Some(decision) = map.decisions.get(half.decision.index()) else { return Vec::new() };
        let all: Vec<ConditionVector> = decision.conditions.all_vectors().collect();
        let sides = |with: &[ConditionVector]| -> Vec<ConditionVector> {
            let pairs = |one: &&ConditionVector| with.iter().any(|other| is_pair(half.condition, one, other));
            all.iter().filter(|one| one.outcome == half.outcome).filter(pairs).cloned().collect()
        };
        let completing = sides(&self.vectors(map, half.decision));
        if completing.is_empty() { sides(&all) } else { completing }
    }

    fn vectors(&self, map: &SiteMap, decision: DecisionNumber) -> Vec<ConditionVector> {
        let Some(info) = map.decisions.get(decision.index()) else { return Vec::new() };
        let numbers = self.by_decision.get(&decision).into_iter().flatten();
        numbers.filter_map(|number| info.conditions.vector(*number)).collect()
    }
}

/// Whether two vectors show that `condition` decides on its own.
pub fn is_pair(condition: u32, one: &ConditionVector, other: &ConditionVector) -> bool {
    let differs = |at: usize| match (one.values[at], other.values[at]) {
        (Some(one), Some(other)) => one != other,
        (None, _) | (_, None) => false,
    };
    let all = 0..one.values.len();
    one.outcome != other.outcome && all.clone().all(|at| differs(at) == (at == condition as usize))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vector(text: &str) -> ConditionVector {
        let value = |letter: char| match letter {
            'T' => Some(true),
            'F' => Some(false),
            _ => None,
        };
        let (values, outcome) = text.split_once(' ').unwrap();
        ConditionVector { values: values.chars().map(value).collect(), outcome: outcome == "T" }
    }

    #[test]
    fn a_pair_differs_in_one_condition_of_those_both_reached() {
        // a && (b || c)
        let pair = |condition, one, other| is_pair(condition, &vector(one), &vector(other));
        assert!(pair(0, "F-- F", "TT- T"), "what one did not reach does not count");
        assert!(pair(1, "TFF F", "TT- T"));
        assert!(pair(2, "TFF F", "TFT T"));
        assert!(!pair(2, "TFF F", "TT- T"), "c was not reached in both");
        assert!(!pair(0, "F-- F", "TFF F"), "the same outcome");
        assert!(!pair(1, "TFT T", "TT- T"));
    }
}
