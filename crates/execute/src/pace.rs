//! How long a run may take, once one of them has hung.
//!
//! The first that hangs is given all its time: it may just be long. From then on, a run that takes many times as long as any that
//! ended is taken for another hang, so that a program with many inputs that hang it does not spend its time on them.

use std::time::Duration;

use covet_abi::termination::Termination;

/// So many times as long as the longest run that ended.
const TIMES: u32 = 20;
/// No run is ended before, unless it may take less anyway: an idle core is as busy as this now and then.
const LEAST: Duration = Duration::from_millis(50);

/// What the runs of a worker were like; outlives the worker.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pace {
    longest: Duration,
    has_hung: bool,
}

impl Pace {
    /// What a run may take, out of so much.
    pub fn limit(&self, most: Duration) -> Duration {
        if self.has_hung { (self.longest * TIMES).max(LEAST).min(most) } else { most }
    }

    pub fn learn(&mut self, termination: Termination, took: Duration) {
        match termination {
            Termination::TimedOut => self.has_hung = true,
            Termination::Returned
            | Termination::Exited
            | Termination::Signalled
            | Termination::Aborted
            | Termination::AssertFailed
            | Termination::AssumptionFailed
            | Termination::ErrorReached
            | Termination::StackOverflow
            | Termination::OutOfMemory
            | Termination::WorkerLost
            | Termination::Violated => self.longest = self.longest.max(took),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn only_the_first_hang_has_all_its_time() {
        let mut pace = Pace::default();
        pace.learn(Termination::Returned, SECOND / 1000);
        assert_eq!(pace.limit(SECOND), SECOND);
        pace.learn(Termination::TimedOut, SECOND);
        assert_eq!(pace.limit(SECOND), LEAST);
        assert_eq!(pace.limit(LEAST / 2), LEAST / 2);
        pace.learn(Termination::Returned, SECOND / 100);
        assert_eq!(pace.limit(SECOND), SECOND / 5);
        pace.learn(Termination::Returned, SECOND / 2);
        assert_eq!(pace.limit(SECOND), SECOND);
    }
}
