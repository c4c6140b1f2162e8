//! One run: where its trace begins, where its result is written, and back to a clean slate.
//!
//! Invariant: what a run leaves behind is in the shared pages while it happens, not when it ends; a child that is killed
//! loses nothing that was logged.

use core::ptr::null_mut;

use covet_abi::shared::{Control, ResultFlags, RunRequest, RunResult};
use covet_abi::sites::Program;

use crate::object::lookup;
use crate::shadow::{bytes, calls, variadic};
use crate::term::{arena, tables};
use crate::trace::tracking::{self, Lone};
use crate::trace::{events, logs, progress, touched, values, variables};

static RESULT: Lone<*mut RunResult> = Lone::new(null_mut());
/// Counts runs, so that per-run notes elsewhere expire without being cleared. Never 0 during a run.
static NUMBER: Lone<u32> = Lone::new(0);

/// Prepares tracking over these pages. False when the kernel refuses memory: then nothing can be tracked.
///
/// # Safety
/// `control` must point to a filled control block with its regions, mapped for good; `program` to the program's tables
/// or be null.
pub unsafe fn start(control: *mut Control, program: *const Program) -> bool {
    // SAFETY: the caller vouches for both.
    unsafe {
        arena::attach(control);
        progress::init(program);
        bytes::init() && tables::init() && variables::init() && touched::init() && lookup::init(program)
    }
}

/// From here on the calling thread's hook calls are the trace of this run.
///
/// # Safety
/// [`start`] must have succeeded; `request` and `result` must outlive the run.
pub unsafe fn begin_run(request: *const RunRequest, result: *mut RunResult) {
    NUMBER.set(NUMBER.get().wrapping_add(1).max(1));
    RESULT.set(result);
    // SAFETY: the caller vouches for the pointers; the pages are attached.
    unsafe {
        let control = arena::control();
        events::begin(share(&*control, (*control).event_count, (*control).regions.events.capacity));
        logs::begin(&*control, &*request, &mut *result);
        (*result).events_at = (*control).event_count as u32;
        (*result).events_len = 0;
        (*result).variables_at = (*control).list_count as u32;
        (*result).variables_len = 0;
        (*result).flags = ResultFlags::default();
        (*result).concretised = [0; covet_abi::event::CONCRETIZATIONS];
        arena::catch_up();
        tables::catch_up();
        values::begin(&*request);
        progress::begin(&*request);
    }
    calls::clear();
    touched::begin();
    lookup::begin();
    tracking::start();
}

/// Ends tracking and completes the result's part of the trace. Also right in the parent of a child that was killed.
///
/// # Safety
/// As for [`begin_run`].
pub unsafe fn finish_run(result: *mut RunResult) {
    tracking::stop();
    progress::finish();
    // SAFETY: the caller vouches for the result; the pages are attached.
    unsafe {
        let control = arena::control();
        (*result).events_len = (*control).event_count as u32 - (*result).events_at;
        logs::finish(&*control, &mut *result);
    }
    RESULT.set(null_mut());
}

/// How far a run may fill a region of this capacity of which so much is taken: a fair share of what is left, but never less than a
/// quarter, because most runs need little.
pub fn share(control: &Control, count: u64, capacity: u64) -> u64 {
    let left = capacity.saturating_sub(count);
    let runs = u64::from(control.batch.saturating_sub(control.done).max(1));
    count + (left / runs).max(left / 4)
}

/// Forgets everything the run made symbolic.
pub fn reset_run() {
    tracking::stop();
    variadic::reset();
    bytes::reset();
    calls::clear();
}

/// True while a run is on, tracked or not.
pub fn is_on() -> bool {
    !RESULT.get().is_null()
}

/// Number of the present run.
#[inline(always)]
pub fn number() -> u32 {
    NUMBER.get()
}

/// Sets a flag of the present run's result.
pub fn flag(flag: ResultFlags) {
    with_result(|result| result.flags = result.flags.with(flag));
}

/// Lets `change` write into the present run's result, if there is one.
#[inline(always)]
pub fn with_result(change: impl FnOnce(&mut RunResult)) {
    let result = RESULT.get();
    if !result.is_null() {
        // SAFETY: set by `begin_run` to a result that outlives the run; one thread.
        change(unsafe { &mut *result });
    }
}
