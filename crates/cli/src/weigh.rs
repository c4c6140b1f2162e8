//! A question becomes a weight: about how many gates it takes as a circuit. Translating a question into gates cannot be interrupted,
//! so what weighs too much is not handed to the SMT solver at all; the cheaper ways to an answer remain.

use covet_explore::Question;
use covet_expr::{Op, Pool, Term};
use covet_input::VarId;
use std::collections::HashSet;

/// Above this a translation takes many seconds.
pub const TOO_HEAVY: u64 = 1_500_000;
/// Beyond so many conditions only the goal is weighed: finding out which of them matter would take too long itself.
const MANY_CONDITIONS: usize = 4000;

/// Whether the goal, with the conditions that share variables with it, is light enough to be translated.
pub fn is_light(pool: &Pool, question: &Question<'_>) -> bool {
    let mut scale = Scale { pool, seen: HashSet::new(), weight: 0, stack: Vec::new() };
    if !scale.add(question.goal) {
        return false;
    }
    if question.prefix.len() + question.soft.len() > MANY_CONDITIONS {
        return true;
    }
    let mut related: HashSet<VarId> = pool.variables(question.goal).iter().collect();
    let mut waiting: Vec<Term> = question.prefix.iter().chain(question.soft).copied().collect();
    loop {
        let before = waiting.len();
        let (near, far) =
            waiting.into_iter().partition(|term| pool.variables(*term).iter().any(|id| related.contains(&id)));
        let near: Vec<Term> = near;
        waiting = far;
        for term in near {
            related.extend(pool.variables(term).iter());
            if !scale.add(term) {
                return false;
            }
        }
        if waiting.len() == before {
            return true;
        }
    }
}

struct Scale<'a> {
    pool: &'a Pool,
    seen: HashSet<Term>,
    weight: u64,
    stack: Vec<Term>,
}

impl Scale<'_> {
    /// Adds what is new in `term`; false when it has become too heavy.
    fn add(&mut self, term: Term) -> bool {
        self.stack.push(term);
        while let Some(term) = self.stack.pop() {
            if !self.seen.insert(term) {
                continue;
            }
            self.weight += self.gates(term);
            if self.weight > TOO_HEAVY {
                self.stack.clear();
                return false;
            }
            self.stack.extend(self.pool.children(term).iter());
            if let Some(table) = self.pool.table_of(term) {
                self.stack.extend(self.pool.entries(table));
            }
        }
        true
    }

    /// Gates of one operator, roughly.
    fn gates(&self, term: Term) -> u64 {
        let children = self.pool.children(term);
        let width = u64::from(children.first().map_or(self.pool.width(term), |child| self.pool.width(*child)));
        let steps = u64::from(64 - width.leading_zeros());
        let by_constant = children.iter().any(|child| self.pool.constant(*child).is_some());
        match self.pool.op(term) {
            Op::Const | Op::Var | Op::ZExt | Op::SExt | Op::Extract | Op::Concat | Op::Not => 1,
            Op::Add | Op::Sub | Op::And | Op::Or | Op::Xor | Op::Ite => width,
            Op::Eq | Op::Ult | Op::Ule | Op::Slt | Op::Sle => width,
            Op::Shl | Op::LShr | Op::AShr if by_constant => 1,
            Op::Shl | Op::LShr | Op::AShr | Op::PopCount | Op::LeadingZeros | Op::TrailingZeros => width * steps,
            Op::Mul => width * width,
            Op::UDiv | Op::SDiv | Op::URem | Op::SRem => 3 * width * width,
            Op::Select => {
                let entries = self.pool.table_of(term).map_or(0, |table| self.pool.entries(table).len() as u64);
                entries * u64::from(self.pool.width(term))
            }
            Op::FNeg | Op::FAbs | Op::FCopySign | Op::FEq | Op::FLt | Op::FLe | Op::FUno | Op::FMin | Op::FMax => {
                4 * width
            }
            Op::FAdd | Op::FSub | Op::FRound | Op::FToF | Op::FToS | Op::FToU | Op::SToF | Op::UToF => 40 * width,
            Op::FMul | Op::FDiv | Op::FSqrt | Op::FFma => 3 * width * width,
            Op::FRem => 100 * width * width,
            Op::Call => 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use covet_input::Input;

    #[test]
    fn a_comparison_is_light_and_a_heap_of_divisions_is_not() {
        let mut pool = Pool::new();
        let x = pool.var_with(VarId(0), 64, 0);
        let y = pool.var_with(VarId(1), 64, 0);
        let goal = pool.ult(x, y);
        let base = Input::default();
        assert!(is_light(&pool, &Question { prefix: &[], soft: &[], goal, base: &base }));
        let mut chain = x;
        for _ in 0..200 {
            chain = pool.binary(Op::UDiv, chain, y);
            chain = pool.add(chain, x);
        }
        let heavy = pool.ult(chain, y);
        assert!(!is_light(&pool, &Question { prefix: &[], soft: &[], goal: heavy, base: &base }));
        let z = pool.var_with(VarId(2), 64, 0);
        let three = pool.bits(64, 3);
        let apart = pool.ult(z, three);
        assert!(is_light(&pool, &Question { prefix: &[heavy], soft: &[], goal: apart, base: &base }));
        assert!(!is_light(&pool, &Question { prefix: &[heavy], soft: &[], goal, base: &base }));
    }
}
