//! Tier `special`: corner values, and values made of the constants at hand.
//!
//! Programs turn at the ends of a type, at powers of two, near the constants they compare with and near sums, products,
//! quotients and roots of those; floats also at zeros of both signs, infinities and the ends of their range. Each variable of the
//! goal is tried alone, then two together; between the values the goal's two sides may cross, which bisection follows up.

use crate::model::check::Change;
use crate::slice_query::{SliceQuery, TierAnswer};
use crate::tiers::backoff::Backoff;
use crate::tiers::bisect::crossings;
use crate::tiers::constants::{Constants, bits_of};
use crate::tiers::nearest::order;
use crate::tiers::{Tier, TierName, Tools};
use covet_expr::Evaluator;
use covet_expr::bits::{mask, signed_max, signed_min, truncate};
use covet_input::VarId;

/// Variables tried alone, values tried of each.
const MAX_VARIABLES: usize = 6;
const MAX_VALUES: usize = 320;
/// Values of each of two variables that are tried together.
const PAIRED_VALUES: usize = 20;
/// Terms evaluated per query, all in all.
const MAX_WORK: usize = 600_000;

#[derive(Debug, Default)]
pub(crate) struct Special {
    backoff: Backoff,
}

impl Tier for Special {
    fn name(&self) -> TierName {
        TierName::Special
    }

    fn answer(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        query: &SliceQuery<'_>,
        _: &mut Tools<'_>,
    ) -> Option<TierAnswer> {
        if !self.backoff.is_due() {
            return None;
        }
        let constants = Constants::of(evaluator.pool(), query);
        let mut trials = MAX_WORK / constants.goal_size.max(1);
        let mut variables = order(evaluator, query.goal, &query.keep);
        variables.truncate(MAX_VARIABLES);
        let pools: Vec<(VarId, Vec<u128>)> =
            variables.iter().map(|id| (*id, values(evaluator, &constants, *id))).collect();
        let changes = alone(evaluator, query, &pools, &mut trials)
            .or_else(|| crossing(evaluator, query, &pools, &constants, &mut trials))
            .or_else(|| together(evaluator, query, &pools, &mut trials));
        let changes = changes?;
        self.backoff.answered();
        Some(TierAnswer::Sat(changes))
    }

    fn forget(&mut self) {
        *self = Special::default();
    }
}

fn fits(evaluator: &mut Evaluator<'_>, query: &SliceQuery<'_>, changes: &[Change], trials: &mut usize) -> bool {
    if *trials == 0 || changes.iter().all(|(id, value)| evaluator.variable(*id) == *value) {
        return false;
    }
    *trials -= 1;
    query.keep.holds(evaluator, query.goal, changes)
}

fn alone(
    evaluator: &mut Evaluator<'_>,
    query: &SliceQuery<'_>,
    pools: &[(VarId, Vec<u128>)],
    trials: &mut usize,
) -> Option<Vec<Change>> {
    let single = pools.iter().flat_map(|(id, values)| values.iter().map(|value| vec![(*id, *value)]));
    single.into_iter().find(|changes| fits(evaluator, query, changes, trials))
}

fn crossing(
    evaluator: &mut Evaluator<'_>,
    query: &SliceQuery<'_>,
    pools: &[(VarId, Vec<u128>)],
    constants: &Constants,
    trials: &mut usize,
) -> Option<Vec<Change>> {
    for (id, values) in pools {
        for value in crossings(evaluator, query.goal, *id, values, constants.is_float(*id), trials) {
            if fits(evaluator, query, &[(*id, value)], trials) {
                return Some(vec![(*id, value)]);
            }
        }
    }
    None
}

fn together(
    evaluator: &mut Evaluator<'_>,
    query: &SliceQuery<'_>,
    pools: &[(VarId, Vec<u128>)],
    trials: &mut usize,
) -> Option<Vec<Change>> {
    for (at, (first, values)) in pools.iter().enumerate() {
        for (second, others) in &pools[at + 1..] {
            for value in values.iter().take(PAIRED_VALUES) {
                for other in others.iter().take(PAIRED_VALUES) {
                    let changes = vec![(*first, *value), (*second, *other)];
                    if fits(evaluator, query, &changes, trials) {
                        return Some(changes);
                    }
                }
            }
        }
    }
    None
}

/// The values worth a try for a variable, the likeliest first.
fn values(evaluator: &Evaluator<'_>, constants: &Constants, id: VarId) -> Vec<u128> {
    let width = evaluator.pool().width_of(id).unwrap_or(64);
    let found = if constants.is_float(id) && matches!(width, 32 | 64) {
        floats(constants, width)
    } else {
        integers(constants, width)
    };
    let mut seen = rustc_hash::FxHashSet::default();
    found.into_iter().filter(|value| seen.insert(*value)).take(MAX_VALUES).collect()
}

fn integers(constants: &Constants, width: u16) -> Vec<u128> {
    let cut = |value: i128| truncate(value as u128, width);
    let given: Vec<i128> = constants.integers.iter().copied().chain(whole(&constants.floats)).collect();
    let mut values = vec![0, 1, mask(width), signed_max(width), signed_min(width)];
    values.extend(
        given.iter().flat_map(|c| [cut(*c), cut(c.wrapping_add(1)), cut(c.wrapping_sub(1)), cut(c.wrapping_neg())]),
    );
    values.extend([signed_max(width), mask(width)].iter().flat_map(|most| [most.isqrt(), most.isqrt() + 1]));
    values.extend(given.iter().filter(|c| **c > 0).flat_map(|c| [cut(c.isqrt()), cut(c.isqrt() + 1)]));
    for &a in &given {
        for &b in &given {
            values.extend([cut(a.wrapping_add(b)), cut(a.wrapping_sub(b)), cut(a.wrapping_mul(b))]);
            values.extend(a.checked_div(b).map(cut));
        }
    }
    for bit in 0..width {
        let power = 1u128 << bit;
        values.extend([power, power - 1, truncate(power + 1, width), truncate(power.wrapping_neg(), width)]);
    }
    values
}

fn floats(constants: &Constants, width: u16) -> Vec<u128> {
    let mut given = constants.floats.clone();
    given.extend(constants.integers.iter().map(|c| *c as f64));
    let (most, least, tiny) = if width == 32 {
        (f64::from(f32::MAX), f64::from(f32::MIN_POSITIVE), f64::from(f32::from_bits(1)))
    } else {
        (f64::MAX, f64::MIN_POSITIVE, f64::from_bits(1))
    };
    let mut reals = vec![0.0, -0.0, 1.0, -1.0];
    reals.extend(&given);
    reals.extend([f64::NAN, f64::INFINITY, f64::NEG_INFINITY, most, -most, least, -least, tiny, -tiny, 0.5, 2.0, 10.0]);
    reals.extend([24, 25, 53, 54, 63, 64].map(|bit: i32| 2f64.powi(bit)));
    reals.extend(given.iter().flat_map(|c| [-c, c.sqrt(), c.cbrt(), c * c, 1.0 / c]));
    for &a in &given {
        reals.extend(
            given.iter().flat_map(|b| [a + b, a - b, a * b, a / b, ((a - b) / 2.0).abs(), (a - b).abs().sqrt()]),
        );
    }
    let mut values: Vec<u128> = reals.iter().map(|x| bits_of(*x, width)).collect();
    // The neighbours of each, two steps either way: where rounding decides.
    let around: Vec<u128> = values.iter().flat_map(|bits| neighbours(*bits, width)).collect();
    values.extend(around);
    values
}

fn neighbours(bits: u128, width: u16) -> [u128; 4] {
    [1, u128::MAX, 2, u128::MAX - 1].map(|step| truncate(bits.wrapping_add(step), width))
}

/// The constants that are whole numbers.
fn whole(floats: &[f64]) -> impl Iterator<Item = i128> + '_ {
    floats.iter().filter(|x| x.fract() == 0.0 && x.abs() < 1e30).map(|x| *x as i128)
}
