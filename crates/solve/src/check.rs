//! Would a change of some variables keep every condition that must hold?
//!
//! All conditions hold under the base input, so only those that contain a changed variable are looked at.

use crate::index::PathIndex;
use covet_expr::{Evaluator, Term};
use covet_input::VarId;

/// One variable and its new bits.
pub(crate) type Change = (VarId, u128);

/// Conditions to keep.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Keep<'a> {
    /// The first `hard` conditions and `soft` pins of the covered path.
    Path { hard: (&'a PathIndex, usize), soft: (&'a PathIndex, usize) },
    /// These, whether or not they hold under the base input.
    List(&'a [Term]),
}

impl Keep<'_> {
    /// How many conditions contain `id`.
    pub fn count(&self, evaluator: &Evaluator<'_>, id: VarId) -> usize {
        match self {
            Keep::Path { hard, soft } => hard.0.count(id, hard.1) + soft.0.count(id, soft.1),
            Keep::List(terms) => terms.iter().filter(|t| evaluator.pool().variables(**t).contains(id)).count(),
        }
    }

    /// The conditions that contain `id`, in order, at most `limit`.
    pub fn conditions_with(&self, evaluator: &Evaluator<'_>, id: VarId, limit: usize) -> Vec<Term> {
        match self {
            Keep::Path { hard, soft } => {
                let hard = hard.0.conditions_with(id, hard.1);
                hard.chain(soft.0.conditions_with(id, soft.1)).take(limit).collect()
            }
            Keep::List(terms) => {
                terms.iter().copied().filter(|t| evaluator.pool().variables(*t).contains(id)).take(limit).collect()
            }
        }
    }

    /// The conditions with exactly the variables of `term`, in order, at most `limit`.
    pub fn conditions_like(&self, evaluator: &Evaluator<'_>, term: Term, limit: usize) -> Vec<Term> {
        let pool = evaluator.pool();
        let set = pool.variable_set(term);
        match self {
            Keep::Path { hard, soft } => {
                let hard_at = hard.0.positions(set, hard.1).iter().map(|at| hard.0.term(*at));
                let soft_at = soft.0.positions(set, soft.1).iter().map(|at| soft.0.term(*at));
                hard_at.chain(soft_at).take(limit).collect()
            }
            Keep::List(terms) => terms.iter().copied().filter(|t| pool.variable_set(*t) == set).take(limit).collect(),
        }
    }

    /// Whether `goal` and all conditions hold under the base input with `changes` laid over it.
    pub fn holds(&self, evaluator: &mut Evaluator<'_>, goal: Term, changes: &[Change]) -> bool {
        evaluator.change();
        if !evaluator.holds_changed(goal, changes) {
            return false;
        }
        match self {
            Keep::Path { hard, soft } => changes.iter().all(|(id, _)| {
                hard.0.conditions_with(*id, hard.1).all(|t| evaluator.holds_changed(t, changes))
                    && soft.0.conditions_with(*id, soft.1).all(|t| evaluator.holds_changed(t, changes))
            }),
            Keep::List(terms) => terms.iter().all(|t| evaluator.holds_changed(*t, changes)),
        }
    }

    /// The first `count` conditions, each once, that do not hold under the base input with `changes` laid over it.
    pub fn first_broken(&self, evaluator: &mut Evaluator<'_>, changes: &[Change], count: usize) -> Vec<Term> {
        evaluator.change();
        let mut broken: Vec<Term> = Vec::new();
        let mut look = |terms: &mut dyn Iterator<Item = Term>| {
            while broken.len() < count {
                let Some(term) = terms.next() else { return };
                if !evaluator.holds_changed(term, changes) && !broken.contains(&term) {
                    broken.push(term);
                }
            }
        };
        match self {
            Keep::Path { hard, soft } => {
                for (path, limit) in [hard, soft] {
                    let sets = changes.iter().flat_map(|(id, _)| path.sets_with(*id, *limit));
                    let mut at: Vec<u32> = sets.flat_map(|set| path.positions(set, *limit)).copied().collect();
                    at.sort_unstable();
                    at.dedup();
                    look(&mut at.into_iter().map(|position| path.term(position)));
                }
            }
            Keep::List(terms) => look(&mut terms.iter().copied()),
        }
        broken
    }
}
