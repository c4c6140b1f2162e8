//! Would a change of some variables keep every condition that must hold?
//!
//! All conditions hold under the base input, so only those that contain a changed variable are looked at.

use crate::slice::index::PathIndex;
use covet_expr::{Evaluator, Term};
use covet_input::VarId;

/// One variable and its new bits.
pub(crate) type Change = (VarId, u128);

/// Conditions to keep.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Keep<'a> {
    /// So many conditions and concretization constraints of the covered path.
    Path { prefix: (&'a PathIndex, usize), concretizations: (&'a PathIndex, usize) },
    /// These, whether or not they hold under the base input.
    List(&'a [Term]),
}

impl Keep<'_> {
    /// How many conditions contain `id`.
    pub fn count(&self, evaluator: &Evaluator<'_>, id: VarId) -> usize {
        match self {
            Keep::Path { prefix, concretizations } => {
                prefix.0.count(id, prefix.1) + concretizations.0.count(id, concretizations.1)
            }
            Keep::List(terms) => terms.iter().filter(|t| evaluator.pool().variables(**t).contains(id)).count(),
        }
    }

    /// The conditions that contain `id`, in order, at most `limit`.
    pub fn conditions_with(&self, evaluator: &Evaluator<'_>, id: VarId, limit: usize) -> Vec<Term> {
        match self {
            Keep::Path { prefix, concretizations } => {
                let prefix = prefix.0.conditions_with(id, prefix.1);
                prefix.chain(concretizations.0.conditions_with(id, concretizations.1)).take(limit).collect()
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
            Keep::Path { prefix, concretizations } => {
                let prefix_at = prefix.0.positions(set, prefix.1).iter().map(|at| prefix.0.term(*at));
                let concretizations_at =
                    concretizations.0.positions(set, concretizations.1).iter().map(|at| concretizations.0.term(*at));
                prefix_at.chain(concretizations_at).take(limit).collect()
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
            Keep::Path { prefix, concretizations } => changes.iter().all(|(id, _)| {
                prefix.0.conditions_with(*id, prefix.1).all(|t| evaluator.holds_changed(t, changes))
                    && concretizations
                        .0
                        .conditions_with(*id, concretizations.1)
                        .all(|t| evaluator.holds_changed(t, changes))
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
            Keep::Path { prefix, concretizations } => {
                for (path, limit) in [prefix, concretizations] {
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
