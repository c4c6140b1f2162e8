//! What engine and worker agree on about the worker's process: how it is started, asked, told apart and ended.

use core::ffi::CStr;

/// Environment variable with the descriptor number of the shared file; absent: the program is standalone, like the plain one.
pub const SHARED_FD: &CStr = c"COVET_SHARED_FD";

/// The engine sends this to ask whether a run is over its time.
pub const TIME_OUT_SIGNAL: i32 = 64;
/// However busy the machine is, a worker ends a run after this many times its limit; the engine waits one more.
pub const LONGEST_RUN: u32 = 6;

/// Who waits for the other side looks so often before it looks at the clock, and gives way with every look after so many
/// nanoseconds.
pub const LOOKS: u32 = 64;
pub const LOOKS_ALONE: u64 = 25_000;

/// Descriptors from here on belong to the runtime; a process has so many at most.
pub const OWN_DESCRIPTORS: i32 = 1000;
pub const DESCRIPTOR_LIMIT: u64 = 1024;

/// In the worker's folder: where runs start, and beside it what a run has printed and what the worker said before it was ready.
pub const RUN_FOLDER: &str = "run";
pub const OUTPUT: &str = "output";
pub const ERRORS: &str = "errors";
/// [`OUTPUT`] as seen from [`RUN_FOLDER`].
pub const OUTPUT_FROM_RUN: &CStr = c"../output";

/// By these exit codes a worker says that it has failed itself: what the run did is not known.
#[repr(i32)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Failure {
    /// Something that it needs before the first run is not there; what, is in [`ERRORS`].
    NotReady = 97,
    /// A thread had to end the process and could not tell how.
    Thread = 98,
}

impl Failure {
    pub const fn from_code(code: i32) -> Option<Failure> {
        Some(match code {
            97 => Failure::NotReady,
            98 => Failure::Thread,
            _ => return None,
        })
    }
}

/// Exit code of a process that has told everything in the shared pages: a worker that retires, a child that ran one input.
pub const TOLD: i32 = 0;

/// Signals by which processes end that do not tell how: the same numbers on every Linux.
pub const SIGABRT: i32 = 6;
pub const SIGKILL: i32 = 9;

/// What the kernel says of a process that could not tell its run's end itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    Exited(i32),
    Killed(i32),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_survive_their_codes() {
        for failure in [Failure::NotReady, Failure::Thread] {
            assert_eq!(Failure::from_code(failure as i32), Some(failure));
        }
        assert_eq!(Failure::from_code(TOLD), None);
    }

    #[test]
    fn output_is_beside_the_folder_of_runs() {
        assert_eq!(OUTPUT_FROM_RUN.to_bytes().strip_prefix(b"../"), Some(OUTPUT.as_bytes()));
    }
}
