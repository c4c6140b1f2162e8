//! Values that respect an order: starting from the base input, variables that stand too low are raised above what they must not be
//! below, and so on upwards; or those that stand too high are lowered. What is no comparison of two variables or of one with a constant
//! is left to the check of the answer.

use crate::model::check::Change;
use crate::slice_query::SliceQuery;
use crate::tiers::order::{Relation, relation};
use covet_expr::bits::{mask, signed, signed_max, signed_min, truncate};
use covet_expr::{Evaluator, Term};
use covet_input::VarId;
use rustc_hash::FxHashMap;

/// Values moved per query.
const MAX_MOVES: usize = 4_000;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Side {
    Variable(usize),
    Constant(i128),
}

/// `low + gap <= high`.
#[derive(Clone, Copy, Debug)]
struct Edge {
    low: Side,
    high: Side,
    gap: i128,
}

/// Variables of one width under one order.
struct Ranks {
    width: u16,
    sign: bool,
    ids: Vec<VarId>,
    values: Vec<i128>,
    edges: Vec<Edge>,
    /// By variable: the edges that it is the low side of, and the high side.
    above: Vec<Vec<usize>>,
    below: Vec<Vec<usize>>,
}

/// Changes of the base input under which the goal's order holds, as far as comparisons of variables tell.
pub(crate) fn ranked(evaluator: &mut Evaluator<'_>, query: &SliceQuery<'_>) -> Option<Vec<Change>> {
    let ranks = Ranks::new(evaluator, query)?;
    [true, false].into_iter().find_map(|upwards| {
        let changes = ranks.moved(upwards)?;
        query.keep.holds(evaluator, query.goal, &changes).then_some(changes)
    })
}

impl Ranks {
    fn new(evaluator: &mut Evaluator<'_>, query: &SliceQuery<'_>) -> Option<Ranks> {
        let pool = evaluator.pool();
        let (width, sign) = match relation(pool, query.goal)? {
            Relation::Below { a, sign, .. } => (pool.width(a), sign),
            Relation::Equal(a, _) => (pool.width(a), false),
            Relation::Differ(..) => return None,
        };
        let mut ranks = Ranks { width, sign, ids: vec![], values: vec![], edges: vec![], above: vec![], below: vec![] };
        let mut known: FxHashMap<VarId, usize> = FxHashMap::default();
        for &condition in [query.goal].iter().chain(query.conditions) {
            let (a, b, gap, both) = match relation(pool, condition) {
                Some(Relation::Below { a, b, strict, sign: own }) if own == sign => (a, b, i128::from(strict), false),
                Some(Relation::Equal(a, b)) => (a, b, 0, true),
                Some(Relation::Below { .. } | Relation::Differ(..)) | None => continue,
            };
            let mut side = |t: Term| ranks.side(evaluator, &mut known, t);
            let (Some(low), Some(high)) = (side(a), side(b)) else { continue };
            ranks.add(Edge { low, high, gap });
            if both {
                ranks.add(Edge { low: high, high: low, gap });
            }
        }
        Some(ranks)
    }

    fn side(&mut self, evaluator: &mut Evaluator<'_>, known: &mut FxHashMap<VarId, usize>, t: Term) -> Option<Side> {
        let pool = evaluator.pool();
        if pool.width(t) != self.width {
            return None;
        }
        if let Some(bits) = pool.constant(t) {
            return Some(Side::Constant(self.rank(bits)?));
        }
        let id = pool.variable(t)?;
        let value = self.rank(evaluator.variable(id))?;
        let at = *known.entry(id).or_insert(self.ids.len());
        if at == self.ids.len() {
            self.ids.push(id);
            self.values.push(value);
            self.above.push(Vec::new());
            self.below.push(Vec::new());
        }
        Some(Side::Variable(at))
    }

    /// Bits as a number of the order; nothing for what a number here cannot hold.
    fn rank(&self, bits: u128) -> Option<i128> {
        if self.sign { Some(signed(bits, self.width)) } else { i128::try_from(bits).ok() }
    }

    fn ends(&self) -> (i128, i128) {
        if self.sign {
            (signed(signed_min(self.width), self.width), signed(signed_max(self.width), self.width))
        } else {
            (0, i128::try_from(mask(self.width)).unwrap_or(i128::MAX))
        }
    }

    fn add(&mut self, edge: Edge) {
        let number = self.edges.len();
        self.edges.push(edge);
        if let Side::Variable(at) = edge.low {
            self.above[at].push(number);
        }
        if let Side::Variable(at) = edge.high {
            self.below[at].push(number);
        }
    }

    /// The base with the goal's order (the first edges) put right by raising, or by lowering.
    fn moved(&self, upwards: bool) -> Option<Vec<Change>> {
        let mut values = self.values.clone();
        let (least, most) = self.ends();
        let value = |values: &[i128], side: Side| match side {
            Side::Variable(at) => values[at],
            Side::Constant(value) => value,
        };
        let mut waiting: Vec<usize> = (0..self.edges.len()).rev().collect();
        let mut moves = 0;
        while let Some(number) = waiting.pop() {
            let Edge { low, high, gap } = self.edges[number];
            let (floor, ceiling) = (value(&values, low), value(&values, high));
            if floor.checked_add(gap)? <= ceiling {
                continue;
            }
            moves += 1;
            let (side, new) = if upwards { (high, floor.checked_add(gap)?) } else { (low, ceiling.checked_sub(gap)?) };
            let Side::Variable(at) = side else { return None };
            if moves > MAX_MOVES || new < least || new > most {
                return None;
            }
            values[at] = new;
            waiting.extend(if upwards { &self.above[at] } else { &self.below[at] });
        }
        let changed = values.iter().zip(&self.values).zip(&self.ids).filter(|((new, old), _)| new != old);
        Some(changed.map(|((new, _), id)| (*id, truncate(*new as u128, self.width))).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::check::Keep;
    use covet_expr::Pool;
    use covet_input::Input;

    /// Three signed bytes in ascending order below 100; the last is to be the least.
    #[test]
    fn a_goal_against_a_chain_moves_what_stands_in_its_way() {
        let mut pool = Pool::new();
        let v: Vec<Term> = (0..3).map(|i| pool.var_with(VarId(i), 8, 0)).collect();
        let hundred = pool.bits(8, 100);
        let conditions = [pool.sle(v[0], v[1]), pool.slt(v[1], hundred), pool.slt(v[2], hundred)];
        let goal = pool.slt(v[2], v[0]);
        let mut input = Input::default();
        (0..3).for_each(|i| input.set(VarId(i), 98 + u128::from(i.min(1))));
        let mut evaluator = Evaluator::new(&pool, &input);
        let variables: Vec<VarId> = (0..3).map(VarId).collect();
        let query =
            SliceQuery { goal, conditions: &conditions, keep: Keep::List(&conditions), size: 4, variables: &variables };
        let changes = ranked(&mut evaluator, &query).expect("lowering the last");
        assert_eq!(changes, [(VarId(2), 97)]);
    }
}
