//! Rules for and, or, xor and complement; on width 1 they are the boolean connectives.
//!
//! Left behind: masks of low bits are extensions of extracts, operators over zero-extensions work on the narrow width.

use crate::bits::mask;
use crate::simplify::build::Shape;
use crate::term::Term;
use crate::term::pool::Pool;
use covet_abi::node::Op;

impl Pool {
    /// Bitwise complement; the negation of a condition. Comparisons turn into their opposites.
    pub fn not(&mut self, t: Term) -> Term {
        let width = self.width(t);
        if let Some(value) = self.constant(t) {
            return self.bits(width, !value);
        }
        match self.op(t) {
            Op::Not => self.first(t),
            Op::Ult => {
                let (a, b) = self.pair(t);
                self.ule(b, a)
            }
            Op::Ule => {
                let (a, b) = self.pair(t);
                self.ult(b, a)
            }
            Op::Slt => {
                let (a, b) = self.pair(t);
                self.sle(b, a)
            }
            Op::Sle => {
                let (a, b) = self.pair(t);
                self.slt(b, a)
            }
            _ => self.raw(Shape::new(Op::Not, width), &[t]),
        }
    }

    pub fn and(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = self.ordered(a, b);
        let width = self.width(a);
        if a == b {
            return a;
        }
        if let Some(c) = self.constant(b) {
            if c == 0 {
                return b;
            }
            if c == mask(width) {
                return a;
            }
            return self.and_constant(a, b, c);
        }
        if self.are_complements(a, b) {
            return self.bits(width, 0);
        }
        if let Some(narrow) = self.both_narrow(Op::And, a, b) {
            return narrow;
        }
        self.raw2(Op::And, width, a, b)
    }

    fn and_constant(&mut self, a: Term, b: Term, c: u128) -> Term {
        let width = self.width(a);
        if let Some(value) = self.constant(a) {
            return self.bits(width, value & c);
        }
        match self.op(a) {
            Op::And => {
                let (x, y) = self.pair(a);
                if let Some(inner) = self.constant(y) {
                    let both = self.bits(width, inner & c);
                    return self.and(x, both);
                }
            }
            Op::ZExt | Op::SExt => {
                let x = self.first(a);
                let inner = self.width(x);
                if self.op(a) == Op::ZExt || c <= mask(inner) {
                    let narrow_mask = self.bits(inner, c);
                    let narrow = self.and(x, narrow_mask);
                    return self.zext(narrow, width);
                }
            }
            Op::Concat => return self.split_constant(Op::And, a, c),
            _ => {}
        }
        if (c + 1).is_power_of_two() {
            let low = self.extract(a, 0, c.trailing_ones() as u16);
            return self.zext(low, width);
        }
        self.raw2(Op::And, width, a, b)
    }

    pub fn or(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = self.ordered(a, b);
        let width = self.width(a);
        if a == b {
            return a;
        }
        if let Some(c) = self.constant(b) {
            if c == 0 {
                return a;
            }
            if c == mask(width) {
                return b;
            }
            if let Some(value) = self.constant(a) {
                return self.bits(width, value | c);
            }
            if self.op(a) == Op::Or {
                let (x, y) = self.pair(a);
                if let Some(inner) = self.constant(y) {
                    let both = self.bits(width, inner | c);
                    return self.or(x, both);
                }
            }
            if self.op(a) == Op::Concat {
                return self.split_constant(Op::Or, a, c);
            }
        }
        if self.are_complements(a, b) {
            return self.bits(width, mask(width));
        }
        if let Some(joined) = self.join_disjoint(a, b) {
            return joined;
        }
        if let Some(narrow) = self.both_narrow(Op::Or, a, b) {
            return narrow;
        }
        self.raw2(Op::Or, width, a, b)
    }

    pub fn xor(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = self.ordered(a, b);
        let width = self.width(a);
        if a == b {
            return self.bits(width, 0);
        }
        if let Some(c) = self.constant(b) {
            if c == 0 {
                return a;
            }
            if let Some(value) = self.constant(a) {
                return self.bits(width, value ^ c);
            }
            if c == mask(width) {
                return self.not(a);
            }
            if self.op(a) == Op::Not {
                let inner = self.first(a);
                let flipped = self.bits(width, !c);
                return self.xor(inner, flipped);
            }
            if self.op(a) == Op::Xor {
                let (x, y) = self.pair(a);
                if let Some(inner) = self.constant(y) {
                    let both = self.bits(width, inner ^ c);
                    return self.xor(x, both);
                }
            }
            if self.op(a) == Op::Concat {
                return self.split_constant(Op::Xor, a, c);
            }
        }
        if self.are_complements(a, b) {
            return self.bits(width, mask(width));
        }
        if let Some(joined) = self.join_disjoint(a, b) {
            return joined;
        }
        if let Some(narrow) = self.both_narrow(Op::Xor, a, b) {
            return narrow;
        }
        self.raw2(Op::Xor, width, a, b)
    }

    fn are_complements(&self, a: Term, b: Term) -> bool {
        (self.op(a) == Op::Not && self.first(a) == b) || (self.op(b) == Op::Not && self.first(b) == a)
    }

    /// `concat(high, low) op c`, part by part.
    fn split_constant(&mut self, op: Op, t: Term, c: u128) -> Term {
        let (high, low) = self.pair(t);
        let below = self.width(low);
        let high_part = self.bits(self.width(high), c >> below);
        let low_part = self.bits(below, c);
        let high = self.binary(op, high, high_part);
        let low = self.binary(op, low, low_part);
        self.concat(high, low)
    }

    /// Both operands zero-extended (or small constants): the operator works on the wider of the inner widths.
    fn both_narrow(&mut self, op: Op, a: Term, b: Term) -> Option<Term> {
        let width = self.width(a);
        if self.op(a) != Op::ZExt {
            return None;
        }
        let x = self.first(a);
        let inner = match self.constant(b) {
            Some(c) if c <= mask(self.width(x)) => self.width(x),
            Some(_) => return None,
            None if self.op(b) == Op::ZExt => self.width(x).max(self.width(self.first(b))),
            None => return None,
        };
        let left = self.zext(x, inner);
        let right = self.extract(b, 0, inner);
        let narrow = self.binary(op, left, right);
        Some(self.zext(narrow, width))
    }
}
