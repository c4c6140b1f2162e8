//! Terms → what is known of their values without solving: a largest value, and factors of two.
//!
//! Invariant: never more precise than true. Both walks are bounded in depth, so they cost little on any term.

use covet_abi::node::{Node, NodeId, Op};

use crate::term::arena::{constant_bits, mask, node, width};
use crate::term::tables;

const DEPTH: u32 = 8;
/// Tables up to this length are looked through.
const ENTRIES: usize = 256;

/// No value of the term is larger, read as unsigned.
pub fn largest(id: NodeId) -> u128 {
    largest_within(id, DEPTH)
}

/// Every value of the term is a multiple of two to this power.
pub fn factors_of_two(id: NodeId) -> u32 {
    factors_within(id, DEPTH)
}

fn largest_within(id: NodeId, depth: u32) -> u128 {
    let record = node(id);
    let all = mask(u32::from(record.width));
    let (Some(op), Some(depth)) = (Op::from_u8(record.op), depth.checked_sub(1)) else { return all };
    let a = || largest_within(record.a, depth);
    let b = || largest_within(record.b, depth);
    let bound = match op {
        Op::Const => constant_bits(id),
        Op::Add => a().checked_add(b()),
        Op::Mul => a().checked_mul(b()),
        // A constant mask says enough; what it masks may be deep.
        Op::And => constant_bits(record.b).or_else(|| Some(a().min(b()))),
        Op::Or | Op::Xor => Some(ones(a() | b())),
        Op::URem => constant_bits(record.b).filter(|&by| by != 0).map(|by| by - 1),
        Op::UDiv => constant_bits(record.b).filter(|&by| by != 0).map(|by| a() / by),
        Op::Shl => constant_bits(record.b).and_then(|by| a().checked_mul(1u128.checked_shl(by as u32)?)),
        Op::LShr => constant_bits(record.b).map(|by| a().checked_shr(by as u32).unwrap_or(0)),
        Op::ZExt => Some(a()),
        Op::SExt => Some(a()).filter(|&top| top <= mask(width(record.a)) >> 1),
        Op::Extract => Some(a().checked_shr(record.imm as u32).unwrap_or(0)),
        Op::Concat => Some(a() << width(record.b) | ones(b())),
        Op::Ite => Some(largest_within(record.b, depth).max(largest_within(record.c, depth))),
        Op::PopCount | Op::LeadingZeros | Op::TrailingZeros => Some(u128::from(record.width)),
        Op::Select => largest_entry(record.b),
        Op::Var | Op::Sub | Op::SDiv | Op::SRem | Op::AShr | Op::Not | Op::Call => None,
        Op::Eq | Op::Ult | Op::Ule | Op::Slt | Op::Sle | Op::FEq | Op::FLt | Op::FLe | Op::FUno => None,
        Op::FAdd | Op::FSub | Op::FMul | Op::FDiv | Op::FRem | Op::FNeg | Op::FAbs | Op::FSqrt | Op::FFma => None,
        Op::FRound | Op::FMin | Op::FMax | Op::FCopySign | Op::FToF | Op::FToS | Op::FToU | Op::SToF | Op::UToF => None,
    };
    // A bound past the width means the operation may have wrapped.
    bound.filter(|&top| top <= all).unwrap_or(all)
}

/// The largest entry of a short table of constants.
fn largest_entry(table: u32) -> Option<u128> {
    let entries = tables::entries(table);
    if entries.len() > ENTRIES {
        return None;
    }
    entries.iter().try_fold(0, |top, &entry| Some(constant_bits(entry)?.max(top)))
}

/// The smallest all-ones number that is not below `bits`.
fn ones(bits: u128) -> u128 {
    u128::MAX.checked_shr(bits.leading_zeros()).unwrap_or(0)
}

fn factors_within(id: NodeId, depth: u32) -> u32 {
    let record = node(id);
    let all = u32::from(record.width);
    let (Some(op), Some(depth)) = (Op::from_u8(record.op), depth.checked_sub(1)) else { return 0 };
    factors_of(record, op, id, depth).min(all)
}

fn factors_of(record: &Node, op: Op, id: NodeId, depth: u32) -> u32 {
    let a = || factors_within(record.a, depth);
    let b = || factors_within(record.b, depth);
    match op {
        Op::Const => constant_bits(id).unwrap_or(1).trailing_zeros(),
        Op::Add | Op::Sub | Op::Or | Op::Xor => a().min(b()),
        Op::Mul => a() + b(),
        Op::And => a().max(b()),
        Op::Shl => constant_bits(record.b).map_or(0, |by| a() + by as u32),
        Op::ZExt | Op::SExt => {
            let inner = a();
            if inner == width(record.a) { u32::from(record.width) } else { inner }
        }
        Op::Extract => a().saturating_sub(record.imm as u32),
        Op::Concat => {
            let low = b();
            if low == width(record.b) { low + a() } else { low }
        }
        Op::Ite => factors_within(record.b, depth).min(factors_within(record.c, depth)),
        Op::Var | Op::UDiv | Op::SDiv | Op::URem | Op::SRem | Op::LShr | Op::AShr | Op::Not | Op::Select => 0,
        Op::Eq | Op::Ult | Op::Ule | Op::Slt | Op::Sle | Op::FEq | Op::FLt | Op::FLe | Op::FUno | Op::Call => 0,
        Op::PopCount | Op::LeadingZeros | Op::TrailingZeros => 0,
        Op::FAdd | Op::FSub | Op::FMul | Op::FDiv | Op::FRem | Op::FNeg | Op::FAbs | Op::FSqrt | Op::FFma => 0,
        Op::FRound | Op::FMin | Op::FMax | Op::FCopySign | Op::FToF | Op::FToS | Op::FToU | Op::SToF | Op::UToF => 0,
    }
}
