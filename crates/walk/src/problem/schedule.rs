//! The terms under a condition in order, operands first: evaluated by one forward pass, or compiled from the same list.

use covet_expr::bits::truncate;
use covet_expr::{Op, Pool, Term};
use covet_input::VarId;
use rustc_hash::FxHashMap;

/// How one value of the schedule comes about; operands are earlier places.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    Constant(u128),
    /// A coordinate of the point.
    Variable(usize),
    Operator([u32; 3]),
    /// Entry `index` of these; 0 past their end.
    Choice {
        index: u32,
        entries: Box<[u32]>,
    },
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Schedule {
    pub terms: Vec<Term>,
    pub steps: Vec<Step>,
    places: FxHashMap<Term, u32>,
}

impl Schedule {
    /// The terms that `roots` depend on. `dimension` gives the coordinate of a variable.
    pub fn of(pool: &Pool, roots: &[Term], dimension: impl Fn(VarId) -> usize) -> Schedule {
        let mut terms = cone(pool, roots);
        terms.sort_unstable();
        let places: FxHashMap<Term, u32> = terms.iter().enumerate().map(|(i, t)| (*t, i as u32)).collect();
        let step = |t: &Term| {
            if let Some(value) = pool.constant(*t) {
                return Step::Constant(value);
            }
            if let Some(id) = pool.variable(*t) {
                return Step::Variable(dimension(id));
            }
            let children = pool.children(*t);
            if let Some(table) = pool.table_of(*t) {
                let entries = pool.entries(table).iter().map(|entry| places[entry]).collect();
                return Step::Choice { index: places[&children[0]], entries };
            }
            let mut operands = [0; 3];
            for (operand, child) in operands.iter_mut().zip(children.iter()) {
                *operand = places[child];
            }
            Step::Operator(operands)
        };
        let steps = terms.iter().map(step).collect();
        Schedule { terms, steps, places }
    }

    pub fn place(&self, t: Term) -> usize {
        self.places[&t] as usize
    }

    /// The values of all terms at a point.
    pub fn run(&self, pool: &Pool, point: &[u64], values: &mut Vec<u128>) {
        values.clear();
        for (step, &t) in self.steps.iter().zip(&self.terms) {
            let value = match step {
                Step::Constant(value) => *value,
                Step::Variable(dimension) => truncate(u128::from(point[*dimension]), pool.width(t)),
                Step::Operator(operands) => pool.operate(t, operands.map(|at| values[at as usize])),
                Step::Choice { index, entries } => {
                    let index = usize::try_from(values[*index as usize]).unwrap_or(usize::MAX);
                    entries.get(index).map_or(0, |at| values[*at as usize])
                }
            };
            values.push(value);
        }
    }
}

/// Every term under the roots, in no order.
pub(crate) fn cone(pool: &Pool, roots: &[Term]) -> Vec<Term> {
    let mut seen = rustc_hash::FxHashSet::default();
    let mut all: Vec<Term> = roots.iter().copied().filter(|root| seen.insert(*root)).collect();
    let mut at = 0;
    while at < all.len() {
        let t = all[at];
        at += 1;
        let table = if pool.op(t) == Op::Select { pool.table_of(t) } else { None };
        let entries = table.map_or(&[][..], |table| pool.entries(table));
        for &next in pool.children(t).iter().chain(entries) {
            if seen.insert(next) {
                all.push(next);
            }
        }
    }
    all
}
