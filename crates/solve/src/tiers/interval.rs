//! Tier `interval`: conditions that compare one and the same term with constants.
//!
//! Such a condition says `term + k`, `k - term` or an extension of it lies in a range, so the term lies in a (possibly
//! round-going) range too, and the conjunction is an intersection of ranges: exact, wrap-around included. An empty one proves Unsat whatever else the slice
//! holds. When the term is a variable, the value nearest to the base is tried as an answer. Conditions on a single
//! character have such a range whatever they look like.

use crate::domain::comparison::range_of;
use crate::model::check::Change;
use crate::slice_query::{SliceQuery, TierAnswer};
use crate::tiers::{Tier, TierName, Tools};
use covet_expr::Evaluator;

/// Conditions looked at per query.
const MAX_CONDITIONS: usize = 20_000;

#[derive(Debug)]
pub(crate) struct Interval;

impl Tier for Interval {
    fn name(&self) -> TierName {
        TierName::Interval
    }

    fn answer(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        query: &SliceQuery<'_>,
        tools: &mut Tools<'_>,
    ) -> Option<TierAnswer> {
        let pool = evaluator.pool();
        let (goal, keep) = (query.goal, &query.keep);
        let (atom, mut ranges) = match tools.bytes.ranges(evaluator, goal) {
            Some((variable, ranges)) => (variable, ranges.clone()),
            None => range_of(pool, goal)?,
        };
        for condition in keep.conditions_like(evaluator, atom, MAX_CONDITIONS) {
            if let Some((_, range)) = tools.bytes.ranges(evaluator, condition) {
                ranges.intersect(range);
            } else if let Some((same, range)) = range_of(pool, condition)
                && same == atom
            {
                ranges.intersect(&range);
            }
            if ranges.is_empty() {
                return Some(TierAnswer::Unsat);
            }
        }
        if ranges.is_empty() {
            return Some(TierAnswer::Unsat);
        }
        let id = pool.variable(atom)?;
        let change: Change = (id, ranges.nearest(evaluator.variable(id))?);
        keep.holds(evaluator, goal, &[change]).then(|| TierAnswer::Sat(vec![change]))
    }
}
