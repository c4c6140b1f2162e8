//! Where the two sides of a comparison cross as one variable moves: bisection between values on different sides.
//!
//! Floats are walked in the order of their bit patterns, so at most 64 steps lead to two neighbours between which, or at
//! which, the sides cross, whatever the function in between.

use crate::tiers::constants::number;
use covet_expr::bits::{signed, signed_min, truncate};
use covet_expr::{Evaluator, Op, Term};
use covet_input::VarId;
use std::cmp::Ordering;

/// Crossings followed up per variable and order.
const MAX_CROSSINGS: usize = 6;

/// Values of `id` at which the sides of `goal` meet, or next to where they pass each other.
pub(crate) fn crossings(
    evaluator: &mut Evaluator<'_>,
    goal: Term,
    id: VarId,
    values: &[u128],
    is_float: bool,
    trials: &mut usize,
) -> Vec<u128> {
    let pool = evaluator.pool();
    let width = pool.width_of(id).unwrap_or(64);
    let comparison = if pool.op(goal) == Op::Not { pool.children(goal)[0] } else { goal };
    let mut found = Vec::new();
    for &sides in orders(pool.op(comparison)) {
        let line = Line { comparison, sides, id, width, is_float };
        let mut places: Vec<i128> = values.iter().map(|value| line.place(*value)).collect();
        places.sort_unstable();
        places.dedup();
        let mut before: Option<(i128, Ordering)> = None;
        let mut followed = 0;
        for place in places {
            if *trials < 2 || followed == MAX_CROSSINGS {
                break;
            }
            let Some(side) = line.side(evaluator, place, trials) else { continue };
            if let Some((low, low_side)) = before
                && low_side != side
            {
                found.extend(line.bisect(evaluator, (low, low_side), place, trials));
                followed += 1;
            }
            before = Some((place, side));
        }
    }
    found
}

/// How the sides of a comparison are ordered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sides {
    Signed,
    Unsigned,
    Float,
}

fn orders(op: Op) -> &'static [Sides] {
    match op {
        Op::Eq => &[Sides::Signed, Sides::Unsigned],
        Op::Slt | Op::Sle => &[Sides::Signed],
        Op::Ult | Op::Ule => &[Sides::Unsigned],
        Op::FEq | Op::FLt | Op::FLe => &[Sides::Float],
        _ => &[],
    }
}

/// A comparison as a function of one variable.
struct Line {
    comparison: Term,
    sides: Sides,
    id: VarId,
    width: u16,
    is_float: bool,
}

impl Line {
    /// Bits as a place on the line: signed numbers in order, floats in order of their values.
    fn place(&self, bits: u128) -> i128 {
        let sign = signed_min(self.width);
        match self.is_float {
            true if bits & sign != 0 => -((bits & !sign) as i128) - 1,
            true => bits as i128,
            false => signed(bits, self.width),
        }
    }

    fn bits(&self, place: i128) -> u128 {
        match self.is_float {
            true if place < 0 => (-(place + 1)) as u128 | signed_min(self.width),
            true => place as u128,
            false => truncate(place as u128, self.width),
        }
    }

    /// How the left side compares with the right one at a place; nothing for what is not a number.
    fn side(&self, evaluator: &mut Evaluator<'_>, place: i128, trials: &mut usize) -> Option<Ordering> {
        *trials = trials.saturating_sub(1);
        let changes = [(self.id, self.bits(place))];
        let pool = evaluator.pool();
        let children = pool.children(self.comparison);
        evaluator.change();
        let (a, b) = (evaluator.value_changed(children[0], &changes), evaluator.value_changed(children[1], &changes));
        let width = pool.width(children[0]);
        match self.sides {
            Sides::Signed => Some(signed(a, width).cmp(&signed(b, width))),
            Sides::Unsigned => Some(a.cmp(&b)),
            Sides::Float => number(a, width).partial_cmp(&number(b, width)),
        }
    }

    fn bisect(
        &self,
        evaluator: &mut Evaluator<'_>,
        (mut low, low_side): (i128, Ordering),
        mut high: i128,
        trials: &mut usize,
    ) -> Vec<u128> {
        while high.abs_diff(low) > 1 && *trials > 0 {
            let middle = low.midpoint(high);
            match self.side(evaluator, middle, trials) {
                Some(side) if side == low_side => low = middle,
                Some(Ordering::Equal) => {
                    return [middle, middle - 1, middle + 1].map(|place| self.bits(place)).to_vec();
                }
                Some(_) | None => high = middle,
            }
        }
        vec![self.bits(low), self.bits(high)]
    }
}
