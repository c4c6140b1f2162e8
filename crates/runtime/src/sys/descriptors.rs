//! The process's descriptors: standard ones as they were, everything else a run has opened closed again.
//!
//! Invariant: our own descriptors have numbers from [`OWN_DESCRIPTORS`] on and the program's are below, so one call closes them all.

use core::ffi::c_int;

use covet_abi::process::{OUTPUT_FROM_RUN, OWN_DESCRIPTORS};
use covet_abi::termination::Termination;

use crate::sys::state::{Static, give_up};

const STANDARD: usize = 3;

struct State {
    saved: [c_int; STANDARD],
    folder: c_int,
    kept: bool,
    touched: bool,
    resets: u32,
}

static STATE: Static<State> =
    Static::new(State { saved: [-1; STANDARD], folder: -1, kept: false, touched: false, resets: 0 });

/// Descriptors that hide behind closed ones are looked for once in this many runs.
const SWEEP_EVERY: u32 = 64;

unsafe extern "C" {
    static stdin: *mut libc::FILE;
    static stdout: *mut libc::FILE;
    static stderr: *mut libc::FILE;
    fn __fpending(stream: *mut libc::FILE) -> usize;
    fn __fpurge(stream: *mut libc::FILE);
    fn clearerr(stream: *mut libc::FILE);
}

/// Moves a descriptor of ours out of the program's way.
pub fn out_of_the_way(descriptor: c_int) -> c_int {
    // SAFETY: plain descriptor calls.
    let moved = unsafe { libc::fcntl(descriptor, libc::F_DUPFD_CLOEXEC, OWN_DESCRIPTORS) };
    if moved < 0 {
        give_up("no room for descriptors from 1000 on: raise the limit on open files");
    }
    moved
}

/// Remembers the standard descriptors and the folder, of which it returns a descriptor.
pub fn init() -> c_int {
    let state = STATE.get();
    for number in 0..STANDARD {
        state.saved[number] = out_of_the_way(number as c_int);
    }
    // SAFETY: opens the current folder.
    let folder = unsafe { libc::open(c".".as_ptr(), libc::O_RDONLY | libc::O_DIRECTORY | libc::O_CLOEXEC) };
    state.folder = out_of_the_way(folder);
    close_from(STANDARD as c_int);
    discard_output(state);
    state.folder
}

/// What the program prints is nobody's business, unless a run's output is kept.
fn discard_output(state: &mut State) {
    // SAFETY: plain descriptor calls.
    unsafe {
        let nowhere = libc::open(c"/dev/null".as_ptr(), libc::O_RDWR);
        if nowhere < 0 {
            give_up("/dev/null cannot be opened");
        }
        for number in 1..STANDARD {
            libc::dup2(nowhere, number as c_int);
            libc::dup3(nowhere, state.saved[number], libc::O_CLOEXEC);
        }
        libc::close(nowhere);
    }
}

/// The folder that runs start in.
pub fn folder() -> c_int {
    STATE.get().folder
}

/// Lets the run print into `output`, next to the folder that runs start in, if that is wanted.
pub fn begin(keep_output: bool) {
    let state = STATE.get();
    state.kept = keep_output;
    if !keep_output {
        return;
    }
    let flags = libc::O_WRONLY | libc::O_CREAT | libc::O_TRUNC | libc::O_APPEND;
    // SAFETY: plain descriptor calls.
    unsafe {
        let output = libc::openat(state.folder, OUTPUT_FROM_RUN.as_ptr(), flags, 0o600);
        if output >= 0 {
            libc::dup2(output, 1);
            libc::dup2(output, 2);
            libc::close(output);
        }
    }
}

/// After a run: what is still in the library's buffers is written if the program would have written it, and dropped otherwise.
pub fn reset(termination: Termination) {
    let state = STATE.get();
    // SAFETY: the library's own streams; no run is on.
    unsafe {
        for stream in [stdout, stderr] {
            if __fpending(stream) > 0 {
                match termination {
                    Termination::Returned | Termination::Exited => {
                        libc::fflush(stream);
                    }
                    _ => __fpurge(stream),
                }
            }
            clearerr(stream);
        }
        __fpurge(stdin);
        clearerr(stdin);
        if state.kept || state.touched {
            for (number, saved) in state.saved.iter().enumerate() {
                libc::dup2(*saved, number as c_int);
            }
        }
    }
    state.touched = false;
    state.resets = state.resets.wrapping_add(1);
    // The lowest number is handed out first: when the first two are free, nothing is open that was not opened beside others.
    if state.resets.is_multiple_of(SWEEP_EVERY) || is_open(STANDARD as c_int) || is_open(STANDARD as c_int + 1) {
        close_from(STANDARD as c_int);
    }
}

fn is_open(descriptor: c_int) -> bool {
    // SAFETY: only asks.
    unsafe { libc::fcntl(descriptor, libc::F_GETFD) >= 0 }
}

fn close_from(first: c_int) {
    // SAFETY: closes descriptors of the program only.
    unsafe { libc::syscall(libc::SYS_close_range, first, OWN_DESCRIPTORS - 1, 0) };
}

/// The program is about to change a standard descriptor.
#[unsafe(no_mangle)]
pub extern "C" fn __covet_descriptor_touched() {
    STATE.get().touched = true;
}

/// 1 for descriptors that belong to the runtime: to the program they do not exist.
#[unsafe(no_mangle)]
pub extern "C" fn __covet_descriptor_protected(descriptor: c_int) -> c_int {
    c_int::from(descriptor >= OWN_DESCRIPTORS && !crate::worker::serve::standalone())
}
