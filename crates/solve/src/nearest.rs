//! Tiers `nearest` and `boundary`: repair the base input by changing one variable of the goal.
//!
//! Variables are tried in the order of how few conditions of the query contain them (a change there disturbs least), ties
//! in the order of the inputs. `nearest` takes the value nearest to what the goal asks for. `boundary` takes, nearest to
//! the base first, values at which some other condition on that variable turns: where `x > 5` alone would say 6, and
//! `x != 6` is on the path, it finds 7.

use crate::check::{Change, Keep};
use crate::invert::{Budget, guesses};
use covet_expr::bits::truncate;
use covet_expr::{Evaluator, Term};
use covet_input::VarId;

/// Variables tried per goal, conditions looked at per variable.
const MAX_VARIABLES: usize = 12;
const MAX_CONDITIONS: usize = 48;
/// Values tried per variable at the boundaries.
const MAX_VALUES: usize = 96;
/// Steps of peeling per question: enough for any goal a person would write, cheap for any other.
const NEAREST_STEPS: Budget = Budget(4_000);
const BOUNDARY_STEPS: Budget = Budget(3_000);

/// A change of one variable (several where the goal splices them) after which goal and conditions hold.
pub(crate) fn nearest(evaluator: &mut Evaluator<'_>, goal: Term, keep: &Keep<'_>) -> Option<Vec<Change>> {
    let mut budget = NEAREST_STEPS;
    for via in order(evaluator, goal, keep) {
        for changes in guesses(evaluator, goal, true, via, &mut budget) {
            if keep.holds(evaluator, goal, &changes) {
                return Some(changes);
            }
        }
    }
    None
}

/// As [`nearest`], over the values where a condition turns.
pub(crate) fn boundary(evaluator: &mut Evaluator<'_>, goal: Term, keep: &Keep<'_>) -> Option<Vec<Change>> {
    let mut budget = BOUNDARY_STEPS;
    for via in order(evaluator, goal, keep) {
        if budget.0 == 0 {
            break;
        }
        let now = evaluator.variable(via);
        let width = evaluator.pool().width_of(via).unwrap_or(128);
        let mut values: Vec<u128> = Vec::new();
        let mut conditions = vec![goal];
        conditions.extend(keep.conditions_with(evaluator, via, MAX_CONDITIONS));
        for condition in conditions {
            for truth in [true, false] {
                let single =
                    guesses(evaluator, condition, truth, via, &mut budget).into_iter().filter(|c| c.len() == 1);
                values.extend(single.flatten().filter(|(id, _)| *id == via).map(|(_, value)| value));
            }
        }
        values.sort_by_key(|value| (distance(*value, now, width), *value));
        values.dedup();
        values.truncate(MAX_VALUES);
        for value in values {
            if value != now && keep.holds(evaluator, goal, &[(via, value)]) {
                return Some(vec![(via, value)]);
            }
        }
    }
    None
}

/// How far two bit patterns are apart, the shorter way round: small negative numbers are near 0.
fn distance(a: u128, b: u128, width: u16) -> u128 {
    truncate(a.wrapping_sub(b), width).min(truncate(b.wrapping_sub(a), width))
}

/// The goal's variables, fewest conditions first, ties in input order.
fn order(evaluator: &Evaluator<'_>, goal: Term, keep: &Keep<'_>) -> Vec<VarId> {
    let all = evaluator.pool().variables(goal).iter().take(4 * MAX_VARIABLES);
    let mut counted: Vec<(usize, VarId)> = all.map(|id| (keep.count(evaluator, id), id)).collect();
    counted.sort_unstable();
    counted.truncate(MAX_VARIABLES);
    counted.into_iter().map(|(_, id)| id).collect()
}
