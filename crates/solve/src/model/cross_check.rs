//! A second opinion on every answer: the same conjunction put to an SMT-LIB process.
//!
//! The text is at most weaker than the query (what SMT-LIB lacks is left open in it). So "unsat" against an input that we
//! evaluated is a contradiction; "sat" against our Unsat is one when the other's model passes our evaluation.

use crate::backends::{Process, Verdict};
use crate::slice_query::{SliceQuery, TierAnswer};
use covet_expr::query::TierLabel;
use covet_expr::{Evaluator, smtlib};
use covet_input::Variables;
use std::time::Duration;

#[derive(Debug, Default)]
pub(crate) struct CrossCheck {
    process: Process,
    /// The first query that was answered differently, as a script, with both answers.
    pub disagreement: Option<String>,
}

impl CrossCheck {
    pub fn compare(
        &mut self,
        command: &str,
        limit: Duration,
        evaluator: &mut Evaluator<'_>,
        query: &SliceQuery<'_>,
        found: &TierAnswer,
        tier: TierLabel,
    ) {
        if matches!(found, TierAnswer::Unknown(_)) || self.disagreement.is_some() {
            return;
        }
        let pool = evaluator.pool();
        let conditions = query.in_shared_order();
        let theirs = self.process.check(command, pool, &conditions, query.variables, limit);
        let contradiction = match (found, theirs) {
            (TierAnswer::Sat(_), Verdict::Unsat) => format!("`{}` has an input, `{command}` says unsat", tier.0),
            (TierAnswer::Unsat, Verdict::Sat(values)) if query.keep.holds(evaluator, query.goal, &values) => {
                format!("`{}` says unsat, `{command}` has an input", tier.0)
            }
            (TierAnswer::Sat(_) | TierAnswer::Unsat | TierAnswer::Unknown(_), _) => return,
        };
        let script = smtlib::script(pool, &Variables::default(), &conditions);
        self.disagreement = Some(format!("; {contradiction}\n{script}"));
    }
}
