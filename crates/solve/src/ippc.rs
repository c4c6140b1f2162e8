//! Incremental partial path constraints: more questions, but small ones.
//!
//! The first question is the goal alone. While the answer violates a condition of the slice, the first violated one joins
//! the question. An unsatisfiable part makes the whole unsatisfiable; an answer that violates nothing is the answer.

use crate::check::{Change, Keep};
use crate::solver::{Found, Question, Tiers};
use covet_expr::{Evaluator, Term};

/// Algorithm 2 of the paper, over the slice.
pub(crate) fn solve(
    tiers: &mut Tiers<'_>,
    evaluator: &mut Evaluator<'_>,
    whole: &Question<'_>,
) -> (Found, &'static str) {
    let mut part: Vec<Term> = Vec::new();
    loop {
        let variables = variables_of(evaluator, &part, whole);
        let question = Question {
            goal: whole.goal,
            conditions: &part,
            keep: Keep::List(&part),
            size: part.len() + 1,
            variables: &variables,
        };
        let (found, tier) = tiers.answer(evaluator, &question);
        let Found::Sat(changes) = found else { return (found, tier) };
        match first_violated(evaluator, whole, &changes) {
            None => return (Found::Sat(changes), tier),
            Some(condition) => part.push(condition),
        }
    }
}

/// The first condition of the slice that the changed input violates.
fn first_violated(evaluator: &mut Evaluator<'_>, whole: &Question<'_>, changes: &[Change]) -> Option<Term> {
    evaluator.change();
    whole.conditions.iter().copied().find(|condition| !evaluator.holds_changed(*condition, changes))
}

/// The variables of a partial question, in ascending order.
fn variables_of(evaluator: &Evaluator<'_>, part: &[Term], whole: &Question<'_>) -> Vec<covet_input::VarId> {
    let pool = evaluator.pool();
    let terms = part.iter().copied().chain([whole.goal]);
    let mut all: Vec<_> = terms.flat_map(|term| pool.variables(term).iter()).collect();
    all.sort_unstable();
    all.dedup();
    all
}
