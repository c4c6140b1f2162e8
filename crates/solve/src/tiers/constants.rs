//! The constants that a query speaks of, and which of its variables are used as floats.

use crate::slice_query::SliceQuery;
use covet_expr::bits::signed;
use covet_expr::{Form, Op, Pool, Term, natural_form};
use covet_input::VarId;
use rustc_hash::FxHashSet;

/// Terms looked at, and constants kept.
const MAX_TERMS: usize = 3_000;
const MAX_CONSTANTS: usize = 12;

#[derive(Debug, Default)]
pub(crate) struct Constants {
    pub integers: Vec<i128>,
    pub floats: Vec<f64>,
    float_variables: FxHashSet<VarId>,
    /// Terms of the goal.
    pub goal_size: usize,
}

impl Constants {
    /// Those of the goal first, then those of the conditions.
    pub fn of(pool: &Pool, query: &SliceQuery<'_>) -> Constants {
        let mut found = Constants::default();
        let mut seen = FxHashSet::default();
        found.gather(pool, query.goal, &mut seen);
        found.goal_size = seen.len();
        for &condition in query.conditions.iter().rev() {
            if seen.len() >= MAX_TERMS {
                break;
            }
            found.gather(pool, condition, &mut seen);
        }
        found
    }

    pub fn is_float(&self, id: VarId) -> bool {
        self.float_variables.contains(&id)
    }

    fn gather(&mut self, pool: &Pool, root: Term, seen: &mut FxHashSet<Term>) {
        let mut stack = vec![root];
        while let Some(t) = stack.pop() {
            if seen.len() >= MAX_TERMS || !seen.insert(t) {
                continue;
            }
            let takes_floats = takes_floats(pool, t);
            for &child in pool.children(t).iter() {
                match (pool.constant(child), pool.variable(child)) {
                    (Some(bits), _) if takes_floats => keep(&mut self.floats, number(bits, pool.width(child))),
                    (Some(bits), _) => keep(&mut self.integers, signed(bits, pool.width(child))),
                    (None, Some(id)) if takes_floats => drop(self.float_variables.insert(id)),
                    (None, _) => stack.push(child),
                }
            }
            if let Some(table) = pool.table_of(t) {
                stack.extend(pool.entries(table).iter().take(64));
            }
        }
    }
}

fn takes_floats(pool: &Pool, t: Term) -> bool {
    let converts_integer = matches!(pool.op(t), Op::SToF | Op::UToF);
    let reads_floats =
        matches!(pool.op(t), Op::FEq | Op::FLt | Op::FLe | Op::FUno | Op::FToS | Op::FToU | Op::FCopySign);
    reads_floats || (natural_form(pool, t) == Form::Float && !converts_integer)
}

fn keep<T: PartialEq>(list: &mut Vec<T>, value: T) {
    if list.len() < MAX_CONSTANTS && !list.contains(&value) {
        list.push(value);
    }
}

/// The float of a width with these bits.
pub(crate) fn number(bits: u128, width: u16) -> f64 {
    if width == 32 { f64::from(f32::from_bits(bits as u32)) } else { f64::from_bits(bits as u64) }
}

/// The bits of a float in a width.
pub(crate) fn bits_of(value: f64, width: u16) -> u128 {
    if width == 32 { u128::from((value as f32).to_bits()) } else { u128::from(value.to_bits()) }
}
