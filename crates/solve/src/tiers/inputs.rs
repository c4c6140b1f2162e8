//! Tier `inputs`: answers given before, tried by evaluation. Only the values of the slice's variables are taken over, so an
//! input made for one branch may well open another.

use crate::check::Change;
use crate::question::{Found, Question};
use crate::tiers::seldom::Seldom;
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
    seldom: Seldom,
}

impl Tier for Inputs {
    fn name(&self) -> TierName {
        TierName::Inputs
    }

    fn answer(&mut self, evaluator: &mut Evaluator<'_>, question: &Question<'_>, _: &mut Tools<'_>) -> Option<Found> {
        if !self.seldom.is_due() || question.variables.len() > MAX_VARIABLES {
            return None;
        }
        for input in &self.recent {
            let changes: Vec<Change> = (question.variables.iter())
                .filter_map(|id| Some((*id, input.get(*id)?)))
                .filter(|(id, bits)| evaluator.variable(*id) != *bits)
                .collect();
            if !changes.is_empty() && question.keep.holds(evaluator, question.goal, &changes) {
                self.seldom.answered();
                return Some(Found::Sat(changes));
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
