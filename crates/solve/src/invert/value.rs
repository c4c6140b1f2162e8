//! One operator backwards: which operand gives the wanted bits, all other operands staying as they are.

use crate::invert::float;
use crate::invert::{Task, Want, choice, depends};
use covet_expr::bits::{inverse_of_odd, mask, signed, signed_max, signed_min, truncate};
use covet_expr::{Evaluator, Op, Term};

/// The ways to make `task.term` have `value`.
pub(crate) fn operand_for(evaluator: &mut Evaluator<'_>, task: &Task, value: u128) -> Vec<Vec<Task>> {
    let pool = evaluator.pool();
    let children = pool.children(task.term);
    match pool.op(task.term) {
        Op::Const | Op::Var | Op::PopCount | Op::LeadingZeros | Op::TrailingZeros | Op::Call => Vec::new(),
        Op::Eq | Op::Ult | Op::Ule | Op::Slt | Op::Sle => Vec::new(),
        Op::FEq | Op::FLt | Op::FLe | Op::FUno => Vec::new(),
        Op::Add | Op::Sub | Op::Mul | Op::UDiv | Op::SDiv | Op::URem | Op::SRem => arithmetic(evaluator, task, value),
        Op::Shl | Op::LShr | Op::AShr => shift(evaluator, task, value),
        Op::And | Op::Or | Op::Xor => bitwise(evaluator, task, value),
        Op::Not => single(task, children[0], [Some(!value & mask(pool.width(task.term)))]),
        Op::ZExt | Op::SExt => extension(evaluator, task, value),
        Op::Extract => {
            let low = pool.immediate(task.term) as u32;
            let window = mask(pool.width(task.term)) << low;
            let whole = evaluator.value(children[0]) & !window | value << low;
            single(task, children[0], [Some(whole)])
        }
        Op::Concat => concatenation(evaluator, task, value),
        Op::Ite => choice(evaluator, task, value),
        Op::Select => select(evaluator, task, value),
        Op::FAdd | Op::FSub | Op::FMul | Op::FDiv | Op::FRem | Op::FNeg | Op::FAbs | Op::FSqrt | Op::FFma => {
            float::operand_for(evaluator, task, value)
        }
        Op::FRound | Op::FMin | Op::FMax | Op::FCopySign => float::operand_for(evaluator, task, value),
        Op::FToF | Op::FToS | Op::FToU | Op::SToF | Op::UToF => float::operand_for(evaluator, task, value),
    }
}

/// One way per wanted value of `term`.
pub(crate) fn single<const N: usize>(task: &Task, term: Term, values: [Option<u128>; N]) -> Vec<Vec<Task>> {
    let wanted = values.into_iter().flatten();
    wanted.map(|value| vec![Task { term, want: Want::Value(value), via: task.via }]).collect()
}

fn arithmetic(evaluator: &mut Evaluator<'_>, task: &Task, value: u128) -> Vec<Vec<Task>> {
    let pool = evaluator.pool();
    let (op, width) = (pool.op(task.term), pool.width(task.term));
    let children = pool.children(task.term);
    let cut = |v: u128| Some(truncate(v, width));
    let mut ways = Vec::new();
    if op == Op::Mul && children[0] == children[1] {
        let root = value.isqrt();
        return single(task, children[0], [Some(root), cut(root + 1), cut(root.wrapping_neg())]);
    }
    for (side, other, is_left) in [(children[0], children[1], true), (children[1], children[0], false)] {
        if !depends(evaluator, side, task.via) {
            continue;
        }
        let (k, now) = (evaluator.value(other), evaluator.value(side));
        let values: [Option<u128>; 3] = match op {
            Op::Add => [cut(value.wrapping_sub(k)), None, None],
            Op::Sub if is_left => [cut(value.wrapping_add(k)), None, None],
            Op::Sub => [cut(k.wrapping_sub(value)), None, None],
            Op::Mul => factor(value, k, width),
            // Only dividends: a divisor is rarely what a person would change.
            Op::UDiv | Op::SDiv if is_left && k != 0 => {
                let low = value.wrapping_mul(k);
                [cut(low), cut(low.wrapping_add(k.wrapping_sub(1))), cut(low.wrapping_sub(k.wrapping_sub(1)))]
            }
            Op::URem if is_left && k != 0 => {
                let base = now - now % k;
                [base.checked_add(value).and_then(cut), Some(value), None]
            }
            Op::SRem if is_left && k != 0 => {
                let remainder = signed(now, width).wrapping_rem(signed(k, width));
                let base = signed(now, width).wrapping_sub(remainder);
                [cut(base.wrapping_add(signed(value, width)) as u128), Some(value), None]
            }
            _ => [None; 3],
        };
        ways.extend(single(task, side, values));
    }
    ways
}

/// Values `x` with `x * k` equal or near to `value`.
fn factor(value: u128, k: u128, width: u16) -> [Option<u128>; 3] {
    if k == 0 {
        return [None; 3];
    }
    if k & 1 == 1 {
        let exact = truncate(value.wrapping_mul(inverse_of_odd(k, width)), width);
        // For an order the quotient is nearer than the modular solution.
        let (numerator, denominator) = (signed(value, width), signed(k, width));
        let quotient = numerator.wrapping_div(denominator);
        let divides = numerator.wrapping_rem(denominator) == 0;
        let near = |d: i128| Some(truncate(quotient.wrapping_add(d) as u128, width));
        return if divides { [near(0), Some(exact), None] } else { [Some(exact), near(0), near(numerator.signum())] };
    }
    let (numerator, denominator) = (signed(value, width), signed(k, width));
    let quotient = numerator.wrapping_div(denominator);
    let near = |d: i128| Some(truncate(quotient.wrapping_add(d) as u128, width));
    [near(0), near(1), near(-1)]
}

fn shift(evaluator: &mut Evaluator<'_>, task: &Task, value: u128) -> Vec<Vec<Task>> {
    let pool = evaluator.pool();
    let (op, width) = (pool.op(task.term), pool.width(task.term));
    let children = pool.children(task.term);
    let (moved, amount) = (children[0], children[1]);
    let by = (evaluator.value(amount) % u128::from(width)) as u32;
    let now = evaluator.value(moved);
    let mut ways = Vec::new();
    if depends(evaluator, moved, task.via) {
        let wanted = match op {
            Op::Shl => value >> by | now & (mask(width) ^ mask(width) >> by),
            _ => truncate(value << by, width) | now & mask(by as u16) & if by == 0 { 0 } else { u128::MAX },
        };
        ways.extend(single(task, moved, [Some(wanted)]));
    }
    if depends(evaluator, amount, task.via) {
        let result = |by: u32| match op {
            Op::Shl => truncate(now << by, width),
            Op::LShr => now >> by,
            _ => truncate((signed(now, width) >> by) as u128, width),
        };
        let fitting = (0..u32::from(width)).find(|by| result(*by) == value).map(u128::from);
        ways.extend(single(task, amount, [fitting]));
    }
    ways
}

fn bitwise(evaluator: &mut Evaluator<'_>, task: &Task, value: u128) -> Vec<Vec<Task>> {
    let pool = evaluator.pool();
    let op = pool.op(task.term);
    let children = pool.children(task.term);
    let mut ways = Vec::new();
    for (side, other) in [(children[0], children[1]), (children[1], children[0])] {
        if !depends(evaluator, side, task.via) {
            continue;
        }
        let (k, now) = (evaluator.value(other), evaluator.value(side));
        let wanted = match op {
            Op::And => now & !k | value & k,
            Op::Or => value & !k | now & k,
            _ => value ^ k,
        };
        ways.extend(single(task, side, [Some(wanted)]));
    }
    ways
}

/// A value that does not fit is replaced by the nearest that does.
fn extension(evaluator: &mut Evaluator<'_>, task: &Task, value: u128) -> Vec<Vec<Task>> {
    let pool = evaluator.pool();
    let inner = pool.children(task.term)[0];
    let (narrow, width) = (pool.width(inner), pool.width(task.term));
    let cut = truncate(value, narrow);
    let wanted = if pool.op(task.term) == Op::ZExt {
        if cut == value { cut } else { mask(narrow) }
    } else if truncate(signed(cut, narrow) as u128, width) == value {
        cut
    } else if signed(value, width) < 0 {
        signed_min(narrow)
    } else {
        signed_max(narrow)
    };
    single(task, inner, [Some(wanted)])
}

/// Both parts get their bits; the part without the variable through its own first.
fn concatenation(evaluator: &mut Evaluator<'_>, task: &Task, value: u128) -> Vec<Vec<Task>> {
    let pool = evaluator.pool();
    let children = pool.children(task.term);
    let below = pool.width(children[1]);
    let parts = [(children[0], value >> below), (children[1], truncate(value, below))];
    let mut together = Vec::new();
    for (part, wanted) in parts {
        if evaluator.value(part) == wanted {
            continue;
        }
        let via = if depends(evaluator, part, task.via) { Some(task.via) } else { pool.variables(part).first() };
        together.extend(via.map(|via| Task { term: part, want: Want::Value(wanted), via }));
    }
    // For an order the changed part alone may do.
    let mut ways = vec![together];
    for (part, wanted) in parts {
        if depends(evaluator, part, task.via) && ways[0].len() > 1 {
            let next = truncate(wanted.wrapping_add(1), pool.width(part));
            ways.extend(single(task, part, [Some(wanted), Some(next)]));
        }
    }
    ways
}

/// Through the entry in use, or to the nearest entry that is the wanted constant.
fn select(evaluator: &mut Evaluator<'_>, task: &Task, value: u128) -> Vec<Vec<Task>> {
    let pool = evaluator.pool();
    let index = pool.children(task.term)[0];
    let Some(table) = pool.table_of(task.term) else { return Vec::new() };
    let entries = pool.entries(table);
    let now = evaluator.value(index);
    let mut ways = Vec::new();
    if depends(evaluator, index, task.via) {
        let reach = mask(pool.width(index));
        let within = entries.iter().enumerate().take_while(|(i, _)| *i as u128 <= reach);
        let hits = within.filter(|(_, entry)| pool.constant(**entry) == Some(value)).map(|(i, _)| i as u128);
        let mut nearest: Vec<u128> = hits.collect();
        nearest.sort_by_key(|i| i.abs_diff(now));
        nearest.truncate(4);
        for at in nearest {
            ways.extend(single(task, index, [Some(at)]));
        }
    }
    if let Some(&entry) = usize::try_from(now).ok().and_then(|i| entries.get(i))
        && depends(evaluator, entry, task.via)
    {
        ways.extend(single(task, entry, [Some(value)]));
    }
    ways
}
