//! Rules for integer arithmetic and shifts.
//!
//! Left behind: a constant operand is the right one, subtraction of a constant is addition, shifts by a constant are
//! extracts and concatenations (so that taking bytes apart and putting them together cancels out).

use crate::bits::{mask, signed, signed_min, truncate};
use crate::term::Term;
use crate::term::pool::Pool;
use covet_abi::node::Op;

impl Pool {
    pub(crate) fn arith(&mut self, op: Op, a: Term, b: Term) -> Term {
        match op {
            Op::Add => self.add_rules(a, b),
            Op::Sub => self.sub_rules(a, b),
            Op::Mul => self.mul_rules(a, b),
            Op::UDiv | Op::URem => self.unsigned_division(op, a, b),
            _ => self.signed_division(op, a, b),
        }
    }

    fn add_rules(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = self.ordered(a, b);
        let width = self.width(a);
        if let Some(c) = self.constant(b) {
            if c == 0 {
                return a;
            }
            let (x, y) = self.pair(a);
            match self.op(a) {
                Op::Add => {
                    if let Some(inner) = self.constant(y) {
                        let sum = self.bits(width, inner.wrapping_add(c));
                        return self.add_rules(x, sum);
                    }
                }
                Op::Sub => {
                    if let Some(inner) = self.constant(x) {
                        let sum = self.bits(width, inner.wrapping_add(c));
                        return self.sub_rules(sum, y);
                    }
                }
                _ => {}
            }
            if self.op(a) == Op::Not && c == 1 {
                let zero = self.bits(width, 0);
                return self.sub_rules(zero, x);
            }
        }
        for (p, q) in [(a, b), (b, a)] {
            if self.op(p) == Op::Sub {
                let (x, y) = self.pair(p);
                if y == q {
                    return x;
                }
                if self.constant(x) == Some(0) {
                    return self.sub_rules(q, y);
                }
            }
        }
        if let Some(joined) = self.join_disjoint(a, b) {
            return joined;
        }
        self.raw2(Op::Add, width, a, b)
    }

    fn sub_rules(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        if a == b {
            return self.bits(width, 0);
        }
        if let Some(c) = self.constant(b) {
            if let Some(from) = self.constant(a) {
                return self.bits(width, from.wrapping_sub(c));
            }
            let negated = self.bits(width, 0u128.wrapping_sub(c));
            return self.add_rules(a, negated);
        }
        if self.op(a) == Op::Add {
            let (x, y) = self.pair(a);
            if x == b {
                return y;
            }
            if y == b {
                return x;
            }
        }
        if self.op(b) == Op::Sub {
            let (x, y) = self.pair(b);
            if self.constant(x) == Some(0) {
                return self.add_rules(a, y);
            }
            if self.constant(a) == Some(0) {
                return self.raw_or_same_sub(width, y, x);
            }
        }
        self.raw2(Op::Sub, width, a, b)
    }

    /// `a - b` of operands that already stood under a subtraction the other way round.
    fn raw_or_same_sub(&mut self, width: u16, a: Term, b: Term) -> Term {
        match self.constant(b) {
            Some(_) => self.sub_rules(a, b),
            None => self.raw2(Op::Sub, width, a, b),
        }
    }

    fn mul_rules(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = self.ordered(a, b);
        let width = self.width(a);
        if let Some(c) = self.constant(b) {
            if c == 0 {
                return b;
            }
            if c == 1 {
                return a;
            }
            if c == mask(width) {
                let zero = self.bits(width, 0);
                return self.sub_rules(zero, a);
            }
            if self.op(a) == Op::Mul {
                let (x, y) = self.pair(a);
                if let Some(inner) = self.constant(y) {
                    let product = self.bits(width, inner.wrapping_mul(c));
                    return self.mul_rules(x, product);
                }
            }
        }
        self.raw2(Op::Mul, width, a, b)
    }

    fn unsigned_division(&mut self, op: Op, a: Term, b: Term) -> Term {
        let width = self.width(a);
        let Some(c) = self.constant(b) else { return self.raw2(op, width, a, b) };
        if c == 0 {
            return if op == Op::UDiv { self.bits(width, mask(width)) } else { a };
        }
        if c.is_power_of_two() {
            let power = c.trailing_zeros() as u16;
            if power == 0 {
                return if op == Op::UDiv { a } else { self.bits(width, 0) };
            }
            let (low, taken) = if op == Op::UDiv { (power, width - power) } else { (0, power) };
            let part = self.extract(a, low, taken);
            return self.zext(part, width);
        }
        if self.op(a) == Op::ZExt {
            let x = self.first(a);
            let inner = self.width(x);
            if c > mask(inner) {
                return if op == Op::UDiv { self.bits(width, 0) } else { a };
            }
            let divisor = self.bits(inner, c);
            let narrow = self.raw2(op, inner, x, divisor);
            return self.zext(narrow, width);
        }
        self.raw2(op, width, a, b)
    }

    fn signed_division(&mut self, op: Op, a: Term, b: Term) -> Term {
        let width = self.width(a);
        if let Some(c) = self.constant(b) {
            if c == 0 && op == Op::SRem {
                return a;
            }
            // In width 1 the bit pattern 1 is -1: no rule for it.
            if c == 1 && width > 1 {
                return if op == Op::SDiv { a } else { self.bits(width, 0) };
            }
            let unsigned = if op == Op::SDiv { Op::UDiv } else { Op::URem };
            if self.op(a) == Op::ZExt && signed(c, width) > 0 {
                return self.unsigned_division(unsigned, a, b);
            }
        }
        self.raw2(op, width, a, b)
    }

    pub(crate) fn shift(&mut self, op: Op, a: Term, b: Term) -> Term {
        let width = self.width(a);
        if let Some(value) = self.constant(a) {
            let stays = value == 0 || (op == Op::AShr && value == mask(width));
            if stays {
                return a;
            }
        }
        let Some(c) = self.constant(b) else { return self.raw2(op, width, a, b) };
        let amount = (c % u128::from(width)) as u16;
        if amount == 0 {
            return a;
        }
        let kept = width - amount;
        match op {
            Op::Shl => {
                let part = self.extract(a, 0, kept);
                let zeros = self.bits(amount, 0);
                self.concat(part, zeros)
            }
            Op::LShr => {
                let part = self.extract(a, amount, kept);
                self.zext(part, width)
            }
            _ => {
                let part = self.extract(a, amount, kept);
                self.sext(part, width)
            }
        }
    }

    /// `a + b`, `a | b` or `a ^ b` when one ends in zeros exactly where the other lies: a concatenation.
    pub(crate) fn join_disjoint(&mut self, a: Term, b: Term) -> Option<Term> {
        for (upper, lower) in [(a, b), (b, a)] {
            if self.op(upper) != Op::Concat {
                continue;
            }
            let (high, zeros) = self.pair(upper);
            if self.constant(zeros) != Some(0) {
                continue;
            }
            let room = self.width(zeros);
            if let Some(low) = self.narrowed(lower, room) {
                return Some(self.concat(high, low));
            }
        }
        None
    }

    /// The low `width` bits of `t`, when all others are plainly zero.
    fn narrowed(&mut self, t: Term, width: u16) -> Option<Term> {
        if let Some(c) = self.constant(t) {
            return (c <= mask(width)).then(|| self.bits(width, c));
        }
        if self.op(t) != Op::ZExt {
            return None;
        }
        let inner = self.first(t);
        (self.width(inner) <= width).then(|| self.zext(inner, width))
    }

    /// Whether a constant is the smallest signed value of its width.
    pub(crate) fn is_signed_min(width: u16, value: u128) -> bool {
        truncate(value, width) == signed_min(width)
    }
}
