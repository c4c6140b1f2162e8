//! Tier `nearest`: repair the base input by changing one variable of the goal to the nearest value that makes it true.
//!
//! Variables are tried in the order of how few conditions of the query contain them (a change there disturbs least), ties
//! in the order of the inputs.

use crate::invert::{Budget, guesses};
use crate::model::check::Keep;
use crate::slice_query::{SliceQuery, TierAnswer};
use crate::tiers::{Tier, TierName, Tools};
use covet_expr::{Evaluator, Term};
use covet_input::VarId;

/// Variables tried per goal.
const MAX_VARIABLES: usize = 12;
/// Steps of peeling per query: enough for any goal a person would write, cheap for any other.
const STEPS: Budget = Budget(4_000);

#[derive(Debug)]
pub(crate) struct Nearest;

impl Tier for Nearest {
    fn name(&self) -> TierName {
        TierName::Nearest
    }

    fn answer(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        query: &SliceQuery<'_>,
        _: &mut Tools<'_>,
    ) -> Option<TierAnswer> {
        let mut budget = STEPS;
        for via in order(evaluator, query.goal, &query.keep) {
            for changes in guesses(evaluator, query.goal, true, via, &mut budget) {
                if query.keep.holds(evaluator, query.goal, &changes) {
                    return Some(TierAnswer::Sat(changes));
                }
            }
        }
        None
    }
}

/// The goal's variables, fewest conditions first, ties in input order.
pub(crate) fn order(evaluator: &Evaluator<'_>, goal: Term, keep: &Keep<'_>) -> Vec<VarId> {
    let all = evaluator.pool().variables(goal).iter().take(4 * MAX_VARIABLES);
    let mut counted: Vec<(usize, VarId)> = all.map(|id| (keep.count(evaluator, id), id)).collect();
    counted.sort_unstable();
    counted.truncate(MAX_VARIABLES);
    counted.into_iter().map(|(_, id)| id).collect()
}
