//! `covet show query`: what the engine asks to flip one condition of a run, as it asks it, with the answers.
//!
//! ```text
//! ; goal: arg.b < arg.a
//! ; prefix (* in the slice of the goal):
//! ;  * arg.a <= arg.c
//! (set-logic ALL)
//! ...
//! ; satisfiable (by nearest): arg.a=1
//! ```

use crate::failure::Failure;
use covet_explore::{BaseRun, Solver};
use covet_expr::query::{Answer, Query, Unknown};
use covet_expr::text::text as term_text;
use covet_expr::{Pool, Term, smtlib};
use covet_input::{Input, Value, Variables};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The queries for all other ways at condition `number` (from 1; the last that has any when nothing is said).
pub fn text(run: &BaseRun<'_>, pool: &mut Pool, number: Option<usize>, script_only: bool) -> Result<String, Failure> {
    let candidates = run.flippable();
    let chosen = match number {
        None => candidates.last().copied(),
        Some(number) => number.checked_sub(1).filter(|at| candidates.contains(at)),
    };
    let Some(condition) = chosen else {
        let of: Vec<String> = candidates.iter().map(|at| (at + 1).to_string()).collect();
        return Err(Failure::User(match of.is_empty() {
            true => "this run has no condition that can be flipped".to_string(),
            false => format!("choose a condition that can be flipped: {}", of.join(", ")),
        }));
    };
    let mut shown = ShownSolver { variables: run.variables, script_only, text: String::new() };
    for flip in run.queries(pool, condition) {
        run.ask(&mut shown, pool, &flip, true);
    }
    Ok(shown.text)
}

/// A solver that writes down what it is asked and what it answers.
struct ShownSolver<'a> {
    variables: &'a Variables,
    script_only: bool,
    text: String,
}

impl Solver for ShownSolver<'_> {
    fn solve(&mut self, pool: &Pool, query: &Query<'_>) -> Answer {
        if !self.script_only {
            self.describe(pool, query);
        }
        let conditions: Vec<Term> = query.prefix.iter().copied().chain([query.goal]).collect();
        self.text += &smtlib::script(pool, self.variables, &conditions);
        let answer = covet_solve::Solver::new(covet_solve::Config::default()).solve(pool, query);
        if !self.script_only {
            self.text += &self.answer(query.base, &answer);
        }
        answer
    }
}

impl ShownSolver<'_> {
    fn describe(&mut self, pool: &Pool, query: &Query<'_>) {
        let slice = covet_solve::slice(pool, query);
        let _ = writeln!(self.text, "; goal: {}", term_text(pool, self.variables, query.goal));
        let lists = [
            ("prefix (* in the slice of the goal)", query.prefix, &slice.prefix),
            ("concretization constraints, kept if possible", query.concretizations, &slice.concretizations),
        ];
        for (title, all, sliced) in lists {
            if all.is_empty() {
                continue;
            }
            let _ = writeln!(self.text, "; {title}:");
            let sliced: BTreeSet<Term> = sliced.iter().copied().collect();
            for &term in all {
                let mark = if sliced.contains(&term) { '*' } else { ' ' };
                let _ = writeln!(self.text, ";  {mark} {}", term_text(pool, self.variables, term));
            }
        }
    }

    fn answer(&self, base: &Input, answer: &Answer) -> String {
        let tier = answer.tier().0;
        match answer {
            Answer::Sat { input, speculative, .. } => {
                let given_up = if *speculative { ", concretization constraints given up" } else { "" };
                format!("; satisfiable (by {tier}{given_up}):{}\n", self.changes(base, input))
            }
            Answer::Unsat { .. } => format!("; unsatisfiable (by {tier})\n"),
            Answer::Unknown(Unknown { reason, .. }) => format!("; unknown: {} (last asked: {tier})\n", reason.text()),
        }
    }

    fn changes(&self, base: &Input, input: &Input) -> String {
        let changed = input.iter().filter(|(id, bits)| base.get(*id) != Some(*bits));
        let shown = changed.map(|(id, bits)| {
            let variable = self.variables.get(id);
            format!(" {}={}", variable.name, Value { bits, width: variable.width, kind: variable.kind })
        });
        shown.collect()
    }
}
