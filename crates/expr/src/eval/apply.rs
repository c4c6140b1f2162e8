//! One operator on concrete bits: the meaning of every operator, used by evaluation and by constant folding alike.
//!
//! Operands have no bits above their width, and neither has the result.

use crate::bits::{mask, signed, truncate};
use crate::eval::float;
use crate::library::Library;
use covet_abi::node::Op;

/// Operand bits and operand widths; unused places are 0.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Operands {
    pub values: [u128; 3],
    pub widths: [u16; 3],
}

/// The result of `op` with this detail and result width; calls are those of `library`.
pub(crate) fn apply(library: &Library, op: Op, aux: u8, width: u16, imm: u64, operands: &Operands) -> u128 {
    let [a, b, c] = operands.values;
    let from = operands.widths[0];
    match op {
        Op::Const | Op::Var | Op::Select => unreachable!("{} has no operands to apply to", op.name()),
        Op::Add => truncate(a.wrapping_add(b), width),
        Op::Sub => truncate(a.wrapping_sub(b), width),
        Op::Mul => truncate(a.wrapping_mul(b), width),
        Op::UDiv | Op::SDiv | Op::URem | Op::SRem => divide(op, width, a, b),
        Op::Shl | Op::LShr | Op::AShr => shift(op, width, a, b),
        Op::And => a & b,
        Op::Or => a | b,
        Op::Xor => a ^ b,
        Op::Not => !a & mask(width),
        Op::Eq => u128::from(a == b),
        Op::Ult => u128::from(a < b),
        Op::Ule => u128::from(a <= b),
        Op::Slt => u128::from(signed(a, from) < signed(b, from)),
        Op::Sle => u128::from(signed(a, from) <= signed(b, from)),
        Op::ZExt => a,
        Op::SExt => truncate(signed(a, from) as u128, width),
        Op::Extract => truncate(a >> imm, width),
        Op::Concat => a << operands.widths[1] | b,
        Op::Ite => {
            if a != 0 {
                b
            } else {
                c
            }
        }
        Op::PopCount => truncate(u128::from(a.count_ones()), width),
        Op::LeadingZeros => truncate(u128::from(a.leading_zeros() - (128 - u32::from(width))), width),
        Op::TrailingZeros => truncate(u128::from(a.trailing_zeros().min(u32::from(width))), width),
        Op::FAdd | Op::FSub | Op::FMul | Op::FDiv | Op::FRem | Op::FMin | Op::FMax | Op::FCopySign => {
            float::binary(op, width, a, b)
        }
        Op::FNeg | Op::FAbs | Op::FSqrt => float::unary(op, width, a),
        Op::FFma => float::fused(width, a, b, c),
        Op::FRound => float::round(aux, width, a),
        Op::FEq | Op::FLt | Op::FLe | Op::FUno => u128::from(float::compare(op, from, a, b)),
        Op::FToF => float::resize(from, width, a),
        Op::FToS => float::to_signed(from, width, a),
        Op::FToU => float::to_unsigned(from, width, a),
        Op::SToF => float::from_signed(signed(a, from), width),
        Op::UToF => float::from_unsigned(a, width),
        Op::Call => library.call(imm, &operands.values),
    }
}

/// Division and remainder, by zero as SMT-LIB defines them.
fn divide(op: Op, width: u16, a: u128, b: u128) -> u128 {
    let (sa, sb) = (signed(a, width), signed(b, width));
    match op {
        Op::UDiv => a.checked_div(b).unwrap_or(mask(width)),
        Op::URem => a.checked_rem(b).unwrap_or(a),
        Op::SDiv if b == 0 => {
            if sa < 0 {
                1
            } else {
                mask(width)
            }
        }
        Op::SDiv => truncate(sa.wrapping_div(sb) as u128, width),
        _ if b == 0 => a,
        _ => truncate(sa.wrapping_rem(sb) as u128, width),
    }
}

fn shift(op: Op, width: u16, a: u128, b: u128) -> u128 {
    let amount = (b % u128::from(width)) as u32;
    match op {
        Op::Shl => truncate(a << amount, width),
        Op::LShr => a >> amount,
        _ => truncate((signed(a, width) >> amount) as u128, width),
    }
}
