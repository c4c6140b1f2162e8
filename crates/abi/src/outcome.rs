//! How a run ended. A crash is data, not an error.

#[repr(u32)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
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
}

impl Outcome {
    pub const fn from_u32(n: u32) -> Option<Outcome> {
        Some(match n {
            1 => Outcome::Returned,
            2 => Outcome::Exited,
            3 => Outcome::Signalled,
            4 => Outcome::Aborted,
            5 => Outcome::AssertFailed,
            6 => Outcome::ErrorReached,
            7 => Outcome::StackOverflow,
            8 => Outcome::TimedOut,
            9 => Outcome::OutOfMemory,
            10 => Outcome::AssumptionFailed,
            11 => Outcome::WorkerLost,
            _ => return None,
        })
    }
}

/// What a [`crate::event::Kind::Check`] event asks about.
#[repr(u16)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Check {
    DivisionByZero = 1,
    /// `INT_MIN / -1`
    DivisionOverflow = 2,
    /// A pointer input that is NULL was followed.
    NullDereference = 3,
}

impl Check {
    pub const fn from_u16(n: u16) -> Option<Check> {
        Some(match n {
            1 => Check::DivisionByZero,
            2 => Check::DivisionOverflow,
            3 => Check::NullDereference,
            _ => return None,
        })
    }
}
