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
use std::collections::HashSet;

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
pub(crate) fn order(evaluator: &mut Evaluator<'_>, goal: Term, keep: &Keep<'_>) -> Vec<VarId> {
    let mut all: Vec<VarId> = evaluator.pool().variables(goal).iter().take(4 * MAX_VARIABLES + 1).collect();
    if all.len() > 4 * MAX_VARIABLES {
        all = in_use(evaluator, goal);
    }
    let mut counted: Vec<(usize, VarId)> = all.into_iter().map(|id| (keep.count(evaluator, id), id)).collect();
    counted.sort_unstable();
    counted.truncate(MAX_VARIABLES);
    counted.into_iter().map(|(_, id)| id).collect()
}

/// Of a goal with many variables those that its value hangs on: of what is read at a place that inputs decide (a file after a seek, a
/// table) the one that is read, and of a choice the part that was chosen; what decides the place comes after what is there.
fn in_use(evaluator: &mut Evaluator<'_>, goal: Term) -> Vec<VarId> {
    let (mut found, mut seen) = (Vec::new(), HashSet::from([goal]));
    let (mut waiting, mut places) = (vec![goal], Vec::new());
    let mut steps = STEPS.0;
    while let Some(term) = waiting.pop().or_else(|| places.pop()) {
        steps -= 1;
        if steps == 0 || found.len() == 4 * MAX_VARIABLES {
            break;
        }
        let pool = evaluator.pool();
        found.extend(pool.variable(term));
        let children = pool.children(term);
        let next: Vec<Term> = if pool.op(term) == Op::Select {
            places.push(children[0]);
            let entries = pool.table_of(term).map(|table| pool.entries(table)).unwrap_or_default();
            let at = usize::try_from(evaluator.value(children[0])).ok();
            at.and_then(|at| entries.get(at)).copied().into_iter().collect()
        } else if pool.op(term) == Op::Ite {
            let chosen = if evaluator.holds(children[0]) { children[1] } else { children[2] };
            vec![children[0], chosen]
        } else {
            children.to_vec()
        };
        waiting.extend(next.into_iter().filter(|term| seen.insert(*term)));
    }
    found
}
