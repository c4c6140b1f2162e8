//! What conditions on single variables leave of these: the ground on which values are tried out.

use crate::domain::bytes::Bytes;
use crate::domain::comparison::range_of;
use crate::domain::ranges::Ranges;
use crate::slice_query::SliceQuery;
use covet_expr::bits::mask;
use covet_expr::{Evaluator, Term};
use rustc_hash::FxHashSet;

/// Conditions looked at per variable.
const MAX_CONDITIONS: usize = 2_000;

/// What conditions on single variables say.
pub(crate) struct Confined {
    /// In the order of the query's variables.
    pub ranges: Vec<Ranges>,
    /// The conditions that say nothing else.
    pub conditions: FxHashSet<Term>,
}

/// How many values a variable may be left with, and how many combinations all of them.
#[derive(Clone, Copy)]
pub(crate) struct Most {
    pub values: u128,
    pub combinations: u128,
}

/// What is left of each variable, when that is little enough. The goal counts where the others leave too much: without it, more
/// queries have the same ground.
pub(crate) fn confined(
    evaluator: &mut Evaluator<'_>,
    query: &SliceQuery<'_>,
    bytes: &mut Bytes,
    most: Most,
) -> Option<Confined> {
    let pool = evaluator.pool();
    let mut found = Confined { ranges: Vec::new(), conditions: FxHashSet::default() };
    let mut combinations = 1u128;
    for &id in query.variables {
        let (variable, width) = (pool.term_of(id)?, pool.width_of(id).filter(|width| *width <= 64)?);
        let mut ranges = Ranges::between(width, 0, mask(width));
        let others = query.keep.conditions_like(evaluator, variable, MAX_CONDITIONS);
        for condition in others.into_iter().chain([query.goal]) {
            if condition == query.goal && ranges.count() <= most.values {
                continue;
            }
            let range = match range_of(pool, condition) {
                Some((of, range)) if of == variable => Some(range),
                _ => {
                    bytes.ranges(evaluator, condition).filter(|(of, _)| *of == variable).map(|(_, range)| range.clone())
                }
            };
            if let Some(range) = range {
                ranges.intersect(&range);
                found.conditions.insert(condition);
            }
        }
        combinations = combinations.saturating_mul(ranges.count());
        if ranges.count() > most.values || combinations > most.combinations {
            return None;
        }
        found.ranges.push(ranges);
    }
    Some(found)
}
