//! Outcomes that nothing has shown and that no run gets to on its own way: asked for without the way.
//!
//! What a run decided early keeps it from much that it comes to later: a number that was found in the first place of a table is no other
//! number three tests further on. The input that has the outcome alone may take another way there; where it leads is seen by running it, so it
//! promises nothing and is asked of a few runs only.

use crate::edges::Direction;
use crate::engine::{Exploration, Parties};
use crate::merge::Attempt;
use crate::queries::Bases;
use crate::state::Flip;
use crate::strategy::StrategyName;
use crate::tree::EdgeId;
use covet_expr::query::Answer;
use rustc_hash::FxHashMap;

/// How often an outcome was asked for without the way to it.
pub(crate) type Leaps = FxHashMap<EdgeId, u32>;

/// Runs that an outcome is asked of so.
const MOST_LEAPS: u32 = 4;

impl Exploration {
    /// Inputs for outcomes that these flips were to show, asked in vain.
    pub(crate) fn leap(&mut self, unsolved: &[Flip], parties: &mut Parties<'_, '_>) -> Vec<Attempt> {
        let mut attempts = Vec::new();
        for &flip in unsolved {
            let is_branch = matches!(self.state.edges.get(flip.to).direction, Direction::Number(_));
            if self.config.strategy != StrategyName::Auto || !is_branch || !self.state.is_goal(flip.to) {
                continue;
            }
            let times = self.leaps.entry(flip.to).or_default();
            if *times >= MOST_LEAPS {
                continue;
            }
            *times += 1;
            let bases = Bases { state: &self.state, paths: &self.paths };
            let queries = bases.queries(&mut self.pool, &[flip]);
            let (Some((_, query)), Some(base)) = (queries.first(), bases.of(flip)) else { continue };
            let Some(solver) = parties.solvers.first_mut() else { continue };
            if let Answer::Sat { input, .. } = base.ask_relaxed(&mut **solver, &self.pool, query)
                && !self.is_tried(&input)
            {
                attempts.push(Attempt::seed(input));
            }
        }
        attempts
    }
}
