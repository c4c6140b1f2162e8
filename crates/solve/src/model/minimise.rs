//! Model minimisation: a solver's model comes closer to the base input, values that need not differ do not.

use crate::model::check::{Change, Keep};
use covet_expr::{Evaluator, Term};

/// Changes beyond this many are left as the solver gave them.
const MAX_CHANGES: usize = 48;

/// The same solution with as many base values restored, one by one, as the conditions allow.
pub(crate) fn minimise(
    evaluator: &mut Evaluator<'_>,
    goal: Term,
    keep: &Keep<'_>,
    changes: Vec<Change>,
) -> Vec<Change> {
    if changes.len() < 2 || changes.len() > MAX_CHANGES {
        return changes;
    }
    let mut kept = changes;
    let mut at = 0;
    while at < kept.len() {
        let removed = kept.remove(at);
        if kept.is_empty() || !keep.holds(evaluator, goal, &kept) {
            kept.insert(at, removed);
            at += 1;
        }
    }
    kept
}
