//! Whether a run is over its time: a decision of the worker, each time the engine asks.
//!
//! Wall time alone would end innocent runs on a busy machine. The kernel tells how long the process was ready to run but had
//! to wait; that time does not count, up to a bound. The first question of a run, half-way through its time, only takes the
//! measure. Invariant: a run is never ended before its time, and always by [`LONGEST_RUN`] times its time.

use core::sync::atomic::{AtomicU32, Ordering};

use covet_abi::process::LONGEST_RUN;

use crate::sys::state::Static;
use crate::term::arena;
use crate::trace::progress;

/// When the present run started, how long runs may take, and what the first question found.
static STARTED: Static<u64> = Static::new(0);
static LIMIT: Static<u64> = Static::new(0);
static MARK: Static<Option<Mark>> = Static::new(None);

/// A run that looks far ahead may take so many times its time.
const FAR_RUN: u64 = 4;

#[derive(Clone, Copy)]
struct Mark {
    time: u64,
    waited: u64,
}

/// How long a run may take.
pub fn set_limit(milliseconds: u64) {
    LIMIT.write(milliseconds.saturating_mul(1_000_000));
}

/// A run starts now.
pub fn begin() {
    MARK.write(None);
    STARTED.write(nanoseconds());
}

/// Nanoseconds since the present run started.
pub fn run_time() -> u64 {
    nanoseconds().saturating_sub(STARTED.read())
}

/// Called from the signal handler: whether the present run is to end.
pub fn is_over() -> bool {
    beat();
    let (time, limit) = (run_time(), LIMIT.read());
    let longest = limit.saturating_mul(LONGEST_RUN.into());
    if time < limit / 20 * 9 {
        // The question was about the run before, which has just ended.
        return false;
    }
    let Some(mark) = MARK.read() else {
        MARK.write(Some(Mark { time, waited: waited() }));
        return false;
    };
    // One that looks far ahead asks for many inputs; it is on its way.
    let limit = if progress::looks_far() { limit.saturating_mul(FAR_RUN) } else { limit };
    let starved = waited().saturating_sub(mark.waited);
    let ran = (time - mark.time).saturating_sub(starved);
    time >= limit / 10 * 9 && (ran >= limit / 5 * 2 || time >= longest)
}

/// Tells the engine that the question has arrived.
fn beat() {
    // SAFETY: a word of the attached pages.
    unsafe { AtomicU32::from_ptr(&raw mut (*arena::control()).heartbeat).fetch_add(1, Ordering::Release) };
}

/// Nanoseconds on a clock that never jumps.
pub fn nanoseconds() -> u64 {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: fills in `now`.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut now) };
    now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64
}

/// Nanoseconds that this thread was ready to run but did not; 0 where the kernel does not tell.
fn waited() -> u64 {
    let mut text = [0u8; 128];
    // SAFETY: plain calls that signal handlers may make, into a buffer of that size.
    let length = unsafe {
        let file = libc::open(c"/proc/thread-self/schedstat".as_ptr(), libc::O_RDONLY | libc::O_CLOEXEC);
        if file < 0 {
            return 0;
        }
        let length = libc::read(file, text.as_mut_ptr().cast(), text.len());
        libc::close(file);
        length
    };
    // The second of three numbers.
    let mut words = text[..length.max(0) as usize].split(|byte| *byte == b' ');
    let second = words.nth(1).unwrap_or(b"");
    second.iter().fold(0u64, |number, digit| number.wrapping_mul(10).wrapping_add(u64::from(digit.wrapping_sub(b'0'))))
}
