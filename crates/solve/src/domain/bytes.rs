//! Conditions on a single small variable, by trying all its values.
//!
//! Text-processing programs ask much about single characters, often through tables and masks. Whatever such a condition
//! looks like, 256 evaluations turn it into the exact set of characters that satisfy it.

use crate::domain::ranges::Ranges;
use covet_expr::{BATCH, Batch, Evaluator, Tape, Term};
use rustc_hash::FxHashMap;

/// Variables up to this width are tried out.
const MAX_WIDTH: u16 = 8;
/// Sets kept before starting over.
const MAX_KNOWN: usize = 200_000;

#[derive(Clone, Debug, Default)]
pub(crate) struct Bytes {
    known: FxHashMap<Term, Ranges>,
    batch: Batch,
}

// All values of a variable fit in one row.
const _: () = assert!(1 << MAX_WIDTH <= BATCH);

impl Bytes {
    /// The variable a condition depends on and the values that satisfy it, when that variable is alone and small.
    pub fn ranges(&mut self, evaluator: &mut Evaluator<'_>, condition: Term) -> Option<(Term, &Ranges)> {
        let pool = evaluator.pool();
        let variables = pool.variables(condition);
        let id = variables.first()?;
        let width = pool.width_of(id).filter(|width| *width <= MAX_WIDTH)?;
        if variables.len() != 1 {
            return None;
        }
        if self.known.len() > MAX_KNOWN {
            self.known.clear();
        }
        let ranges = self.known.entry(condition).or_insert_with(|| {
            let Some(mut program) = Tape::compile(evaluator, condition, &[id], usize::MAX) else {
                return Ranges::none(width).complement();
            };
            let values = 0..1usize << width;
            if program.is_narrow() {
                let found = self.batch.run(&program, values.len(), |_, value| value as u64);
                return Ranges::of(width, values.filter(|value| found[*value] != 0).map(|value| value as u128));
            }
            Ranges::of(width, values.map(|value| value as u128).filter(|value| program.run([*value].into_iter()) != 0))
        });
        Some((pool.term_of(id)?, ranges))
    }
}
