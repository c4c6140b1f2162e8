//! Rules for equality and unsigned order.
//!
//! Left behind: equalities with a constant are peeled down to the innermost term that can carry it; `<=` against a
//! constant is `<`; comparisons of extended operands work on the narrow width.

use crate::bits::{inverse_of_odd, mask, signed, signed_max, signed_min, truncate};
use crate::term::Term;
use crate::term::pool::Pool;
use covet_abi::node::Op;

/// What one peeling step of `t == c` leads to.
enum Peeled {
    Rest(Term, u128),
    Answer(Term),
    Equal(Term, Term),
    Stop,
}

impl Pool {
    pub fn eq(&mut self, a: Term, b: Term) -> Term {
        let (mut a, mut b) = self.ordered(a, b);
        loop {
            if a == b {
                return Pool::TRUE;
            }
            let Some(c) = self.constant(b) else { return self.eq_terms(a, b) };
            if let Some(value) = self.constant(a) {
                return self.truth(value == c);
            }
            match self.peel(a, c) {
                Peeled::Rest(rest, value) => {
                    let width = self.width(rest);
                    b = self.bits(width, value);
                    a = rest;
                }
                Peeled::Answer(answer) => return answer,
                Peeled::Equal(x, y) => (a, b) = self.ordered(x, y),
                Peeled::Stop => {
                    let (least, most) = self.bounds(a);
                    let value = self.constant(b).unwrap_or(least);
                    return if (least..=most).contains(&value) { self.raw2(Op::Eq, 1, a, b) } else { Pool::FALSE };
                }
            }
        }
    }

    /// One step of `t == c` towards the variable.
    fn peel(&mut self, t: Term, c: u128) -> Peeled {
        let width = self.width(t);
        if width == 1 {
            return Peeled::Answer(if c == 1 { t } else { self.not(t) });
        }
        let (x, y) = self.pair(t);
        match self.op(t) {
            Op::ZExt | Op::SExt => {
                let inner = self.width(x);
                match Pool::constant_fits(c, inner, width, self.op(t) == Op::SExt) {
                    Some(cut) => Peeled::Rest(x, cut),
                    None => Peeled::Answer(Pool::FALSE),
                }
            }
            Op::Concat => self.peel_concat(x, y, c),
            Op::Not => Peeled::Rest(x, !c & mask(width)),
            Op::FNeg => Peeled::Rest(x, c ^ signed_min(width)),
            Op::Sub => match self.constant(x) {
                Some(from) => Peeled::Rest(y, truncate(from.wrapping_sub(c), width)),
                None if c == 0 => Peeled::Equal(x, y),
                None => Peeled::Stop,
            },
            Op::Xor if c == 0 => Peeled::Equal(x, y),
            Op::Add | Op::Xor | Op::Mul | Op::And | Op::Or | Op::URem => match self.constant(y) {
                Some(k) => self.peel_constant(t, x, k, c),
                None => Peeled::Stop,
            },
            Op::Ite => {
                let children = self.children(t);
                match (self.constant(children[1]), self.constant(children[2])) {
                    (Some(yes), Some(no)) => Peeled::Answer(self.decided(children[0], yes == c, no == c)),
                    _ => Peeled::Stop,
                }
            }
            Op::Select => self.select_is(t, c).map_or(Peeled::Stop, Peeled::Answer),
            _ => Peeled::Stop,
        }
    }

    /// `op(x, k) == c`.
    fn peel_constant(&mut self, t: Term, x: Term, k: u128, c: u128) -> Peeled {
        let width = self.width(t);
        match self.op(t) {
            Op::Add => Peeled::Rest(x, truncate(c.wrapping_sub(k), width)),
            Op::Xor => Peeled::Rest(x, c ^ k),
            Op::Mul if k & 1 == 1 => Peeled::Rest(x, truncate(c.wrapping_mul(inverse_of_odd(k, width)), width)),
            Op::Mul if k != 0 && c.trailing_zeros() < k.trailing_zeros() => Peeled::Answer(Pool::FALSE),
            Op::And if c & !k != 0 => Peeled::Answer(Pool::FALSE),
            Op::Or if k & !c != 0 => Peeled::Answer(Pool::FALSE),
            Op::URem if k != 0 && c >= k => Peeled::Answer(Pool::FALSE),
            _ => Peeled::Stop,
        }
    }

    /// `concat(high, low) == c` where one part is a constant.
    fn peel_concat(&mut self, high: Term, low: Term, c: u128) -> Peeled {
        let below = self.width(low);
        let (upper, lower) = (c >> below, truncate(c, below));
        match (self.constant(high), self.constant(low)) {
            (Some(value), _) if value == upper => Peeled::Rest(low, lower),
            (_, Some(value)) if value == lower => Peeled::Rest(high, upper),
            (None, None) => Peeled::Stop,
            _ => Peeled::Answer(Pool::FALSE),
        }
    }

    /// The condition that is `yes` when `condition` holds and `no` otherwise.
    pub(crate) fn decided(&mut self, condition: Term, yes: bool, no: bool) -> Term {
        match (yes, no) {
            (true, true) => Pool::TRUE,
            (false, false) => Pool::FALSE,
            (true, false) => condition,
            (false, true) => self.not(condition),
        }
    }

    fn eq_terms(&mut self, a: Term, b: Term) -> Term {
        let (op_a, op_b) = (self.op(a), self.op(b));
        match (op_a, op_b) {
            (Op::ZExt, Op::ZExt) => {
                let (x, y) = self.common_inner(a, b);
                return self.eq(x, y);
            }
            (Op::SExt, Op::SExt) if self.same_inner(a, b) => {
                let (x, y) = (self.first(a), self.first(b));
                return self.eq(x, y);
            }
            (Op::Concat, Op::Concat) => {
                let ((h1, l1), (h2, l2)) = (self.pair(a), self.pair(b));
                if self.width(l1) == self.width(l2) {
                    let high = self.eq(h1, h2);
                    let low = self.eq(l1, l2);
                    return self.and(high, low);
                }
            }
            (Op::Select, Op::Select) => {
                if let Some(same) = self.selects_agree(a, b) {
                    return same;
                }
            }
            _ => {}
        }
        // x + k == x: never, as k is not 0.
        for (p, q) in [(a, b), (b, a)] {
            if self.op(p) == Op::Add {
                let (x, k) = self.pair(p);
                if x == q && self.constant(k).is_some() {
                    return Pool::FALSE;
                }
            }
            if self.op(p) == Op::Not && self.first(p) == q {
                return Pool::FALSE;
            }
        }
        let (a, b) = self.ordered(a, b);
        self.raw2(Op::Eq, 1, a, b)
    }

    /// The inner terms of two zero-extensions, brought to the wider of their widths.
    pub(crate) fn common_inner(&mut self, a: Term, b: Term) -> (Term, Term) {
        let (x, y) = (self.first(a), self.first(b));
        let width = self.width(x).max(self.width(y));
        (self.zext(x, width), self.zext(y, width))
    }

    pub(crate) fn same_inner(&self, a: Term, b: Term) -> bool {
        self.width(self.first(a)) == self.width(self.first(b))
    }

    /// `choice(condition, k1, k2)` compared with a constant by `test`.
    pub(crate) fn compare_choice(&mut self, t: Term, test: impl Fn(u128) -> bool) -> Option<Term> {
        if self.op(t) != Op::Ite {
            return None;
        }
        let children = self.children(t);
        let (yes, no) = (self.constant(children[1])?, self.constant(children[2])?);
        Some(self.decided(children[0], test(yes), test(no)))
    }

    pub fn ult(&mut self, a: Term, b: Term) -> Term {
        if a == b {
            return Pool::FALSE;
        }
        match (self.constant(a), self.constant(b)) {
            (Some(x), Some(y)) => self.truth(x < y),
            (None, Some(c)) => self.below_constant(a, b, c),
            (Some(c), None) => self.above_constant(a, b, c),
            (None, None) => self.ordered_terms(Op::Ult, a, b),
        }
    }

    pub fn ule(&mut self, a: Term, b: Term) -> Term {
        if a == b {
            return Pool::TRUE;
        }
        let width = self.width(a);
        match (self.constant(a), self.constant(b)) {
            (Some(x), Some(y)) => self.truth(x <= y),
            (None, Some(c)) if c == mask(width) => Pool::TRUE,
            (None, Some(c)) => {
                let next = self.bits(width, c + 1);
                self.ult(a, next)
            }
            (Some(0), None) => Pool::TRUE,
            (Some(c), None) => {
                let before = self.bits(width, c - 1);
                self.ult(before, b)
            }
            (None, None) => self.ordered_terms(Op::Ule, a, b),
        }
    }

    /// `a < c`, unsigned.
    fn below_constant(&mut self, a: Term, b: Term, c: u128) -> Term {
        let width = self.width(a);
        if c == 0 {
            return Pool::FALSE;
        }
        if c == 1 {
            let zero = self.bits(width, 0);
            return self.eq(a, zero);
        }
        if c == mask(width) {
            return self.ne(a, b);
        }
        if let Some(decided) = self.compare_choice(a, |value| value < c) {
            return decided;
        }
        let (x, y) = self.pair(a);
        match self.op(a) {
            Op::ZExt => {
                let inner = self.width(x);
                if c > mask(inner) {
                    return Pool::TRUE;
                }
                let narrow = self.bits(inner, c);
                return self.ult(x, narrow);
            }
            Op::SExt => {
                let inner = self.width(x);
                return self.below_constant_sext(x, inner, width, c);
            }
            Op::And if self.constant(y).is_some_and(|k| k < c) => return Pool::TRUE,
            Op::URem if self.constant(y).is_some_and(|k| k != 0 && k <= c) => return Pool::TRUE,
            _ => {}
        }
        match self.bounds(a) {
            (_, most) if most < c => Pool::TRUE,
            (least, _) if least >= c => Pool::FALSE,
            _ => self.raw2(Op::Ult, 1, a, b),
        }
    }

    /// `sext(x) < c`, unsigned: the extension keeps order and leaves a gap in the middle.
    fn below_constant_sext(&mut self, x: Term, inner: u16, width: u16, c: u128) -> Term {
        let first_negative = truncate(signed(signed_min(inner), inner) as u128, width);
        let bound = if c <= signed_max(inner) || c > first_negative { truncate(c, inner) } else { signed_min(inner) };
        let bound = self.bits(inner, bound);
        self.ult(x, bound)
    }

    /// `c < b`, unsigned.
    fn above_constant(&mut self, a: Term, b: Term, c: u128) -> Term {
        let width = self.width(b);
        if c == 0 {
            return self.ne(b, a);
        }
        if c == mask(width) {
            return Pool::FALSE;
        }
        if c == mask(width) - 1 {
            let last = self.bits(width, mask(width));
            return self.eq(b, last);
        }
        if let Some(decided) = self.compare_choice(b, |value| c < value) {
            return decided;
        }
        if matches!(self.op(b), Op::ZExt | Op::SExt | Op::And | Op::URem) {
            // c < b is not (b < c + 1): the rules for that side apply.
            let next = self.bits(width, c + 1);
            let below = self.below_constant(b, next, c + 1);
            if !(self.op(below) == Op::Ult && self.pair(below) == (b, next)) {
                return self.not(below);
            }
        }
        match self.bounds(b) {
            (_, most) if most <= c => Pool::FALSE,
            (least, _) if least > c => Pool::TRUE,
            _ => self.raw2(Op::Ult, 1, a, b),
        }
    }

    /// Two terms under an unsigned order.
    fn ordered_terms(&mut self, op: Op, a: Term, b: Term) -> Term {
        match (self.op(a), self.op(b)) {
            (Op::ZExt, Op::ZExt) => {
                let (x, y) = self.common_inner(a, b);
                self.binary(op, x, y)
            }
            (Op::SExt, Op::SExt) if self.same_inner(a, b) => {
                let (x, y) = (self.first(a), self.first(b));
                self.binary(op, x, y)
            }
            _ => self.raw2(op, 1, a, b),
        }
    }
}
