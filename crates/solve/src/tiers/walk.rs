//! Tiers `walk` and `long-walk`: the Concolic Walk over floats and library calls, a little of it before the SMT solver is asked, and
//! more when that could not answer.
//!
//! The portfolio says how much of a walk there is to be: most of what is asked in a program is either within reach or hopeless.

use crate::config::Config;
use crate::model::check::Change;
use crate::model::minimise::minimise;
use crate::slice_query::{SliceQuery, TierAnswer};
use crate::tiers::{Tier, TierName, Tools};
use covet_expr::Evaluator;
use covet_expr::query::UnknownReason;
use covet_walk::{Theories, Variant};

/// The short walk's share of the evaluations.
const SHORT: u64 = 16;
/// A walk is halved this often at most: to an eighth.
const LEAST: u32 = 3;
/// More conditions or variables than this are not for a search.
const MAX_CONDITIONS: usize = 400;
const MAX_VARIABLES: usize = 400;

#[derive(Debug, Default)]
pub(crate) struct Walk {
    walk: covet_walk::Walk,
    theories: Theories,
}

impl Tier for Walk {
    fn name(&self) -> TierName {
        TierName::Walk
    }

    fn answer(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        query: &SliceQuery<'_>,
        tools: &mut Tools<'_>,
    ) -> Option<TierAnswer> {
        let config = tools.config;
        // As the only solver it is asked everything, and has all the time.
        let alone = config.walk.variant != Variant::Ours || !config.tiers.contains(TierName::Smt);
        let pool = evaluator.pool();
        let mut all = query.conditions.iter().chain([&query.goal]);
        if !alone && !all.any(|t| self.theories.has_float(pool, *t)) {
            return None;
        }
        let share = if alone { 1 } else { SHORT };
        let evaluations = (config.walk.evaluations / share) >> tools.halvings.min(LEAST);
        search(&mut self.walk, evaluator, query, config, evaluations)
    }

    fn forget(&mut self) {
        *self = Walk::default();
    }
}

#[derive(Debug, Default)]
pub(crate) struct LongWalk {
    walk: covet_walk::Walk,
}

impl Tier for LongWalk {
    fn name(&self) -> TierName {
        TierName::LongWalk
    }

    fn answer(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        query: &SliceQuery<'_>,
        tools: &mut Tools<'_>,
    ) -> Option<TierAnswer> {
        if tools.config.walk.variant != Variant::Ours || !tools.config.tiers.contains(TierName::Smt) {
            return None;
        }
        let evaluations = tools.config.walk.evaluations >> tools.halvings.min(LEAST);
        search(&mut self.walk, evaluator, query, tools.config, evaluations)
    }

    fn forget(&mut self) {
        *self = LongWalk::default();
    }
}

fn search(
    walk: &mut covet_walk::Walk,
    evaluator: &mut Evaluator<'_>,
    query: &SliceQuery<'_>,
    config: &Config,
    evaluations: u64,
) -> Option<TierAnswer> {
    if query.conditions.len() > MAX_CONDITIONS || query.variables.len() > MAX_VARIABLES {
        return None;
    }
    let conditions = query.in_shared_order();
    let settings = covet_walk::Config { seed: config.walk.seed ^ u64::from(config.seed), evaluations, ..config.walk };
    let found = walk.solve(evaluator.pool(), &conditions, |id| evaluator.variable(id), settings);
    let Some(values) = found.values else { return Some(TierAnswer::Unknown(UnknownReason::Limit)) };
    let changes: Vec<Change> = values.into_iter().filter(|(id, bits)| evaluator.variable(*id) != *bits).collect();
    let fine = query.keep.holds(evaluator, query.goal, &changes);
    fine.then(|| TierAnswer::Sat(minimise(evaluator, query.goal, &query.keep, changes)))
}
