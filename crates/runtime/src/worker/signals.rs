//! Ending a run from anywhere: faults, time-outs and library calls become an [`Ending`], and control goes back to the
//! worker loop.
//!
//! Handlers run on their own stack and block nothing. The engine's time-out signal is held back while the runtime is in the
//! middle of changing its tables ([`Critical`]). Invariant: `ACTIVE` is true exactly while a run is under the guard.

use core::ffi::{c_int, c_void};
use core::mem;

use covet_abi::process::{Failure, TIME_OUT_SIGNAL};
use covet_abi::termination::Termination;

use crate::sys::image::image;
use crate::sys::state::{Static, give_up};
use crate::sys::{mapping, stack};
use crate::worker::frames::{MAX_FRAMES, trace, walk};
use crate::worker::{deadline, division};

const HANDLER_STACK: usize = 128 << 10;

/// Signals whose default action ends the program and that can come from its own code.
const FATAL: &[c_int] = &[
    libc::SIGSEGV,
    libc::SIGBUS,
    libc::SIGFPE,
    libc::SIGILL,
    libc::SIGABRT,
    libc::SIGTRAP,
    libc::SIGSYS,
    libc::SIGPIPE,
    libc::SIGALRM,
    libc::SIGVTALRM,
    libc::SIGPROF,
    libc::SIGUSR1,
    libc::SIGUSR2,
    libc::SIGXCPU,
];

/// How the current run ended.
pub struct Ending {
    pub termination: Termination,
    pub code: i32,
    pub fault: u64,
    pub frames: [u64; MAX_FRAMES],
    pub frame_count: usize,
}

pub static ENDING: Static<Ending> = Static::new(Ending {
    termination: Termination::Returned,
    code: 0,
    fault: 0,
    frames: [0; MAX_FRAMES],
    frame_count: 0,
});
static ACTIVE: Static<bool> = Static::new(false);
static CRITICAL: Static<u32> = Static::new(0);
static HELD_BACK: Static<bool> = Static::new(false);
static RETIRE: Static<bool> = Static::new(false);
/// The thread that runs are on.
static MAIN: Static<libc::pthread_t> = Static::new(0);
static HANDLER_STACK_AT: Static<*mut c_void> = Static::new(core::ptr::null_mut());

unsafe extern "C" {
    fn covet_guard(function: unsafe extern "C" fn(*mut c_void), argument: *mut c_void, top: *mut c_void) -> c_int;
    fn covet_leave(why: c_int) -> !;
}

/// Calls `function(argument)` as a run that starts now; its ending is then in [`ENDING`].
///
/// # Safety
/// `argument` must be what `function` expects, and nothing in its frames need be dropped.
pub unsafe fn guarded(function: unsafe extern "C" fn(*mut c_void), argument: *mut c_void) {
    let ending = ENDING.get();
    ending.termination = Termination::Returned;
    ending.code = 0;
    ending.fault = 0;
    ending.frame_count = 0;
    CRITICAL.write(0);
    HELD_BACK.write(false);
    deadline::begin();
    ACTIVE.write(true);
    // SAFETY: the run stack is mapped; the rest as the caller vouches.
    unsafe { covet_guard(function, argument, stack::top() as *mut c_void) };
    ACTIVE.write(false);
}

/// True while a run is on.
pub fn active() -> bool {
    ACTIVE.read()
}

/// Ends the current run.
pub fn end_run(termination: Termination, code: i32) -> ! {
    if !on_main_thread() {
        end_from_thread(termination, code);
    }
    if !ACTIVE.read() {
        give_up("a run ended outside a run");
    }
    ACTIVE.write(false);
    let ending = ENDING.get();
    ending.termination = termination;
    ending.code = code;
    // SAFETY: a run is on, so the guard's frame is alive.
    unsafe { covet_leave(1) }
}

/// As [`end_run`], with the call stack that starts at frame `frame` (two words: outer frame, return address).
pub fn end_run_at(frame: u64, termination: Termination, code: i32) -> ! {
    walk(frame, 0);
    end_run(termination, code)
}

fn on_main_thread() -> bool {
    // SAFETY: always succeeds.
    unsafe { libc::pthread_self() == MAIN.read() }
}

/// Another thread cannot go back to the worker loop: the process ends, and its status tells the termination.
fn end_from_thread(termination: Termination, code: i32) -> ! {
    match termination {
        // SAFETY: ends the process.
        Termination::Exited => unsafe { libc::_exit(code) },
        Termination::Signalled => die(code),
        _ => die(libc::SIGABRT),
    }
    // SAFETY: the signal was blocked.
    unsafe { libc::_exit(Failure::Thread as i32) }
}

/// After this run the process is not fit for another.
pub fn retire() {
    RETIRE.write(true);
}

pub fn retired() -> bool {
    RETIRE.read()
}

/// While one of these lives, a time-out waits.
pub struct Critical(());

impl Critical {
    #[inline(always)]
    pub fn enter() -> Critical {
        CRITICAL.write(CRITICAL.read() + 1);
        Critical(())
    }
}

impl Drop for Critical {
    #[inline(always)]
    fn drop(&mut self) {
        let depth = CRITICAL.read().saturating_sub(1);
        CRITICAL.write(depth);
        if depth == 0 && HELD_BACK.read() {
            HELD_BACK.write(false);
            if ACTIVE.read() {
                end_run(Termination::TimedOut, 0);
            }
        }
    }
}

/// Installs the handlers, for the whole life of the worker.
pub fn init() {
    let memory = mapping::private(HANDLER_STACK);
    if memory.is_null() {
        give_up("no memory for the signal stack");
    }
    HANDLER_STACK_AT.write(memory.cast());
    // SAFETY: always succeeds.
    MAIN.write(unsafe { libc::pthread_self() });
    restore_stack();
    restore();
}

/// Puts the handlers' stack back.
pub fn restore_stack() {
    let stack = libc::stack_t { ss_sp: HANDLER_STACK_AT.read(), ss_flags: 0, ss_size: HANDLER_STACK };
    // SAFETY: memory that stays mapped.
    unsafe { libc::sigaltstack(&stack, core::ptr::null_mut()) };
}

/// Puts every disposition back to what [`init`] set up, whatever the program has done to it.
pub fn restore() {
    for signal in 1..=TIME_OUT_SIGNAL {
        restore_one(signal);
    }
    // SAFETY: an empty set for the calling thread.
    unsafe {
        let mut none: libc::sigset_t = mem::zeroed();
        libc::sigemptyset(&mut none);
        libc::sigprocmask(libc::SIG_SETMASK, &none, core::ptr::null_mut());
    }
}

pub fn restore_one(signal: c_int) {
    // SAFETY: plain data, filled in below.
    let mut action: libc::sigaction = unsafe { mem::zeroed() };
    action.sa_sigaction = if signal == TIME_OUT_SIGNAL || FATAL.contains(&signal) {
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | libc::SA_NODEFER | libc::SA_RESTART;
        handle as *const () as usize
    } else if signal == libc::SIGXFSZ {
        libc::SIG_IGN
    } else {
        libc::SIG_DFL
    };
    // SAFETY: `action` is complete. Signals that cannot be changed are refused, which is fine.
    unsafe { libc::sigaction(signal, &action, core::ptr::null_mut()) };
}

extern "C" fn handle(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    // SAFETY: the kernel passes a valid machine context to handlers with SA_SIGINFO.
    let (program_counter, stack_pointer, frame) = unsafe { registers(&*context.cast()) };
    if !on_main_thread() {
        return on_other_thread(signal);
    }
    if signal == TIME_OUT_SIGNAL {
        if !ACTIVE.read() || !deadline::is_over() {
            return;
        }
        if CRITICAL.read() > 0 {
            HELD_BACK.write(true);
            return;
        }
        if !image().has_code(program_counter) && !after_system_call(program_counter) {
            // Cut off inside a library: its locks may be taken for good.
            retire();
        }
    } else if !ACTIVE.read() {
        die(signal);
    }
    trace(program_counter, stack_pointer, frame);
    let hardware = matches!(signal, libc::SIGSEGV | libc::SIGBUS | libc::SIGFPE | libc::SIGILL | libc::SIGTRAP);
    // SAFETY: the kernel passes valid information.
    let (address, code) = unsafe { ((*info).si_addr() as u64, (*info).si_code) };
    let sent = code <= 0;
    // The kernel does not tell addresses that no memory can have, and says 0: that is not NULL.
    let fault = if code == SI_KERNEL { u64::MAX } else { address };
    if hardware && !sent {
        // SAFETY: as above.
        let divisor = || unsafe { division::divisor(&*context.cast()) };
        ENDING.get().fault = if signal == libc::SIGFPE { divisor().unwrap_or(0) } else { fault };
    }
    let termination = match signal {
        TIME_OUT_SIGNAL => Termination::TimedOut,
        libc::SIGABRT => Termination::Aborted,
        libc::SIGSEGV | libc::SIGBUS if !sent && stack::overflowed(fault, stack_pointer) => Termination::StackOverflow,
        _ => Termination::Signalled,
    };
    end_run(termination, if termination == Termination::TimedOut { 0 } else { signal })
}

/// A fault that comes with no address.
const SI_KERNEL: c_int = 0x80;

/// True when the instruction before this one is a system call: a library waits there without having half-done anything.
#[cfg(target_arch = "x86_64")]
fn after_system_call(program_counter: u64) -> bool {
    // SAFETY: code that was just running; an instruction of two bytes does not start at a page's first byte minus two
    // unless that page is code as well.
    unsafe { *((program_counter - 2) as *const [u8; 2]) == [0x0f, 0x05] }
}

#[cfg(target_arch = "aarch64")]
fn after_system_call(program_counter: u64) -> bool {
    // SAFETY: code that was just running.
    unsafe { *((program_counter - 4) as *const u32) == 0xd400_0001 }
}

/// Other threads hand a time-out on, and die of everything else together with the process.
fn on_other_thread(signal: c_int) {
    if signal == TIME_OUT_SIGNAL {
        // SAFETY: the main thread lives as long as the process does.
        unsafe { libc::pthread_kill(MAIN.read(), TIME_OUT_SIGNAL) };
    } else {
        die(signal);
    }
}

/// A fault outside a run is our own: die of it, so that the engine sees it.
fn die(signal: c_int) {
    // SAFETY: default action, then the same signal again.
    unsafe {
        libc::signal(signal, libc::SIG_DFL);
        libc::raise(signal);
    }
}

#[cfg(target_arch = "x86_64")]
fn registers(context: &libc::ucontext_t) -> (u64, u64, u64) {
    let all = &context.uc_mcontext.gregs;
    let register = |number: c_int| all[number as usize] as u64;
    (register(libc::REG_RIP), register(libc::REG_RSP), register(libc::REG_RBP))
}

#[cfg(target_arch = "aarch64")]
fn registers(context: &libc::ucontext_t) -> (u64, u64, u64) {
    let all = &context.uc_mcontext;
    (all.pc, all.sp, all.regs[29])
}
