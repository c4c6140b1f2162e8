//! The clock of a command: its phases' shares of the time as deadlines, and what each phase took.

use crate::phases::{Load, Shares};
use covet_budget::Deadline;
use std::time::{Duration, Instant};

pub struct Clock<'a> {
    began: Instant,
    deadline: &'a Deadline,
    shares: Option<Shares>,
    /// What is found is put to callers before anything else is done with it.
    is_judging: bool,
}

impl<'a> Clock<'a> {
    /// Of a command that began then and is about to explore, that took so long to compile a file and will wait so long for a run before it calls it
    /// a hang, doing so many things at a time. Without a moment in `deadline` it takes what time it needs.
    pub fn new(
        began: Instant,
        compiled: Duration,
        hang: Duration,
        threads: usize,
        deadline: &'a Deadline,
    ) -> Clock<'a> {
        let shares = |at: Instant| Shares {
            time: at.saturating_duration_since(began),
            began: began.elapsed(),
            compiled,
            hang,
            threads,
        };
        Clock { began, deadline, shares: deadline.at().map(shares), is_judging: false }
    }

    /// Of a command that keeps a share of the time for judging, if so.
    pub fn judging(self, is_judging: bool) -> Clock<'a> {
        Clock { is_judging, ..self }
    }

    /// For exploring, when so much is to be done after it.
    pub fn explore(&self, load: Load) -> Deadline {
        self.at(|shares, _| if self.is_judging { shares.found(load) } else { shares.explore(load) })
    }

    /// For putting what was found to callers.
    pub fn judge(&self, load: Load) -> Deadline {
        self.at(|shares, _| shares.explore(load))
    }

    /// For a phase that begins now and is followed by others.
    pub fn half(&self) -> Deadline {
        self.at(Shares::half)
    }

    /// For waiting for runs that seem to hang.
    pub fn most(&self) -> Deadline {
        self.at(Shares::most)
    }

    /// For official numbers.
    pub fn official(&self) -> Deadline {
        self.at(Shares::official)
    }

    /// For all that comes before writing.
    pub fn measure(&self) -> Deadline {
        self.at(|shares, _| shares.measure())
    }

    fn at(&self, moment: impl FnOnce(Shares, Duration) -> Duration) -> Deadline {
        let moment = self.shares.map(|shares| self.began + moment(shares, self.began.elapsed()));
        moment.map_or_else(|| self.deadline.clone(), |moment| self.deadline.by(moment))
    }

    /// Since the command began.
    pub fn seconds(&self) -> f64 {
        self.began.elapsed().as_secs_f64()
    }

    /// Why something was cut short, for people.
    pub fn why(&self) -> &'static str {
        if self.deadline.is_interrupted() { "interrupted" } else { "the time was up" }
    }

    pub fn is_interrupted(&self) -> bool {
        self.deadline.is_interrupted()
    }
}

/// Does `work` and adds the seconds it took.
pub fn timed<T>(seconds: &mut f64, work: impl FnOnce() -> T) -> T {
    let began = Instant::now();
    let done = work();
    *seconds += began.elapsed().as_secs_f64();
    done
}
