//! Tier `enumerate`: a slice of at most 16 bits is decided by trying every assignment. Exact, Unsat included.
//!
//! The assignments that satisfy the conditions so far are kept as a set per condition, so along a path each question costs its
//! new conditions only, and only on the assignments that are still alive.

use crate::check::Change;
use crate::question::{Found, Question};
use crate::tiers::{Tier, TierName, Tools};
use covet_expr::bits::{mask, truncate};
use covet_expr::{Evaluator, Pool, Program, Term};
use covet_input::VarId;

/// Bits that all variables of a slice may have together.
const MAX_BITS: u16 = 16;
/// Conditions on the stack, and terms evaluated per question.
const MAX_CONDITIONS: usize = 2_000;
const MAX_WORK: usize = 6_000_000;

#[derive(Debug, Default)]
pub(crate) struct Enumerate {
    places: Vec<Place>,
    /// The conditions met, each with the assignments alive after it.
    stack: Vec<(Term, Alive)>,
}

/// Where the bits of a variable lie in the number of an assignment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Place {
    id: VarId,
    low: u16,
    width: u16,
}

impl Place {
    fn value(&self, number: u16) -> u128 {
        truncate(u128::from(number) >> self.low, self.width)
    }
}

/// Numbers of assignments, ascending.
type Alive = std::sync::Arc<Vec<u16>>;

impl Tier for Enumerate {
    fn name(&self) -> TierName {
        TierName::Enumerate
    }

    fn answer(&mut self, evaluator: &mut Evaluator<'_>, question: &Question<'_>, _: &mut Tools<'_>) -> Option<Found> {
        let places = places(evaluator.pool(), question.variables)?;
        if question.conditions.len() > MAX_CONDITIONS {
            return None;
        }
        if places != self.places {
            self.places = places;
            self.stack.clear();
        }
        let mut work = MAX_WORK;
        let conditions = question.in_shared_order();
        let common = self.stack.iter().zip(&conditions).take_while(|(known, new)| known.0 == **new).count();
        self.stack.truncate(common);
        for &condition in &conditions[common..] {
            let left = self.filter(evaluator, condition, &mut work)?;
            self.stack.push((condition, left));
        }
        let (_, alive) = self.stack.last()?;
        let Some(chosen) = self.nearest(evaluator, alive) else { return Some(Found::Unsat) };
        let mut changes = self.changes(chosen);
        changes.retain(|(id, bits)| evaluator.variable(*id) != *bits);
        question.keep.holds(evaluator, question.goal, &changes).then_some(Found::Sat(changes))
    }

    fn forget(&mut self) {
        *self = Enumerate::default();
    }
}

impl Enumerate {
    /// The assignments that also satisfy `condition`; nothing when that is too much work.
    fn filter(&self, evaluator: &mut Evaluator<'_>, condition: Term, work: &mut usize) -> Option<Alive> {
        let all: Alive;
        let before = match self.stack.last() {
            Some((_, alive)) => alive,
            None => {
                let bits = self.places.last().map_or(0, |place| place.low + place.width);
                all = (0..=mask(bits) as u16).collect::<Vec<_>>().into();
                &all
            }
        };
        let ids: Vec<VarId> = self.places.iter().map(|place| place.id).collect();
        let mut program = Program::compile(evaluator, condition, &ids, *work / before.len().max(1))?;
        *work = work.checked_sub(program.len() * before.len())?;
        let mut holds = |number: u16| program.run(self.places.iter().map(|place| place.value(number))) != 0;
        let left: Vec<u16> = before.iter().copied().filter(|number| holds(*number)).collect();
        Some(if left.len() == before.len() { before.clone() } else { left.into() })
    }

    fn changes(&self, number: u16) -> Vec<Change> {
        self.places.iter().map(|place| (place.id, place.value(number))).collect()
    }

    /// The assignment that changes least: fewest variables, then the smallest steps.
    fn nearest(&self, evaluator: &Evaluator<'_>, alive: &[u16]) -> Option<u16> {
        let far = |number: &u16| {
            let mut changed = (0, 0);
            for place in &self.places {
                let (value, now) = (place.value(*number), evaluator.variable(place.id));
                let up = truncate(value.wrapping_sub(now), place.width);
                changed.0 += usize::from(value != now);
                changed.1 += up.min(truncate(now.wrapping_sub(value), place.width));
            }
            changed
        };
        alive.iter().copied().min_by_key(far)
    }
}

fn places(pool: &Pool, variables: &[VarId]) -> Option<Vec<Place>> {
    let mut low = 0;
    let mut places = Vec::new();
    for &id in variables.iter().take(usize::from(MAX_BITS) + 1) {
        let width = pool.width_of(id)?;
        places.push(Place { id, low, width });
        low = low.checked_add(width)?;
        if low > MAX_BITS {
            return None;
        }
    }
    Some(places)
}
