//! Fork mode: each run in a child of its own, for programs that a reset cannot clean.
//!
//! Invariant: everything a run leaves is in the shared pages, so the parent stays as it was before the first run. A child
//! that dies without having told its end is told by its exit status.

use core::ffi::c_int;

use covet_abi::process::{Status, TOLD};
use covet_abi::shared::{Control, RunRequest, RunResult};
use covet_abi::sites::Program;
use covet_abi::termination::Termination;

use crate::sys::{descriptors, filter, scratch};
use crate::trace::run;
use crate::worker::perform::perform;

/// As [`perform`], in a child.
///
/// # Safety
/// As [`perform`].
pub unsafe fn perform_in_child(control: *mut Control, program: &Program, request: &RunRequest, result: *mut RunResult) {
    // Pointers, not references: the child changes what they point to behind the compiler's back.
    // SAFETY: as the caller vouches.
    unsafe {
        let events_at = (*control).event_count as u32;
        let (control_flow_at, calls_at) = ((*control).control_flow_count as u32, (*control).call_count as u32);
        result.write_volatile(RunResult { events_at, control_flow_at, calls_at, ..RunResult::default() });
    }
    // SAFETY: one thread.
    let child = unsafe { libc::fork() };
    if child == 0 {
        // SAFETY: a plain system call: no child outlives its worker.
        unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) };
        filter::no_more_processes();
        // SAFETY: as the caller vouches.
        unsafe {
            perform(&mut *control, program, request, &mut *result);
            descriptors::reset(Termination::from_u32((*result).termination).unwrap_or(Termination::WorkerLost));
            libc::_exit(TOLD)
        }
    }
    if child < 0 {
        // SAFETY: as the caller vouches; the calling thread's own variable.
        unsafe {
            (*result).termination = Termination::WorkerLost as u32;
            (*result).code = *libc::__errno_location();
        }
        return;
    }
    let mut status: c_int = 0;
    // SAFETY: waits for our own child; time-out signals interrupt the wait.
    while unsafe { libc::waitpid(child, &mut status, 0) } < 0 {}
    scratch::empty(descriptors::folder());
    // SAFETY: as the caller vouches; the child ran on these very pages.
    unsafe {
        if (&raw const (*result).termination).read_volatile() == 0 {
            run::finish_run(result);
            let (termination, code) = Termination::of_status(told_by(status));
            (*result).code = code;
            (*result).termination = termination as u32;
        }
    }
}

fn told_by(status: c_int) -> Status {
    match libc::WIFEXITED(status) {
        true => Status::Exited(libc::WEXITSTATUS(status)),
        false => Status::Killed(libc::WTERMSIG(status)),
    }
}
