//! Signal dispositions and masks: the program's own handlers really run, and are forgotten after the run.
//!
//! Invariant: `CHANGED` is set before anything is changed, so [`reset`] costs nothing for programs that leave signals alone.

use core::ffi::c_int;
use core::mem;

use covet_abi::process::TIME_OUT_SIGNAL;
use covet_abi::termination::Termination;

use crate::libc::stand_in::{forget, set_errno};
use crate::libc::time;
use crate::sys::state::Static;
use crate::worker::serve::standalone;
use crate::worker::signals::{self, end_run};

const SIGNALS: usize = 65;

#[derive(Clone, Copy)]
struct State {
    /// The program's dispositions; a zeroed one is the default.
    actions: [libc::sigaction; SIGNALS],
    stack: libc::stack_t,
    changed: bool,
    masked: bool,
    stack_changed: bool,
}

// SAFETY: all of it is plain data for which zero is a value.
static STATE: Static<State> = Static::new(unsafe { mem::zeroed() });

/// Lets the program's own handler have the signal. False when the default action is due.
pub fn deliver_to_handler(signal: c_int) -> bool {
    let state = STATE.get();
    let number = signal as usize;
    if signal == TIME_OUT_SIGNAL || number >= SIGNALS {
        return false;
    }
    if state.actions[number].sa_sigaction == libc::SIG_DFL && !state.masked {
        return false;
    }
    // SAFETY: the disposition is the program's, or the signal is blocked.
    unsafe { libc::raise(signal) };
    true
}

/// True for signals whose default action does not end a program.
pub fn harmless(signal: c_int) -> bool {
    const HARMLESS: &[c_int] = &[
        libc::SIGCHLD,
        libc::SIGURG,
        libc::SIGWINCH,
        libc::SIGCONT,
        libc::SIGSTOP,
        libc::SIGTSTP,
        libc::SIGTTIN,
        libc::SIGTTOU,
    ];
    HARMLESS.contains(&signal)
}

/// Puts back what the run has changed.
pub fn reset() {
    let state = STATE.get();
    if state.changed || state.masked {
        signals::restore();
    }
    if state.stack_changed {
        signals::restore_stack();
    }
    if state.changed || state.masked || state.stack_changed {
        // SAFETY: as for the initial value.
        *state = unsafe { mem::zeroed() };
    }
}

fn change(signal: c_int, action: &libc::sigaction) {
    let state = STATE.get();
    state.changed = true;
    state.actions[signal as usize] = *action;
    if signal == TIME_OUT_SIGNAL {
        return;
    }
    if action.sa_sigaction == libc::SIG_DFL {
        signals::restore_one(signal);
    } else {
        // SAFETY: the program's own, complete action.
        unsafe { libc::sigaction(signal, action, core::ptr::null_mut()) };
    }
}

fn valid(signal: c_int) -> bool {
    let valid = (1..SIGNALS as c_int).contains(&signal) && signal != libc::SIGKILL && signal != libc::SIGSTOP;
    if !valid {
        set_errno(libc::EINVAL);
    }
    valid
}

#[unsafe(no_mangle)]
pub extern "C" fn __covet_libc_signal(signal: c_int, handler: usize) -> usize {
    if standalone() {
        // SAFETY: the native function.
        return unsafe { libc::signal(signal, handler) };
    }
    if !valid(signal) {
        return libc::SIG_ERR;
    }
    let old = STATE.get().actions[signal as usize].sa_sigaction;
    // SAFETY: plain data, filled in.
    let mut action: libc::sigaction = unsafe { mem::zeroed() };
    action.sa_sigaction = handler;
    action.sa_flags = libc::SA_RESTART;
    change(signal, &action);
    old
}

/// # Safety
/// As the library function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __covet_libc_sigaction(
    signal: c_int,
    action: *const libc::sigaction,
    old: *mut libc::sigaction,
) -> c_int {
    if standalone() {
        // SAFETY: the native function.
        return unsafe { libc::sigaction(signal, action, old) };
    }
    if !valid(signal) {
        return -1;
    }
    let before = STATE.get().actions[signal as usize];
    if !action.is_null() {
        // SAFETY: the caller's record.
        change(signal, unsafe { &*action });
    }
    if !old.is_null() {
        forget(old as u64, size_of::<libc::sigaction>() as u64);
        // SAFETY: the caller's record.
        unsafe { *old = before };
    }
    0
}

/// # Safety
/// As the library function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __covet_libc_sigprocmask(
    how: c_int,
    set: *const libc::sigset_t,
    old: *mut libc::sigset_t,
) -> c_int {
    if standalone() || set.is_null() {
        // SAFETY: the native function.
        return unsafe { libc::sigprocmask(how, set, old) };
    }
    STATE.get().masked = true;
    if !old.is_null() {
        forget(old as u64, size_of::<libc::sigset_t>() as u64);
    }
    // SAFETY: the caller's set, without the signal that the engine needs.
    unsafe {
        let mut wanted = *set;
        libc::sigdelset(&mut wanted, TIME_OUT_SIGNAL);
        libc::sigprocmask(how, &wanted, old)
    }
}

/// # Safety
/// As the library function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __covet_libc_pthread_sigmask(
    how: c_int,
    set: *const libc::sigset_t,
    old: *mut libc::sigset_t,
) -> c_int {
    // SAFETY: the caller's arguments; this one returns the error instead of setting it.
    unsafe { if __covet_libc_sigprocmask(how, set, old) == 0 { 0 } else { *libc::__errno_location() } }
}

/// # Safety
/// As the library function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __covet_libc_sigaltstack(new: *const libc::stack_t, old: *mut libc::stack_t) -> c_int {
    if standalone() {
        // SAFETY: the native function.
        return unsafe { libc::sigaltstack(new, old) };
    }
    let state = STATE.get();
    let mut before = state.stack;
    if before.ss_sp.is_null() {
        before.ss_flags = libc::SS_DISABLE;
    }
    if !new.is_null() {
        // SAFETY: the caller's record; disabling keeps ours, which the program cannot see.
        unsafe {
            if (*new).ss_flags & libc::SS_DISABLE == 0 {
                state.stack_changed = true;
                if libc::sigaltstack(new, core::ptr::null_mut()) != 0 {
                    return -1;
                }
            }
            state.stack = *new;
        }
    }
    if !old.is_null() {
        forget(old as u64, size_of::<libc::stack_t>() as u64);
        // SAFETY: the caller's record.
        unsafe { *old = before };
    }
    0
}

/// Waits for a signal: the next alarm, or nothing that would ever come.
#[unsafe(no_mangle)]
pub extern "C" fn __covet_libc_pause() -> c_int {
    if standalone() {
        // SAFETY: the native function.
        return unsafe { libc::pause() };
    }
    if !time::ring_next_alarm() {
        end_run(Termination::TimedOut, 0);
    }
    set_errno(libc::EINTR);
    -1
}

/// # Safety
/// As the library function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __covet_libc_sigsuspend(mask: *const libc::sigset_t) -> c_int {
    if standalone() {
        // SAFETY: the native function.
        return unsafe { libc::sigsuspend(mask) };
    }
    // SAFETY: the caller's set, swapped in for as long as the wait lasts; pending signals arrive in between.
    unsafe {
        let mut before: libc::sigset_t = mem::zeroed();
        let mut pending: libc::sigset_t = mem::zeroed();
        libc::sigpending(&mut pending);
        let waiting = (1..TIME_OUT_SIGNAL)
            .any(|signal| libc::sigismember(&pending, signal) == 1 && libc::sigismember(mask, signal) == 0);
        __covet_libc_sigprocmask(libc::SIG_SETMASK, mask, &mut before);
        if !waiting && !time::ring_next_alarm() {
            end_run(Termination::TimedOut, 0);
        }
        libc::sigprocmask(libc::SIG_SETMASK, &before, core::ptr::null_mut());
    }
    set_errno(libc::EINTR);
    -1
}

/// Delivers an alarm: to the program's handler, or its default action, which ends the run.
pub fn alarm_rings() {
    if !deliver_to_handler(libc::SIGALRM) {
        end_run(Termination::Signalled, libc::SIGALRM);
    }
}
