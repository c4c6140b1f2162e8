//! Figures of an exploration: the counters that stand in the totals of a summary and in each of its functions.

use covet_coverage::Count;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What an exploration did and reached. Its serialised form is that of the summary.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Counters {
    /// Runs of the program, for whatever purpose.
    pub executions: u64,
    /// Runs of the first and of solved inputs, as the IPPC paper counts them.
    pub iterations: u64,
    /// Distinct paths.
    pub paths: u64,
    pub tests: u64,
    pub crashes: u64,
    pub timeouts: u64,
    /// Tests whose native run ended otherwise than the explored one.
    pub mismatches: u64,
    /// Tests that could not be made C that compiles: a mistake of ours.
    pub unbuilt: u64,
    /// Runs that did not go where their input was made to go.
    pub divergences: u64,
    /// The same, for inputs that gave up a concretization constraint: expected now and then.
    pub speculations: u64,
    /// Runs abandoned because an assumption did not hold.
    pub abandoned: u64,
    /// Runs in which symbolic tracking stopped early, or that were ended because they asked for more inputs than a run may have.
    pub truncated: u64,
    /// Runs that went on asking for inputs without anything new and were ended there.
    pub cut: u64,
    /// Goals that only runs abandoned later have been to: seen, not covered.
    pub seen: u64,
    /// Why "no path is left" is not "every path was tried", and how often each.
    pub incomplete: BTreeMap<String, u64>,
    /// Goals still open when the exploration stopped.
    pub open_goals: u64,
    pub statements: Count,
    pub branches: Count,
    pub mcdc: Count,
    /// What llvm-cov says of the written suite; none when it was not asked.
    pub official: Option<Official>,
    pub solver: SolverCounters,
    /// Uses of symbolic values as plain ones, by reason.
    pub concretised: BTreeMap<String, u64>,
    /// Calls with symbolic arguments of functions without a model, by name.
    pub externals: BTreeMap<String, u64>,
    /// System calls that the sandbox refused to explored runs, by name.
    pub refused: BTreeMap<String, u64>,
}

/// Coverage as llvm-cov counts it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Official {
    pub tool: String,
    pub statements: Count,
    pub branches: Count,
    pub mcdc: Count,
}

impl Default for Official {
    fn default() -> Official {
        let none = Count::default();
        Official { tool: "llvm-cov".to_string(), statements: none, branches: none, mcdc: none }
    }
}

/// What solving cost, counted as the IPPC paper counts, and by tier.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SolverCounters {
    pub calls: u64,
    pub mean_constraints: f64,
    pub max_constraints: u64,
    pub sat: u64,
    pub unsat: u64,
    pub unknown: u64,
    pub seconds: f64,
    pub smt_calls: u64,
    /// By name, in the order of the names.
    pub tiers: BTreeMap<String, TierCounters>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TierCounters {
    pub asked: u64,
    pub answered: u64,
    pub sat: u64,
    pub unsat: u64,
    pub seconds: f64,
}

impl Counters {
    pub fn add(&mut self, other: &Counters) {
        self.executions += other.executions;
        self.iterations += other.iterations;
        self.paths += other.paths;
        self.tests += other.tests;
        self.crashes += other.crashes;
        self.timeouts += other.timeouts;
        self.mismatches += other.mismatches;
        self.unbuilt += other.unbuilt;
        self.divergences += other.divergences;
        self.speculations += other.speculations;
        self.abandoned += other.abandoned;
        self.truncated += other.truncated;
        self.cut += other.cut;
        self.seen += other.seen;
        add_counts(&mut self.incomplete, &other.incomplete);
        self.open_goals += other.open_goals;
        self.statements += other.statements;
        self.branches += other.branches;
        self.mcdc += other.mcdc;
        if let Some(theirs) = &other.official {
            let mine = self.official.get_or_insert_default();
            mine.statements += theirs.statements;
            mine.branches += theirs.branches;
            mine.mcdc += theirs.mcdc;
        }
        self.solver.add(&other.solver);
        add_counts(&mut self.concretised, &other.concretised);
        add_counts(&mut self.externals, &other.externals);
        add_counts(&mut self.refused, &other.refused);
    }
}

impl SolverCounters {
    fn add(&mut self, other: &SolverCounters) {
        let constraints = self.constraints() + other.constraints();
        self.calls += other.calls;
        self.mean_constraints = if self.calls == 0 { 0.0 } else { constraints / self.calls as f64 };
        self.max_constraints = self.max_constraints.max(other.max_constraints);
        self.sat += other.sat;
        self.unsat += other.unsat;
        self.unknown += other.unknown;
        self.seconds += other.seconds;
        self.smt_calls += other.smt_calls;
        for (name, theirs) in &other.tiers {
            let mine = self.tiers.entry(name.clone()).or_default();
            mine.asked += theirs.asked;
            mine.answered += theirs.answered;
            mine.sat += theirs.sat;
            mine.unsat += theirs.unsat;
            mine.seconds += theirs.seconds;
        }
    }

    /// The sizes of all calls: a whole number, which the mean gives back exactly enough.
    fn constraints(&self) -> f64 {
        (self.mean_constraints * self.calls as f64).round()
    }
}

fn add_counts(sum: &mut BTreeMap<String, u64>, other: &BTreeMap<String, u64>) {
    for (name, count) in other {
        *sum.entry(name.clone()).or_default() += count;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_weighted_by_calls() {
        let solver = |calls, mean_constraints, max_constraints| SolverCounters {
            calls,
            mean_constraints,
            max_constraints,
            ..SolverCounters::default()
        };
        let mut sum = Counters { solver: solver(3, 1.0 / 3.0, 1), ..Counters::default() };
        sum.add(&Counters { solver: solver(1, 7.0, 7), ..Counters::default() });
        assert_eq!((sum.solver.mean_constraints, sum.solver.max_constraints), (2.0, 7));
        sum.add(&Counters::default());
        assert_eq!(sum.solver.mean_constraints, 2.0);
    }
}
