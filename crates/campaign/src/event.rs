//! What a campaign tells while it goes on: events to a sink. Who listens (a progress display, a log, nobody) is not known here.

use std::time::Duration;

/// A part of the work that takes time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    Explore,
    /// Callers are asked about what was found.
    Judge,
    /// The tests are run on a plain build, and alarms on one with sanitizers.
    Confirm,
    /// llvm-cov measures the suite.
    Measure,
    Write,
}

#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// A phase of the whole command began.
    Phase(Phase),
    /// The exploration of a unit began.
    Began { name: &'a str },
    /// A run was made.
    Ran(Ran),
    /// Questions were put to the solver, which took so long.
    Asked { solving: Duration },
    /// The exploration of a unit ended.
    Ended { name: &'a str },
}

/// How far the exploration of a unit has come.
#[derive(Clone, Copy, Debug)]
pub struct Ran {
    pub executions: u64,
    pub covered_goals: usize,
    pub all_goals: usize,
}

/// Hears of events, from several threads.
pub trait Sink: Sync {
    fn event(&self, event: Event<'_>);
}

/// Nobody listens.
impl Sink for () {
    fn event(&self, _: Event<'_>) {}
}
