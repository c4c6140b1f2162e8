//! Runs abandoned at an assumption: the way past it is asked for before anything else.
//!
//! A run that breaks an assumption says nothing about the program, so until the assumption holds nothing that the run decided counts. Where no input
//! goes the run's way and past the assumption, the way is given up but for the assumptions on it: some run has to be past it, and what the others
//! assume further on is kept by their queries (`queries`).

use crate::edges::Direction;
use crate::engine::{Exploration, Parties};
use crate::merge::Attempt;
use crate::queries::Bases;
use crate::state::{Flip, RunNumber};
use covet_abi::event::is_growth_site;
use covet_abi::termination::Termination;
use covet_expr::Term;
use covet_expr::query::Answer;
use rustc_hash::FxHashSet;
use std::collections::VecDeque;

#[derive(Debug, Default)]
pub(crate) struct BrokenAssumptions {
    /// The ways past the assumptions that runs were abandoned at, newest first.
    flips: VecDeque<Flip>,
    /// Assumptions that were asked for without the way to them.
    relaxed: FxHashSet<Term>,
}

/// Ways past assumptions that are remembered: in a program with many the newest are as good as any.
const MOST_REMEMBERED: usize = 256;
/// Assumptions asked for without the way to them.
const MOST_RELAXED: usize = 10_000;

impl Exploration {
    /// Takes note of a run that was abandoned at an assumption of the program.
    pub(crate) fn note_broken_assumption(&mut self, number: RunNumber, termination: Termination) {
        if termination != Termination::AssumptionFailed {
            return;
        }
        let Some(run) = self.state.run(number) else { return };
        let Some(last) = run.decisions.len().checked_sub(1) else { return };
        let edge = self.state.edges.get(run.decisions[last].edge);
        if edge.direction != Direction::Assumption(false) || is_growth_site(edge.site.0) {
            return;
        }
        let past = self.state.open_flips(run, last).next();
        self.broken.flips.extend(past);
        while self.broken.flips.len() > MOST_REMEMBERED {
            self.broken.flips.pop_front();
        }
    }

    /// The way past an assumption that has not been asked for.
    pub(crate) fn past_assumption(&mut self) -> Option<Flip> {
        while let Some(flip) = self.broken.flips.pop_back() {
            if self.state.is_open(flip) {
                return Some(flip);
            }
        }
        None
    }

    /// Inputs that satisfy the assumptions which none of these flips, asked in vain, got past.
    pub(crate) fn relax(&mut self, unsolved: &[Flip], parties: &mut Parties<'_, '_>) -> Vec<Attempt> {
        let mut attempts = Vec::new();
        for &flip in unsolved {
            let edge = self.state.edges.get(flip.to);
            if edge.direction != Direction::Assumption(true) || is_growth_site(edge.site.0) {
                continue;
            }
            let bases = Bases { state: &self.state, paths: &self.paths };
            let queries = bases.queries(&mut self.pool, &[flip]);
            let (Some((_, query)), Some(base)) = (queries.first(), bases.of(flip)) else { continue };
            if self.broken.relaxed.len() >= MOST_RELAXED || !self.broken.relaxed.insert(query.goal) {
                continue;
            }
            let Some(solver) = parties.solvers.first_mut() else { continue };
            if let Answer::Sat { input, .. } = base.ask_relaxed(&mut **solver, &self.pool, query)
                && !self.is_tried(&input)
            {
                attempts.push(Attempt::seed(input));
            }
        }
        attempts
    }
}
