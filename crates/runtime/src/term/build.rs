//! Operators and operand nodes → the node of the result, made smaller where that is cheap.
//!
//! Invariant: the node that comes back has the value of the plain operator for every value of the variables, and the
//! width of [`covet_abi::node`]. Operands are nodes of the right width; an answer of 0 means the arena is full.

mod bits;
mod shape;

use covet_abi::node::{Node, NodeId, Op, Rounding};

use crate::term::arena::{constant, constant_bits, intern, node, width};

pub use bits::{binary, split_offset};
pub use shape::{concat, extract, ite, sign_extend, zero_extend};

/// A node of up to two operands, as it is.
#[inline(always)]
pub(crate) fn plain(op: Op, width: u32, a: NodeId, b: NodeId) -> NodeId {
    intern(Node { op: op as u8, aux: 0, width: width as u16, a, b, c: 0, imm: 0 })
}

/// `id` as an operand of this width: a constant of `bits` when it is concrete.
#[inline(always)]
pub fn operand(id: NodeId, wanted: u32, bits: u128) -> NodeId {
    if id == 0 {
        return constant(wanted, bits);
    }
    let actual = width(id);
    if actual == wanted { id } else { refit(id, actual, wanted, bits) }
}

/// Values are stored in whole bytes, so an odd width may come back wider or narrower than it went.
#[cold]
fn refit(id: NodeId, actual: u32, wanted: u32, bits: u128) -> NodeId {
    if actual == 0 {
        // The id names no node: whoever passed it on did not know better. The concrete value is always right.
        constant(wanted, bits)
    } else if actual < wanted {
        zero_extend(wanted, id)
    } else {
        extract(id, 0, wanted)
    }
}

/// `id` cut or zero-extended to `wanted` bits; 0 stays 0.
#[inline(always)]
pub fn fit(id: NodeId, wanted: u32) -> NodeId {
    let actual = width(id);
    if actual == wanted || actual == 0 { id } else { refit(id, actual, wanted, 0) }
}

/// Bitwise complement.
pub fn not(a: NodeId) -> NodeId {
    let record = node(a);
    if record.op == Op::Not as u8 {
        return record.a;
    }
    let width = u32::from(record.width);
    match constant_bits(a) {
        Some(bits) => constant(width, !bits),
        None => plain(Op::Not, width, a, 0),
    }
}

/// Any operator of one operand that keeps its width.
pub fn unary(op: Op, width: u32, a: NodeId) -> NodeId {
    let inner = node(a);
    if op == Op::Not {
        not(a)
    } else if op == Op::FNeg && inner.op == Op::FNeg as u8 {
        inner.a
    } else if op == Op::FAbs && inner.op == Op::FAbs as u8 {
        a
    } else {
        plain(op, width, a, 0)
    }
}

pub fn round(mode: Rounding, width: u32, a: NodeId) -> NodeId {
    intern(Node { op: Op::FRound as u8, aux: mode as u8, width: width as u16, a, b: 0, c: 0, imm: 0 })
}

/// `a * b + c`, rounded once.
pub fn fused(width: u32, a: NodeId, b: NodeId, c: NodeId) -> NodeId {
    intern(Node { op: Op::FFma as u8, aux: 0, width: width as u16, a, b, c, imm: 0 })
}

/// A library function on one to three arguments; absent ones are 0.
pub fn library(number: u64, width: u32, [a, b, c]: [NodeId; 3]) -> NodeId {
    intern(Node { op: Op::Call as u8, aux: 0, width: width as u16, a, b, c, imm: number })
}

/// Entry `index` of a table whose entries have this width.
pub fn select(width: u32, index: NodeId, table: u32) -> NodeId {
    plain(Op::Select, width, index, table)
}

/// `a == bits`.
pub fn equals(a: NodeId, bits: u128) -> NodeId {
    let width = width(a);
    binary(Op::Eq, width, a, constant(width, bits))
}

/// `a <= bits`, unsigned.
pub fn at_most(a: NodeId, bits: u128) -> NodeId {
    let width = width(a);
    if bits >= crate::term::arena::mask(width) {
        return constant(1, 1);
    }
    binary(Op::Ule, width, a, constant(width, bits))
}
