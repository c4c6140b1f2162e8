//! Floating point backwards: comparisons and one operator at a time, by the inverse operation.
//!
//! Rounding makes these guesses, as all of inversion is. Where a whole step away from the bound does as well as the
//! next representable number, the step is tried first: 6.0 reads better than 5.000000000000001.

use crate::invert::value::single;
use crate::invert::{Task, Want, depends};
use covet_expr::bits::{signed, truncate};
use covet_expr::{Evaluator, Op, Term};

fn number(bits: u128, width: u16) -> f64 {
    if width == 32 { f64::from(f32::from_bits(bits as u32)) } else { f64::from_bits(bits as u64) }
}

fn bits(value: f64, width: u16) -> u128 {
    if width == 32 { u128::from((value as f32).to_bits()) } else { u128::from(value.to_bits()) }
}

fn next(value: u128, width: u16, up: bool) -> u128 {
    if width == 32 {
        let x = f32::from_bits(value as u32);
        u128::from(if up { x.next_up() } else { x.next_down() }.to_bits())
    } else {
        let x = f64::from_bits(value as u64);
        u128::from(if up { x.next_up() } else { x.next_down() }.to_bits())
    }
}

/// A float comparison: one side moves to where it comes out right.
pub(crate) fn compare(evaluator: &mut Evaluator<'_>, task: &Task, truth: bool) -> Vec<Vec<Task>> {
    let pool = evaluator.pool();
    let op = pool.op(task.term);
    let children = pool.children(task.term);
    let width = pool.width(children[0]);
    let mut ways = Vec::new();
    for (side, other, is_left) in [(children[0], children[1], true), (children[1], children[0], false)] {
        if !depends(evaluator, side, task.via) {
            continue;
        }
        let bound = evaluator.value(other);
        let x = number(bound, width);
        let (step_up, step_down) = (Some(bits(x + 1.0, width)), Some(bits(x - 1.0, width)));
        let (just_up, just_down) = (Some(next(bound, width, true)), Some(next(bound, width, false)));
        let up = is_left != (truth || op == Op::FEq);
        let away = if up { [step_up, just_up] } else { [step_down, just_down] };
        let nan = Some(bits(f64::NAN, width));
        let zero = Some(0);
        let values = match (op, truth) {
            (Op::FEq, true) => [Some(bound), None, None],
            (Op::FEq, false) => [step_up, just_up, just_down],
            (Op::FLt, true) | (Op::FLe, false) => [away[0], away[1], if truth { None } else { nan }],
            (Op::FLe, true) | (Op::FLt, false) => [Some(bound), if truth { None } else { nan }, None],
            (_, true) => [nan, None, None],
            (_, false) => [zero, None, None],
        };
        ways.extend(single(task, side, values));
    }
    ways
}

/// The ways to make a float operator, or a conversion from or to float, have `value`.
pub(crate) fn operand_for(evaluator: &mut Evaluator<'_>, task: &Task, value: u128) -> Vec<Vec<Task>> {
    let pool = evaluator.pool();
    let op = pool.op(task.term);
    let width = pool.width(task.term);
    let children = pool.children(task.term);
    let mut ways = Vec::new();
    if let Some(square) = square_root(evaluator, task, value) {
        ways.extend(nearby(task, children[0], square, width));
        ways.extend(nearby(task, children[0], bits(-number(square, width), width), width));
        return ways;
    }
    for (i, &side) in children.iter().enumerate() {
        if !depends(evaluator, side, task.via) {
            continue;
        }
        let from = pool.width(side);
        let other = children.get(1 - i.min(1)).map_or(0, |t| evaluator.value(*t));
        let k = number(other, width);
        let y = number(value, width);
        let back = |x: f64| Some(bits(x, from));
        let wanted = match (op, i) {
            (Op::FAdd, _) => back(y - k),
            (Op::FSub, 0) => back(y + k),
            (Op::FSub, _) => back(k - y),
            (Op::FMul, _) => back(y / k),
            (Op::FDiv, 0) => back(y * k),
            (Op::FDiv, _) => back(k / y),
            (Op::FFma, 0 | 1) => back((y - number(evaluator.value(children[2]), width)) / k),
            (Op::FFma, _) => {
                let product = number(evaluator.value(children[0]), width) * number(evaluator.value(children[1]), width);
                back(y - product)
            }
            (Op::FNeg, _) => back(-y),
            (Op::FSqrt, _) => back(y * y),
            (Op::FAbs | Op::FRound | Op::FRem | Op::FMin | Op::FMax | Op::FCopySign, 0) => Some(value),
            (Op::FMin | Op::FMax, _) => Some(value),
            (Op::FToF, _) => back(y),
            (Op::FToS, _) => back(signed(value, width) as f64),
            (Op::FToU, _) => back(value as f64),
            (Op::SToF, _) => Some(truncate(y as i128 as u128, from)),
            (Op::UToF, _) => Some(truncate(y as u128, from)),
            _ => None,
        };
        let rounds = matches!(op, Op::FAdd | Op::FSub | Op::FMul | Op::FDiv | Op::FSqrt | Op::FFma);
        match wanted {
            Some(wanted) if rounds => ways.extend(nearby(task, side, wanted, width)),
            wanted => ways.extend(single(task, side, [wanted])),
        }
        // An order over converted integers: the next integer may be the one.
        if matches!(op, Op::SToF | Op::UToF)
            && let Some(at) = wanted
        {
            let step = |d: u128| Some(truncate(at.wrapping_add(d), from));
            ways.extend(single(task, side, [step(1), step(u128::MAX)]));
        }
        if op == Op::FAbs {
            ways.push(vec![Task { term: side, want: Want::Value(bits(-y, width)), via: task.via }]);
        }
    }
    ways
}

/// The value and its two neighbours on either side: where the inverse is rounded, one of them may be the one.
fn nearby(task: &Task, term: Term, value: u128, width: u16) -> Vec<Vec<Task>> {
    let (up, down) = (next(value, width, true), next(value, width, false));
    single(task, term, [Some(value), Some(up), Some(down), Some(next(up, width, true)), Some(next(down, width, false))])
}

/// What a term times itself (plus a constant) is to be made of.
fn square_root(evaluator: &mut Evaluator<'_>, task: &Task, value: u128) -> Option<u128> {
    let pool = evaluator.pool();
    let children = pool.children(task.term);
    let width = pool.width(task.term);
    let added = match pool.op(task.term) {
        Op::FMul => 0.0,
        Op::FFma => number(evaluator.value(children[2]), width),
        _ => return None,
    };
    (children[0] == children[1]).then(|| bits((number(value, width) - added).sqrt(), width))
}
