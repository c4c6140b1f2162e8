//! How a run ended. A crash is data, not an error.

use crate::process::{SIGABRT, SIGKILL, Status};

#[repr(u32)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Termination {
    /// The entry function returned.
    Returned = 1,
    /// `exit`, `_exit`, `quick_exit`: the code is in [`crate::shared::RunResult::code`].
    Exited = 2,
    /// A fatal signal: its number is in [`crate::shared::RunResult::code`].
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
    /// The run cannot be told about: the plan does not fit the program (the code is the number of the step, or [`NO_ENTRY`]), or the
    /// worker died in a way it could not tell (the engine fills this in).
    WorkerLost = 11,
    /// A check was violated, whatever the machine would have made of it: which [`crate::check::Check`], is in
    /// [`crate::shared::RunResult::code`].
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

    /// What the status of a process says about its run, and the code that goes with it.
    pub const fn of_status(status: Status) -> (Termination, i32) {
        match status {
            Status::Exited(code) => (Termination::Exited, code),
            // Nobody but the kernel kills these processes: it was out of memory.
            Status::Killed(SIGKILL) => (Termination::OutOfMemory, SIGKILL),
            Status::Killed(SIGABRT) => (Termination::Aborted, SIGABRT),
            Status::Killed(signal) => (Termination::Signalled, signal),
        }
    }
}

/// The code of a lost run whose entry the program does not have.
pub const NO_ENTRY: i32 = -1;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminations_survive_their_numbers() {
        let known = (0..100).filter_map(|number| Some((number, Termination::from_u32(number)?)));
        assert!(known.clone().all(|(number, termination)| termination as u32 == number));
        assert_eq!(known.count(), Termination::Violated as usize);
    }
}
