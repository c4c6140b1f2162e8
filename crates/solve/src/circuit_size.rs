//! A conjunction becomes the size of its circuit: about how many gates it takes, and between how many long sums it chooses. Translating it
//! into gates cannot be interrupted, so what is too large is not handed to the SMT solver at all; the cheaper ways to an answer remain.
//!
//! Z3's rewriter walks down the sums behind every choice, again and again: a table of 128 running sums takes it 4 seconds, one of 256 takes 40 and
//! gigabytes, on a thread that nothing stops (the counts of a bucket sort, in bzip2). The same sums without a choice take it milliseconds.
//!
//! What two queries in a row share is measured once, so walking along a path costs what is new at each step.

use covet_expr::{Op, Pool, Term};
use rustc_hash::FxHashMap;

/// Above this many gates a translation takes many seconds and much memory.
const MAX_GATES: u64 = 400_000;
/// And with more than this when the lengths of the sums behind each choice are squared and added: a table of a hundred running sums.
const MAX_CHOSEN: u64 = 330_000;

/// The conditions measured last, in order.
#[derive(Debug, Default)]
pub(crate) struct CircuitSize {
    conditions: Vec<Measured>,
    /// Every term seen, with the sums in it that stand on each other.
    seen: FxHashMap<Term, u32>,
    /// Every term seen, in the order it was met.
    met: Vec<Term>,
}

#[derive(Clone, Copy, Debug)]
struct Measured {
    condition: Term,
    /// Terms met, and gates, up to and with this condition.
    met: usize,
    gates: u64,
    /// Squared lengths of sums behind choices.
    chosen: u64,
}

impl CircuitSize {
    /// The gates of all `conditions` together; nothing when that is too much to be translated.
    pub fn measure(&mut self, pool: &Pool, conditions: &[Term]) -> Option<u64> {
        let common = self.conditions.iter().zip(conditions).take_while(|(a, b)| a.condition == **b).count();
        self.cut_back(common);
        for &condition in &conditions[common..] {
            let (before, chosen) = self.whole();
            if before > MAX_GATES || chosen > MAX_CHOSEN {
                return None;
            }
            let met = self.met.len();
            let gates = before + self.new_gates(pool, condition, MAX_GATES - before);
            let chosen = chosen + self.new_chosen(pool, met);
            self.conditions.push(Measured { condition, met: self.met.len(), gates, chosen });
        }
        let (gates, chosen) = self.whole();
        (gates <= MAX_GATES && chosen <= MAX_CHOSEN).then_some(gates)
    }

    /// Gates of all conditions, and squared lengths of sums behind choices.
    fn whole(&self) -> (u64, u64) {
        self.conditions.last().map_or((0, 0), |last| (last.gates, last.chosen))
    }

    /// The squared lengths of sums behind choices among the terms that were met from `first` on.
    fn new_chosen(&mut self, pool: &Pool, first: usize) -> u64 {
        let mut new = self.met[first..].to_vec();
        // Operands are made before what is made of them.
        new.sort_unstable();
        let mut chosen = 0;
        for term in new {
            let of = |term: &Term| self.seen.get(term).copied().unwrap_or(0);
            let below = pool.children(term).iter().map(of).max().unwrap_or(0);
            chosen += match pool.table_of(term) {
                Some(table) => pool.entries(table).iter().map(|entry| u64::from(of(entry)).pow(2)).sum(),
                None if pool.op(term) == Op::Ite => u64::from(below).pow(2),
                None => 0,
            };
            let sums = below.saturating_add(sums(pool, term));
            self.seen.insert(term, sums);
        }
        chosen
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
            if self.seen.contains_key(&term) {
                continue;
            }
            self.seen.insert(term, 0);
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

/// Sums of one operator that stand on each other.
fn sums(pool: &Pool, term: Term) -> u32 {
    let (op, width) = (pool.op(term), u32::from(pool.width(term)));
    if matches!(op, Op::Add | Op::Sub | Op::Xor) {
        return 1;
    }
    let by_constant = || pool.children(term).iter().any(|child| pool.constant(*child).is_some());
    match matches!(op, Op::Mul | Op::UDiv | Op::SDiv | Op::URem | Op::SRem) {
        true if op == Op::Mul && by_constant() => width / 4,
        true => width,
        false => 0,
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

    #[test]
    fn a_choice_between_long_sums_is_too_large_and_the_sums_alone_are_not() {
        let mut pool = Pool::new();
        let flags: Vec<Term> = (0..255).map(|i| pool.var_with(VarId(i), 1, 0)).collect();
        let mut sums = vec![pool.var_with(VarId(255), 32, 0)];
        for flag in &flags {
            let one = pool.zext(*flag, 32);
            sums.push(pool.add(sums[sums.len() - 1], one));
        }
        let limit = pool.bits(32, 1000);
        let longest = sums[255];
        let (table, index) = (pool.table(32, &sums), pool.var_with(VarId(256), 8, 0));
        let choice = pool.select(table, index);
        let (alone, chosen) = (pool.slt(limit, longest), pool.slt(limit, choice));
        let mut size = CircuitSize::default();
        assert!(size.measure(&pool, &[alone]).is_some());
        assert_eq!(size.measure(&pool, &[alone, chosen]), None);
        assert_eq!(size.measure(&pool, &[chosen, alone]), None);
        assert!(size.measure(&pool, &[alone]).is_some());
    }
}
