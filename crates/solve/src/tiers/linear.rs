//! Tier `linear`: Z3 over integers, for what is linear. Its models are checked, its Unsat counts where nothing can wrap
//! round.

use crate::backends::Verdict;
use crate::model::minimise::minimise;
use crate::slice_query::{SliceQuery, TierAnswer};
use crate::tiers::{Tier, TierName, Tools};
use covet_expr::{Evaluator, Op, Pool, Term};
use rustc_hash::FxHashSet;

/// Terms of a condition above which Z3 is not asked: it writes out every sum of sums, which takes square time and memory, and does not
/// look at its limits meanwhile.
const LARGE: usize = 600;

/// Remainders and quotients in a goal above which integers are a detour: each is a number of its own to Z3, and only bits show how they
/// go together.
const MOST_REMAINDERS: usize = 4;

#[derive(Debug)]
pub(crate) struct LinearIntegers;

impl Tier for LinearIntegers {
    fn name(&self) -> TierName {
        TierName::Linear
    }

    fn answer(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        query: &SliceQuery<'_>,
        tools: &mut Tools<'_>,
    ) -> Option<TierAnswer> {
        let pool = evaluator.pool();
        let conditions = query.in_shared_order();
        if !has_linear_operators(pool, query.goal) {
            return None;
        }
        if conditions.iter().any(|condition| pool.size(*condition, LARGE) >= LARGE) {
            return None;
        }
        for &condition in &conditions {
            if let Some((variable, ranges)) = tools.bytes.ranges(evaluator, condition) {
                tools.z3.confine(pool, condition, variable, ranges.parts());
            }
        }
        if !tools.z3.is_linear(pool, query.goal) {
            return None;
        }
        tools.statistics.smt_calls += 1;
        match tools.z3.check_linear(pool, &conditions, query.variables, tools.config) {
            Verdict::Unsat => Some(TierAnswer::Unsat),
            Verdict::Unknown(_) => None,
            Verdict::Sat(mut values) => {
                values.retain(|(id, bits)| evaluator.variable(*id) != *bits);
                let fine = query.keep.holds(evaluator, query.goal, &values);
                fine.then(|| TierAnswer::Sat(minimise(evaluator, query.goal, &query.keep, values)))
            }
        }
    }
}

/// Whether no operator of a term rules out that it is linear: asking Z3 would mean starting it, which takes milliseconds.
fn has_linear_operators(pool: &Pool, goal: Term) -> bool {
    let mut stack = vec![goal];
    let mut seen = FxHashSet::default();
    let mut remainders = 0;
    while let Some(t) = stack.pop() {
        let children = pool.children(t);
        let is_linear = match pool.op(t) {
            Op::Const | Op::Var | Op::Add | Op::Sub | Op::ZExt | Op::SExt | Op::Concat | Op::Ite => true,
            Op::Eq | Op::Ult | Op::Ule | Op::Slt | Op::Sle => true,
            Op::Mul | Op::UDiv | Op::URem => pool.constant(children[1]).is_some(),
            Op::Extract => pool.immediate(t) == 0,
            Op::Not | Op::And | Op::Or => pool.width(t) == 1,
            _ => false,
        };
        remainders += usize::from(matches!(pool.op(t), Op::Extract | Op::UDiv | Op::URem));
        if !is_linear || remainders > MOST_REMAINDERS || seen.len() > LARGE {
            return false;
        }
        stack.extend(children.iter().filter(|child| seen.insert(**child)));
    }
    true
}
