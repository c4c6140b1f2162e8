//! Integer and comparison operators: identities that make a term concrete or drop it.
//!
//! Invariant: a constant operand of a commutative operator stands on the right, and `x - c` is `x + (-c)`, so that equal
//! terms written differently get one node.

use covet_abi::node::{NodeId, Op};

use super::{not, plain};
use crate::term::arena::{constant, constant_bits, is, mask, node, width};

/// Every operator that this file leaves alone, spelled out: a new one must be put somewhere.
macro_rules! not_foldable {
    () => {
        Op::Const
            | Op::Var
            | Op::Not
            | Op::ZExt
            | Op::SExt
            | Op::Extract
            | Op::Concat
            | Op::Ite
            | Op::Select
            | Op::PopCount
            | Op::LeadingZeros
            | Op::TrailingZeros
            | Op::FAdd
            | Op::FSub
            | Op::FMul
            | Op::FDiv
            | Op::FRem
            | Op::FNeg
            | Op::FAbs
            | Op::FSqrt
            | Op::FFma
            | Op::FRound
            | Op::FMin
            | Op::FMax
            | Op::FCopySign
            | Op::FEq
            | Op::FLt
            | Op::FLe
            | Op::FUno
            | Op::FToF
            | Op::FToS
            | Op::FToU
            | Op::SToF
            | Op::UToF
            | Op::Call
    };
}

/// `a op b` for every operator of two operands; comparisons have width 1.
#[inline]
pub fn binary(op: Op, width: u32, a: NodeId, b: NodeId) -> NodeId {
    let (a, b) = if commutes(op) && is(a, Op::Const) { (b, a) } else { (a, b) };
    let simpler = match constant_bits(b) {
        Some(bits) => match constant_bits(a) {
            Some(left) => fold(op, width, left, bits),
            None => with_constant(op, width, a, bits),
        },
        None => with_itself_or_zero(op, width, a, b),
    };
    simpler.unwrap_or_else(|| plain(op, if op.is_comparison() { 1 } else { width }, a, b))
}

#[inline(always)]
fn commutes(op: Op) -> bool {
    matches!(op, Op::Add | Op::Mul | Op::And | Op::Or | Op::Xor | Op::Eq)
}

fn truth(holds: bool) -> NodeId {
    constant(1, u128::from(holds))
}

/// Both operands constant: only what address arithmetic and conjunctions of checks can bring about.
#[cold]
fn fold(op: Op, width: u32, a: u128, b: u128) -> Option<NodeId> {
    let bits = match op {
        Op::Add => a.wrapping_add(b),
        Op::Sub => a.wrapping_sub(b),
        Op::Mul => a.wrapping_mul(b),
        Op::And => a & b,
        Op::Or => a | b,
        Op::Xor => a ^ b,
        Op::Eq => return Some(truth(a == b)),
        Op::Ult => return Some(truth(a < b)),
        Op::Ule => return Some(truth(a <= b)),
        Op::UDiv | Op::SDiv | Op::URem | Op::SRem | Op::Shl | Op::LShr | Op::AShr | Op::Slt | Op::Sle => return None,
        not_foldable!() => return None,
    };
    Some(constant(width, bits))
}

#[inline]
fn with_constant(op: Op, width: u32, a: NodeId, bits: u128) -> Option<NodeId> {
    match op {
        Op::Add => add_constant(width, a, bits),
        Op::Sub => Some(binary(Op::Add, width, a, constant(width, bits.wrapping_neg()))),
        Op::Mul => match bits {
            0 => Some(constant(width, 0)),
            1 => Some(a),
            _ => None,
        },
        Op::UDiv => (bits == 1).then_some(a),
        Op::SDiv => (bits == 1 && width > 1).then_some(a),
        Op::URem => (bits == 1).then(|| constant(width, 0)),
        Op::SRem => (bits == 1 && width > 1).then(|| constant(width, 0)),
        Op::Shl | Op::LShr | Op::AShr => shift_by_constant(op, width, a, bits),
        Op::And => and_constant(width, a, bits),
        Op::Or => match bits {
            0 => Some(a),
            _ if bits == mask(width) => Some(constant(width, bits)),
            _ => None,
        },
        Op::Xor => match bits {
            0 => Some(a),
            _ if bits == mask(width) => Some(not(a)),
            _ => None,
        },
        Op::Eq => equals_constant(a, bits),
        Op::Ult => (bits == 0).then(|| truth(false)),
        Op::Ule => (bits == mask(width)).then(|| truth(true)),
        Op::Slt | Op::Sle => None,
        not_foldable!() => None,
    }
}

/// Chains of constant offsets, as pointer arithmetic makes them, become one.
fn add_constant(width: u32, a: NodeId, bits: u128) -> Option<NodeId> {
    if bits == 0 {
        return Some(a);
    }
    let inner = node(a);
    if inner.op != Op::Add as u8 {
        return None;
    }
    let more = constant_bits(inner.b)?;
    Some(match bits.wrapping_add(more) & mask(width) {
        0 => inner.a,
        sum => plain(Op::Add, width, inner.a, constant(width, sum)),
    })
}

fn shift_by_constant(op: Op, width: u32, a: NodeId, bits: u128) -> Option<NodeId> {
    if bits == 0 {
        return Some(a);
    }
    if bits < u128::from(width) {
        return None;
    }
    let amount = bits % u128::from(width.max(1));
    Some(if amount == 0 { a } else { plain(op, width, a, constant(width, amount)) })
}

fn and_constant(width: u32, a: NodeId, bits: u128) -> Option<NodeId> {
    let inner = node(a);
    let possible = if inner.op == Op::ZExt as u8 { mask(crate::term::arena::width(inner.a)) } else { mask(width) };
    if bits & possible == 0 {
        Some(constant(width, 0))
    } else if bits & possible == possible {
        Some(a)
    } else {
        None
    }
}

/// Truth values: compared as they are, or as the integer C makes of them.
fn equals_constant(a: NodeId, bits: u128) -> Option<NodeId> {
    let inner = node(a);
    let truth_value = match inner.width {
        1 => a,
        _ if inner.op == Op::ZExt as u8 && width(inner.a) == 1 => inner.a,
        _ => return None,
    };
    Some(match bits {
        0 => not(truth_value),
        1 => truth_value,
        _ => truth(false),
    })
}

/// No constant on the right: equal operands, and a zero on the left.
#[inline]
fn with_itself_or_zero(op: Op, width: u32, a: NodeId, b: NodeId) -> Option<NodeId> {
    if a == b {
        return match op {
            Op::Sub | Op::Xor => Some(constant(width, 0)),
            Op::And | Op::Or => Some(a),
            Op::Eq | Op::Ule | Op::Sle => Some(truth(true)),
            Op::Ult | Op::Slt => Some(truth(false)),
            Op::Add | Op::Mul | Op::UDiv | Op::SDiv | Op::URem | Op::SRem | Op::Shl | Op::LShr | Op::AShr => None,
            not_foldable!() => None,
        };
    }
    match op {
        Op::Add if width == 64 => constant_outermost(a, b),
        Op::Sub => pointer_difference(width, a, b),
        Op::Shl | Op::LShr | Op::AShr => (constant_bits(a) == Some(0)).then_some(a),
        Op::Ule => (constant_bits(a) == Some(0)).then(|| truth(true)),
        Op::Ult => (constant_bits(a) == Some(mask(width))).then(|| truth(false)),
        Op::Add | Op::Mul | Op::UDiv | Op::SDiv | Op::URem | Op::SRem => None,
        Op::And | Op::Or | Op::Xor | Op::Eq | Op::Slt | Op::Sle => None,
        not_foldable!() => None,
    }
}

/// `(x + c) + y` is `(x + y) + c`: the constant base of an address stays in sight whatever is indexed.
fn constant_outermost(a: NodeId, b: NodeId) -> Option<NodeId> {
    let (left, c) = split_offset(a);
    let (right, d) = split_offset(b);
    let sum = c.wrapping_add(d) & mask(64);
    if c == 0 && d == 0 {
        return None;
    }
    let variable = plain(Op::Add, 64, left, right);
    Some(if sum == 0 { variable } else { plain(Op::Add, 64, variable, constant(64, sum)) })
}

/// `(x + c) - (x + d)` is `c - d`.
fn pointer_difference(width: u32, a: NodeId, b: NodeId) -> Option<NodeId> {
    let (left, c) = split_offset(a);
    let (right, d) = split_offset(b);
    (left == right).then(|| constant(width, c.wrapping_sub(d)))
}

/// A term as base and constant offset.
pub fn split_offset(a: NodeId) -> (NodeId, u128) {
    let record = node(a);
    if record.op == Op::Add as u8
        && let Some(bits) = constant_bits(record.b)
    {
        return (record.a, bits);
    }
    (a, 0)
}
