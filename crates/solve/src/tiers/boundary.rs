//! Tier `boundary`: one variable moves, nearest to the base first, to a value where some other condition on it turns. Where
//! `x > 5` alone would say 6, and `x != 6` is on the path, it finds 7.

use crate::invert::{Budget, guesses};
use crate::slice_query::{SliceQuery, TierAnswer};
use crate::tiers::nearest::order;
use crate::tiers::{Tier, TierName, Tools};
use covet_expr::Evaluator;
use covet_expr::bits::truncate;

/// Conditions looked at, and values tried, per variable.
const MAX_CONDITIONS: usize = 48;
const MAX_VALUES: usize = 96;
/// Steps of peeling per query.
const STEPS: Budget = Budget(3_000);

#[derive(Debug)]
pub(crate) struct Boundary;

impl Tier for Boundary {
    fn name(&self) -> TierName {
        TierName::Boundary
    }

    fn answer(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        query: &SliceQuery<'_>,
        _: &mut Tools<'_>,
    ) -> Option<TierAnswer> {
        let (goal, keep) = (query.goal, &query.keep);
        let mut budget = STEPS;
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
                    let found = guesses(evaluator, condition, truth, via, &mut budget);
                    let single = found.into_iter().filter(|changes| changes.len() == 1).flatten();
                    values.extend(single.filter(|(id, _)| *id == via).map(|(_, value)| value));
                }
            }
            values.sort_by_key(|value| (distance(*value, now, width), *value));
            values.dedup();
            values.truncate(MAX_VALUES);
            for value in values {
                if value != now && keep.holds(evaluator, goal, &[(via, value)]) {
                    return Some(TierAnswer::Sat(vec![(via, value)]));
                }
            }
        }
        None
    }
}

/// How far two bit patterns are apart, the shorter way round: small negative numbers are near 0.
fn distance(a: u128, b: u128, width: u16) -> u128 {
    truncate(a.wrapping_sub(b), width).min(truncate(b.wrapping_sub(a), width))
}
