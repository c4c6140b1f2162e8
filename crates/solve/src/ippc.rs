//! Incremental partial path constraints: more queries, but small ones.
//!
//! The first query is the goal alone. While the answer violates a condition of the slice, the first violated one joins
//! the query. An unsatisfiable part makes the whole unsatisfiable; an answer that violates nothing is the answer.
//!
//! [`Mode::Ippc`] does exactly this. [`Mode::Auto`] adds a few violated conditions at a time, and asks the whole query
//! when many rounds have not settled it.

use crate::config::Mode;
use crate::ladder::Ladder;
use crate::model::check::Keep;
use crate::slice_query::{SliceQuery, TierAnswer};
use covet_expr::query::TierLabel;
use covet_expr::{Evaluator, Term};

/// Conditions added per round, and rounds before the whole query is asked, in [`Mode::Auto`].
const AUTO_STEP: usize = 4;
const AUTO_ROUNDS: usize = 32;

/// Algorithm 2 of the paper, over the slice.
pub(crate) fn solve(
    ladder: &mut Ladder<'_>,
    evaluator: &mut Evaluator<'_>,
    whole: &SliceQuery<'_>,
) -> (TierAnswer, TierLabel) {
    let (step, rounds) = match ladder.tools.config.mode {
        Mode::Ippc => (1, usize::MAX),
        Mode::Full | Mode::Auto => (AUTO_STEP, AUTO_ROUNDS),
    };
    let mut part: Vec<Term> = Vec::new();
    for _ in 0..rounds {
        let variables = variables_of(evaluator, &part, whole);
        let query = SliceQuery {
            goal: whole.goal,
            conditions: &part,
            keep: Keep::List(&part),
            size: part.len() + 1,
            variables: &variables,
        };
        let (found, tier) = ladder.answer(evaluator, &query);
        let changes = match found {
            TierAnswer::Sat(changes) => changes,
            TierAnswer::Unsat => {
                ladder.cache.put_core(whole.goal, &part);
                return (found, tier);
            }
            TierAnswer::Unknown(_) => return (found, tier),
        };
        let violated = whole.keep.first_broken(evaluator, &changes, step);
        if violated.is_empty() {
            return (TierAnswer::Sat(changes), tier);
        }
        part.extend(violated);
    }
    ladder.answer(evaluator, whole)
}

/// The variables of a partial query, in ascending order.
fn variables_of(evaluator: &Evaluator<'_>, part: &[Term], whole: &SliceQuery<'_>) -> Vec<covet_input::VarId> {
    let pool = evaluator.pool();
    let terms = part.iter().copied().chain([whole.goal]);
    let mut all: Vec<_> = terms.flat_map(|term| pool.variables(term).iter()).collect();
    all.sort_unstable();
    all.dedup();
    all
}
