//! Tier `inputs`: answers given before, tried by evaluation. Only the values of the slice's variables are taken over, so an
//! input made for one branch may well open another.

use crate::model::check::Change;
use crate::slice_query::{SliceQuery, TierAnswer};
use crate::tiers::backoff::Backoff;
use crate::tiers::{Tier, TierName, Tools};
use covet_expr::Evaluator;
use covet_input::Input;
use std::collections::VecDeque;

/// Inputs remembered; slices of more variables are not worth the copying.
const MAX_INPUTS: usize = 12;
const MAX_VARIABLES: usize = 256;

#[derive(Debug, Default)]
pub(crate) struct Inputs {
    recent: VecDeque<Input>,
    backoff: Backoff,
}

impl Tier for Inputs {
    fn name(&self) -> TierName {
        TierName::Inputs
    }

    fn answer(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        query: &SliceQuery<'_>,
        _: &mut Tools<'_>,
    ) -> Option<TierAnswer> {
        if !self.backoff.is_due() || query.variables.len() > MAX_VARIABLES {
            return None;
        }
        for input in &self.recent {
            let changes: Vec<Change> = (query.variables.iter())
                .filter_map(|id| Some((*id, input.get(*id)?)))
                .filter(|(id, bits)| evaluator.variable(*id) != *bits)
                .collect();
            if !changes.is_empty() && query.keep.holds(evaluator, query.goal, &changes) {
                self.backoff.answered();
                return Some(TierAnswer::Sat(changes));
            }
        }
        None
    }

    fn forget(&mut self) {
        *self = Inputs::default();
    }

    fn learn(&mut self, input: &Input) {
        self.recent.truncate(MAX_INPUTS - 1);
        self.recent.push_front(input.clone());
    }
}
