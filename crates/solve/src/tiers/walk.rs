//! Tiers `walk` and `long-walk`: the Concolic Walk over floats and library calls, a little of it before the SMT solver is asked, and
//! more when that could not answer.
//!
//! The portfolio says how much of a walk there is to be: most of what is asked in a program is either within reach or hopeless.

use crate::check::Change;
use crate::polish::polish;
use crate::query::{Config, Reason};
use crate::question::{Found, Question};
use crate::tiers::{Tier, TierName, Tools};
use covet_expr::Evaluator;
use covet_walk::{Nature, Variant};

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
    nature: Nature,
}

impl Tier for Walk {
    fn name(&self) -> TierName {
        TierName::Walk
    }

    fn answer(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        question: &Question<'_>,
        tools: &mut Tools<'_>,
    ) -> Option<Found> {
        let config = tools.config;
        // As the only solver it is asked everything, and has all the time.
        let alone = config.walk.variant != Variant::Ours || !config.tiers.contains(TierName::Smt);
        let pool = evaluator.pool();
        let mut all = question.conditions.iter().chain([&question.goal]);
        if !alone && !all.any(|t| self.nature.has_float(pool, *t)) {
            return None;
        }
        let share = if alone { 1 } else { SHORT };
        let evaluations = (config.walk.evaluations / share) >> tools.halvings.min(LEAST);
        search(&mut self.walk, evaluator, question, config, evaluations)
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
        question: &Question<'_>,
        tools: &mut Tools<'_>,
    ) -> Option<Found> {
        if tools.config.walk.variant != Variant::Ours || !tools.config.tiers.contains(TierName::Smt) {
            return None;
        }
        let evaluations = tools.config.walk.evaluations >> tools.halvings.min(LEAST);
        search(&mut self.walk, evaluator, question, tools.config, evaluations)
    }

    fn forget(&mut self) {
        *self = LongWalk::default();
    }
}

fn search(
    walk: &mut covet_walk::Walk,
    evaluator: &mut Evaluator<'_>,
    question: &Question<'_>,
    config: &Config,
    evaluations: u64,
) -> Option<Found> {
    if question.conditions.len() > MAX_CONDITIONS || question.variables.len() > MAX_VARIABLES {
        return None;
    }
    let conditions = question.in_shared_order();
    let settings = covet_walk::Config { seed: config.walk.seed ^ u64::from(config.seed), evaluations, ..config.walk };
    let found = walk.solve(evaluator.pool(), &conditions, |id| evaluator.variable(id), settings);
    let Some(values) = found.values else { return Some(Found::Unknown(Reason::Limit)) };
    let changes: Vec<Change> = values.into_iter().filter(|(id, bits)| evaluator.variable(*id) != *bits).collect();
    let fine = question.keep.holds(evaluator, question.goal, &changes);
    fine.then(|| Found::Sat(polish(evaluator, question.goal, &question.keep, changes)))
}
