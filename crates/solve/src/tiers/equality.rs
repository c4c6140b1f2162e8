//! Tier `equality`: what is equal to one another is equal to the same things, and to one constant at most.
//!
//! Terms that the conditions or the goal call equal form classes. The query is impossible when a class holds two constants, when two
//! of its terms must differ, or when one must be below another; and when the constants of two classes stand in the wrong order.

use crate::slice_query::{SliceQuery, TierAnswer};
use crate::tiers::order::{Relation, relation};
use crate::tiers::{Tier, TierName, Tools};
use covet_expr::bits::signed;
use covet_expr::{Evaluator, Pool, Term};
use rustc_hash::FxHashMap;

#[derive(Debug)]
pub(crate) struct Equality;

impl Tier for Equality {
    fn name(&self) -> TierName {
        TierName::Equality
    }

    fn answer(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        query: &SliceQuery<'_>,
        _: &mut Tools<'_>,
    ) -> Option<TierAnswer> {
        impossible(evaluator.pool(), query.goal, query.conditions).then_some(TierAnswer::Unsat)
    }
}

/// Whether `conditions` rule out `goal` by equality alone.
fn impossible(pool: &Pool, goal: Term, conditions: &[Term]) -> bool {
    let all = || std::iter::once(goal).chain(conditions.iter().copied()).filter_map(|t| relation(pool, t));
    let mut classes = Classes::default();
    for said in all() {
        match said {
            Relation::Equal(a, b) if !classes.join(pool, a, b) => return true,
            Relation::Equal(..) | Relation::Differ(..) | Relation::Below { .. } => {}
        }
    }
    all().any(|said| !classes.allow(pool, said))
}

/// Each term points to another of its class, or to itself when it speaks for the class: a constant where there is one.
#[derive(Debug, Default)]
struct Classes {
    towards: FxHashMap<Term, Term>,
}

impl Classes {
    fn speaker(&mut self, t: Term) -> Term {
        let mut at = t;
        while let Some(&next) = self.towards.get(&at) {
            at = next;
        }
        if at != t {
            self.towards.insert(t, at);
        }
        at
    }

    /// Makes two terms equal; false when they stand for different constants.
    fn join(&mut self, pool: &Pool, a: Term, b: Term) -> bool {
        let (a, b) = (self.speaker(a), self.speaker(b));
        if a == b {
            return true;
        }
        match (pool.constant(a), pool.constant(b)) {
            (Some(_), Some(_)) => return false,
            (Some(_), None) => self.towards.insert(b, a),
            (None, _) => self.towards.insert(a, b),
        };
        true
    }

    /// Whether something that was said can be true of the classes' speakers.
    fn allow(&mut self, pool: &Pool, said: Relation) -> bool {
        match said {
            Relation::Equal(..) => true,
            Relation::Differ(a, b) => self.speaker(a) != self.speaker(b),
            Relation::Below { a, b, strict, sign } => {
                let width = pool.width(a);
                let (a, b) = (self.speaker(a), self.speaker(b));
                match (pool.constant(a), pool.constant(b)) {
                    _ if a == b => !strict,
                    (Some(low), Some(high)) if sign => signed(low, width) < signed(high, width),
                    (Some(low), Some(high)) => low < high,
                    (_, None) | (None, _) => true,
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use covet_input::VarId;

    #[test]
    fn classes_have_one_constant_and_do_not_differ_from_themselves() {
        let mut pool = Pool::new();
        let v: Vec<Term> = (0..4).map(|i| pool.var_with(VarId(i), 8, 0)).collect();
        let (five, low, high) = (pool.bits(8, 5), pool.bits(8, 200), pool.bits(8, 100));
        let equal = |pool: &mut Pool, a: usize, b: usize| pool.eq(v[a], v[b]);
        let chain = [equal(&mut pool, 0, 1), equal(&mut pool, 2, 1), pool.ne(v[3], v[0])];
        let (same, open) = (equal(&mut pool, 3, 2), pool.eq(v[3], five));
        assert!(impossible(&pool, same, &chain) && !impossible(&pool, open, &chain));
        let strict = pool.ult(v[0], v[2]);
        let loose = pool.ule(v[0], v[2]);
        assert!(impossible(&pool, strict, &chain) && !impossible(&pool, loose, &chain));
        let fixed = [pool.eq(v[0], low), pool.eq(v[1], high)];
        let differ = [pool.eq(v[0], five), pool.ne(v[1], five)];
        assert!(impossible(&pool, chain[0], &fixed) && impossible(&pool, chain[0], &differ));
        let (signed, unsigned) = (pool.slt(v[0], v[1]), pool.ult(v[0], v[1]));
        assert!(!impossible(&pool, signed, &fixed) && impossible(&pool, unsigned, &fixed));
    }
}
