//! Tier `search`: local search. A violated condition is inverted through each of its variables in turn; of the inputs this
//! gives, the one nearest to satisfying everything is the next; what was just changed rests for some steps.
//!
//! It answers what takes several variables: a sum of many bytes that is to have a value, a product whose other factor is
//! fixed elsewhere.

use crate::invert::{Budget, guesses};
use crate::model::check::Change;
use crate::slice_query::{SliceQuery, TierAnswer};
use crate::tiers::distance::distance;
use crate::tiers::{Tier, TierName, Tools};
use covet_expr::{Evaluator, Memo, Term};
use covet_input::{Input, VarId};
use std::collections::VecDeque;

const MAX_STEPS: usize = 24;
/// Variables tried per step, guesses judged per step.
const MAX_VARIABLES: usize = 10;
const MAX_GUESSES: usize = 40;
/// Conditions watched; more than that are too many to be satisfied by chance.
const MAX_CONDITIONS: usize = 300;
/// Terms evaluated per query, and steps of peeling.
const MAX_WORK: usize = 1_500_000;
const PEELING: Budget = Budget(600);

#[derive(Debug)]
pub(crate) struct Search;

impl Tier for Search {
    fn name(&self) -> TierName {
        TierName::Search
    }

    fn answer(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        query: &SliceQuery<'_>,
        _: &mut Tools<'_>,
    ) -> Option<TierAnswer> {
        if query.variables.len() < 2 || query.conditions.len() > MAX_CONDITIONS {
            return None;
        }
        let found = Walk::new(evaluator, query).run()?;
        let base = evaluator.input();
        let mut changes: Vec<Change> = found.iter().collect();
        changes.retain(|(id, bits)| base.get(*id) != Some(*bits) && evaluator.variable(*id) != *bits);
        query.keep.holds(evaluator, query.goal, &changes).then_some(TierAnswer::Sat(changes))
    }
}

struct Walk<'a, 'q> {
    evaluator: &'a Evaluator<'q>,
    query: &'a SliceQuery<'a>,
    input: Input,
    memos: (Memo, Memo),
    resting: VecDeque<VarId>,
    work: usize,
    turn: usize,
}

impl<'a, 'q> Walk<'a, 'q> {
    fn new(evaluator: &'a Evaluator<'q>, query: &'a SliceQuery<'a>) -> Walk<'a, 'q> {
        Walk {
            evaluator,
            query,
            input: evaluator.input().clone(),
            memos: Default::default(),
            resting: VecDeque::new(),
            work: MAX_WORK,
            turn: 0,
        }
    }

    fn run(mut self) -> Option<Input> {
        for _ in 0..MAX_STEPS {
            let pool = self.evaluator.pool();
            let input = self.input.clone();
            let mut here = Evaluator::with_memos(pool, &input, std::mem::take(&mut self.memos));
            let step = self.step(&mut here);
            self.memos = here.into_memos();
            match step {
                Step::Arrived => return Some(self.input),
                Step::Stuck => return None,
                Step::To(changes) => {
                    self.resting.extend(changes.iter().map(|(id, _)| *id));
                    let tenure = (self.query.variables.len() / 2).min(3);
                    while self.resting.len() > tenure {
                        self.resting.pop_front();
                    }
                    changes.iter().for_each(|(id, bits)| self.input.set(*id, *bits));
                }
            }
        }
        None
    }

    fn step(&mut self, here: &mut Evaluator<'_>) -> Step {
        let violated: Vec<Term> = self.watched().filter(|t| !here.holds(*t)).collect();
        let Some(&first) = violated.get(self.turn % violated.len().max(1)) else { return Step::Arrived };
        self.turn += 1;
        let size = here.pool().size(first, self.work) + self.query.conditions.len();
        let mut peeling = PEELING;
        let mut best: Option<(f64, Vec<Change>)> = None;
        let mut judged = 0;
        for via in self.variables(here, first) {
            for changes in guesses(here, first, true, via, &mut peeling) {
                let rests = changes.iter().any(|(id, _)| self.resting.contains(id));
                if rests || judged == MAX_GUESSES || self.work < size {
                    continue;
                }
                judged += 1;
                self.work -= size;
                let score = self.score(here, &changes);
                if best.as_ref().is_none_or(|(least, _)| score < *least) {
                    best = Some((score, changes));
                }
            }
        }
        best.map_or(Step::Stuck, |(_, changes)| Step::To(changes))
    }

    /// Variables to go through: a window that moves on from step to step, so that all have their turn.
    fn variables(&self, here: &Evaluator<'_>, condition: Term) -> Vec<VarId> {
        let all: Vec<VarId> =
            here.pool().variables(condition).iter().filter(|id| !self.resting.contains(id)).take(4096).collect();
        let start = if all.len() > MAX_VARIABLES { (self.turn - 1) * MAX_VARIABLES % all.len() } else { 0 };
        all.iter().cycle().skip(start).take(all.len().min(MAX_VARIABLES)).copied().collect()
    }

    fn score(&self, here: &mut Evaluator<'_>, changes: &[Change]) -> f64 {
        here.change();
        self.watched().map(|t| distance(here, t, changes)).map(|far| if far > 0.0 { 0.2 + far } else { 0.0 }).sum()
    }

    fn watched(&self) -> impl Iterator<Item = Term> + 'a {
        std::iter::once(self.query.goal).chain(self.query.conditions.iter().copied())
    }
}

enum Step {
    Arrived,
    Stuck,
    To(Vec<Change>),
}
