//! A second opinion on every answer: the same conjunction put to an SMT-LIB process.
//!
//! The text is at most weaker than the question (what SMT-LIB lacks is left open in it). So "unsat" against an input that we
//! evaluated is a contradiction; "sat" against our Unsat is one when the other's model passes our evaluation.

use crate::backends::{Process, Verdict};
use crate::question::{Found, Question};
use covet_expr::{Evaluator, smtlib};
use covet_input::Variables;
use std::time::Duration;

#[derive(Debug, Default)]
pub(crate) struct CrossCheck {
    process: Process,
    /// The first question that was answered differently, as a script, with both answers.
    pub disagreement: Option<String>,
}

impl CrossCheck {
    pub fn compare(
        &mut self,
        command: &str,
        limit: Duration,
        evaluator: &mut Evaluator<'_>,
        question: &Question<'_>,
        found: &Found,
        tier: &str,
    ) {
        if matches!(found, Found::Unknown(_)) || self.disagreement.is_some() {
            return;
        }
        let pool = evaluator.pool();
        let conditions = question.in_shared_order();
        let theirs = self.process.check(command, pool, &conditions, question.variables, limit);
        let contradiction = match (found, theirs) {
            (Found::Sat(_), Verdict::Unsat) => format!("`{tier}` has an input, `{command}` says unsat"),
            (Found::Unsat, Verdict::Sat(values)) if question.keep.holds(evaluator, question.goal, &values) => {
                format!("`{tier}` says unsat, `{command}` has an input")
            }
            (Found::Sat(_) | Found::Unsat | Found::Unknown(_), _) => return,
        };
        let script = smtlib::script(pool, &Variables::default(), &conditions);
        self.disagreement = Some(format!("; {contradiction}\n{script}"));
    }
}
