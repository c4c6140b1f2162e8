//! Tier `order`: comparisons, by transitivity alone.
//!
//! Terms and constants are points, `a <= b` and `a < b` are edges; signed and unsigned order are two graphs. No arithmetic is
//! involved, so wrap-around does not matter: a goal `a < b` is impossible when the path already says `b <= ... <= a`.
//! What is not impossible is tried to be had by moving variables up or down.

use crate::slice_query::{SliceQuery, TierAnswer};
use crate::tiers::ranked::ranked;
use crate::tiers::{Tier, TierName, Tools};
use covet_expr::bits::signed;
use covet_expr::{Evaluator, Op, Pool, Term};
use rustc_hash::FxHashMap;

#[derive(Debug)]
pub(crate) struct Order;

impl Tier for Order {
    fn name(&self) -> TierName {
        TierName::Order
    }

    fn answer(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        query: &SliceQuery<'_>,
        _: &mut Tools<'_>,
    ) -> Option<TierAnswer> {
        if impossible(evaluator.pool(), query.goal, query.conditions) {
            return Some(TierAnswer::Unsat);
        }
        ranked(evaluator, query).map(TierAnswer::Sat)
    }
}

/// `from <= to`, or `from < to` when strict.
#[derive(Clone, Copy, Debug)]
struct Edge {
    to: Term,
    strict: bool,
}

/// What a condition says about two terms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Relation {
    Equal(Term, Term),
    Differ(Term, Term),
    /// Under the signed order or the unsigned one.
    Below {
        a: Term,
        b: Term,
        strict: bool,
        sign: bool,
    },
}

/// Whether `conditions` rule out `goal` by order alone.
fn impossible(pool: &Pool, goal: Term, conditions: &[Term]) -> bool {
    match relation(pool, goal) {
        None => false,
        Some(Relation::Below { a, b, strict, sign }) => {
            let graph = Graph::new(pool, conditions, sign, &[a, b]);
            graph.reaches(b, a, !strict)
        }
        Some(Relation::Equal(a, b)) => [true, false].iter().any(|sign| {
            let graph = Graph::new(pool, conditions, *sign, &[a, b]);
            graph.reaches(a, b, true) || graph.reaches(b, a, true)
        }),
        Some(Relation::Differ(a, b)) => [true, false].iter().any(|sign| {
            let graph = Graph::new(pool, conditions, *sign, &[a, b]);
            graph.reaches(a, b, false) && graph.reaches(b, a, false)
        }),
    }
}

pub(crate) fn relation(pool: &Pool, condition: Term) -> Option<Relation> {
    let children = pool.children(condition);
    match pool.op(condition) {
        Op::Not => {
            let inner = pool.children(condition)[0];
            let sides = pool.children(inner);
            (pool.op(inner) == Op::Eq).then(|| Relation::Differ(sides[0], sides[1]))
        }
        Op::Eq => Some(Relation::Equal(children[0], children[1])),
        op @ (Op::Ult | Op::Ule | Op::Slt | Op::Sle) => Some(Relation::Below {
            a: children[0],
            b: children[1],
            strict: matches!(op, Op::Ult | Op::Slt),
            sign: matches!(op, Op::Slt | Op::Sle),
        }),
        _ => None,
    }
}

struct Graph {
    edges: FxHashMap<Term, Vec<Edge>>,
}

impl Graph {
    fn new(pool: &Pool, conditions: &[Term], sign: bool, ends: &[Term]) -> Graph {
        let mut graph = Graph { edges: FxHashMap::default() };
        let mut constants: Vec<Term> = Vec::new();
        let mut note = |t: Term| {
            if pool.constant(t).is_some() {
                constants.push(t);
            }
        };
        ends.iter().for_each(|t| note(*t));
        for &condition in conditions {
            match relation(pool, condition) {
                Some(Relation::Below { a, b, strict, sign: own }) if own == sign => {
                    note(a);
                    note(b);
                    graph.add(a, b, strict);
                }
                Some(Relation::Equal(a, b)) => {
                    note(a);
                    note(b);
                    graph.add(a, b, false);
                    graph.add(b, a, false);
                }
                Some(Relation::Below { .. } | Relation::Differ(..)) | None => {}
            }
        }
        graph.order_constants(pool, constants, sign);
        graph
    }

    fn add(&mut self, from: Term, to: Term, strict: bool) {
        self.edges.entry(from).or_default().push(Edge { to, strict });
    }

    /// Constants of one width are strictly ordered among themselves.
    fn order_constants(&mut self, pool: &Pool, mut constants: Vec<Term>, sign: bool) {
        let value = |t: &Term| {
            let (width, bits) = (pool.width(*t), pool.constant(*t).unwrap_or_default());
            if sign { (width, signed(bits, width), 0) } else { (width, 0, bits) }
        };
        constants.sort_by_key(value);
        constants.dedup();
        for pair in constants.windows(2) {
            if pool.width(pair[0]) == pool.width(pair[1]) {
                self.add(pair[0], pair[1], true);
            }
        }
    }

    /// Whether edges lead from `from` to `to`, over at least one strict edge if asked for.
    fn reaches(&self, from: Term, to: Term, need_strict: bool) -> bool {
        let mut seen: FxHashMap<Term, bool> = FxHashMap::default();
        let mut stack = vec![(from, false)];
        while let Some((at, strict)) = stack.pop() {
            if at == to && (strict || !need_strict) {
                return true;
            }
            for edge in self.edges.get(&at).map_or(&[][..], Vec::as_slice) {
                let next = strict || edge.strict;
                match seen.get(&edge.to) {
                    Some(known) if *known || !next => {}
                    _ => {
                        seen.insert(edge.to, next);
                        stack.push((edge.to, next));
                    }
                }
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use covet_input::VarId;

    #[test]
    fn chains_and_constants() {
        let mut pool = Pool::new();
        let v: Vec<Term> = (0..3).map(|i| pool.var_with(VarId(i), 8, 0)).collect();
        let path = [pool.sle(v[0], v[1]), pool.sle(v[1], v[2])];
        let (strict, equal, loose) = (pool.slt(v[2], v[0]), pool.eq(v[0], v[2]), pool.sle(v[2], v[0]));
        assert!(impossible(&pool, strict, &path));
        assert!(!impossible(&pool, loose, &path) && !impossible(&pool, equal, &path));
        let unsigned = pool.ult(v[2], v[0]);
        assert!(!impossible(&pool, unsigned, &path));
        let (five, nine) = (pool.bits(8, 5), pool.bits(8, 0xf9));
        let small = [pool.slt(v[0], nine), pool.eq(v[1], v[0])];
        let big = pool.slt(five, v[1]);
        assert!(impossible(&pool, big, &small), "v1 == v0 < -7 is not above 5");
        let different = pool.ne(v[0], v[1]);
        let both = [pool.sle(v[0], v[1]), pool.sle(v[1], v[0])];
        assert!(impossible(&pool, different, &both));
    }
}
