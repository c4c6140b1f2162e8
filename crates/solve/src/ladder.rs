//! One slice query up the ladder: looked up, put to the tiers cheapest first, remembered.

use crate::known::cache::{Cache, Key, Known};
use crate::known::nogoods::NogoodRecorder;
use crate::model::check::Change;
use crate::model::cross_check::CrossCheck;
use crate::portfolio::{MEMBERS, Portfolio};
use crate::slice_query::{SliceQuery, TierAnswer};
use crate::tiers::{Tier, TierName, Tools};
use covet_expr::Evaluator;
use covet_expr::query::{TierLabel, UnknownReason};
use covet_input::VarId;
use std::time::{Duration, Instant};

/// The parts of a solver that answer one slice query.
pub(crate) struct Ladder<'a> {
    pub tools: Tools<'a>,
    pub cache: &'a mut Cache,
    pub tiers: &'a mut [Box<dyn Tier>],
    pub portfolio: &'a mut Portfolio,
    pub cross_check: &'a mut CrossCheck,
    pub nogoods: &'a mut NogoodRecorder,
}

impl Ladder<'_> {
    /// Looks the query up, otherwise has it solved and remembers the answer.
    pub fn remembering(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        query: &SliceQuery<'_>,
        solve: impl FnOnce(&mut Self, &mut Evaluator<'_>) -> (TierAnswer, TierLabel),
    ) -> (TierAnswer, TierLabel) {
        if !self.tools.config.tiers.contains(TierName::Cache) {
            return solve(self, evaluator);
        }
        let start = Instant::now();
        let key = Key::new(query.conditions, query.goal);
        let known = self.known(evaluator, query, &key);
        self.tools.statistics.tier(TierName::Cache, start.elapsed(), known.as_ref());
        if let Some(found) = known {
            return (found, TierName::Cache.label());
        }
        let (found, tier) = solve(self, evaluator);
        match &found {
            TierAnswer::Sat(changes) => {
                // Values of the whole slice: the entry must fit other base inputs.
                let value = |id: &VarId| changes.iter().find(|c| c.0 == *id).map_or(evaluator.variable(*id), |c| c.1);
                let values = query.variables.iter().map(|id| (*id, value(id))).collect();
                self.cache.put(key, Known::Sat(values));
            }
            TierAnswer::Unsat => self.cache.put(key, Known::Unsat),
            TierAnswer::Unknown(_) => {}
        }
        (found, tier)
    }

    /// A remembered answer, if it stands.
    fn known(&mut self, evaluator: &mut Evaluator<'_>, query: &SliceQuery<'_>, key: &Key) -> Option<TierAnswer> {
        if self.cache.is_ruled_out(query.conditions, query.goal) || self.nogoods.rule_out(evaluator.pool(), query) {
            return Some(TierAnswer::Unsat);
        }
        match self.cache.get(key)? {
            Known::Unsat => Some(TierAnswer::Unsat),
            Known::Sat(values) => {
                let different = values.iter().filter(|(id, bits)| evaluator.variable(*id) != *bits);
                let changes: Vec<Change> = different.copied().collect();
                let fine = !changes.is_empty() && query.keep.holds(evaluator, query.goal, &changes);
                fine.then_some(TierAnswer::Sat(changes))
            }
        }
    }

    /// One call: every tier in turn, until one answers.
    pub fn answer(&mut self, evaluator: &mut Evaluator<'_>, query: &SliceQuery<'_>) -> (TierAnswer, TierLabel) {
        if self.tools.config.deadline.is_over() {
            return (TierAnswer::Unknown(UnknownReason::Limit), TierLabel::NONE);
        }
        self.tools.statistics.call(query.size);
        let (found, tier) = self.climb(evaluator, query);
        self.tools.statistics.answer(&found);
        if let (true, Some(command)) = (self.tools.config.cross_check, &self.tools.config.smt_command) {
            let limit = Duration::from_millis(u64::from(self.tools.config.timeout_ms));
            self.cross_check.compare(command, limit, evaluator, query, &found, tier);
        }
        (found, tier)
    }

    /// The cheap tiers in their order, then the portfolio in its own.
    fn climb(&mut self, evaluator: &mut Evaluator<'_>, query: &SliceQuery<'_>) -> (TierAnswer, TierLabel) {
        let mut unknown = (TierAnswer::Unknown(UnknownReason::NoSolver), TierLabel::NONE);
        let cheap = self.tiers.len() - MEMBERS.len();
        for at in 0..cheap {
            match self.step(at, evaluator, query) {
                Some(found @ (TierAnswer::Sat(_) | TierAnswer::Unsat)) => {
                    return (found, self.tiers[at].name().label());
                }
                Some(found) => unknown = (found, self.tiers[at].name().label()),
                None => {}
            }
        }
        let mut budget = self.portfolio.open(evaluator.pool(), query);
        for name in self.portfolio.order(&budget, self.tools.config.seed) {
            let Some(at) = self.tiers.iter().position(|tier| tier.name() == name) else { continue };
            self.tools.halvings = self.portfolio.halvings(&budget, name);
            let found = self.step(at, evaluator, query);
            self.portfolio.learn(&mut budget, name, found.as_ref());
            match found {
                Some(found @ (TierAnswer::Sat(_) | TierAnswer::Unsat)) => return (found, name.label()),
                Some(found) => unknown = (found, name.label()),
                None => {}
            }
        }
        unknown
    }

    /// What one tier finds, if it is in use.
    fn step(&mut self, at: usize, evaluator: &mut Evaluator<'_>, query: &SliceQuery<'_>) -> Option<TierAnswer> {
        let tier = &mut self.tiers[at];
        if !self.tools.config.tiers.contains(tier.name()) {
            return None;
        }
        let start = Instant::now();
        let found = tier.answer(evaluator, query, &mut self.tools);
        let taken = start.elapsed();
        self.tools.statistics.tier(tier.name(), taken, found.as_ref());
        tracing::trace!(tier = tier.name().text(), answers = found.is_some(), ?taken, "tier");
        if matches!(found, Some(TierAnswer::Unsat)) && tier.name() >= TierName::Enumerate {
            self.nogoods.record(evaluator.pool(), query);
        }
        found
    }
}
