//! How far an input is from satisfying a condition: 0 when it holds, less when it nearly does.

use crate::model::check::Change;
use crate::tiers::constants::number;
use covet_expr::bits::signed;
use covet_expr::{Evaluator, Op, Term};

/// How deep into connectives distances are followed.
const MAX_DEPTH: usize = 6;

/// Of `condition` under the base input with `changes`; call [`Evaluator::change`] first.
pub(crate) fn distance(evaluator: &mut Evaluator<'_>, condition: Term, changes: &[Change]) -> f64 {
    of(evaluator, condition, true, changes, MAX_DEPTH)
}

fn of(evaluator: &mut Evaluator<'_>, t: Term, truth: bool, changes: &[Change], depth: usize) -> f64 {
    if evaluator.holds_changed(t, changes) == truth {
        return 0.0;
    }
    let pool = evaluator.pool();
    let children = pool.children(t);
    let op = pool.op(t);
    match op {
        Op::Not if depth > 0 => of(evaluator, children[0], !truth, changes, depth - 1),
        Op::And | Op::Or if depth > 0 => {
            let parts = [0, 1].map(|i| of(evaluator, children[i], truth, changes, depth - 1));
            if (op == Op::And) == truth { parts[0] + parts[1] } else { parts[0].min(parts[1]) }
        }
        Op::Eq if truth => apart(evaluator, &children, changes, |a, b, width| {
            signed(a, width).abs_diff(signed(b, width)).min(a.abs_diff(b)) as f64
        }),
        Op::Ult | Op::Ule => apart(evaluator, &children, changes, |a, b, _| a.abs_diff(b) as f64),
        Op::Slt | Op::Sle => {
            apart(evaluator, &children, changes, |a, b, width| signed(a, width).abs_diff(signed(b, width)) as f64)
        }
        Op::FEq | Op::FLt | Op::FLe => {
            apart(evaluator, &children, changes, |a, b, width| (number(a, width) - number(b, width)).abs())
        }
        _ => 1.0,
    }
}

/// Between 0 and 1, larger the farther the sides are apart.
fn apart(
    evaluator: &mut Evaluator<'_>,
    sides: &[Term],
    changes: &[Change],
    far: impl Fn(u128, u128, u16) -> f64,
) -> f64 {
    let width = evaluator.pool().width(sides[0]);
    let (a, b) = (evaluator.value_changed(sides[0], changes), evaluator.value_changed(sides[1], changes));
    let far = far(a, b, width);
    if far.is_nan() { 1.0 } else { 1e-6 + (1.0 + far).log2().min(1024.0) / 1100.0 }
}
