//! Tier `congruence`: remainders, low bits and multiples of one and the same term.
//!
//! `x % 6 == 4`, `(x & 7) == 2` and `5 * x == 35` each say that the term lies in one residue class. Classes that exclude each other,
//! or that miss the range which other conditions leave, prove Unsat whatever else the slice holds; otherwise the members nearest
//! to the base are tried as answers. Remainders of signed division follow the sign of the dividend, so the two halves of
//! the range are looked at apart.

use crate::domain::comparison::range_of;
use crate::domain::ranges::Ranges;
use crate::model::check::Change;
use crate::slice_query::{SliceQuery, TierAnswer};
use crate::tiers::{Tier, TierName, Tools};
use covet_expr::bits::{mask, signed, signed_max, signed_min, truncate};
use covet_expr::{Evaluator, Op, Pool, Term};

/// Conditions looked at per query, and members tried on either side of the base.
const MAX_CONDITIONS: usize = 2_000;
const TRIES: usize = 8;
/// Sums and products of wider numbers could overflow.
const WIDEST: u16 = 64;

#[derive(Debug)]
pub(crate) struct Congruence;

impl Tier for Congruence {
    fn name(&self) -> TierName {
        TierName::Congruence
    }

    fn answer(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        query: &SliceQuery<'_>,
        _: &mut Tools<'_>,
    ) -> Option<TierAnswer> {
        let pool = evaluator.pool();
        let atom =
            residue_of(pool, query.goal).map(|(atom, _)| atom).or_else(|| Some(range_of(pool, query.goal)?.0))?;
        let width = pool.width(atom);
        if width > WIDEST {
            return None;
        }
        let mut ranges = Ranges::between(width, 0, mask(width));
        let mut residues = Vec::new();
        let others = query.keep.conditions_like(evaluator, atom, MAX_CONDITIONS);
        for condition in others.into_iter().chain([query.goal]) {
            match residue_of(pool, condition) {
                Some((of, residue)) if of == atom => residues.push(residue),
                _ => {
                    if let Some((_, range)) = range_of(pool, condition).filter(|(of, _)| *of == atom) {
                        ranges.intersect(&range);
                    }
                }
            }
        }
        if residues.is_empty() {
            return None;
        }
        let base = evaluator.value(atom);
        let distance =
            |value: u128| truncate(value.wrapping_sub(base), width).min(truncate(base.wrapping_sub(value), width));
        let mut members = Vec::new();
        for half in [false, true] {
            let Some(class) = Class::of_all(&residues, width, half) else { continue };
            let mut part = ranges.clone();
            part.intersect(&half_of(width, half));
            for &(first, last) in part.parts() {
                let is_inside = (first..=last).contains(&base);
                let near = if is_inside { base } else { [first, last].into_iter().min_by_key(|end| distance(*end))? };
                members.extend(class.members_near(near, first, last));
            }
        }
        if members.is_empty() {
            return Some(TierAnswer::Unsat);
        }
        let id = pool.variable(atom)?;
        members.sort_by_key(|value| distance(*value));
        let mut fits = |value: &u128| {
            let change: Change = (id, *value);
            *value != base && query.keep.holds(evaluator, query.goal, &[change])
        };
        let found = members.into_iter().find(|value| fits(value))?;
        Some(TierAnswer::Sat(vec![(id, found)]))
    }
}

/// The values without, or with, the sign bit.
fn half_of(width: u16, negative: bool) -> Ranges {
    if negative {
        Ranges::between(width, signed_min(width), mask(width))
    } else {
        Ranges::between(width, 0, signed_max(width))
    }
}

/// What one condition says about a term.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Residue {
    /// Read as unsigned it leaves this remainder: modulus, remainder.
    Unsigned(u128, u128),
    /// Read as signed it leaves this remainder, of its own sign.
    Signed(u128, i128),
    /// Nothing is equal to it.
    Never,
}

/// The term whose remainder a condition fixes.
fn residue_of(pool: &Pool, condition: Term) -> Option<(Term, Residue)> {
    let children = pool.children(condition);
    let (mut side, mut value) = match pool.op(condition) {
        Op::Eq => (children[0], pool.constant(children[1])?),
        // The lowest bit, as a condition.
        Op::Extract => (condition, 1),
        Op::Not => (children[0], 0),
        _ => return None,
    };
    if pool.width(side) > WIDEST {
        return None;
    }
    loop {
        let (width, children) = (pool.width(side), pool.children(side));
        let second = || pool.constant(children[1]);
        match pool.op(side) {
            Op::Add => (side, value) = (children[0], truncate(value.wrapping_sub(second()?), width)),
            Op::ZExt if value > mask(pool.width(children[0])) => return Some((children[0], Residue::Never)),
            Op::ZExt => side = children[0],
            Op::URem => {
                let by = second().filter(|by| *by > 1)?;
                let residue = if value < by { Residue::Unsigned(by, value) } else { Residue::Never };
                return Some((children[0], residue));
            }
            Op::SRem => {
                let by = signed(second()?, width).unsigned_abs();
                let value = signed(value, width);
                let residue = if value.unsigned_abs() < by { Residue::Signed(by, value) } else { Residue::Never };
                return (by > 1).then_some((children[0], residue));
            }
            Op::And => {
                let bits = second()?;
                let low = bits.trailing_ones();
                if low == 0 || bits != mask(low as u16) {
                    return None;
                }
                let residue = if value <= bits { Residue::Unsigned(1 << low, value) } else { Residue::Never };
                return Some((children[0], residue));
            }
            Op::Extract if pool.immediate(side) == 0 => {
                return Some((children[0], Residue::Unsigned(1 << width, value)));
            }
            Op::Mul => return Some((children[0], multiple(second()?, value, width)?)),
            _ => return None,
        }
    }
}

/// The residue class of `x` with `factor * x == value` modulo two to the `width`.
fn multiple(factor: u128, value: u128, width: u16) -> Option<Residue> {
    let twos = factor.trailing_zeros();
    if factor == 0 {
        return None;
    }
    if value & mask(twos as u16) != 0 && twos > 0 {
        return Some(Residue::Never);
    }
    let left = width - twos as u16;
    let odd = factor >> twos;
    // Each round of Newton's iteration doubles the number of right bits.
    let mut inverse = odd;
    for _ in 0..7 {
        inverse = inverse.wrapping_mul(2u128.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    Some(Residue::Unsigned(1 << left, truncate((value >> twos).wrapping_mul(inverse), left)))
}

/// The numbers that leave `remainder` when divided by `modulus`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Class {
    modulus: u128,
    remainder: u128,
}

impl Class {
    /// What all residues together say about the bits of a term in one half of its range; nothing when they exclude each other.
    fn of_all(residues: &[Residue], width: u16, negative: bool) -> Option<Class> {
        let mut class = Class { modulus: 1, remainder: 0 };
        for residue in residues {
            let next = match *residue {
                Residue::Never => return None,
                Residue::Unsigned(modulus, remainder) => Class { modulus, remainder },
                // A remainder other than zero has the sign of the dividend.
                Residue::Signed(_, remainder) if remainder != 0 && (remainder < 0) != negative => return None,
                Residue::Signed(modulus, remainder) => {
                    // Read as unsigned a negative number is larger by two to the width.
                    let round = if negative { (1 << width) % modulus } else { 0 };
                    let remainder = remainder.rem_euclid(modulus as i128) as u128;
                    Class { modulus, remainder: (remainder + round) % modulus }
                }
            };
            class = class.and(next)?;
        }
        Some(class)
    }

    /// The numbers in both classes. Where the modulus grows beyond what can be computed with, the second is left out.
    fn and(self, other: Class) -> Option<Class> {
        let common = gcd(self.modulus, other.modulus);
        if self.remainder % common != other.remainder % common {
            return None;
        }
        let step = other.modulus / common;
        let Some(modulus) = self.modulus.checked_mul(step).filter(|modulus| *modulus < 1 << 96) else {
            return Some(self);
        };
        if step >= 1 << 31 || self.modulus >= 1 << 64 {
            // Few would be found by stepping, and the products below could overflow.
            return Some(if other.modulus > self.modulus { other } else { self });
        }
        let mut remainder = self.remainder;
        let apart = (other.remainder + other.modulus - remainder % other.modulus) % other.modulus / common;
        remainder += self.modulus * (apart * inverse(self.modulus / common % step, step) % step);
        Some(Class { modulus, remainder: remainder % modulus })
    }

    /// A few members on either side of `near`, all between `first` and `last`.
    fn members_near(self, near: u128, first: u128, last: u128) -> Vec<u128> {
        let past = (near + self.modulus - self.remainder % self.modulus) % self.modulus;
        let below = near.checked_sub(past);
        let down =
            std::iter::successors(below, |value| value.checked_sub(self.modulus)).take_while(|value| *value >= first);
        let above = match below {
            Some(below) => below.checked_add(self.modulus),
            None => Some(self.remainder % self.modulus),
        };
        let up =
            std::iter::successors(above, |value| value.checked_add(self.modulus)).take_while(|value| *value <= last);
        down.take(TRIES).chain(up.take(TRIES)).filter(|value| (first..=last).contains(value)).collect()
    }
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The inverse of `a` modulo `m`, which have no divisor in common; 0 for modulus 1.
fn inverse(a: u128, m: u128) -> u128 {
    let (mut r, mut next_r) = (m as i128, a as i128);
    let (mut t, mut next_t) = (0i128, 1i128);
    while next_r != 0 {
        let quotient = r / next_r;
        (r, next_r) = (next_r, r - quotient * next_r);
        (t, next_t) = (next_t, t - quotient * next_t);
    }
    t.rem_euclid(m as i128) as u128
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_classes_meet_where_numbers_do() {
        for (m, n) in [(2, 4), (6, 4), (5, 7), (12, 18), (1, 9), (8, 8)] {
            for a in 0..m {
                for b in 0..n {
                    let both = Class { modulus: m, remainder: a }.and(Class { modulus: n, remainder: b });
                    let expected: Vec<u128> = (0..200).filter(|x| x % m == a && x % n == b).collect();
                    let found =
                        |class: Class| (0..200).filter(|x| x % class.modulus == class.remainder).collect::<Vec<_>>();
                    assert_eq!(both.map_or(vec![], found), expected, "{m} {a} {n} {b}");
                }
            }
        }
    }

    #[test]
    fn members_are_those_around() {
        let class = Class { modulus: 5, remainder: 3 };
        assert_eq!(class.members_near(10, 4, 23), [8, 13, 18, 23]);
        assert_eq!(class.members_near(1, 0, 4), [3]);
        assert_eq!(class.members_near(4, 4, 7), []);
    }

    #[test]
    fn multiples_are_found_by_division() {
        for factor in 1..16 {
            for value in 0..16 {
                let expected: Vec<u128> = (0..16).filter(|x| factor * x % 16 == value).collect();
                let found: Vec<u128> = match multiple(factor, value, 4).expect("narrow") {
                    Residue::Unsigned(modulus, remainder) => (0..16).filter(|x| x % modulus == remainder).collect(),
                    _ => vec![],
                };
                assert_eq!(found, expected, "{factor} * x == {value}");
            }
        }
    }
}
