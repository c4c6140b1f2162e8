//! Model minimisation: a solver's model comes closer to the base input. Values that need not differ do not, and others differ by less: a solver is as
//! happy with a length of two thousand millions as with one of twenty, and the run is not.

use crate::model::check::{Change, Keep};
use covet_expr::bits::truncate;
use covet_expr::{Evaluator, Term};

/// Of more changes than this none is taken back.
const MAX_CHANGES: usize = 48;
/// Values that are brought nearer, at most.
const MAX_NEARER: usize = 6;
/// Low bits that are kept of a value that is far away, and distances that are tried.
const LOW_BITS: [u32; 3] = [8, 12, 16];
const DISTANCES: [u128; 4] = [1 << 4, 1 << 6, 1 << 8, 1 << 12];

/// The same solution with as many base values restored, one by one, as the conditions allow, and the others as near as may be.
pub(crate) fn minimise(
    evaluator: &mut Evaluator<'_>,
    goal: Term,
    keep: &Keep<'_>,
    changes: Vec<Change>,
) -> Vec<Change> {
    let mut kept = changes;
    let mut at = if kept.len() > MAX_CHANGES { kept.len() } else { 0 };
    while at < kept.len() && kept.len() > 1 {
        let removed = kept.remove(at);
        if !keep.holds(evaluator, goal, &kept) {
            kept.insert(at, removed);
            at += 1;
        }
    }
    let far: Vec<usize> = (0..kept.len()).filter(|at| is_far(evaluator, kept[*at])).take(MAX_NEARER).collect();
    for at in far {
        let found = kept[at];
        for nearer in nearer(evaluator, found) {
            kept[at].1 = nearer;
            if keep.holds(evaluator, goal, &kept) {
                break;
            }
            kept[at] = found;
        }
    }
    kept
}

/// Whether a value is much farther from that of the base input than any that would be tried instead.
fn is_far(evaluator: &mut Evaluator<'_>, (id, value): Change) -> bool {
    let (distance, _) = distance(evaluator, (id, value));
    distance > 2 * DISTANCES[DISTANCES.len() - 1]
}

/// Values between that of the base input and one that is far away, the nearest first.
fn nearer(evaluator: &mut Evaluator<'_>, (id, value): Change) -> impl Iterator<Item = u128> + use<> {
    let (base, width) = (evaluator.variable(id), evaluator.pool().width_of(id).unwrap_or(128));
    let (_, is_above) = distance(evaluator, (id, value));
    let low = move |bits: &u32| (base >> bits << bits) | truncate(value, *bits as u16);
    let beside = move |distance: &u128| match is_above {
        true => truncate(base.wrapping_add(*distance), width),
        false => truncate(base.wrapping_sub(*distance), width),
    };
    LOW_BITS.iter().map(low).chain(DISTANCES.iter().map(beside))
}

/// How far a value is from that of the base input, the shorter way round, and whether that way leads up.
fn distance(evaluator: &mut Evaluator<'_>, (id, value): Change) -> (u128, bool) {
    let (base, width) = (evaluator.variable(id), evaluator.pool().width_of(id).unwrap_or(128));
    let (up, down) = (truncate(value.wrapping_sub(base), width), truncate(base.wrapping_sub(value), width));
    if up <= down { (up, true) } else { (down, false) }
}
