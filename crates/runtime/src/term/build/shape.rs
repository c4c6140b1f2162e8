//! Operators that cut, glue, widen and choose: the traffic between values and bytes of memory.
//!
//! Invariant: cutting what was glued gives the part back, and gluing adjacent cuts gives the whole back, so a value that
//! went through memory byte by byte is the node it was.

use covet_abi::node::{Node, NodeId, Op};

use super::{not, plain};
use crate::term::arena::{constant, constant_bits, intern, node, width};

/// Bits `low .. low + wanted` of `a`.
pub fn extract(a: NodeId, low: u32, wanted: u32) -> NodeId {
    let (mut a, mut low) = (a, low);
    // Each turn looks through one node, and children have smaller ids than parents.
    loop {
        let record = *node(a);
        if low == 0 && u32::from(record.width) == wanted {
            return a;
        }
        match through(&record, a, low, wanted) {
            Cut::Deeper(inner, at) => (a, low) = (inner, at),
            Cut::Done(result) => return result,
            Cut::Here => {
                let (op, width, imm) = (Op::Extract as u8, wanted as u16, u64::from(low));
                return intern(Node { op, aux: 0, width, a, b: 0, c: 0, imm });
            }
        }
    }
}

/// What an extract finds behind the node it is taken of.
enum Cut {
    /// The same bits are those of another node, from this bit on.
    Deeper(NodeId, u32),
    Done(NodeId),
    Here,
}

fn through(record: &Node, a: NodeId, low: u32, wanted: u32) -> Cut {
    let Some(op) = Op::from_u8(record.op) else { return Cut::Done(0) };
    let high = low + wanted;
    match op {
        Op::Const => Cut::Done(constant(wanted, constant_bits(a).unwrap_or(0) >> low)),
        Op::Extract => Cut::Deeper(record.a, low + record.imm as u32),
        Op::ZExt => {
            let inner = width(record.a);
            if high <= inner {
                Cut::Deeper(record.a, low)
            } else if low >= inner {
                Cut::Done(constant(wanted, 0))
            } else {
                Cut::Done(zero_extend(wanted, extract(record.a, low, inner - low)))
            }
        }
        Op::SExt => {
            let inner = width(record.a);
            if high <= inner {
                Cut::Deeper(record.a, low)
            } else if low < inner {
                Cut::Done(sign_extend(wanted, extract(record.a, low, inner - low)))
            } else {
                Cut::Here
            }
        }
        Op::Concat => {
            let boundary = width(record.b);
            if high <= boundary {
                Cut::Deeper(record.b, low)
            } else if low >= boundary {
                Cut::Deeper(record.a, low - boundary)
            } else {
                Cut::Here
            }
        }
        Op::LShr => match constant_bits(record.b) {
            Some(amount) if u128::from(high) + amount <= u128::from(record.width) => {
                Cut::Deeper(record.a, low + amount as u32)
            }
            _ => Cut::Here,
        },
        Op::Var | Op::Add | Op::Sub | Op::Mul | Op::UDiv | Op::SDiv | Op::URem | Op::SRem | Op::Shl | Op::AShr => {
            Cut::Here
        }
        Op::And | Op::Or | Op::Xor | Op::Not | Op::Eq | Op::Ult | Op::Ule | Op::Slt | Op::Sle | Op::Ite => Cut::Here,
        Op::Select | Op::PopCount | Op::LeadingZeros | Op::TrailingZeros | Op::Call => Cut::Here,
        Op::FAdd | Op::FSub | Op::FMul | Op::FDiv | Op::FRem | Op::FNeg | Op::FAbs | Op::FSqrt | Op::FFma => Cut::Here,
        Op::FRound | Op::FMin | Op::FMax | Op::FCopySign | Op::FEq | Op::FLt | Op::FLe | Op::FUno => Cut::Here,
        Op::FToF | Op::FToS | Op::FToU | Op::SToF | Op::UToF => Cut::Here,
    }
}

/// `high` above `low`.
pub fn concat(high: NodeId, low: NodeId) -> NodeId {
    let (upper, lower) = (node(high), node(low));
    let total = u32::from(upper.width) + u32::from(lower.width);
    if let Some(bits) = constant_bits(high) {
        if let Some(rest) = constant_bits(low) {
            return constant(total, bits << lower.width | rest);
        }
        if bits == 0 {
            return zero_extend(total, low);
        }
    }
    if upper.op == Op::Extract as u8 {
        let below = upper.imm as u32;
        if lower.op == Op::Extract as u8 && lower.a == upper.a && below == lower.imm as u32 + u32::from(lower.width) {
            return extract(upper.a, lower.imm as u32, total);
        }
    }
    plain(Op::Concat, total, high, low)
}

pub fn zero_extend(wanted: u32, a: NodeId) -> NodeId {
    extend(Op::ZExt, wanted, a)
}

pub fn sign_extend(wanted: u32, a: NodeId) -> NodeId {
    extend(Op::SExt, wanted, a)
}

fn extend(op: Op, wanted: u32, a: NodeId) -> NodeId {
    let record = node(a);
    let narrow = u32::from(record.width);
    if narrow >= wanted || narrow == 0 {
        return a;
    }
    if let Some(bits) = constant_bits(a) {
        let negative = op == Op::SExt && bits >> (narrow - 1) & 1 == 1;
        return constant(wanted, if negative { bits | u128::MAX << narrow } else { bits });
    }
    if record.op == op as u8 || record.op == Op::ZExt as u8 {
        // A zero-extended value is not negative: extending it with its sign adds zeros too.
        let same = if record.op == Op::ZExt as u8 { Op::ZExt } else { op };
        return plain(same, wanted, record.a, 0);
    }
    plain(op, wanted, a, 0)
}

/// `condition` (width 1) chooses `yes` or `no`.
pub fn ite(condition: NodeId, yes: NodeId, no: NodeId) -> NodeId {
    if yes == no {
        return yes;
    }
    if let Some(bits) = constant_bits(condition) {
        return if bits == 1 { yes } else { no };
    }
    let chosen = node(condition);
    let (condition, yes, no) = if chosen.op == Op::Not as u8 { (chosen.a, no, yes) } else { (condition, yes, no) };
    let width = node(yes).width;
    if width == 1 {
        match (constant_bits(yes), constant_bits(no)) {
            (Some(1), Some(0)) => return condition,
            (Some(0), Some(1)) => return not(condition),
            _ => {}
        }
    }
    intern(Node { op: Op::Ite as u8, aux: 0, width, a: condition, b: yes, c: no, imm: 0 })
}
