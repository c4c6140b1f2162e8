//! An address term → index and stride within an object.
//!
//! Invariant: for every value of the variables that keeps the address inside the object,
//! `address == base + first + index * stride`, and the index is then below the number of cells.

use covet_abi::node::{Node, NodeId, Op};

use crate::term::arena::{constant, constant_bits, node, width};
use crate::term::build::{binary, extract, split_offset};
use crate::term::range;

pub struct Index {
    pub node: NodeId,
    pub stride: u64,
    pub first: u64,
}

/// Takes the address `id` (64 bits) apart for an object of `size` bytes at `base`.
pub fn of(id: NodeId, base: u64, size: u64) -> Index {
    let (variable, constant) = split_offset(id);
    let offset = (constant as u64).wrapping_sub(base);
    if let Some((scaled, factor)) = product(node(variable))
        && factor > 1
        && factor <= size
    {
        if cannot_wrap(scaled, factor) && (offset as i64).unsigned_abs() < 1 << 62 {
            let (steps, first) = ((offset as i64).div_euclid(factor as i64), (offset as i64).rem_euclid(factor as i64));
            return Index { node: plus(scaled, steps as u64), stride: factor, first: first as u64 };
        }
        if factor.is_power_of_two() {
            let shift = factor.trailing_zeros();
            let low = extract(scaled, 0, 64 - shift);
            return Index { node: plus(low, offset >> shift), stride: factor, first: offset & (factor - 1) };
        }
    }
    by_alignment(variable, offset, size)
}

/// `x * c` and `x << c` with a constant of at most 31 bits.
fn product(record: &Node) -> Option<(NodeId, u64)> {
    let bits = constant_bits(record.b)?;
    let factor = if record.op == Op::Mul as u8 {
        u64::try_from(bits).ok()?
    } else if record.op == Op::Shl as u8 {
        1u64.checked_shl(u32::try_from(bits).ok()?)?
    } else {
        return None;
    };
    (factor < 1 << 31).then_some((record.a, factor))
}

/// True when `id * factor` is the same number in 64 bits as without bounds, signed or not.
fn cannot_wrap(id: NodeId, factor: u64) -> bool {
    let record = node(id);
    let extended = record.op == Op::SExt as u8 || record.op == Op::ZExt as u8;
    let small = extended && width(record.a) + (64 - factor.leading_zeros()) <= 62;
    small || range::largest(id).saturating_mul(u128::from(factor)) < 1 << 62
}

/// No product in sight: cells as far apart as the address is known to be aligned.
fn by_alignment(variable: NodeId, offset: u64, size: u64) -> Index {
    let shift = range::factors_of_two(variable).min(size.ilog2());
    let stride = 1u64 << shift;
    Index { node: extract(plus(variable, offset), shift, 64 - shift), stride, first: offset & (stride - 1) }
}

/// `id + steps`, in the width of `id`.
fn plus(id: NodeId, steps: u64) -> NodeId {
    let bits = width(id);
    // Sign-extend: a negative step must stay one in widths above 64 as well as below.
    binary(Op::Add, bits, id, constant(bits, steps as i64 as i128 as u128))
}
