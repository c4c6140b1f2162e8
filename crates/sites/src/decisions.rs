//! Decisions: boolean expressions of several conditions joined by `&&` and `||`, as MC/DC looks at them.
//!
//! Conditions are evaluated from left to right, and only as far as needed. So a decision is a graph: each condition leads, when true and
//! when false, to a later condition or to the outcome. A way through the graph is a condition vector: what each condition was, if it was
//! evaluated at all, and the outcome.
//!
//! ```text
//! a && (b || c)      0: true -> 1,        false -> outcome false        vectors, in order:   F-- F
//!                    1: true -> outcome true,  false -> 2                                    TFF F
//!                    2: true -> outcome true,  false -> outcome false                        TFT T
//!                                                                                            TT- T
//! ```
//!
//! Vectors have numbers: those with a false condition before those with a true one, the first condition first. The number of a vector is the sum of
//! what its conditions add ([`Conditions::step`]), so that a program can count vectors by adding constants on its way.

use crate::{DecisionNumber, FunctionNumber, SiteNumber, VectorNumber};
use serde::{Deserialize, Serialize};
use std::fmt;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DecisionInfo {
    pub number: DecisionNumber,
    pub function: FunctionNumber,
    /// Where its first condition is.
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub conditions: Conditions,
    /// The first of its vectors, in a program that counts them.
    pub vectors: Option<VectorNumber>,
}

/// The conditions of a decision, in the order of the source. Constants are no conditions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Conditions(pub Vec<ConditionInfo>);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ConditionInfo {
    pub line: u32,
    pub column: u32,
    /// The sites that decide it: one, or one for each result of a `?:`.
    pub tests: Vec<Test>,
    pub if_true: Next,
    pub if_false: Next,
}

/// A site that decides a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Test {
    pub site: SiteNumber,
    /// The outcome of the site that makes the condition true.
    pub is_true_on: bool,
}

/// What follows a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Next {
    /// Another one, by its place in the list: a later one.
    Condition(u32),
    /// Nothing more: the decision is this. Of an `if` or a `?:`, true is the way to what stands first.
    Outcome(bool),
}

/// One way through a decision.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ConditionVector {
    /// None: not evaluated.
    pub values: Vec<Option<bool>>,
    pub outcome: bool,
}

/// A decision of the source that is not in the list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DecisionLeftOut {
    pub function: FunctionNumber,
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub why: WhyLeftOut,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum WhyLeftOut {
    /// Fewer than two of its conditions are no constants.
    Constant,
    /// It stands in an operand of a `?:` that is itself a condition, or has such a one.
    Choice,
    /// More vectors than are counted.
    TooManyVectors,
    /// Its code does not have the shape that was expected.
    Shape,
}

/// Vectors of one decision that are counted. (A decision of n conditions has n + 1 vectors if only one operator joins them; at most 2^n.)
pub const MOST_VECTORS: u64 = 1024;

impl Conditions {
    /// How many vectors there are.
    pub fn vector_count(&self) -> u64 {
        self.ways().first().copied().unwrap_or(0)
    }

    /// What a condition adds to the number of the vector.
    pub fn step(&self, condition: usize, value: bool) -> u32 {
        if !value {
            return 0;
        }
        let before = self.ways_from(&self.ways(), self.0[condition].if_false);
        u32::try_from(before).unwrap_or(u32::MAX)
    }

    /// The vector of a number.
    pub fn vector(&self, number: u32) -> Option<ConditionVector> {
        let ways = self.ways();
        let mut left = u64::from(number);
        if left >= *ways.first()? {
            return None;
        }
        let mut values = vec![None; self.0.len()];
        let mut next = Next::Condition(0);
        loop {
            match next {
                Next::Outcome(outcome) => return Some(ConditionVector { values, outcome }),
                Next::Condition(at) => {
                    let condition = &self.0[at as usize];
                    let before = self.ways_from(&ways, condition.if_false);
                    let value = left >= before;
                    values[at as usize] = Some(value);
                    (next, left) = if value { (condition.if_true, left - before) } else { (condition.if_false, left) };
                }
            }
        }
    }

    /// All vectors, by their numbers.
    pub fn all_vectors(&self) -> impl Iterator<Item = ConditionVector> + '_ {
        (0..).map_while(|number| self.vector(number))
    }

    /// By condition: the ways from there to an outcome.
    fn ways(&self) -> Vec<u64> {
        let mut ways = vec![0; self.0.len()];
        for (at, condition) in self.0.iter().enumerate().rev() {
            let sum =
                self.ways_from(&ways, condition.if_true).saturating_add(self.ways_from(&ways, condition.if_false));
            ways[at] = sum;
        }
        ways
    }

    fn ways_from(&self, ways: &[u64], next: Next) -> u64 {
        match next {
            Next::Condition(at) => ways[at as usize],
            Next::Outcome(_) => 1,
        }
    }
}

impl crate::SiteMap {
    /// What a counted vector is.
    pub fn vector(&self, number: VectorNumber) -> Option<(&DecisionInfo, ConditionVector)> {
        let starts_by = |decision: &DecisionInfo| decision.vectors.is_some_and(|first| first <= number);
        let decision = &self.decisions[self.decisions.partition_point(starts_by).checked_sub(1)?];
        let vector = decision.conditions.vector(number.0 - decision.vectors?.0)?;
        Some((decision, vector))
    }
}

/// `TF- F`: each condition, then the outcome.
impl fmt::Display for ConditionVector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = |value: bool| if value { 'T' } else { 'F' };
        let values: String = self.values.iter().map(|value| value.map_or('-', letter)).collect();
        write!(f, "{values} {}", letter(self.outcome))
    }
}

impl fmt::Display for WhyLeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            WhyLeftOut::Constant => "fewer than two conditions are not constant",
            WhyLeftOut::Choice => "a `?:` among the conditions",
            WhyLeftOut::TooManyVectors => "too many condition vectors",
            WhyLeftOut::Shape => "its code has an unusual shape",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SiteMap;

    fn conditions(ways: &[(Next, Next)]) -> Conditions {
        let condition = |&(if_true, if_false): &(Next, Next)| ConditionInfo {
            line: 1,
            column: 1,
            tests: vec![],
            if_true,
            if_false,
        };
        Conditions(ways.iter().map(condition).collect())
    }

    const TRUE: Next = Next::Outcome(true);
    const FALSE: Next = Next::Outcome(false);

    fn texts(conditions: &Conditions) -> Vec<String> {
        conditions.all_vectors().map(|vector| vector.to_string()).collect()
    }

    #[test]
    fn the_vectors_of_small_decisions() {
        let both = conditions(&[(Next::Condition(1), FALSE), (TRUE, FALSE)]);
        assert_eq!(texts(&both), ["F- F", "TF F", "TT T"]);
        let mixed = conditions(&[(Next::Condition(1), FALSE), (TRUE, Next::Condition(2)), (TRUE, FALSE)]);
        assert_eq!(texts(&mixed), ["F-- F", "TFF F", "TFT T", "TT- T"]);
        // (a || b) && c
        let mixed = conditions(&[(Next::Condition(2), Next::Condition(1)), (Next::Condition(2), FALSE), (TRUE, FALSE)]);
        assert_eq!(texts(&mixed), ["FF- F", "FTF F", "FTT T", "T-F F", "T-T T"]);
        assert_eq!(mixed.vector(5), None);
    }

    #[test]
    fn the_number_of_a_vector_is_the_sum_of_its_steps() {
        let mixed = conditions(&[(Next::Condition(2), Next::Condition(1)), (Next::Condition(2), FALSE), (TRUE, FALSE)]);
        for (number, vector) in mixed.all_vectors().enumerate() {
            let steps = vector.values.iter().enumerate().filter_map(|(at, value)| Some(mixed.step(at, (*value)?)));
            assert_eq!(steps.sum::<u32>() as usize, number);
        }
    }

    #[test]
    fn many_conditions_are_counted_not_listed() {
        // (a || b) && (c || d) && ...: far more vectors than would fit.
        let pairs = 100;
        let ways: Vec<_> = (0..pairs)
            .flat_map(|pair| {
                let next = if pair + 1 == pairs { TRUE } else { Next::Condition(2 * pair + 2) };
                [(next, Next::Condition(2 * pair + 1)), (next, FALSE)]
            })
            .collect();
        assert!(conditions(&ways).vector_count() > MOST_VECTORS);
    }

    #[test]
    fn a_counted_vector_is_found_by_its_number() {
        let decisions = [0, 3].map(|first| DecisionInfo {
            number: DecisionNumber(first / 3),
            function: FunctionNumber(0),
            file: String::new(),
            line: 1,
            column: 1,
            conditions: conditions(&[(Next::Condition(1), FALSE), (TRUE, FALSE)]),
            vectors: Some(VectorNumber(first)),
        });
        let map = SiteMap { decisions: decisions.to_vec(), vectors: 6, ..SiteMap::default() };
        let text =
            |number| map.vector(VectorNumber(number)).map(|(decision, v)| (decision.vectors.unwrap().0, v.to_string()));
        assert_eq!(text(2), Some((0, "TT T".into())));
        assert_eq!(text(3), Some((3, "F- F".into())));
        assert_eq!(text(6), None);
        assert_eq!(SiteMap::default().vector(VectorNumber(0)), None);
    }
}
