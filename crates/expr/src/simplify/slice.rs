//! Rules for extension, extraction and concatenation: bytes that are split and put together again cancel out.
//!
//! Left behind: an extract never sits on an extension, a concatenation or another extract; concatenations lean right;
//! zeros above are zero-extensions. Every rewrite here makes its operands narrower, so nesting is bounded by 128.

use crate::bits::{mask, signed, truncate};
use crate::simplify::build::Shape;
use crate::term::Term;
use crate::term::pool::Pool;
use covet_abi::node::Op;

impl Pool {
    pub fn zext(&mut self, t: Term, width: u16) -> Term {
        if self.width(t) == width {
            return t;
        }
        if let Some(value) = self.constant(t) {
            return self.bits(width, value);
        }
        let inner = if self.op(t) == Op::ZExt { self.first(t) } else { t };
        self.raw(Shape::new(Op::ZExt, width), &[inner])
    }

    pub fn sext(&mut self, t: Term, width: u16) -> Term {
        let from = self.width(t);
        if from == width {
            return t;
        }
        if let Some(value) = self.constant(t) {
            return self.bits(width, signed(value, from) as u128);
        }
        match self.op(t) {
            // The sign bit of a strict zero-extension is 0.
            Op::ZExt => self.zext(t, width),
            Op::SExt => {
                let inner = self.first(t);
                self.raw(Shape::new(Op::SExt, width), &[inner])
            }
            _ => self.raw(Shape::new(Op::SExt, width), &[t]),
        }
    }

    /// Bits `low .. low + width` of `t`.
    pub fn extract(&mut self, t: Term, low: u16, width: u16) -> Term {
        if self.width(t) == width {
            return t;
        }
        if let Some(value) = self.constant(t) {
            return self.bits(width, value >> low);
        }
        let x = self.first(t);
        match self.op(t) {
            Op::Extract => {
                let deeper = self.immediate(t) as u16;
                self.extract(x, deeper + low, width)
            }
            Op::Concat => self.extract_concat(t, low, width),
            Op::ZExt => self.extract_extension(t, low, width),
            Op::SExt => self.extract_extension(t, low, width),
            Op::And | Op::Or | Op::Xor => self.extract_bitwise(t, low, width),
            Op::Not => {
                let part = self.extract(x, low, width);
                if self.op(part) == Op::Extract && self.first(part) == x {
                    return self.raw_extract(t, low, width);
                }
                self.not(part)
            }
            Op::Add | Op::Sub | Op::Mul if low == 0 => self.extract_arith(t, width),
            Op::Ite => self.extract_choice(t, low, width),
            _ => self.raw_extract(t, low, width),
        }
    }

    fn raw_extract(&mut self, t: Term, low: u16, width: u16) -> Term {
        self.raw(Shape { op: Op::Extract, aux: 0, width, imm: u64::from(low) }, &[t])
    }

    fn extract_concat(&mut self, t: Term, low: u16, width: u16) -> Term {
        let (upper, lower) = self.pair(t);
        let split = self.width(lower);
        if low >= split {
            return self.extract(upper, low - split, width);
        }
        if low + width <= split {
            return self.extract(lower, low, width);
        }
        let upper_part = self.extract(upper, 0, low + width - split);
        let lower_part = self.extract(lower, low, split - low);
        self.concat(upper_part, lower_part)
    }

    fn extract_extension(&mut self, t: Term, low: u16, width: u16) -> Term {
        let x = self.first(t);
        let inner = self.width(x);
        let zero_extended = self.op(t) == Op::ZExt;
        if low + width <= inner {
            return self.extract(x, low, width);
        }
        if low >= inner {
            if zero_extended {
                return self.bits(width, 0);
            }
            let sign = self.extract(x, inner - 1, 1);
            return self.sext(sign, width);
        }
        let part = self.extract(x, low, inner - low);
        if zero_extended { self.zext(part, width) } else { self.sext(part, width) }
    }

    /// Distributes over a bitwise operator when that makes an operand simpler.
    fn extract_bitwise(&mut self, t: Term, low: u16, width: u16) -> Term {
        let (a, b) = self.pair(t);
        if !(self.extracts_well(a) && self.extracts_well(b)) {
            return self.raw_extract(t, low, width);
        }
        let left = self.extract(a, low, width);
        let right = self.extract(b, low, width);
        let op = self.op(t);
        self.binary(op, left, right)
    }

    /// The low bits of a sum depend on low bits only: undoes the promotion of small integers.
    fn extract_arith(&mut self, t: Term, width: u16) -> Term {
        let (a, b) = self.pair(t);
        if !(self.extracts_well(a) && self.extracts_well(b)) {
            return self.raw_extract(t, 0, width);
        }
        let left = self.extract(a, 0, width);
        let right = self.extract(b, 0, width);
        let op = self.op(t);
        self.binary(op, left, right)
    }

    fn extract_choice(&mut self, t: Term, low: u16, width: u16) -> Term {
        let children = self.children(t);
        match (self.constant(children[1]), self.constant(children[2])) {
            (Some(yes), Some(no)) => {
                let yes = self.bits(width, yes >> low);
                let no = self.bits(width, no >> low);
                self.ite(children[0], yes, no)
            }
            _ => self.raw_extract(t, low, width),
        }
    }

    /// Whether an extract of `t` becomes simpler than an extract.
    fn extracts_well(&self, t: Term) -> bool {
        matches!(self.op(t), Op::Const | Op::ZExt | Op::SExt | Op::Concat)
    }

    /// `high` above `low`.
    pub fn concat(&mut self, high: Term, low: Term) -> Term {
        let (above, below) = (self.width(high), self.width(low));
        let width = above + below;
        if let Some(value) = self.constant(high) {
            if let Some(rest) = self.constant(low) {
                return self.bits(width, value << below | rest);
            }
            if value == 0 {
                return self.zext(low, width);
            }
        }
        match self.op(high) {
            Op::ZExt => {
                let inner = self.first(high);
                let joined = self.concat(inner, low);
                return self.zext(joined, width);
            }
            Op::SExt => {
                if let Some(whole) = self.sign_restored(high, low) {
                    return whole;
                }
                let inner = self.first(high);
                let joined = self.concat(inner, low);
                return self.sext(joined, width);
            }
            Op::Concat => {
                let (top, middle) = self.pair(high);
                let rest = self.concat(middle, low);
                return self.concat(top, rest);
            }
            _ => {}
        }
        if let Some(joined) = self.joined_neighbours(high, low) {
            return joined;
        }
        if self.op(low) == Op::Concat {
            let (middle, rest) = self.pair(low);
            if let Some(joined) = self.joined_neighbours(high, middle) {
                return self.concat(joined, rest);
            }
        }
        self.raw2(Op::Concat, width, high, low)
    }

    /// Copies of the sign bit of `low` above it: a sign-extension.
    fn sign_restored(&mut self, high: Term, low: Term) -> Option<Term> {
        let sign = self.first(high);
        if self.width(sign) != 1 {
            return None;
        }
        let (above, below) = (self.width(high), self.width(low));
        let top = self.extract(low, below - 1, 1);
        (top == sign).then(|| self.sext(low, above + below))
    }

    /// Two parts as one term: two constants, or neighbouring extracts of the same term.
    fn joined_neighbours(&mut self, high: Term, low: Term) -> Option<Term> {
        let below = self.width(low);
        let width = self.width(high) + below;
        if let (Some(a), Some(b)) = (self.constant(high), self.constant(low)) {
            return Some(self.bits(width, a << below | b));
        }
        if self.op(high) != Op::Extract {
            return None;
        }
        let whole = self.first(high);
        let from = self.immediate(high) as u16;
        if low == whole {
            return None;
        }
        let continues =
            self.op(low) == Op::Extract && self.first(low) == whole && self.immediate(low) as u16 + below == from;
        continues.then(|| self.extract(whole, from - below, width))
    }

    /// A constant that is the extension of its low `inner` bits, zero or sign, cut down to them.
    pub(crate) fn constant_fits(value: u128, inner: u16, width: u16, sign: bool) -> Option<u128> {
        let cut = truncate(value, inner);
        let back = if sign { truncate(signed(cut, inner) as u128, width) } else { cut & mask(width) };
        (back == value).then_some(cut)
    }
}
