//! Rules for signed order.
//!
//! Left behind: `<=` against a constant is `<`; comparisons of extended operands work on the narrow width, unsigned when
//! the operands were zero-extended.

use crate::bits::{mask, signed, signed_max, signed_min, truncate};
use crate::term::Term;
use crate::term::pool::Pool;
use covet_abi::node::Op;

impl Pool {
    pub fn slt(&mut self, a: Term, b: Term) -> Term {
        if a == b {
            return Pool::FALSE;
        }
        let width = self.width(a);
        match (self.constant(a), self.constant(b)) {
            (Some(x), Some(y)) => self.truth(signed(x, width) < signed(y, width)),
            (None, Some(c)) => self.less_than_constant(a, b, c),
            (Some(c), None) => self.greater_than_constant(a, b, c),
            (None, None) => self.ordered_signed(Op::Slt, Op::Ult, a, b),
        }
    }

    pub fn sle(&mut self, a: Term, b: Term) -> Term {
        if a == b {
            return Pool::TRUE;
        }
        let width = self.width(a);
        match (self.constant(a), self.constant(b)) {
            (Some(x), Some(y)) => self.truth(signed(x, width) <= signed(y, width)),
            (None, Some(c)) if c == signed_max(width) => Pool::TRUE,
            (None, Some(c)) => {
                let next = self.bits(width, c.wrapping_add(1));
                self.slt(a, next)
            }
            (Some(c), None) if Pool::is_signed_min(width, c) => Pool::TRUE,
            (Some(c), None) => {
                let before = self.bits(width, c.wrapping_sub(1));
                self.slt(before, b)
            }
            (None, None) => self.ordered_signed(Op::Sle, Op::Ule, a, b),
        }
    }

    /// `a < c`, signed.
    fn less_than_constant(&mut self, a: Term, b: Term, c: u128) -> Term {
        let width = self.width(a);
        let bound = signed(c, width);
        if Pool::is_signed_min(width, c) {
            return Pool::FALSE;
        }
        if c == truncate(signed_min(width).wrapping_add(1), width) {
            let least = self.bits(width, signed_min(width));
            return self.eq(a, least);
        }
        if let Some(decided) = self.compare_choice(a, |value| signed(value, width) < bound) {
            return decided;
        }
        let x = self.first(a);
        match self.op(a) {
            Op::ZExt => {
                let inner = self.width(x);
                if bound <= 0 {
                    return Pool::FALSE;
                }
                if c > mask(inner) {
                    return Pool::TRUE;
                }
                let narrow = self.bits(inner, c);
                self.ult(x, narrow)
            }
            Op::SExt => {
                let inner = self.width(x);
                if bound > signed(signed_max(inner), inner) {
                    return Pool::TRUE;
                }
                if bound <= signed(signed_min(inner), inner) {
                    return Pool::FALSE;
                }
                let narrow = self.bits(inner, c);
                self.slt(x, narrow)
            }
            _ => self.raw2(Op::Slt, 1, a, b),
        }
    }

    /// `c < b`, signed.
    fn greater_than_constant(&mut self, a: Term, b: Term, c: u128) -> Term {
        let width = self.width(b);
        let bound = signed(c, width);
        if c == signed_max(width) {
            return Pool::FALSE;
        }
        if bound == signed(signed_max(width), width) - 1 {
            let most = self.bits(width, signed_max(width));
            return self.eq(b, most);
        }
        if let Some(decided) = self.compare_choice(b, |value| bound < signed(value, width)) {
            return decided;
        }
        if matches!(self.op(b), Op::ZExt | Op::SExt) {
            // c < b is not (b < c + 1), and c is not the largest.
            let next = self.bits(width, c.wrapping_add(1));
            let below = self.slt(b, next);
            return self.not(below);
        }
        self.raw2(Op::Slt, 1, a, b)
    }

    fn ordered_signed(&mut self, op: Op, unsigned: Op, a: Term, b: Term) -> Term {
        match (self.op(a), self.op(b)) {
            (Op::ZExt, Op::ZExt) => {
                let (x, y) = self.common_inner(a, b);
                self.binary(unsigned, x, y)
            }
            (Op::SExt, Op::SExt) if self.same_inner(a, b) => {
                let (x, y) = (self.first(a), self.first(b));
                self.binary(op, x, y)
            }
            _ => self.raw2(op, 1, a, b),
        }
    }
}
