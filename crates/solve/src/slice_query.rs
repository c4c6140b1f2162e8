//! One slice of a query, as the tiers see it, and what a tier may find.

use crate::model::check::{Change, Keep};
use covet_expr::Term;
use covet_expr::query::UnknownReason;
use covet_input::VarId;

/// What a tier found for one query.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum TierAnswer {
    Sat(Vec<Change>),
    Unsat,
    Unknown(UnknownReason),
}

/// The conditions that count, with or without concretization constraints.
pub(crate) struct SliceQuery<'a> {
    pub goal: Term,
    /// Conditions in order, each once, without the goal.
    pub conditions: &'a [Term],
    /// The same, as found by variable.
    pub keep: Keep<'a>,
    /// Number of path conditions, the goal included.
    pub size: usize,
    pub variables: &'a [VarId],
}

impl SliceQuery<'_> {
    /// All conditions, in the order in which the next query will share most with this one.
    pub fn in_shared_order(&self) -> Vec<Term> {
        match self.keep {
            // Along a path the prefix is shared and the goal changes.
            Keep::Path { .. } => self.conditions.iter().copied().chain([self.goal]).collect(),
            // Incremental queries keep the goal and add conditions.
            Keep::List(_) => std::iter::once(self.goal).chain(self.conditions.iter().copied()).collect(),
        }
    }
}
