//! One request → one result: build the input, call the entry on the run stack, collect what happened, clean up.
//!
//! Invariant: the termination is written when everything else of the result is there, and cleaning up comes after; so whoever
//! looks at the pages after this process has died knows how far it came.

use core::ffi::{c_int, c_void};

use covet_abi::shared::{Control, Covered, RunRequest, RunResult};
use covet_abi::sites::{Function, Program};
use covet_abi::stubs;
use covet_abi::termination::{NO_ENTRY, Termination};

use crate::libc::{exit_handlers, refusals, signal, state, time};
use crate::object::heap;
use crate::sys::state::Static;
use crate::sys::{descriptors, scratch, stack};
use crate::term::arena;
use crate::trace::{progress, run, tracking};
use crate::worker::signals::{ENDING, end_run, guarded, retire};
use crate::worker::{deadline, files, plan, reset};

/// Entries return structures of any size into this much room.
const RESULT_ROOM: usize = 64 << 10;

#[repr(C, align(64))]
struct Room([u8; RESULT_ROOM]);

static RETURNED: Static<Room> = Static::new(Room([0; RESULT_ROOM]));

struct Job<'a> {
    program: &'a Program,
    request: &'a RunRequest,
}

unsafe extern "C" {
    fn covet_user_main() -> *const u8;
    fn covet_end_models(unused: *mut c_void);
}

/// Runs a request and fills in its result. The process is then as the run left it.
///
/// # Safety
/// All arguments must lie in the attached pages or be the program's own.
pub unsafe fn perform(control: &mut Control, program: &Program, request: &RunRequest, result: &mut RunResult) {
    *result = RunResult::default();
    heap::set_limit(control.memory_limit);
    descriptors::begin(control.keep_output != 0);
    RETURNED.get().0[..64].fill(0);
    // SAFETY: as the caller vouches.
    unsafe {
        set_switches(control, program, request);
        run::begin_run(request, result);
    }
    let mut job = Job { program, request };
    deadline::set_limit(control.time_limit_ms);
    // SAFETY: `invoke` expects a job; as the caller vouches.
    unsafe {
        guarded(invoke, (&raw mut job).cast());
        result.nanoseconds = deadline::run_time();
        if ENDING.get().termination == Termination::TimedOut && progress::cut_by_time() {
            (ENDING.get().termination, ENDING.get().code) = (Termination::Exited, 0);
        }
        run::finish_run(result);
    }
    result.code = ENDING.get().code;
    result.fault = ENDING.get().fault;
    let termination = ENDING.get().termination;
    if termination == Termination::Returned {
        // SAFETY: at least eight aligned bytes.
        result.returned = unsafe { *RETURNED.get().0.as_ptr().cast() };
    }
    frames(control, result);
    end_models();
    covered(control, program, result);
    vectors(control, program, result);
    result.termination = termination as u32;
}

/// Replaces the functions by their stubs that the request names, and no other.
///
/// # Safety
/// As for [`perform`].
unsafe fn set_switches(control: &Control, program: &Program, request: &RunRequest) {
    if program.switch_count == 0 {
        return;
    }
    let region = &control.regions.stubs;
    let first = u64::from(request.stubs_at).min(region.capacity);
    let count = u64::from(request.stubs_len).min(region.capacity - first);
    // SAFETY: cut to the region; the program's own table.
    let (words, switches) = unsafe {
        let words = core::slice::from_raw_parts(arena::region(region).add(first as usize), count as usize);
        (words, core::slice::from_raw_parts_mut(program.switches, program.switch_count as usize))
    };
    for (number, switch) in switches.iter_mut().enumerate() {
        *switch = u8::from(stubs::contains(words, number as u32));
    }
}

/// On the run stack: the plan, then the entry.
extern "C" fn invoke(job: *mut c_void) {
    // SAFETY: `perform` passes its own job, which outlives the run.
    let job = unsafe { &*job.cast::<Job>() };
    let Some(function) = entry(job.program, job.request.entry) else { end_run(Termination::WorkerLost, NO_ENTRY) };
    let mut arguments = [core::ptr::null_mut(); plan::MAX_ARGUMENTS];
    let result: *mut c_void = RETURNED.get().0.as_mut_ptr().cast();
    // SAFETY: the program's own driver, with the arguments its plan prepared.
    unsafe {
        plan::build(job.program, job.request, &mut arguments);
        let driver: extern "C" fn(*mut *mut c_void, *mut c_void) = core::mem::transmute(function.driver);
        *libc::__errno_location() = 0;
        driver(arguments.as_mut_ptr(), result);
        if function.address == covet_user_main() {
            // A return from `main` is an exit.
            exit_handlers::call_all(*result.cast::<c_int>());
        }
    }
}

/// A function that can be called from outside.
fn entry(program: &Program, number: u32) -> Option<&Function> {
    if u64::from(number) >= program.function_count {
        return None;
    }
    // SAFETY: inside the program's table.
    let function = unsafe { &*program.functions.add(number as usize) };
    (!function.driver.is_null()).then_some(function)
}

/// Lets the models close what the run has opened. They are the program's code: a run that has ruined them ruins this too.
fn end_models() {
    tracking::stop();
    // SAFETY: it expects nothing.
    unsafe { guarded(covet_end_models, core::ptr::null_mut()) };
    if ENDING.get().termination != Termination::Returned {
        retire();
    }
}

/// Appends to the batch's lists. False when they are full.
fn list(control: &mut Control, word: u64) -> bool {
    let at = control.list_count;
    if at >= control.regions.lists.capacity {
        return false;
    }
    // SAFETY: inside the region.
    unsafe { *arena::region(&control.regions.lists).add(at as usize) = word };
    control.list_count = at + 1;
    true
}

fn frames(control: &mut Control, result: &mut RunResult) {
    let ending = ENDING.get();
    result.frames_at = control.list_count as u32;
    for frame in &ending.frames[..ending.frame_count] {
        result.frames_len += u32::from(list(control, *frame));
    }
}

/// Lists the counters that are not zero, sums them up in the fingerprint, and zeroes them.
fn covered(control: &mut Control, program: &Program, result: &mut RunResult) {
    result.covered_at = control.list_count as u32;
    let mut fingerprint = 0u64;
    for number in 0..program.function_count as usize {
        // SAFETY: the program's own tables.
        let counters = unsafe {
            let function = &*program.functions.add(number);
            let first = program.counters.add(function.counter_start as usize);
            if function.counter_len == 0 || *first == 0 {
                continue;
            }
            core::slice::from_raw_parts_mut(first, function.counter_len as usize)
        };
        // SAFETY: both point into the counters.
        let start = unsafe { counters.as_ptr().offset_from(program.counters) } as u32;
        for (index, counter) in counters.iter_mut().enumerate() {
            let count = core::mem::take(counter);
            if count != 0 {
                let word = Covered::new(start + index as u32, count).pack();
                result.covered_len += u32::from(list(control, word));
                fingerprint = (fingerprint ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23);
            }
        }
    }
    result.fingerprint = fingerprint;
}

/// Lists the condition vectors that were evaluated, in a program that counts them, and zeroes their counters.
fn vectors(control: &mut Control, program: &Program, result: &mut RunResult) {
    result.vectors_at = control.list_count as u32;
    if program.vector_count == 0 {
        return;
    }
    // SAFETY: the program's own table.
    let counts = unsafe { core::slice::from_raw_parts_mut(program.vectors, program.vector_count as usize) };
    for (number, count) in counts.iter_mut().enumerate() {
        let count = core::mem::take(count);
        if count != 0 {
            result.vectors_len += u32::from(list(control, Covered::new(number as u32, count).pack()));
        }
    }
}

/// Makes this process as it was before the first run.
pub fn clean_up(termination: Termination) {
    run::reset_run();
    descriptors::reset(termination);
    scratch::empty(descriptors::folder());
    signal::reset();
    state::reset();
    time::reset();
    exit_handlers::reset();
    files::reset();
    refusals::reset();
    heap::reset();
    reset::restore();
    stack::clean();
}
