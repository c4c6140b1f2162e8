//! Tier `nearest`: repair the base input by changing one variable of the goal to the nearest value that makes it true.
//!
//! Variables are tried in the order of how few conditions of the query contain them (a change there disturbs least), ties
//! in the order of the inputs. Of a variable that is compared with one constant after the other, the value is one like none of them.

use crate::invert::{Budget, guesses};
use crate::model::check::{Change, Keep};
use crate::slice_query::{SliceQuery, TierAnswer};
use crate::tiers::{Tier, TierName, Tools};
use covet_abi::node::Op;
use covet_expr::bits::mask;
use covet_expr::{Evaluator, Term};
use covet_input::VarId;

/// Variables tried per goal.
const MAX_VARIABLES: usize = 12;
/// Steps of peeling per query: enough for any goal a person would write, cheap for any other.
const STEPS: Budget = Budget(4_000);
/// Conditions on the goal's variable that are looked at.
const LOOKED_AT: usize = 8;
/// A number that hardly any table has, small enough to count to.
const UNLIKELY: u128 = 0xffff;

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
        if let Some(changes) = unlike_all(evaluator, query) {
            return Some(TierAnswer::Sat(changes));
        }
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

/// A value that differs from one constant after the other, as in a table that is looked through, had better be like none of the rest either: the
/// nearest one is often the next in the table, and its end would take as many queries as it has entries.
fn unlike_all(evaluator: &mut Evaluator<'_>, query: &SliceQuery<'_>) -> Option<Vec<Change>> {
    let pool = evaluator.pool();
    let differs = |t: Term| {
        let is_equality =
            |t: &Term| pool.op(*t) == Op::Eq && pool.children(*t).iter().any(|t| pool.constant(*t).is_some());
        pool.op(t) == Op::Not && pool.children(t).iter().any(is_equality)
    };
    let mut variables = pool.variables(query.goal).iter();
    let (only, None) = (variables.next()?, variables.next()) else { return None };
    if !differs(query.goal) || !query.keep.conditions_like(evaluator, query.goal, LOOKED_AT).into_iter().any(differs) {
        return None;
    }
    let width = pool.width_of(only).filter(|width| *width <= 64)?;
    let changes = vec![(only, mask(width) & UNLIKELY)];
    query.keep.holds(evaluator, query.goal, &changes).then_some(changes)
}

/// The goal's variables, fewest conditions first, ties in input order.
pub(crate) fn order(evaluator: &Evaluator<'_>, goal: Term, keep: &Keep<'_>) -> Vec<VarId> {
    let all = evaluator.pool().variables(goal).iter().take(4 * MAX_VARIABLES);
    let mut counted: Vec<(usize, VarId)> = all.map(|id| (keep.count(evaluator, id), id)).collect();
    counted.sort_unstable();
    counted.truncate(MAX_VARIABLES);
    counted.into_iter().map(|(_, id)| id).collect()
}
