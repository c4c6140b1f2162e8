//! The richer logs of a run: hook calls → control-flow log and call log in the shared pages, as far as the request asks for them.
//!
//! Instrumented code looks at [`__covet_logs`] and calls these hooks only where it says so. They count on the run's thread, tracked or
//! not: a full arena ends no log. Invariants: a record is written before its count; a log that is full stays as it is and says so.

use covet_abi::logs::{CallEvent, CallRecord, Logs};
use covet_abi::shared::{Control, ResultFlags, RunRequest, RunResult};

use crate::term::arena;
use crate::trace::run;
use crate::trace::tracking::{self, Lone};

/// Functions that may be open at a time while calls are logged.
const DEEPEST: usize = 1 << 17;

/// What the present run logs.
#[unsafe(no_mangle)]
pub static __covet_logs: Lone<u64> = Lone::new(0);

/// A log grows to its limit during the present run.
static CONTROL_FLOW_LIMIT: Lone<u64> = Lone::new(0);
static CALL_LIMIT: Lone<u64> = Lone::new(0);
/// The user's functions that have been entered and not been left, outermost first.
static OPEN: Lone<[u32; DEEPEST]> = Lone::new([0; DEEPEST]);
static DEPTH: Lone<usize> = Lone::new(0);

/// A run begins that logs what its request says.
pub fn begin(control: &Control, request: &RunRequest, result: &mut RunResult) {
    __covet_logs.set(u64::from(request.logs.0));
    CONTROL_FLOW_LIMIT.set(run::share(control, control.control_flow_count, control.regions.control_flow.capacity));
    CALL_LIMIT.set(run::share(control, control.call_count, control.regions.calls.capacity));
    (result.control_flow_at, result.control_flow_len) = (control.control_flow_count as u32, 0);
    (result.calls_at, result.calls_len) = (control.call_count as u32, 0);
    DEPTH.set(0);
}

/// Nothing is logged from now on; the result says how long the logs are.
pub fn finish(control: &Control, result: &mut RunResult) {
    __covet_logs.set(0);
    result.control_flow_len = control.control_flow_count as u32 - result.control_flow_at;
    result.calls_len = control.call_count as u32 - result.calls_at;
}

fn keeps(log: Logs) -> bool {
    Logs(__covet_logs.get() as u32).has(log) && tracking::on_the_runs_thread()
}

/// A log is full: it ends here.
fn full(log: Logs, flag: ResultFlags) {
    __covet_logs.set(__covet_logs.get() & !u64::from(log.0));
    run::flag(flag);
}

fn append(event: CallEvent) {
    // SAFETY: attached pages; the limit keeps the index inside the region.
    unsafe {
        let control = arena::control();
        let count = (*control).call_count;
        if count >= CALL_LIMIT.get() {
            return full(Logs::CALLS, ResultFlags::CALLS_FULL);
        }
        arena::region::<CallRecord>(&(*control).regions.calls).add(count as usize).write(event.pack());
        (&raw mut (*control).call_count).write_volatile(count + 1);
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn __covet_counted(counter: u32) -> u32 {
    if !keeps(Logs::CONTROL_FLOW) {
        return 0;
    }
    // SAFETY: attached pages; the limit keeps the index inside the region.
    unsafe {
        let control = arena::control();
        let count = (*control).control_flow_count;
        if count >= CONTROL_FLOW_LIMIT.get() {
            full(Logs::CONTROL_FLOW, ResultFlags::CONTROL_FLOW_FULL);
            return 0;
        }
        arena::region(&(*control).regions.control_flow).add(count as usize).write(counter);
        (&raw mut (*control).control_flow_count).write_volatile(count + 1);
    }
    0
}

#[unsafe(no_mangle)]
pub extern "C" fn __covet_entered(function: u32) -> u32 {
    if !keeps(Logs::CALLS) {
        return 0;
    }
    let depth = DEPTH.get();
    if depth == DEEPEST {
        full(Logs::CALLS, ResultFlags::CALLS_FULL);
        return 0;
    }
    append(CallEvent::Entered { caller: depth.checked_sub(1).map(open), callee: function });
    // SAFETY: below the array's length; one thread.
    unsafe { (*OPEN.pointer())[depth] = function };
    DEPTH.set(depth + 1);
    0
}

#[unsafe(no_mangle)]
pub extern "C" fn __covet_argument(id: u32, width: u32, low: u64, high: u64) -> u32 {
    if keeps(Logs::CALLS) {
        let value = u128::from(low) | u128::from(high) << 64;
        append(CallEvent::Argument { expr: arena::answer(id), width, value });
    }
    0
}

#[unsafe(no_mangle)]
pub extern "C" fn __covet_returned(function: u32) -> u32 {
    if keeps(Logs::CALLS)
        && let Some(depth) = (0..DEPTH.get()).rev().find(|depth| open(*depth) == function)
    {
        leave_to(depth);
    }
    0
}

#[unsafe(no_mangle)]
pub extern "C" fn __covet_open_calls() -> u32 {
    DEPTH.get() as u32
}

#[unsafe(no_mangle)]
pub extern "C" fn __covet_jumped_back(open: u32) -> u32 {
    if keeps(Logs::CALLS) {
        leave_to(open as usize);
    }
    0
}

/// All functions but the outermost `depth` have returned.
fn leave_to(depth: usize) {
    while DEPTH.get() > depth {
        DEPTH.set(DEPTH.get() - 1);
        append(CallEvent::Returned { callee: open(DEPTH.get()) });
    }
}

fn open(depth: usize) -> u32 {
    // SAFETY: callers stay below the array's length; one thread.
    unsafe { (*OPEN.pointer())[depth] }
}
