//! How a run ended. A crash is data, not an error.

#[repr(u32)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Termination {
    /// The entry function returned.
    Returned = 1,
    /// `exit`, `_exit`, `quick_exit`: the code is in `RunResult::code`.
    Exited = 2,
    /// A fatal signal: its number is in `RunResult::code`.
    Signalled = 3,
    /// `abort`.
    Aborted = 4,
    /// A failed `assert`.
    AssertFailed = 5,
    /// `reach_error` and its kin.
    ErrorReached = 6,
    /// The stack ran out.
    StackOverflow = 7,
    /// Over its time limit.
    TimedOut = 8,
    /// Over its memory limit.
    OutOfMemory = 9,
    /// An assumption did not hold: the run says nothing about the program.
    AssumptionFailed = 10,
    /// The worker died in a way it could not tell (the engine fills this in).
    WorkerLost = 11,
    /// A check was violated, whatever the machine would have made of it: the [`crate::check::Check`] is in `RunResult::code`.
    Violated = 12,
}

impl Termination {
    pub const fn from_u32(n: u32) -> Option<Termination> {
        Some(match n {
            1 => Termination::Returned,
            2 => Termination::Exited,
            3 => Termination::Signalled,
            4 => Termination::Aborted,
            5 => Termination::AssertFailed,
            6 => Termination::ErrorReached,
            7 => Termination::StackOverflow,
            8 => Termination::TimedOut,
            9 => Termination::OutOfMemory,
            10 => Termination::AssumptionFailed,
            11 => Termination::WorkerLost,
            12 => Termination::Violated,
            _ => return None,
        })
    }
}
