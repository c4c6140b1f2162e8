//! Tier `backtrack`: variables with small domains, one after the other. Exact, Unsat included, as far as the work allows.
//!
//! Texts compared with texts are many characters with few conditions on each pair. The next variable is the one that completes most
//! conditions; all its values are tried in one row, those that keep the completed conditions are gone through, the base's own
//! first.

use crate::domain::confine::{Most, confined};
use crate::domain::ranges::Ranges;
use crate::model::check::Change;
use crate::slice_query::{SliceQuery, TierAnswer};
use crate::tiers::{Tier, TierName, Tools};
use covet_expr::{BATCH, Batch, Evaluator, Tape, Term};
use covet_input::VarId;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Values of a variable, variables and conditions of a query, and terms evaluated for it.
const MAX_VALUES: u128 = BATCH as u128;
const MAX_VARIABLES: usize = 24;
const MAX_CONDITIONS: usize = 400;
const MAX_WORK: usize = 300_000;

/// Programs kept before starting over.
const MAX_PROGRAMS: usize = 20_000;

#[derive(Debug, Default)]
pub(crate) struct Backtrack {
    /// Conditions as programs over their own variables; none for those that do not fit.
    programs: FxHashMap<Term, Option<Arc<Tape>>>,
    batch: Batch,
}

impl Tier for Backtrack {
    fn name(&self) -> TierName {
        TierName::Backtrack
    }

    fn answer(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        query: &SliceQuery<'_>,
        tools: &mut Tools<'_>,
    ) -> Option<TierAnswer> {
        if query.conditions.len() > MAX_CONDITIONS || query.variables.len() > MAX_VARIABLES {
            return None;
        }
        let most = Most { values: MAX_VALUES, combinations: u128::MAX };
        let confined = confined(evaluator, query, tools.bytes, most)?;
        if confined.ranges.iter().any(Ranges::is_empty) {
            return Some(TierAnswer::Unsat);
        }
        let mut conditions = query.in_shared_order();
        conditions.retain(|condition| !confined.conditions.contains(condition));
        let levels = self.levels(evaluator, query.variables, &confined.ranges, &conditions)?;
        let mut search = Search { levels, batch: &mut self.batch, work: MAX_WORK };
        let Some(values) = search.run()? else { return Some(TierAnswer::Unsat) };
        let changes: Vec<Change> = values.into_iter().filter(|(id, bits)| evaluator.variable(*id) != *bits).collect();
        query.keep.holds(evaluator, query.goal, &changes).then_some(TierAnswer::Sat(changes))
    }

    fn forget(&mut self) {
        self.programs.clear();
    }
}

/// A variable on its way to a value.
struct Level {
    id: VarId,
    /// The base's own first.
    domain: Vec<u64>,
    /// The conditions that are complete with this variable, each with the levels of its variables.
    completed: Vec<(Arc<Tape>, Vec<usize>)>,
    /// Values that keep all of them, and how many of these were gone through.
    left: Vec<u64>,
    next: usize,
    value: u64,
}

struct Search<'a> {
    levels: Vec<Level>,
    batch: &'a mut Batch,
    work: usize,
}

impl Backtrack {
    /// The variables in the order in which they get their values.
    fn levels(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        variables: &[VarId],
        ranges: &[Ranges],
        conditions: &[Term],
    ) -> Option<Vec<Level>> {
        let pool = evaluator.pool();
        let mut open: Vec<(Term, Vec<VarId>)> =
            conditions.iter().map(|condition| (*condition, pool.variables(*condition).iter().collect())).collect();
        let mut waiting: Vec<(VarId, &Ranges)> = variables.iter().copied().zip(ranges).collect();
        let mut levels: Vec<Level> = Vec::new();
        while !waiting.is_empty() {
            let is_set = |id: &VarId| levels.iter().any(|level| level.id == *id);
            let completes = |id: VarId| open.iter().filter(|(_, of)| of.iter().all(|o| *o == id || is_set(o))).count();
            let touches = |id: VarId| open.iter().filter(|(_, of)| of.contains(&id) && of.iter().any(is_set)).count();
            let best = (0..waiting.len()).max_by_key(|at| {
                let (id, ranges) = waiting[*at];
                (completes(id), touches(id), std::cmp::Reverse(ranges.count()), std::cmp::Reverse(*at))
            })?;
            let (id, ranges) = waiting.swap_remove(best);
            let now = evaluator.variable(id) as u64;
            let mut domain: Vec<u64> = ranges.values().map(|value| value as u64).collect();
            domain.sort_by_key(|value| *value != now);
            levels.push(Level { id, domain, completed: Vec::new(), left: Vec::new(), next: 0, value: now });
            let place = |id: &VarId| levels.iter().position(|level| level.id == *id);
            let mut completed = Vec::new();
            let mut still_open = Vec::new();
            for (condition, of) in open {
                match of.iter().map(place).collect::<Option<Vec<usize>>>() {
                    Some(places) => completed.push((self.program(evaluator, condition, &of)?, places)),
                    None => still_open.push((condition, of)),
                }
            }
            open = still_open;
            levels.last_mut()?.completed = completed;
        }
        Some(levels)
    }

    fn program(&mut self, evaluator: &mut Evaluator<'_>, condition: Term, of: &[VarId]) -> Option<Arc<Tape>> {
        if self.programs.len() > MAX_PROGRAMS {
            self.programs.clear();
        }
        let compiled = || {
            let program = Tape::compile(evaluator, condition, of, MAX_WORK / BATCH)?;
            program.is_narrow().then(|| Arc::new(program))
        };
        self.programs.entry(condition).or_insert_with(compiled).clone()
    }
}

impl Search<'_> {
    /// Values for all variables, or that there are none; nothing when that is too much work.
    fn run(&mut self) -> Option<Option<Vec<Change>>> {
        let mut depth = 0;
        self.enter(0)?;
        loop {
            let level = &mut self.levels[depth];
            if let Some(&value) = level.left.get(level.next) {
                (level.value, level.next) = (value, level.next + 1);
                depth += 1;
                if depth == self.levels.len() {
                    let values = self.levels.iter().map(|level| (level.id, u128::from(level.value)));
                    return Some(Some(values.collect()));
                }
                self.enter(depth)?;
            } else if depth == 0 {
                return Some(None);
            } else {
                depth -= 1;
            }
        }
    }

    /// Finds the values of the variable at `depth` that go with those before it.
    fn enter(&mut self, depth: usize) -> Option<()> {
        let mut left = self.levels[depth].domain.clone();
        let completed = std::mem::take(&mut self.levels[depth].completed);
        for (program, places) in &completed {
            self.work = self.work.checked_sub(program.len() * left.len() + 1)?;
            let value = |variable: usize, at: usize| match places[variable] {
                own if own == depth => left[at],
                other => self.levels[other].value,
            };
            let row = self.batch.run(program, left.len(), value);
            left = left.iter().zip(row).filter(|(_, holds)| **holds != 0).map(|(value, _)| *value).collect();
        }
        let level = &mut self.levels[depth];
        (level.completed, level.left, level.next) = (completed, left, 0);
        Some(())
    }
}
