//! Rules for floating point: only those that keep every bit, NaN payloads included.

use crate::bits::{mask, signed_min};
use crate::simplify::build::Shape;
use crate::term::Term;
use crate::term::pool::Pool;
use covet_abi::node::Op;

impl Pool {
    pub(crate) fn float_rules(&mut self, shape: Shape, kids: &[Term]) -> Term {
        let t = kids[0];
        match (shape.op, self.op(t)) {
            (Op::FNeg, Op::FNeg) => self.first(t),
            (Op::FAbs, Op::FAbs) => t,
            (Op::FAbs, Op::FNeg) => {
                let inner = self.first(t);
                self.float_rules(shape, &[inner])
            }
            // Integral already, and rounding an integral value keeps it.
            (Op::FRound, Op::FRound) => t,
            // Exact integers of at most 24 bits survive the way through a float of any width.
            (Op::FToS, Op::SToF) => self.round_trip(shape, t, true),
            (Op::FToU, Op::UToF) => self.round_trip(shape, t, false),
            _ => self.raw(shape, kids),
        }
    }

    fn round_trip(&mut self, shape: Shape, through: Term, sign: bool) -> Term {
        let original = self.first(through);
        let exact = if self.width(through) == 32 { 24 } else { 53 };
        let width = self.width(original);
        if width > exact || width > shape.width {
            return self.raw(shape, &[through]);
        }
        if sign { self.sext(original, shape.width) } else { self.zext(original, shape.width) }
    }

    /// The bits of a width with the sign bit cleared: the magnitude mask of a float.
    pub fn magnitude_mask(width: u16) -> u128 {
        mask(width) & !signed_min(width)
    }
}
