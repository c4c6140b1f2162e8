//! Tiers `walk` and `long-walk`: the Concolic Walk over floats and library calls, a little of it before the SMT solver is asked, and
//! more when that could not answer.
//!
//! A search is given less when the last ones found nothing, and all again when one finds something: most of what is asked in a
//! program is either within reach or hopeless.

use crate::check::Change;
use crate::polish::polish;
use crate::query::{Config, Reason};
use crate::question::{Found, Question};
use crate::tiers::{Tier, TierName, Tools};
use covet_expr::Evaluator;
use covet_walk::{Nature, Variant};

/// The short walk's share of the evaluations.
const SHORT: u64 = 16;
/// After so many searches in vain the allowance stays: an eighth.
const LEAST: u32 = 3;
/// More conditions or variables than this are not for a search.
const MAX_CONDITIONS: usize = 400;
const MAX_VARIABLES: usize = 400;

#[derive(Debug, Default)]
pub(crate) struct Walk {
    walk: covet_walk::Walk,
    nature: Nature,
    patience: Patience,
}

/// Searches in a row that found nothing.
#[derive(Debug, Default)]
struct Patience(u32);

impl Patience {
    fn allows(&self, evaluations: u64) -> u64 {
        evaluations >> self.0.min(LEAST)
    }

    fn learn(&mut self, found: Option<&Found>) {
        self.0 = if matches!(found, Some(Found::Sat(_))) { 0 } else { self.0 + 1 };
    }
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
        let evaluations = self.patience.allows(config.walk.evaluations / share);
        let found = search(&mut self.walk, evaluator, question, config, evaluations);
        self.patience.learn(found.as_ref());
        found
    }

    fn forget(&mut self) {
        *self = Walk::default();
    }
}

#[derive(Debug, Default)]
pub(crate) struct LongWalk {
    walk: covet_walk::Walk,
    patience: Patience,
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
        let evaluations = self.patience.allows(tools.config.walk.evaluations);
        let found = search(&mut self.walk, evaluator, question, tools.config, evaluations);
        self.patience.learn(found.as_ref());
        found
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
