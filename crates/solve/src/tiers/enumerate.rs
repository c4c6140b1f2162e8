//! Tier `enumerate`: a slice with few possible assignments is decided by trying each. Exact, Unsat included.
//!
//! What single conditions say about one variable alone confines it to a set of values; where these sets leave few combinations, it
//! does not matter how wide the variables are. The assignments that satisfy the conditions so far are kept per condition, so
//! along a path each query costs its new conditions only, and only on the assignments that are still alive.

use crate::domain::confine::{Most, confined};
use crate::domain::ranges::Ranges;
use crate::model::check::Change;
use crate::slice_query::{SliceQuery, TierAnswer};
use crate::tiers::{Tier, TierName, Tools};
use covet_expr::bits::truncate;
use covet_expr::{BATCH, Batch, Evaluator, Tape, Term};
use covet_input::VarId;
use std::sync::Arc;

/// Assignments of a slice, and variables.
const MAX_ASSIGNMENTS: u128 = 1 << 16;
const MAX_VARIABLES: usize = 17;
/// Conditions on the stack, and terms evaluated per query.
const MAX_CONDITIONS: usize = 2_000;
const MAX_WORK: usize = 20_000_000;

#[derive(Debug, Default)]
pub(crate) struct Enumerate {
    domains: Vec<Domain>,
    /// The conditions met, each with the assignments alive after it.
    stack: Vec<(Term, Alive)>,
    batch: Batch,
}

/// The values that a variable can have.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Domain {
    id: VarId,
    width: u16,
    values: Vec<u64>,
    /// Assignments from one of its values to the next.
    stride: u32,
}

impl Domain {
    fn value(&self, assignment: u32) -> u64 {
        self.values[(assignment / self.stride) as usize % self.values.len()]
    }
}

/// Numbers of assignments, ascending.
type Alive = Arc<Vec<u32>>;

impl Tier for Enumerate {
    fn name(&self) -> TierName {
        TierName::Enumerate
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
        let most = Most { values: MAX_ASSIGNMENTS, combinations: MAX_ASSIGNMENTS };
        let confined = confined(evaluator, query, tools.bytes, most)?;
        if confined.ranges.iter().any(Ranges::is_empty) {
            return Some(TierAnswer::Unsat);
        }
        let domains = domains(evaluator, query, &confined.ranges);
        if domains != self.domains {
            self.domains = domains;
            self.stack.clear();
        }
        let mut work = MAX_WORK;
        let mut conditions = query.in_shared_order();
        conditions.retain(|condition| !confined.conditions.contains(condition));
        let common = self.stack.iter().zip(&conditions).take_while(|(known, new)| known.0 == **new).count();
        self.stack.truncate(common);
        for &condition in &conditions[common..] {
            let left = self.filter(evaluator, condition, &mut work)?;
            self.stack.push((condition, left));
        }
        let alive = self.alive();
        let Some(chosen) = self.nearest(evaluator, &alive) else { return Some(TierAnswer::Unsat) };
        let mut changes = self.changes(chosen);
        changes.retain(|(id, bits)| evaluator.variable(*id) != *bits);
        query.keep.holds(evaluator, query.goal, &changes).then_some(TierAnswer::Sat(changes))
    }

    fn forget(&mut self) {
        *self = Enumerate::default();
    }
}

impl Enumerate {
    /// The assignments that satisfy the conditions on the stack.
    fn alive(&self) -> Alive {
        if let Some((_, alive)) = self.stack.last() {
            return Arc::clone(alive);
        }
        let count: usize = self.domains.iter().map(|domain| domain.values.len()).product();
        (0..count as u32).collect::<Vec<_>>().into()
    }

    /// Those that also satisfy `condition`; nothing when that is too much work.
    fn filter(&mut self, evaluator: &mut Evaluator<'_>, condition: Term, work: &mut usize) -> Option<Alive> {
        let before = self.alive();
        if before.is_empty() {
            return Some(before);
        }
        let ids: Vec<VarId> = self.domains.iter().map(|domain| domain.id).collect();
        let mut program = Tape::compile(evaluator, condition, &ids, *work / before.len())?;
        *work = work.checked_sub(program.len() * before.len())?;
        let left: Vec<u32> = match program.is_narrow() {
            true => self.filter_rows(&program, &before),
            false => {
                let values = |number: u32| self.domains.iter().map(move |domain| u128::from(domain.value(number)));
                before.iter().copied().filter(|number| program.run(values(*number)) != 0).collect()
            }
        };
        Some(if left.len() == before.len() { before } else { left.into() })
    }

    fn filter_rows(&mut self, program: &Tape, before: &[u32]) -> Vec<u32> {
        let mut left = Vec::new();
        let Enumerate { domains, batch, .. } = self;
        for numbers in before.chunks(BATCH) {
            let row = batch.run(program, numbers.len(), |variable, at| domains[variable].value(numbers[at]));
            left.extend(numbers.iter().zip(row).filter(|(_, holds)| **holds != 0).map(|(number, _)| *number));
        }
        left
    }

    fn changes(&self, number: u32) -> Vec<Change> {
        self.domains.iter().map(|domain| (domain.id, u128::from(domain.value(number)))).collect()
    }

    /// The assignment that changes least: fewest variables, then the smallest steps.
    fn nearest(&self, evaluator: &Evaluator<'_>, alive: &[u32]) -> Option<u32> {
        let now: Vec<u128> = self.domains.iter().map(|domain| evaluator.variable(domain.id)).collect();
        let far = |number: &u32| {
            let mut changed = (0, 0u128);
            for (domain, now) in self.domains.iter().zip(&now) {
                let value = u128::from(domain.value(*number));
                let up = truncate(value.wrapping_sub(*now), domain.width);
                changed.0 += usize::from(value != *now);
                changed.1 += up.min(truncate(now.wrapping_sub(value), domain.width));
            }
            changed
        };
        alive.iter().copied().min_by_key(far)
    }
}

fn domains(evaluator: &Evaluator<'_>, query: &SliceQuery<'_>, ranges: &[Ranges]) -> Vec<Domain> {
    let mut stride = 1;
    let mut domains = Vec::with_capacity(ranges.len());
    for (&id, ranges) in query.variables.iter().zip(ranges) {
        let values: Vec<u64> = ranges.values().map(|value| value as u64).collect();
        let count = values.len() as u32;
        domains.push(Domain { id, width: evaluator.pool().width_of(id).unwrap_or(64), values, stride });
        stride *= count;
    }
    domains
}
