//! A comparison of a term with a constant as the range of values it leaves that term: through sums, extensions and complements, exact,
//! wrap-around included.

use crate::domain::ranges::Ranges;
use covet_expr::bits::mask;
use covet_expr::{Op, Pool, Term};

/// The term that a condition confines to a range of values, and that range.
pub(crate) fn range_of(pool: &Pool, condition: Term) -> Option<(Term, Ranges)> {
    let (comparison, truth) = match pool.op(condition) {
        Op::Not => (pool.children(condition)[0], false),
        _ => (condition, true),
    };
    let children = pool.children(comparison);
    let (side, range) = match pool.op(comparison) {
        Op::Eq => {
            let c = pool.constant(children[1])?;
            (children[0], Ranges::between(pool.width(children[0]), c, c))
        }
        Op::Ult | Op::Slt => ordered(pool, pool.op(comparison), children[0], children[1])?,
        _ => return None,
    };
    Some(inwards(pool, side, if truth { range } else { range.complement() }))
}

/// The innermost term that a term follows from one to one, and the range that confines it to `range`.
fn inwards(pool: &Pool, mut t: Term, mut range: Ranges) -> (Term, Ranges) {
    loop {
        let children = pool.children(t);
        let (inner, confined) = match pool.op(t) {
            Op::Add => match pool.constant(children[1]) {
                Some(k) => (children[0], range.shifted(0u128.wrapping_sub(k))),
                None => return (t, range),
            },
            Op::Sub => match pool.constant(children[0]) {
                Some(k) => (children[1], range.reflected(k)),
                None => return (t, range),
            },
            Op::Not => (children[0], range.reflected(mask(pool.width(t)))),
            Op::ZExt => (children[0], range.before_zext(pool.width(children[0]))),
            Op::SExt => (children[0], range.before_sext(pool.width(children[0]))),
            _ => return (t, range),
        };
        (t, range) = (inner, confined);
    }
}

/// The range of the side that is no constant.
fn ordered(pool: &Pool, op: Op, a: Term, b: Term) -> Option<(Term, Ranges)> {
    let width = pool.width(a);
    match (pool.constant(a), pool.constant(b)) {
        (None, Some(c)) if op == Op::Ult => Some((a, Ranges::below(width, c))),
        (None, Some(c)) => Some((a, Ranges::signed_below(width, c))),
        (Some(c), None) if op == Op::Ult && c == mask(width) => Some((b, Ranges::none(width))),
        (Some(c), None) if op == Op::Ult => Some((b, Ranges::between(width, c + 1, mask(width)))),
        (Some(c), None) => Some((b, Ranges::signed_above(width, c))),
        _ => None,
    }
}
