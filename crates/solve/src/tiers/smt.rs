//! Tier `smt`: Z3 over bit-vectors and floats, incremental, then once more from scratch with more effort; or any other SMT
//! solver as a process.
//!
//! What is too large as a circuit is not handed over at all: translating it cannot be interrupted.

use crate::backends::{Process, Verdict};
use crate::circuit_size::CircuitSize;
use crate::config::Config;
use crate::model::minimise::minimise;
use crate::slice_query::{SliceQuery, TierAnswer};
use crate::tiers::{Tier, TierName, Tools};
use covet_expr::Evaluator;
use covet_expr::query::UnknownReason;
use covet_walk::Theories;
use std::time::Duration;

/// The most that a query over floats may take, and how often that is halved before only the quick check is left.
const FLOAT_MILLISECONDS: u32 = 1_500;
const MOST_HALVINGS: u32 = 4;

#[derive(Debug, Default)]
pub(crate) struct Smt {
    circuit_size: CircuitSize,
    process: Process,
    theories: Theories,
}

impl Tier for Smt {
    fn name(&self) -> TierName {
        TierName::Smt
    }

    fn answer(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        query: &SliceQuery<'_>,
        tools: &mut Tools<'_>,
    ) -> Option<TierAnswer> {
        let pool = evaluator.pool();
        let conditions = query.in_shared_order();
        let Some(gates) = self.circuit_size.measure(pool, &conditions) else {
            return Some(TierAnswer::Unknown(UnknownReason::TooLarge));
        };
        let verdict = match &tools.config.smt_command {
            // Cross-checking, the command has the second word.
            Some(command) if !tools.config.cross_check => {
                tools.statistics.smt_calls += 1;
                let limit = Duration::from_millis(u64::from(tools.config.timeout_ms));
                self.process.check(command, pool, &conditions, query.variables, limit)
            }
            Some(_) | None => {
                let before = tools.z3.checks;
                // A library call is any value to Z3: it may prove Unsat what contains one, but hardly find a model.
                let opaque = conditions.iter().any(|t| self.theories.has_call(pool, *t));
                let float = conditions.iter().any(|t| self.theories.has_float(pool, *t));
                let config = if opaque { quick(tools.config) } else { patient(tools.config, float, tools.halvings) };
                let verdict = tools.z3.check(pool, &conditions, gates, query.variables, &config);
                tools.statistics.smt_calls += tools.z3.checks - before;
                verdict
            }
        };
        let mut changes = match verdict {
            Verdict::Unsat => return Some(TierAnswer::Unsat),
            Verdict::Unknown(reason) => return Some(TierAnswer::Unknown(reason)),
            Verdict::Sat(values) => values,
        };
        changes.retain(|(id, bits)| evaluator.variable(*id) != *bits);
        if !query.keep.holds(evaluator, query.goal, &changes) {
            tools.statistics.model_rejected += 1;
            let open = conditions.iter().any(|condition| tools.z3.is_open(*condition));
            return Some(TierAnswer::Unknown(if open { UnknownReason::Opaque } else { UnknownReason::ModelRejected }));
        }
        Some(TierAnswer::Sat(minimise(evaluator, query.goal, &query.keep, changes)))
    }

    fn forget(&mut self) {
        self.circuit_size = CircuitSize::default();
        self.theories.clear();
    }
}

/// The effort for a query: over floats it is halved as the portfolio says, for such queries take all the time there is.
fn patient(config: &Config, float: bool, halvings: u32) -> Config {
    if !float {
        config.clone()
    } else if halvings >= MOST_HALVINGS {
        quick(config)
    } else {
        let timeout_ms = config.timeout_ms.min(FLOAT_MILLISECONDS) >> halvings;
        Config { thorough_effort: config.thorough_effort >> halvings, timeout_ms, ..config.clone() }
    }
}

/// The first check alone.
fn quick(config: &Config) -> Config {
    Config { thorough_effort: 0, ..config.clone() }
}
