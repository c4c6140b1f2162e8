//! The operator hooks: operand ids and concrete values → the id of the result.
//!
//! Invariant: an operator number that the hook does not serve gives 0, "concrete", never a malformed node.

use covet_abi::node::{NodeId, Op, Rounding};

use crate::term::arena::answer;
use crate::term::build::{self, fit, operand};
use crate::trace::tracking;

/// Which hook serves an operator.
#[derive(PartialEq, Eq, Clone, Copy)]
enum Family {
    Unary,
    Binary,
    Choice,
    Fused,
    Extension,
    Cut,
    FloatCast,
    /// Built by other hooks or by memory accesses.
    Other,
}

#[inline(always)]
fn family(op: Op) -> Family {
    match op {
        Op::Not | Op::PopCount | Op::LeadingZeros | Op::TrailingZeros | Op::FNeg | Op::FAbs | Op::FSqrt => {
            Family::Unary
        }
        Op::Add | Op::Sub | Op::Mul | Op::UDiv | Op::SDiv | Op::URem | Op::SRem | Op::Shl | Op::LShr => Family::Binary,
        Op::AShr | Op::And | Op::Or | Op::Xor | Op::Eq | Op::Ult | Op::Ule | Op::Slt | Op::Sle => Family::Binary,
        Op::FAdd | Op::FSub | Op::FMul | Op::FDiv | Op::FRem | Op::FMin | Op::FMax | Op::FCopySign => Family::Binary,
        Op::FEq | Op::FLt | Op::FLe | Op::FUno => Family::Binary,
        Op::Ite => Family::Choice,
        Op::FFma => Family::Fused,
        Op::ZExt | Op::SExt => Family::Extension,
        Op::Extract => Family::Cut,
        Op::FToF | Op::FToS | Op::FToU | Op::SToF | Op::UToF => Family::FloatCast,
        Op::Const | Op::Var | Op::Concat | Op::Select | Op::FRound | Op::Call => Family::Other,
    }
}

#[inline(always)]
fn known(op: u32, width: u32) -> Option<(Op, Family)> {
    if !tracking::active() || !(1..=128).contains(&width) {
        return None;
    }
    let op = Op::from_u8(op as u8)?;
    Some((op, family(op)))
}

#[inline(always)]
fn join(low: u64, high: u64) -> u128 {
    u128::from(low) | u128::from(high) << 64
}

#[unsafe(no_mangle)]
pub extern "C" fn __covet_unary(op: u32, width: u32, a: u32) -> NodeId {
    match known(op, width) {
        Some((op, Family::Unary)) if a != 0 => answer(build::unary(op, width, fit(a, width))),
        _ => 0,
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn __covet_binary(op: u32, width: u32, a: u32, b: u32, av: u64, bv: u64) -> NodeId {
    match known(op, width) {
        Some((op, Family::Binary)) => {
            answer(build::binary(op, width, operand(a, width, u128::from(av)), operand(b, width, u128::from(bv))))
        }
        _ => 0,
    }
}

#[unsafe(no_mangle)]
#[rustfmt::skip]
pub extern "C" fn __covet_binary_wide(
    op: u32, width: u32, a: u32, b: u32, al: u64, ah: u64, bl: u64, bh: u64,
) -> NodeId {
    match known(op, width) {
        Some((op, Family::Binary)) => {
            answer(build::binary(op, width, operand(a, width, join(al, ah)), operand(b, width, join(bl, bh))))
        }
        _ => 0,
    }
}

#[unsafe(no_mangle)]
#[rustfmt::skip]
pub extern "C" fn __covet_ternary(
    op: u32, width: u32, a: u32, b: u32, c: u32, av: u64, bv: u64, cv: u64,
) -> NodeId {
    match known(op, width) {
        Some((_, Family::Choice)) => choice(width, a, b, c, av, u128::from(bv), u128::from(cv)),
        Some((_, Family::Fused)) => {
            let [a, b, c] = [(a, av), (b, bv), (c, cv)].map(|(id, value)| operand(id, width, u128::from(value)));
            answer(build::fused(width, a, b, c))
        }
        _ => 0,
    }
}

#[unsafe(no_mangle)]
#[rustfmt::skip]
pub extern "C" fn __covet_ite_wide(
    width: u32, a: u32, b: u32, c: u32, av: u64, bl: u64, bh: u64, cl: u64, ch: u64,
) -> NodeId {
    match known(Op::Ite as u32, width) {
        Some(_) => choice(width, a, b, c, av, join(bl, bh), join(cl, ch)),
        None => 0,
    }
}

fn choice(width: u32, a: u32, b: u32, c: u32, av: u64, bv: u128, cv: u128) -> NodeId {
    if a == 0 {
        let taken = if av & 1 == 1 { b } else { c };
        return if taken == 0 { 0 } else { answer(fit(taken, width)) };
    }
    answer(build::ite(fit(a, 1), operand(b, width, bv), operand(c, width, cv)))
}

#[unsafe(no_mangle)]
pub extern "C" fn __covet_cast(op: u32, from: u32, to: u32, a: u32) -> NodeId {
    if a == 0 {
        return 0;
    }
    match known(op, to) {
        Some((Op::ZExt, _)) => answer(build::zero_extend(to, fit(a, from))),
        Some((Op::SExt, _)) => answer(build::sign_extend(to, fit(a, from))),
        Some((_, Family::Cut)) => answer(build::extract(fit(a, from), 0, to.min(from))),
        Some((op, Family::FloatCast)) => answer(build::plain(op, to, fit(a, from), 0)),
        _ => 0,
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn __covet_extract(a: u32, low: u32, width: u32) -> NodeId {
    let whole = crate::term::arena::width(a);
    match known(Op::Extract as u32, width) {
        Some(_) if low < whole && width <= whole - low => answer(build::extract(a, low, width)),
        _ => 0,
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn __covet_concat(a: u32, a_width: u32, av: u64, b: u32, b_width: u32, bv: u64) -> NodeId {
    match known(Op::Concat as u32, a_width.saturating_add(b_width)) {
        Some(_) if a_width > 0 && b_width > 0 => {
            answer(build::concat(operand(a, a_width, u128::from(av)), operand(b, b_width, u128::from(bv))))
        }
        _ => 0,
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn __covet_round(mode: u32, width: u32, a: u32) -> NodeId {
    let mode = match mode {
        0 => Rounding::NearestEven,
        1 => Rounding::NearestAway,
        2 => Rounding::Down,
        3 => Rounding::Up,
        4 => Rounding::Zero,
        _ => return 0,
    };
    match known(Op::FRound as u32, width) {
        Some(_) if a != 0 => answer(build::round(mode, width, fit(a, width))),
        _ => 0,
    }
}

#[unsafe(no_mangle)]
#[rustfmt::skip]
pub extern "C" fn __covet_library(
    number: u32, count: u32, width: u32, a: u32, b: u32, c: u32, av: u64, bv: u64, cv: u64,
) -> NodeId {
    if known(Op::Call as u32, width).is_none() || !(1..=3).contains(&count) || !matches!(width, 32 | 64) {
        return 0;
    }
    let all = [(a, av), (b, bv), (c, cv)];
    let mut arguments = [0; 3];
    for (argument, (id, value)) in arguments.iter_mut().zip(all).take(count as usize) {
        *argument = operand(id, width, u128::from(value));
    }
    answer(build::library(u64::from(number), width, arguments))
}
