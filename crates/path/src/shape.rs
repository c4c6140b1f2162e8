//! Whether a node's widths fit its operator.
//!
//! The constructors of `expr` rely on it, so nothing gets past the importer that does not pass here.

use covet_expr::{Op, Pool, arity};

/// The facts about a node that decide.
pub(crate) struct Facts<'a> {
    pub op: Op,
    pub aux: u8,
    pub width: u16,
    pub imm: u64,
    /// Operand widths.
    pub operands: &'a [u16],
}

pub(crate) fn fits(pool: &Pool, facts: &Facts<'_>) -> bool {
    let Facts { op, width, imm, operands, .. } = *facts;
    if width == 0 || width > 128 {
        return false;
    }
    if op != Op::Call && operands.len() != arity(op) {
        return false;
    }
    let float = |w: u16| w == 32 || w == 64;
    let all_of = |w: u16| operands.iter().all(|o| *o == w);
    match op {
        Op::Const | Op::Var => true,
        Op::Add | Op::Sub | Op::Mul | Op::UDiv | Op::SDiv | Op::URem | Op::SRem => all_of(width),
        Op::Shl | Op::LShr | Op::AShr | Op::And | Op::Or | Op::Xor | Op::Not => all_of(width),
        Op::PopCount | Op::LeadingZeros | Op::TrailingZeros => all_of(width),
        Op::Eq | Op::Ult | Op::Ule | Op::Slt | Op::Sle => width == 1 && operands[0] == operands[1],
        Op::ZExt | Op::SExt => operands[0] <= width,
        Op::Extract => imm.checked_add(u64::from(width)).is_some_and(|end| end <= u64::from(operands[0])),
        Op::Concat => operands[0] + operands[1] == width,
        Op::Ite => operands[0] == 1 && operands[1] == width && operands[2] == width,
        Op::Select => true,
        Op::FAdd | Op::FSub | Op::FMul | Op::FDiv | Op::FRem | Op::FMin | Op::FMax | Op::FCopySign => {
            float(width) && all_of(width)
        }
        Op::FNeg | Op::FAbs | Op::FSqrt | Op::FFma => float(width) && all_of(width),
        Op::FRound => float(width) && all_of(width) && facts.aux <= 4,
        Op::FEq | Op::FLt | Op::FLe | Op::FUno => width == 1 && float(operands[0]) && operands[0] == operands[1],
        Op::FToF => float(width) && float(operands[0]),
        Op::FToS | Op::FToU => float(operands[0]),
        Op::SToF | Op::UToF => float(width),
        Op::Call => all_of(width) && pool.library().shape(imm) == Some((width, operands.len())),
    }
}
