//! The least and the greatest value that a term can have, read off its operators: `'0' + n % 10` is a digit, whatever `n` is.
//!
//! Never narrower than true. The walk is bounded in depth, so it costs little on any term.

use crate::bits::mask;
use crate::term::Term;
use crate::term::pool::Pool;
use covet_abi::node::Op;

const DEPTH: u32 = 6;

impl Pool {
    /// The range of a term, read as unsigned.
    pub(crate) fn bounds(&self, t: Term) -> (u128, u128) {
        self.bounds_within(t, DEPTH)
    }

    fn bounds_within(&self, t: Term, depth: u32) -> (u128, u128) {
        let all = mask(self.width(t));
        if let Some(value) = self.constant(t) {
            return (value, value);
        }
        let Some(depth) = depth.checked_sub(1) else { return (0, all) };
        // A bound past the width means that the operation may have wrapped.
        self.computed(t, depth).filter(|(_, top)| *top <= all).unwrap_or((0, all))
    }

    fn computed(&self, t: Term, depth: u32) -> Option<(u128, u128)> {
        let children = self.children(t);
        let of = |at: usize| self.bounds_within(children[at], depth);
        let by = || self.constant(children[1]);
        match self.op(t) {
            Op::ZExt => Some(of(0)),
            Op::Add => {
                let ((low, top), (more, most)) = (of(0), of(1));
                Some((low + more, top.checked_add(most)?))
            }
            Op::Sub => {
                let ((low, top), (less, least)) = (of(0), of(1));
                Some((low.checked_sub(least)?, top - less))
            }
            Op::Mul => {
                let ((low, top), (times, most)) = (of(0), of(1));
                let top = top.checked_mul(most)?;
                Some((low * times, top))
            }
            Op::And => Some((0, of(0).1.min(of(1).1))),
            Op::URem => {
                let (low, top) = of(0);
                let by = by().filter(|by| *by != 0)?;
                Some(if top < by { (low, top) } else { (0, by - 1) })
            }
            Op::UDiv => {
                let (low, top) = of(0);
                let by = by().filter(|by| *by != 0)?;
                Some((low / by, top / by))
            }
            Op::LShr => {
                let ((low, top), by) = (of(0), u32::try_from(by()?).ok()?);
                Some((low.checked_shr(by).unwrap_or(0), top.checked_shr(by).unwrap_or(0)))
            }
            Op::Extract => {
                let ((low, top), from) = (of(0), self.immediate(t) as u32);
                Some((low.checked_shr(from)?, top.checked_shr(from)?))
            }
            Op::Ite => {
                let ((low, top), (other, most)) = (of(1), of(2));
                Some((low.min(other), top.max(most)))
            }
            _ => None,
        }
    }
}
