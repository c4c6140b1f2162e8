//! A clock that is the same in every run: it starts at a fixed date, moves a little with every look at it, and jumps when
//! the program sleeps. Sleeping returns at once, alarms ring when the clock passes them.
//!
//! Invariant: what a run reads here depends on its own calls alone.

use core::ffi::{c_int, c_long, c_uint, c_ulong, c_void};

use crate::libc::signal;
use crate::libc::stand_in::{forget, set_errno};
use crate::sys::state::Static;
use crate::worker::serve::standalone;

const SECOND: u64 = 1_000_000_000;
/// 2023-11-14 22:13:20 UTC.
const START: u64 = 1_700_000_000 * SECOND;
/// Each look at the clock takes this long.
const TICK: u64 = 1_000;

struct Clock {
    now: u64,
    /// When the alarm rings; 0: never. And how long after that again.
    alarm: u64,
    interval: u64,
}

static CLOCK: Static<Clock> = Static::new(Clock { now: START, alarm: 0, interval: 0 });

pub fn reset() {
    *CLOCK.get() = Clock { now: START, alarm: 0, interval: 0 };
}

/// Moves the clock and rings what it passes.
fn advance(nanoseconds: u64) {
    let clock = CLOCK.get();
    clock.now = clock.now.saturating_add(nanoseconds);
    if clock.alarm != 0 && clock.now >= clock.alarm {
        clock.alarm = if clock.interval == 0 { 0 } else { clock.now + clock.interval };
        signal::alarm_rings();
    }
}

/// Jumps to the next alarm. False when none is set.
pub fn ring_next_alarm() -> bool {
    let clock = CLOCK.get();
    if clock.alarm == 0 {
        return false;
    }
    advance(clock.alarm.saturating_sub(clock.now));
    true
}

fn look() -> u64 {
    advance(TICK);
    CLOCK.get().now
}

/// Sets the alarm (0: off) and tells in how many nanoseconds the old one would have rung.
fn set_alarm(after: u64, interval: u64) -> u64 {
    let clock = CLOCK.get();
    let left = clock.alarm.saturating_sub(clock.now);
    clock.alarm = if after == 0 { 0 } else { clock.now + after };
    clock.interval = interval;
    left
}

#[unsafe(no_mangle)]
pub extern "C" fn __covet_libc_alarm(seconds: c_uint) -> c_uint {
    if standalone() {
        // SAFETY: the native function.
        return unsafe { libc::alarm(seconds) };
    }
    set_alarm(u64::from(seconds) * SECOND, 0).div_ceil(SECOND) as c_uint
}

#[unsafe(no_mangle)]
pub extern "C" fn __covet_libc_ualarm(first: c_uint, interval: c_uint) -> c_uint {
    unsafe extern "C" {
        fn ualarm(first: c_uint, interval: c_uint) -> c_uint;
    }
    if standalone() {
        // SAFETY: the native function.
        return unsafe { ualarm(first, interval) };
    }
    (set_alarm(u64::from(first) * 1000, u64::from(interval) * 1000) / 1000) as c_uint
}

/// # Safety
/// As the library function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __covet_libc_setitimer(
    which: c_int,
    new: *const libc::itimerval,
    old: *mut libc::itimerval,
) -> c_int {
    unsafe extern "C" {
        fn setitimer(which: c_int, new: *const libc::itimerval, old: *mut libc::itimerval) -> c_int;
    }
    if standalone() {
        // SAFETY: the native function.
        return unsafe { setitimer(which, new, old) };
    }
    let nanoseconds = |time: &libc::timeval| time.tv_sec as u64 * SECOND + time.tv_usec as u64 * 1000;
    if !old.is_null() {
        forget(old as u64, size_of::<libc::itimerval>() as u64);
        // SAFETY: the caller's record.
        unsafe { *old = core::mem::zeroed() };
    }
    // Timers of processor time never ring: a run's own speed must not matter to it.
    if which == libc::ITIMER_REAL && !new.is_null() {
        // SAFETY: the caller's record.
        unsafe { set_alarm(nanoseconds(&(*new).it_value), nanoseconds(&(*new).it_interval)) };
    }
    0
}

#[unsafe(no_mangle)]
pub extern "C" fn __covet_libc_sleep(seconds: c_uint) -> c_uint {
    if standalone() {
        // SAFETY: the native function.
        return unsafe { libc::sleep(seconds) };
    }
    advance(u64::from(seconds) * SECOND);
    0
}

#[unsafe(no_mangle)]
pub extern "C" fn __covet_libc_usleep(microseconds: c_uint) -> c_int {
    if standalone() {
        // SAFETY: the native function.
        return unsafe { libc::usleep(microseconds) };
    }
    advance(u64::from(microseconds) * 1000);
    0
}

/// # Safety
/// As the library function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __covet_libc_nanosleep(wanted: *const libc::timespec, left: *mut libc::timespec) -> c_int {
    if standalone() {
        // SAFETY: the native function.
        return unsafe { libc::nanosleep(wanted, left) };
    }
    // SAFETY: the caller's record.
    match unsafe { duration(wanted) } {
        Some(nanoseconds) => {
            advance(nanoseconds);
            0
        }
        None => {
            set_errno(libc::EINVAL);
            -1
        }
    }
}

unsafe fn duration(time: *const libc::timespec) -> Option<u64> {
    // SAFETY: the caller's record.
    let time = unsafe { &*time };
    let valid = time.tv_sec >= 0 && (0..SECOND as i64).contains(&time.tv_nsec);
    valid.then(|| (time.tv_sec as u64).saturating_mul(SECOND).saturating_add(time.tv_nsec as u64))
}

/// # Safety
/// As the library function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __covet_libc_clock_nanosleep(
    clock: c_int,
    flags: c_int,
    wanted: *const libc::timespec,
    left: *mut libc::timespec,
) -> c_int {
    if standalone() {
        // SAFETY: the native function.
        return unsafe { libc::clock_nanosleep(clock, flags, wanted, left) };
    }
    // SAFETY: the caller's record.
    let Some(time) = (unsafe { duration(wanted) }) else { return libc::EINVAL };
    let absolute = flags & libc::TIMER_ABSTIME != 0;
    advance(if absolute { time.saturating_sub(CLOCK.get().now) } else { time });
    0
}

#[unsafe(no_mangle)]
pub extern "C" fn __covet_libc_sched_yield() -> c_int {
    // SAFETY: the native function.
    unsafe { libc::sched_yield() }
}

/// # Safety
/// As the library function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __covet_libc_time(result: *mut libc::time_t) -> libc::time_t {
    if standalone() {
        // SAFETY: the native function.
        return unsafe { libc::time(result) };
    }
    let seconds = (look() / SECOND) as libc::time_t;
    if !result.is_null() {
        forget(result as u64, size_of::<libc::time_t>() as u64);
        // SAFETY: the caller's variable.
        unsafe { *result = seconds };
    }
    seconds
}

/// # Safety
/// As the library function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __covet_libc_gettimeofday(result: *mut libc::timeval, zone: *mut c_void) -> c_int {
    if standalone() {
        // SAFETY: the native function.
        return unsafe { libc::gettimeofday(result, zone.cast()) };
    }
    let now = look();
    forget(result as u64, size_of::<libc::timeval>() as u64);
    // SAFETY: the caller's variable.
    unsafe { *result = libc::timeval { tv_sec: (now / SECOND) as i64, tv_usec: (now % SECOND / 1000) as i64 } };
    0
}

unsafe fn store_time(result: *mut libc::timespec, now: u64) {
    forget(result as u64, size_of::<libc::timespec>() as u64);
    // SAFETY: the caller's variable.
    unsafe { *result = libc::timespec { tv_sec: (now / SECOND) as i64, tv_nsec: (now % SECOND) as i64 } };
}

/// # Safety
/// As the library function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __covet_libc_clock_gettime(clock: c_int, result: *mut libc::timespec) -> c_int {
    if standalone() {
        // SAFETY: the native function.
        return unsafe { libc::clock_gettime(clock, result) };
    }
    let now = look();
    let wall = clock == libc::CLOCK_REALTIME || clock == libc::CLOCK_REALTIME_COARSE;
    // SAFETY: the caller's variable.
    unsafe { store_time(result, if wall { now } else { now - START + SECOND }) };
    0
}

/// # Safety
/// As the library function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __covet_libc_timespec_get(result: *mut libc::timespec, base: c_int) -> c_int {
    unsafe extern "C" {
        fn timespec_get(result: *mut libc::timespec, base: c_int) -> c_int;
    }
    if standalone() {
        // SAFETY: the native function.
        return unsafe { timespec_get(result, base) };
    }
    if base != 1 {
        return 0;
    }
    // SAFETY: the caller's variable.
    unsafe { store_time(result, look()) };
    base
}

/// Processor time in microseconds.
#[unsafe(no_mangle)]
pub extern "C" fn __covet_libc_clock() -> c_long {
    unsafe extern "C" {
        fn clock() -> c_long;
    }
    if standalone() {
        // SAFETY: the native function.
        return unsafe { clock() };
    }
    ((look() - START) / 1000) as c_long
}

/// # Safety
/// As the library function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __covet_libc_times(result: *mut libc::tms) -> c_ulong {
    if standalone() {
        // SAFETY: the native function.
        return unsafe { libc::times(result) } as c_ulong;
    }
    let ticks = (look() - START) / (SECOND / 100);
    if !result.is_null() {
        forget(result as u64, size_of::<libc::tms>() as u64);
        // SAFETY: the caller's variable.
        unsafe { *result = libc::tms { tms_utime: ticks as i64, tms_stime: 0, tms_cutime: 0, tms_cstime: 0 } };
    }
    ticks as c_ulong
}
