//! What a term is made of: an id, and the record behind it.
//!
//! Children have smaller ids than their parent, so ascending order of ids visits children first.

pub mod pool;
pub mod varset;

pub mod fingerprint;

use covet_abi::node::Op;

/// A term of a [`crate::Pool`]; equal terms of one pool are equal ids.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Term(pub(crate) u32);

impl Term {
    /// Position in its pool, for side tables.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A table read by [`Op::Select`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TableId(pub(crate) u32);

impl TableId {
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The record of a term, laid out as [`covet_abi::node::Node`] with pool-wide ids in place of worker ids.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Record {
    pub op: Op,
    pub aux: u8,
    pub width: u16,
    pub a: u32,
    pub b: u32,
    pub c: u32,
    pub imm: u64,
}

/// How many operands an operator has; [`Op::Call`] has one to three, [`Op::Select`] its index.
pub const fn arity(op: Op) -> usize {
    match op {
        Op::Const | Op::Var => 0,
        Op::Not | Op::ZExt | Op::SExt | Op::Extract | Op::Select => 1,
        Op::PopCount | Op::LeadingZeros | Op::TrailingZeros => 1,
        Op::FNeg | Op::FAbs | Op::FSqrt | Op::FRound => 1,
        Op::FToF | Op::FToS | Op::FToU | Op::SToF | Op::UToF => 1,
        Op::Add | Op::Sub | Op::Mul | Op::UDiv | Op::SDiv | Op::URem | Op::SRem => 2,
        Op::Shl | Op::LShr | Op::AShr | Op::And | Op::Or | Op::Xor => 2,
        Op::Eq | Op::Ult | Op::Ule | Op::Slt | Op::Sle | Op::Concat => 2,
        Op::FAdd | Op::FSub | Op::FMul | Op::FDiv | Op::FRem | Op::FMin | Op::FMax | Op::FCopySign => 2,
        Op::FEq | Op::FLt | Op::FLe | Op::FUno => 2,
        Op::Ite | Op::FFma | Op::Call => 3,
    }
}

/// The operands of a term, in order.
#[derive(Clone, Copy, Debug)]
pub struct Children {
    terms: [Term; 3],
    len: u8,
}

impl Children {
    pub(crate) fn of(record: &Record) -> Children {
        let len = match record.op {
            // Absent arguments of a call are 0, which is never an argument: term 0 is the constant `false`.
            Op::Call => [record.a, record.b, record.c].iter().take_while(|id| **id != 0).count(),
            op => arity(op),
        };
        Children { terms: [Term(record.a), Term(record.b), Term(record.c)], len: len as u8 }
    }
}

impl std::ops::Deref for Children {
    type Target = [Term];
    #[inline]
    fn deref(&self) -> &[Term] {
        &self.terms[..self.len as usize]
    }
}
