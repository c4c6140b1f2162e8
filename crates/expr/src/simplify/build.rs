//! The constructors by operator: fold what is constant, hand the rest to the rules of its family.
//!
//! [`Pool::make`] covers every operator; the named constructors are what code reads best with.

use crate::eval::apply::{Operands, apply};
use crate::term::pool::Pool;
use crate::term::{Record, Term};
use covet_abi::node::Op;

/// Everything of a term but its operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    pub op: Op,
    /// A rounding mode, for [`Op::FRound`].
    pub aux: u8,
    pub width: u16,
    /// The low bit of an extract, the number of a library function.
    pub imm: u64,
}

impl Shape {
    pub const fn new(op: Op, width: u16) -> Shape {
        Shape { op, aux: 0, width, imm: 0 }
    }
}

impl Pool {
    /// A term of this shape over `kids`, simplified. Widths must fit the operator; leaves and selects have their own
    /// constructors ([`Pool::bits`], [`Pool::var`], [`Pool::select`]).
    pub fn make(&mut self, shape: Shape, kids: &[Term]) -> Term {
        if kids.iter().all(|kid| self.constant(*kid).is_some()) {
            return self.fold(shape, kids);
        }
        match shape.op {
            Op::Const | Op::Var | Op::Select => unreachable!("{} has its own constructor", shape.op.name()),
            Op::Add | Op::Sub | Op::Mul | Op::UDiv | Op::SDiv | Op::URem | Op::SRem => {
                self.arith(shape.op, kids[0], kids[1])
            }
            Op::Shl | Op::LShr | Op::AShr => self.shift(shape.op, kids[0], kids[1]),
            Op::And => self.and(kids[0], kids[1]),
            Op::Or => self.or(kids[0], kids[1]),
            Op::Xor => self.xor(kids[0], kids[1]),
            Op::Not => self.not(kids[0]),
            Op::Eq => self.eq(kids[0], kids[1]),
            Op::Ult => self.ult(kids[0], kids[1]),
            Op::Ule => self.ule(kids[0], kids[1]),
            Op::Slt => self.slt(kids[0], kids[1]),
            Op::Sle => self.sle(kids[0], kids[1]),
            Op::ZExt => self.zext(kids[0], shape.width),
            Op::SExt => self.sext(kids[0], shape.width),
            Op::Extract => self.extract(kids[0], shape.imm as u16, shape.width),
            Op::Concat => self.concat(kids[0], kids[1]),
            Op::Ite => self.ite(kids[0], kids[1], kids[2]),
            Op::PopCount | Op::LeadingZeros | Op::TrailingZeros => self.raw(shape, kids),
            Op::FAdd | Op::FSub | Op::FMul | Op::FDiv | Op::FRem | Op::FMin | Op::FMax | Op::FCopySign => {
                self.raw(shape, kids)
            }
            Op::FNeg | Op::FAbs | Op::FSqrt | Op::FRound | Op::FFma => self.float_rules(shape, kids),
            Op::FEq | Op::FLt | Op::FLe | Op::FUno => self.float_rules(shape, kids),
            Op::FToF | Op::FToS | Op::FToU | Op::SToF | Op::UToF => self.float_rules(shape, kids),
            Op::Call => self.raw(shape, kids),
        }
    }

    /// A two-operand term whose result is as wide as its first operand, or of width 1 for a comparison.
    pub fn binary(&mut self, op: Op, a: Term, b: Term) -> Term {
        let width = if op.is_comparison() { 1 } else { self.width(a) };
        self.make(Shape::new(op, width), &[a, b])
    }

    pub fn add(&mut self, a: Term, b: Term) -> Term {
        self.binary(Op::Add, a, b)
    }

    pub fn sub(&mut self, a: Term, b: Term) -> Term {
        self.binary(Op::Sub, a, b)
    }

    pub fn mul(&mut self, a: Term, b: Term) -> Term {
        self.binary(Op::Mul, a, b)
    }

    /// `a != b`.
    pub fn ne(&mut self, a: Term, b: Term) -> Term {
        let equal = self.eq(a, b);
        self.not(equal)
    }

    /// The conjunction of conditions.
    pub fn all(&mut self, conditions: &[Term]) -> Term {
        conditions.iter().fold(Pool::TRUE, |all, &condition| self.and(all, condition))
    }

    /// The bits of `t` when its operands have these; not for leaves and selects.
    #[inline]
    pub fn operate(&self, t: Term, values: [u128; 3]) -> u128 {
        let mut operands = Operands { values, ..Operands::default() };
        for (width, &child) in operands.widths.iter_mut().zip(self.children(t).iter()) {
            *width = self.width(child);
        }
        apply(self.library(), self.op(t), self.aux(t), self.width(t), self.immediate(t), &operands)
    }

    /// The value of an operator on constants, by the very code that evaluates.
    pub(crate) fn fold(&mut self, shape: Shape, kids: &[Term]) -> Term {
        let mut operands = Operands::default();
        for (i, &kid) in kids.iter().enumerate() {
            operands.values[i] = self.constant(kid).unwrap_or_default();
            operands.widths[i] = self.width(kid);
        }
        let value = apply(self.library(), shape.op, shape.aux, shape.width, shape.imm, &operands);
        self.bits(shape.width, value)
    }

    /// The term as it stands, without simplification.
    pub(crate) fn raw(&mut self, shape: Shape, kids: &[Term]) -> Term {
        let id = |i: usize| kids.get(i).map_or(0, |kid: &Term| kid.0);
        self.intern(Record {
            op: shape.op,
            aux: shape.aux,
            width: shape.width,
            a: id(0),
            b: id(1),
            c: id(2),
            imm: shape.imm,
        })
    }

    /// A plain two-operand term.
    pub(crate) fn raw2(&mut self, op: Op, width: u16, a: Term, b: Term) -> Term {
        self.raw(Shape::new(op, width), &[a, b])
    }

    /// Operands of a commutative operator: constant last, otherwise the older first.
    pub(crate) fn ordered(&self, a: Term, b: Term) -> (Term, Term) {
        match (self.constant(a).is_some(), self.constant(b).is_some()) {
            (true, false) => (b, a),
            (false, true) => (a, b),
            _ => (a.min(b), a.max(b)),
        }
    }
}
