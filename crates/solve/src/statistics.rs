//! What solving cost: counted as the IPPC paper counts, and by tier.
//!
//! A call is one query that a constraint solver would be asked; its size is the number of path conditions in it, the
//! goal included. Answers from the cache are no calls.

use crate::slice_query::TierAnswer;
use crate::tiers::TierName;
use std::collections::BTreeMap;
use std::time::Duration;

/// What one tier did.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct TierStatistics {
    pub asked: u64,
    pub sat: u64,
    pub unsat: u64,
    pub seconds: f64,
}

impl TierStatistics {
    pub fn answered(&self) -> u64 {
        self.sat + self.unsat
    }
}

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Statistics {
    pub calls: u64,
    /// Sum of the sizes of all calls.
    pub total_constraints: u64,
    pub max_constraints: u64,
    pub sat: u64,
    pub unsat: u64,
    pub unknown: u64,
    pub seconds: f64,
    /// Checks made by the SMT solver.
    pub smt_calls: u64,
    /// Models that our own evaluation did not confirm.
    pub model_rejected: u64,
    /// Satisfiable answers that gave up concretization constraints.
    pub speculative: u64,
    pub tiers: BTreeMap<TierName, TierStatistics>,
}

impl Statistics {
    pub fn mean_constraints(&self) -> f64 {
        if self.calls == 0 { 0.0 } else { self.total_constraints as f64 / self.calls as f64 }
    }

    /// Adds the counts of another solver.
    pub fn add(&mut self, other: &Statistics) {
        self.calls += other.calls;
        self.total_constraints += other.total_constraints;
        self.max_constraints = self.max_constraints.max(other.max_constraints);
        self.sat += other.sat;
        self.unsat += other.unsat;
        self.unknown += other.unknown;
        self.seconds += other.seconds;
        self.smt_calls += other.smt_calls;
        self.model_rejected += other.model_rejected;
        self.speculative += other.speculative;
        for (name, tier) in &other.tiers {
            let mine = self.tiers.entry(*name).or_default();
            mine.asked += tier.asked;
            mine.sat += tier.sat;
            mine.unsat += tier.unsat;
            mine.seconds += tier.seconds;
        }
    }

    pub(crate) fn call(&mut self, size: usize) {
        self.calls += 1;
        self.total_constraints += size as u64;
        self.max_constraints = self.max_constraints.max(size as u64);
    }

    pub(crate) fn answer(&mut self, found: &TierAnswer) {
        match found {
            TierAnswer::Sat(_) => self.sat += 1,
            TierAnswer::Unsat => self.unsat += 1,
            TierAnswer::Unknown(_) => self.unknown += 1,
        }
    }

    pub(crate) fn tier(&mut self, name: TierName, time: Duration, found: Option<&TierAnswer>) {
        let tier = self.tiers.entry(name).or_default();
        tier.asked += 1;
        tier.seconds += time.as_secs_f64();
        match found {
            Some(TierAnswer::Sat(_)) => tier.sat += 1,
            Some(TierAnswer::Unsat) => tier.unsat += 1,
            Some(TierAnswer::Unknown(_)) | None => {}
        }
    }
}
