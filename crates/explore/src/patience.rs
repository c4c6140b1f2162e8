//! How long runs may go on asking for inputs without anything new.
//!
//! Most programs end by themselves, and their runs are tracked to the end. One that does not is found out by its first run, which goes on for long,
//! untracked and so quickly, before it is cut. From then on runs are cut early: what lies deep in a state machine is reached step by step, since everything
//! new gives a run its whole patience back. When nothing else is left to try, the runs that were cut go on with more patience, so what is given up is
//! given up last. Counted in inputs, not in time: the same seed makes the same cuts on every machine.

use crate::execution::Execution;
use covet_abi::shared::InputBounds;
use covet_abi::termination::Termination;
use covet_input::Input;

/// Inputs without anything new that a run is tracked for, as long as all runs end by themselves.
const AT_FIRST: u32 = 256;
/// The same, once one did not.
const ENDLESS: u32 = 16;
/// Inputs without anything new after which the first run is cut.
const HORIZON: u32 = 20_000;
/// A round looks as far as so many times what the rounds since the last look asked for, which costs less than they did since such a run is not
/// tracked; each time farther by this factor.
const LOOKS_FAR: u64 = 8;
const FARTHER: u32 = 4;
/// Inputs that a run is tracked for at most, to go on from what came after its patience.
const MOST_TRACKED: u32 = 1 << 18;
/// Patience grows by this factor when nothing else is left to try.
const GROWTH: u32 = 4;
/// Inputs of cut runs that are kept to go on with.
const MOST_KEPT: usize = 4_096;

#[derive(Debug)]
pub(crate) struct Patience {
    now: u32,
    /// How far runs that look far do so.
    far: u32,
    /// Inputs that one run may have.
    most: u32,
    is_endless: bool,
    /// Inputs asked for since a round last looked far.
    asked: u64,
    /// Inputs of runs that were cut, to go on with.
    cut: Vec<Input>,
}

impl Patience {
    pub fn new(most: u32) -> Patience {
        let (now, far) = (AT_FIRST.min(most.max(1)), HORIZON.min(most.max(1)));
        Patience { now, far, most, is_endless: false, asked: 0, cut: Vec::new() }
    }

    /// For the runs of the next round, which start from runs that ended after having asked for at most `before` inputs.
    pub fn bounds(&mut self, before: u32) -> InputBounds {
        // There is nothing beyond the farthest, so that is looked at more rarely.
        let times = if self.far < self.most { LOOKS_FAR } else { 1 };
        let looks_far = !self.is_endless || self.asked * times >= u64::from(self.far);
        let patience = self.now.max(before.saturating_mul(2).min(MOST_TRACKED)).min(self.most);
        let horizon = if looks_far { self.far.max(patience) } else { patience };
        if looks_far && self.is_endless {
            self.far = self.far.saturating_mul(FARTHER).min(self.most);
            self.asked = 0;
        }
        InputBounds { sure: 0, patience, horizon, most: self.most }
    }

    /// For a run that is made once more, because something came after its patience had ended.
    pub fn bounds_again(&self, patience: u32) -> InputBounds {
        InputBounds { sure: 0, patience, horizon: self.far.max(patience), most: self.most }
    }

    /// Takes note of a run; gives the patience with which it should be made once more, if so.
    pub fn learn(&mut self, execution: &Execution, input: &Input) -> Option<u32> {
        self.asked += u64::from(execution.asked);
        if execution.is_cut && !execution.is_stalled {
            if !self.is_endless {
                (self.is_endless, self.now) = (true, ENDLESS.min(self.now));
            }
            if self.cut.len() < MOST_KEPT {
                self.cut.push(input.clone());
            }
        }
        if !execution.is_stalled || is_too_long(execution) || execution.termination == Termination::TimedOut {
            return None;
        }
        let enough = execution.asked.saturating_mul(2).min(self.most).max(self.now);
        if !self.is_endless {
            self.now = enough;
        }
        Some(enough)
    }

    /// Runs are to become shorter, since they take more memory than there is; false when they are short already.
    pub fn shorten(&mut self) -> bool {
        self.most = (self.most / 4).min(HORIZON);
        (self.now, self.far) = (self.now.min(self.most), self.far.min(self.most));
        self.most >= AT_FIRST
    }

    /// Nothing else is left to try: the inputs to run again with more patience; none when it cannot grow.
    pub fn grow(&mut self) -> Vec<Input> {
        if self.now >= self.most {
            return Vec::new();
        }
        self.now = self.now.saturating_mul(GROWTH).min(self.most);
        std::mem::take(&mut self.cut)
    }
}

/// Whether a run that had news after its patience is too long to be tracked to there.
pub(crate) fn is_too_long(execution: &Execution) -> bool {
    execution.is_stalled && execution.asked > MOST_TRACKED
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::ended;

    #[test]
    fn a_program_that_ends_is_given_the_time_it_needs() {
        let mut patience = Patience::new(1_000_000);
        let InputBounds { patience: first, horizon, .. } = patience.bounds(0);
        assert!(first < horizon);
        let late = Execution { asked: 5_000, is_stalled: true, ..ended(Termination::Returned) };
        let again = patience.learn(&late, &Input::default()).expect("once more");
        assert!(again >= 5_000 && patience.bounds(0).patience == again);
        let fine = Execution { asked: 5_000, ..ended(Termination::Returned) };
        assert_eq!(patience.learn(&fine, &Input::default()), None);
        assert!(patience.grow().is_empty());
    }

    #[test]
    fn a_program_without_end_is_cut_early_and_gone_on_with_late() {
        let mut patience = Patience::new(1_000);
        let cut = Execution { asked: 256, is_cut: true, ..ended(Termination::Exited) };
        assert_eq!(patience.learn(&cut, &Input::default()), None);
        let short = Execution { asked: 20, ..ended(Termination::Returned) };
        let mut horizons = Vec::new();
        for _ in 0..100 {
            patience.learn(&short, &Input::default());
            let bounds = patience.bounds(0);
            assert_eq!(bounds.patience, ENDLESS);
            horizons.push(bounds.horizon);
        }
        assert_eq!(horizons.iter().filter(|horizon| **horizon == 1_000).count(), 2, "as much as all others together");
        let late = Execution { asked: 400, is_stalled: true, ..ended(Termination::Returned) };
        assert_eq!(patience.learn(&late, &Input::default()), Some(800));
        assert_eq!(patience.bounds(0).patience, ENDLESS, "that one run is an exception");
        assert_eq!(patience.bounds(400).patience, 800, "and those that start from it");
        assert_eq!((patience.grow().len(), patience.bounds(0).patience), (1, ENDLESS * GROWTH));
        for _ in 0..5 {
            patience.learn(&cut, &Input::default());
            patience.grow();
        }
        assert_eq!(patience.bounds(0).patience, 1_000, "never more than a run may have");
    }
}
