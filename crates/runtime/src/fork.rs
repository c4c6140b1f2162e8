//! Fork mode: each run in a child of its own, for programs that a reset cannot clean.
//!
//! Invariant: everything a run leaves is in the shared pages, so the parent stays as it was before the first run. A child
//! that dies without having told its outcome is told by its exit status.

use core::ffi::c_int;

use covet_abi::outcome::Outcome;
use covet_abi::shared::{Control, RunRequest, RunResult};
use covet_abi::sites::Program;

use crate::perform::perform;
use crate::{descriptors, filter, run};

/// As [`perform`], in a child.
///
/// # Safety
/// As [`perform`].
pub unsafe fn perform_in_child(control: &mut Control, program: &Program, request: &RunRequest, result: &mut RunResult) {
    *result = RunResult { events_at: control.event_count as u32, ..RunResult::default() };
    // SAFETY: one thread.
    let child = unsafe { libc::fork() };
    if child == 0 {
        filter::no_more_processes();
        // SAFETY: as the caller vouches.
        unsafe {
            perform(control, program, request, result);
            descriptors::reset(Outcome::from_u32(result.outcome).unwrap_or(Outcome::WorkerLost));
            libc::_exit(0)
        }
    }
    if child < 0 {
        result.outcome = Outcome::WorkerLost as u32;
        // SAFETY: the calling thread's own variable.
        result.code = unsafe { *libc::__errno_location() };
        return;
    }
    let mut status: c_int = 0;
    // SAFETY: waits for our own child; time-out signals interrupt the wait.
    while unsafe { libc::waitpid(child, &mut status, 0) } < 0 {}
    if result.outcome == 0 {
        // SAFETY: the child ran on these very pages.
        unsafe { run::finish_run(result) };
        let (outcome, code) = told_by(status);
        result.code = code;
        result.outcome = outcome as u32;
    }
}

/// What an exit status says about a run that could not say it itself.
fn told_by(status: c_int) -> (Outcome, i32) {
    if libc::WIFEXITED(status) {
        return (Outcome::Exited, libc::WEXITSTATUS(status));
    }
    match libc::WTERMSIG(status) {
        // Nobody but the kernel kills single children: it was out of memory.
        libc::SIGKILL => (Outcome::OutOfMemory, libc::SIGKILL),
        libc::SIGABRT => (Outcome::Aborted, libc::SIGABRT),
        signal => (Outcome::Signalled, signal),
    }
}
