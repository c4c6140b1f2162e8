//! A run that brought something → an input on the same path for which its comparisons are as close as they can be.
//!
//! A test of `percent >= 90` is worth most where `percent` is 90: from there one step, or one changed character of the source, makes a difference.
//! What simple arithmetic cannot see (`vary`) is asked of the solver, each side of each comparison once, the last of a run first.

use crate::engine::{Exploration, Parties};
use crate::merge::Attempt;
use crate::state::RunNumber;
use covet_abi::event::Kind;
use covet_abi::node::Op;
use covet_expr::query::{Answer, Query};
use covet_expr::{Evaluator, Pool, Term};
use covet_input::Input;
use covet_path::Condition;
use covet_sites::{SiteMap, SiteNumber};
use rustc_hash::FxHashSet;

/// Sides of comparisons that some run was close to, or that were asked for.
#[derive(Debug, Default)]
pub(crate) struct Boundaries {
    known: FxHashSet<(SiteNumber, bool)>,
    /// Questions that took an effort.
    efforts: u64,
}

/// Questions about one run, those of an exploration that may take an effort, conditions of a path that is looked at.
const MOST_QUESTIONS: usize = 6;
const MOST_EFFORTS: u64 = 24;
const MOST_CONDITIONS: usize = 512;
/// An evaluator has room for every term: in larger pools this is not worth its memory.
const MOST_TERMS: usize = 1 << 20;

impl Exploration {
    /// The attempt with the comparisons on the path of the run that it varies as close as they can be.
    pub(crate) fn at_boundaries(&mut self, attempt: Attempt, parties: &mut Parties<'_, '_>) -> Attempt {
        let Some(number) = attempt.varies else { return attempt };
        let input = self.closest(number, &attempt.input, parties);
        Attempt { input: input.unwrap_or(attempt.input), ..attempt }
    }

    /// None where nothing is to be gained.
    fn closest(&mut self, number: RunNumber, input: &Input, parties: &mut Parties<'_, '_>) -> Option<Input> {
        let path = self.paths.get(&number).filter(|path| path.conditions.len() <= MOST_CONDITIONS)?;
        if self.pool.len() > MOST_TERMS {
            return None;
        }
        let solver = parties.solvers.first_mut()?;
        let before = solver.efforts();
        // What the program itself starts with stays.
        let held = self.state.variables.held().iter().filter_map(|id| Some((*id, input.get(*id)?)));
        let mut kept: Vec<Term> = path.conditions.iter().map(|condition| condition.term).collect();
        let (pool, variables) = (&mut self.pool, &self.state.variables);
        for (id, value) in held {
            let (variable, value) = (pool.var(variables, id), pool.bits(variables.get(id).width, value));
            kept.push(pool.eq(variable, value));
        }
        let mut goals = Vec::new();
        for condition in path.conditions.iter().rev() {
            let side = (condition.site, condition.taken);
            if is_of_user(&self.state.map, condition) && !self.boundaries.known.contains(&side) {
                goals.extend(closest(pool, condition.term).map(|goal| (side, goal)));
            }
        }
        if goals.is_empty() {
            return None;
        }
        let is_met = |pool: &Pool, input: &Input| -> Vec<bool> {
            let mut evaluator = Evaluator::new(pool, input);
            goals.iter().map(|(_, goal)| evaluator.holds(*goal)).collect()
        };
        let (mut found, mut questions, mut met) = (None, 0, is_met(pool, input));
        // With a call among the conditions an answer is a matter of search, and the called function may take any time.
        if met.contains(&false) && calls(pool, &kept) {
            return None;
        }
        for (at, (side, goal)) in goals.iter().enumerate() {
            if self.boundaries.known.contains(side) {
                continue;
            }
            if !met[at] {
                let spent = self.boundaries.efforts + solver.efforts() - before;
                if questions == MOST_QUESTIONS || spent >= MOST_EFFORTS {
                    continue;
                }
                questions += 1;
                let base = found.as_ref().unwrap_or(input);
                let query = Query { prefix: &kept, concretizations: &[], goal: *goal, base };
                let Answer::Sat { input, .. } = solver.solve(pool, &query) else { continue };
                met = is_met(pool, &input);
                found = Some(input);
            }
            kept.push(*goal);
            self.boundaries.known.insert(*side);
        }
        self.boundaries.efforts += solver.efforts() - before;
        found
    }
}

/// Whether a library function is called in one of these terms.
fn calls(pool: &Pool, terms: &[Term]) -> bool {
    let (mut open, mut seen) = (terms.to_vec(), FxHashSet::default());
    while let Some(term) = open.pop() {
        if !seen.insert(term) {
            continue;
        }
        if pool.op(term) == Op::Call {
            return true;
        }
        open.extend(pool.children(term).iter());
        open.extend(pool.table_of(term).into_iter().flat_map(|table| pool.entries(table).to_vec()));
    }
    false
}

fn is_of_user(map: &SiteMap, condition: &Condition) -> bool {
    let site = map.sites.get(condition.site.index());
    condition.kind == Kind::Branch && site.is_some_and(|site| !map.functions[site.function.index()].is_model)
}

/// What holds besides a comparison that holds where its sides are as close as they can be; none for other terms.
fn closest(pool: &mut Pool, term: Term) -> Option<Term> {
    let (mut comparison, mut holds) = (term, true);
    while let (Op::Not, [inner]) = (pool.op(comparison), &pool.children(comparison)[..]) {
        (comparison, holds) = (*inner, !holds);
    }
    let op = pool.op(comparison);
    let [a, b] = pool.children(comparison)[..] else { return None };
    let (is_strict, is_loose) = (matches!(op, Op::Slt | Op::Ult), matches!(op, Op::Sle | Op::Ule));
    if !is_strict && !is_loose {
        return None;
    }
    // The smaller side and the larger one, which may be the same where that is not what the comparison keeps out.
    let (less, more) = if holds { (a, b) } else { (b, a) };
    if is_loose == holds {
        return Some(pool.eq(less, more));
    }
    let one = pool.bits(pool.width(less), 1);
    let after = pool.add(less, one);
    Some(pool.eq(after, more))
}

#[cfg(test)]
mod tests {
    use super::*;
    use covet_input::{ValueKind, VarId, Variable, Variables};

    #[test]
    fn close_is_where_one_step_of_a_side_turns_the_comparison() {
        let mut variables = Variables::default();
        for name in ["a", "b"] {
            variables.intern(Variable { name: name.to_string(), width: 4, kind: ValueKind::Signed, default: 0 });
        }
        let mut pool = Pool::new();
        let (a, b) = (pool.var(&variables, VarId(0)), pool.var(&variables, VarId(1)));
        for (op, holds) in [Op::Slt, Op::Sle, Op::Ult, Op::Ule].into_iter().flat_map(|op| [(op, true), (op, false)]) {
            let comparison = pool.binary(op, a, b);
            let term = if holds { comparison } else { pool.not(comparison) };
            let goal = closest(&mut pool, term).unwrap();
            let value = |x: u128, y: u128| {
                let mut input = Input::default();
                input.set(VarId(0), x);
                input.set(VarId(1), y);
                input
            };
            for (x, y) in (0..16).flat_map(|x| (0..16).map(move |y| (x, y))) {
                let is = |term: Term, x: u128, y: u128| Evaluator::new(&pool, &value(x, y)).holds(term);
                if !is(term, x, y) {
                    continue;
                }
                // The last number has none behind it.
                let last = if matches!(op, Op::Slt | Op::Sle) { 7 } else { 15 };
                let up = |x: u128| if x == last { x } else { (x + 1) % 16 };
                let down = |x: u128| if x == (last + 1) % 16 { x } else { (x + 15) % 16 };
                let steps = [(up(x), y), (down(x), y), (x, up(y)), (x, down(y))];
                let turns = steps.into_iter().any(|(x, y)| !is(term, x, y));
                assert_eq!(turns, is(goal, x, y), "{op:?} {holds} {x} {y}");
            }
        }
        let equal = pool.eq(a, b);
        assert_eq!(closest(&mut pool, equal), None);
    }
}
