//! A conjunction becomes the size of its circuit: about how many gates it takes. Translating it into gates cannot be
//! interrupted, so what is too large is not handed to the SMT solver at all; the cheaper ways to an answer remain.
//!
//! What two queries in a row share is measured once, so walking along a path costs what is new at each step.

use covet_expr::{Op, Pool, Term};
use rustc_hash::FxHashSet;

/// Above this many gates a translation takes many seconds and much memory.
const MAX_GATES: u64 = 400_000;

/// The conditions measured last, in order.
#[derive(Debug, Default)]
pub(crate) struct CircuitSize {
    conditions: Vec<Measured>,
    seen: FxHashSet<Term>,
    /// Every term seen, in the order it was met.
    met: Vec<Term>,
}

#[derive(Clone, Copy, Debug)]
struct Measured {
    condition: Term,
    /// Terms met, and gates, up to and with this condition.
    met: usize,
    gates: u64,
}

impl CircuitSize {
    /// The gates of all `conditions` together; nothing when that is too much to be translated.
    pub fn measure(&mut self, pool: &Pool, conditions: &[Term]) -> Option<u64> {
        let common = self.conditions.iter().zip(conditions).take_while(|(a, b)| a.condition == **b).count();
        self.cut_back(common);
        for &condition in &conditions[common..] {
            let before = self.conditions.last().map_or(0, |last| last.gates);
            if before > MAX_GATES {
                return None;
            }
            let gates = before + self.new_gates(pool, condition, MAX_GATES - before);
            self.conditions.push(Measured { condition, met: self.met.len(), gates });
        }
        Some(self.conditions.last().map_or(0, |last| last.gates)).filter(|gates| *gates <= MAX_GATES)
    }

    fn cut_back(&mut self, len: usize) {
        self.conditions.truncate(len);
        let met = self.conditions.last().map_or(0, |last| last.met);
        for term in self.met.drain(met..) {
            self.seen.remove(&term);
        }
    }

    /// The gates of what is new in `root`; anything above `limit` will do once it is reached.
    fn new_gates(&mut self, pool: &Pool, root: Term, limit: u64) -> u64 {
        let mut sum = 0;
        let mut stack = vec![root];
        while let Some(term) = stack.pop() {
            if sum > limit {
                break;
            }
            if !self.seen.insert(term) {
                continue;
            }
            self.met.push(term);
            sum += gates(pool, term);
            stack.extend(pool.children(term).iter());
            if let Some(table) = pool.table_of(term) {
                stack.extend(pool.entries(table));
            }
        }
        sum
    }
}

/// Gates of one operator, roughly.
fn gates(pool: &Pool, term: Term) -> u64 {
    let children = pool.children(term);
    let width = u64::from(children.first().map_or(pool.width(term), |child| pool.width(*child)));
    let steps = u64::from(64 - width.leading_zeros());
    let by_constant = children.iter().any(|child| pool.constant(*child).is_some());
    match pool.op(term) {
        Op::Const | Op::Var | Op::ZExt | Op::SExt | Op::Extract | Op::Concat | Op::Not => 1,
        Op::Add | Op::Sub | Op::And | Op::Or | Op::Xor | Op::Ite => width,
        Op::Eq | Op::Ult | Op::Ule | Op::Slt | Op::Sle => width,
        Op::Shl | Op::LShr | Op::AShr if by_constant => 1,
        Op::Shl | Op::LShr | Op::AShr | Op::PopCount | Op::LeadingZeros | Op::TrailingZeros => width * steps,
        Op::Mul => width * width,
        Op::UDiv | Op::SDiv | Op::URem | Op::SRem => 3 * width * width,
        Op::Select => {
            let entries = pool.table_of(term).map_or(&[][..], |table| pool.entries(table));
            // Choices between constants mostly vanish.
            let constant = entries.iter().all(|entry| pool.constant(*entry).is_some());
            entries.len() as u64 * u64::from(pool.width(term)) / if constant { 8 } else { 1 }
        }
        Op::FNeg | Op::FAbs | Op::FCopySign | Op::FEq | Op::FLt | Op::FLe | Op::FUno | Op::FMin | Op::FMax => 4 * width,
        Op::FAdd | Op::FSub | Op::FRound | Op::FToF | Op::FToS | Op::FToU | Op::SToF | Op::UToF => 40 * width,
        Op::FMul | Op::FDiv | Op::FSqrt | Op::FFma => 3 * width * width,
        // Left open.
        Op::FRem | Op::Call => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use covet_input::VarId;

    #[test]
    fn a_comparison_is_small_and_a_heap_of_divisions_is_not() {
        let mut pool = Pool::new();
        let x = pool.var_with(VarId(0), 64, 0);
        let y = pool.var_with(VarId(1), 64, 0);
        let small = pool.ult(x, y);
        let mut size = CircuitSize::default();
        assert!(size.measure(&pool, &[small]).is_some());
        let mut chain = x;
        for _ in 0..200 {
            chain = pool.binary(Op::UDiv, chain, y);
            chain = pool.add(chain, x);
        }
        let large = pool.ult(chain, y);
        assert_eq!(size.measure(&pool, &[small, large]), None);
        assert_eq!(size.measure(&pool, &[small, large]), None, "measured again, it is as large");
        assert!(size.measure(&pool, &[small]).is_some(), "cut back, it counts no more");
        assert_eq!(size.measure(&pool, &[large, small]), None);
    }
}
