//! Inputs that the program asks for → whether the run still gets anywhere, and its end when it does not.
//!
//! Servers, controllers and state machines ask for an input in every round of a loop that never ends. What such a run does is told by the
//! counters: when so many inputs in a row ([`InputBounds`]) have brought no counter that was zero before, the next rounds will hardly say more. The run
//! is then no longer tracked, which makes it quick, and goes on for a while in case that something new or the end is near; otherwise it ends
//! where it asks for the next input, as if it had left there. Invariant: a run that is cut has listed the last input of every name up to the
//! cut and none after it, so a test of them ends at the same place.

use core::ptr::null;

use covet_abi::shared::{InputBounds, ResultFlags, RunRequest};
use covet_abi::sites::Program;

#[cfg(not(test))]
use crate::libc::process::__covet_libc_exit;
use crate::term::arena;
use crate::trace::tracking::{self, Lone};
use crate::trace::{marking, run};
use crate::worker::deadline::nanoseconds;

#[derive(Clone, Copy)]
struct Progress {
    bounds: InputBounds,
    /// Inputs asked for so far, up to the last one that followed something new, and at the next look at the counters.
    asked: u32,
    news_at: u32,
    look_at: u32,
    /// When the counters were last looked at.
    looked: u64,
    /// Inputs asked for in the first half of the run's time; all, until that is over.
    asked_by_half: u32,
    /// Counters that are not zero, as last seen.
    bumped: u64,
    stall: Stall,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stall {
    /// The run is tracked.
    Not,
    /// It is not, and nothing new has come since. So much was listed, and asked for, by then.
    Since { listed: u64, variables: u32, asked: u32 },
    /// It is not, and something new has come since.
    Over,
}

static PROGRAM: Lone<*const Program> = Lone::new(null());
static PROGRESS: Lone<Progress> = Lone::new(Progress {
    bounds: InputBounds { sure: 0, patience: 0, horizon: 0, most: 0 },
    asked: 0,
    news_at: 0,
    look_at: 0,
    looked: 0,
    asked_by_half: u32::MAX,
    bumped: 0,
    stall: Stall::Not,
});

/// Whose counters tell.
pub fn init(program: *const Program) {
    PROGRAM.set(program);
}

/// A run begins.
pub fn begin(request: &RunRequest) {
    let bounds = request.bounds;
    let (look_at, asked_by_half) = (interval(bounds), u32::MAX);
    let stall = Stall::Not;
    PROGRESS.set(Progress { bounds, asked: 0, news_at: 0, look_at, looked: 0, asked_by_half, bumped: 0, stall });
}

/// A run has ended: tells how many inputs it asked for, and whether the end came after its patience.
pub fn finish() {
    let progress = PROGRESS.get();
    if let Stall::Since { .. } | Stall::Over = progress.stall {
        run::flag(ResultFlags::STALLED);
    }
    run::with_result(|result| result.asked = progress.asked);
}

/// Whether the run has lost its patience and is not tracked any more.
#[inline]
pub fn is_stalled() -> bool {
    PROGRESS.get().stall != Stall::Not
}

/// Inputs from which on a run looks far.
const FAR: u32 = 1 << 15;

/// Whether the run is to go on for very many inputs, and still asks for them.
pub fn looks_far() -> bool {
    let Progress { bounds, asked, looked, .. } = PROGRESS.get();
    let is_asking = looked != 0 && nanoseconds().saturating_sub(looked) < ASKING;
    bounds.horizon >= FAR && asked >= FAR && is_asking
}

/// Nanoseconds in which a program that goes on asking for inputs has asked for some.
const ASKING: u64 = 100_000_000;

/// Inputs asked for so far.
#[inline]
pub fn count() -> u32 {
    PROGRESS.get().asked
}

/// The program asks for one more input. Does not come back when the run is cut.
#[inline]
pub fn asked() {
    // SAFETY: one thread.
    let progress = unsafe { &mut *PROGRESS.pointer() };
    if progress.bounds.most != 0 && progress.asked >= progress.bounds.most {
        end(progress, ResultFlags::CAPPED);
    }
    if progress.bounds.horizon != 0 && progress.asked >= progress.look_at {
        look(progress);
    }
    progress.asked += 1;
}

#[cold]
fn look(progress: &mut Progress) {
    progress.look_at = progress.asked.saturating_add(interval(progress.bounds));
    progress.looked = nanoseconds();
    let bumped = bumped();
    if bumped > progress.bumped {
        (progress.bumped, progress.news_at) = (bumped, progress.asked);
        if progress.stall != Stall::Not {
            progress.stall = Stall::Over;
        }
        return;
    }
    let idle = progress.asked.saturating_sub(progress.news_at.max(progress.bounds.sure));
    // The longer nothing has come, the less a look is worth; and those who look far have a long way to go.
    progress.look_at = progress.look_at.max(progress.asked.saturating_add(idle / 16));
    if idle >= progress.bounds.patience && progress.stall == Stall::Not {
        tracking::stop();
        let mut variables = 0;
        run::with_result(|result| variables = result.variables_len);
        // SAFETY: attached pages.
        let listed = unsafe { (*arena::control()).list_count };
        progress.stall = Stall::Since { listed, variables, asked: progress.asked };
    }
    if idle >= progress.bounds.horizon {
        end(progress, ResultFlags::CUT);
    }
}

/// Half of the run's time is over.
pub fn mark() {
    // SAFETY: one thread, which this signal has interrupted; the word is read only when the run has ended.
    unsafe { (*PROGRESS.pointer()).asked_by_half = PROGRESS.get().asked };
}

/// Whether a run that is over its time was still asking for inputs in the second half of it: then it is cut, not hanging.
pub fn cut_by_time() -> bool {
    // SAFETY: one thread, and the run has ended.
    let progress = unsafe { &mut *PROGRESS.pointer() };
    let is_asking = progress.asked > progress.asked_by_half;
    if is_asking {
        settle(progress);
        run::flag(ResultFlags::CUT);
    }
    is_asking
}

/// Ends the run here, or where its patience ended when nothing has come since.
fn end(progress: &mut Progress, why: ResultFlags) -> ! {
    settle(progress);
    run::flag(why);
    leave()
}

/// Lists what tells where the run is cut: the inputs since the patience ended are forgotten when nothing has come since.
fn settle(progress: &mut Progress) {
    match progress.stall {
        Stall::Not => {}
        Stall::Since { listed, variables, asked } => {
            // SAFETY: attached pages; what was listed since is taken back.
            unsafe { (&raw mut (*arena::control()).list_count).write_volatile(listed) };
            run::with_result(|result| result.variables_len = variables);
            (progress.asked, progress.stall) = (asked, Stall::Not);
        }
        Stall::Over => marking::name_last(),
    }
}

/// As if the program had left: its exit handlers are called.
#[cfg(not(test))]
fn leave() -> ! {
    __covet_libc_exit(0)
}

#[cfg(test)]
fn leave() -> ! {
    crate::tests::end_run(covet_abi::termination::Termination::Exited, 0)
}

/// Inputs between two looks at the counters, which take their time.
fn interval(bounds: InputBounds) -> u32 {
    (bounds.patience.min(bounds.horizon) / 4).max(1)
}

/// Counters, and condition vectors, that are not zero.
fn bumped() -> u64 {
    let program = PROGRAM.get();
    if program.is_null() {
        return 0;
    }
    let is_bumped = |count: &&u64| **count != 0;
    let mut bumped = 0;
    // SAFETY: the program's own tables.
    unsafe {
        let program = &*program;
        for number in 0..program.function_count as usize {
            let function = &*program.functions.add(number);
            let first = program.counters.add(function.counter_start as usize);
            if function.counter_len != 0 && *first != 0 {
                let counters = core::slice::from_raw_parts(first, function.counter_len as usize);
                bumped += counters.iter().filter(is_bumped).count() as u64;
            }
        }
        if program.vector_count != 0 {
            let vectors = core::slice::from_raw_parts(program.vectors, program.vector_count as usize);
            bumped += vectors.iter().filter(is_bumped).count() as u64;
        }
    }
    bumped
}
