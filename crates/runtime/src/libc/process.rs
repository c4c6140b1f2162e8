//! Ending, starting and signalling processes: in a worker these end the run or are refused, alone they are native.
//!
//! Invariant: nothing the program calls here can end the worker, start a process or signal one that is not itself.

use core::ffi::{c_char, c_int, c_uint, c_void};

use covet_abi::event::Concretization;
use covet_abi::termination::Termination;

use crate::libc::exit_handlers::{self, Handler};
use crate::libc::signal;
use crate::libc::stand_in::{count, refused, set_errno};
use crate::trace::tracking;
use crate::worker::serve::standalone;
use crate::worker::signals::{end_run, end_run_at, retire};

/// What `getpid` says in every run, so that runs can be compared.
const OWN_PID: c_int = 4242;
const PARENT_PID: c_int = 4241;

unsafe extern "C" {
    fn quick_exit(code: c_int) -> !;
    fn at_quick_exit(function: extern "C" fn()) -> c_int;
    fn on_exit(function: extern "C" fn(c_int, *mut c_void), argument: *mut c_void) -> c_int;
    fn __assert_fail(text: *const c_char, file: *const c_char, line: c_uint, function: *const c_char) -> !;
}

#[unsafe(no_mangle)]
pub extern "C" fn __covet_libc_exit(code: c_int) -> ! {
    if standalone() {
        // SAFETY: the native function.
        unsafe { libc::exit(code) }
    }
    exit_handlers::call_all(code);
    end_run(Termination::Exited, code & 0xff)
}

#[unsafe(no_mangle)]
pub extern "C" fn __covet_libc_quick_exit(code: c_int) -> ! {
    if standalone() {
        // SAFETY: the native function.
        unsafe { quick_exit(code) }
    }
    exit_handlers::call_quick(code);
    end_run(Termination::Exited, code & 0xff)
}

#[unsafe(no_mangle)]
pub extern "C" fn __covet_libc__exit(code: c_int) -> ! {
    if standalone() {
        // SAFETY: the native function.
        unsafe { libc::_exit(code) }
    }
    end_run(Termination::Exited, code & 0xff)
}

#[unsafe(no_mangle)]
pub extern "C" fn __covet_libc__Exit(code: c_int) -> ! {
    __covet_libc__exit(code)
}

fn registered(done: bool) -> c_int {
    if done { 0 } else { -1 }
}

#[unsafe(no_mangle)]
pub extern "C" fn __covet_libc_atexit(function: extern "C" fn()) -> c_int {
    if standalone() {
        // SAFETY: the native function.
        return unsafe { libc::atexit(function) };
    }
    registered(exit_handlers::at_exit(Handler::Plain(function)))
}

#[unsafe(no_mangle)]
pub extern "C" fn __covet_libc_at_quick_exit(function: extern "C" fn()) -> c_int {
    if standalone() {
        // SAFETY: the native function.
        return unsafe { at_quick_exit(function) };
    }
    registered(exit_handlers::at_quick_exit(Handler::Plain(function)))
}

/// # Safety
/// As the library function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __covet_libc_on_exit(
    function: extern "C" fn(c_int, *mut c_void),
    argument: *mut c_void,
) -> c_int {
    if standalone() {
        // SAFETY: the native function.
        return unsafe { on_exit(function, argument) };
    }
    registered(exit_handlers::at_exit(Handler::WithCode(function, argument)))
}

#[unsafe(no_mangle)]
extern "C" fn covet_process_standalone() -> c_int {
    c_int::from(standalone())
}

#[unsafe(no_mangle)]
extern "C" fn covet_process_abort(frame: u64) -> ! {
    if standalone() {
        // SAFETY: the native function.
        unsafe { libc::abort() }
    }
    signal::deliver_to_handler(libc::SIGABRT);
    end_run_at(frame, Termination::Aborted, libc::SIGABRT)
}

#[unsafe(no_mangle)]
extern "C" fn covet_process_assert(
    frame: u64,
    text: *const c_char,
    file: *const c_char,
    line: c_uint,
    function: *const c_char,
) -> ! {
    if standalone() {
        // SAFETY: the native function.
        unsafe { __assert_fail(text, file, line, function) }
    }
    end_run_at(frame, Termination::AssertFailed, libc::SIGABRT)
}

#[unsafe(no_mangle)]
extern "C" fn covet_process_error(frame: u64) -> ! {
    if standalone() {
        // SAFETY: the native function: a reached error is a failed assertion to whoever watches from outside.
        unsafe { libc::abort() }
    }
    end_run_at(frame, Termination::ErrorReached, 0)
}

#[unsafe(no_mangle)]
extern "C" fn covet_process_raise(frame: u64, signal: c_int) -> c_int {
    if standalone() {
        // SAFETY: the native function.
        return unsafe { libc::raise(signal) };
    }
    signal_self(frame, signal)
}

#[unsafe(no_mangle)]
extern "C" fn covet_process_kill(frame: u64, pid: c_int, signal: c_int) -> c_int {
    if standalone() {
        // SAFETY: the native function.
        return unsafe { libc::kill(pid, signal) };
    }
    // 0 is the own process group, of which the run is the only member it may know.
    if pid == OWN_PID || pid == 0 { signal_self(frame, signal) } else { refused(libc::EPERM) }
}

fn signal_self(frame: u64, signal: c_int) -> c_int {
    if !(0..=64).contains(&signal) {
        set_errno(libc::EINVAL);
        return -1;
    }
    if signal == 0 || signal::deliver_to_handler(signal) || signal::harmless(signal) {
        return 0;
    }
    let outcome = if signal == libc::SIGABRT { Termination::Aborted } else { Termination::Signalled };
    end_run_at(frame, outcome, signal)
}

#[unsafe(no_mangle)]
pub extern "C" fn __covet_libc_killpg(group: c_int, signal: c_int) -> c_int {
    if standalone() {
        // SAFETY: the native function.
        return unsafe { libc::killpg(group, signal) };
    }
    if group == 0 || group == OWN_PID { signal_self(0, signal) } else { refused(libc::EPERM) }
}

#[unsafe(no_mangle)]
pub extern "C" fn __covet_libc_getpid() -> c_int {
    // SAFETY: the native function.
    if standalone() { unsafe { libc::getpid() } } else { OWN_PID }
}

#[unsafe(no_mangle)]
pub extern "C" fn __covet_libc_getppid() -> c_int {
    // SAFETY: the native function.
    if standalone() { unsafe { libc::getppid() } } else { PARENT_PID }
}

#[unsafe(no_mangle)]
pub extern "C" fn __covet_libc_fork() -> c_int {
    // SAFETY: the native function.
    if standalone() { unsafe { libc::fork() } } else { refused(libc::EAGAIN) }
}

/// Alone, a plain `fork`: the stand-in's own frame must survive the child.
#[unsafe(no_mangle)]
pub extern "C" fn __covet_libc_vfork() -> c_int {
    __covet_libc_fork()
}

#[unsafe(no_mangle)]
pub extern "C" fn __covet_libc_daemon(keep_folder: c_int, keep_files: c_int) -> c_int {
    // SAFETY: the native function.
    if standalone() { unsafe { libc::daemon(keep_folder, keep_files) } } else { refused(libc::EAGAIN) }
}

#[unsafe(no_mangle)]
extern "C" fn covet_process_refuse() -> c_int {
    refused(libc::EPERM)
}

type Strings = *const *const c_char;

macro_rules! refused_programs {
    ($($name:ident => $native:path, ($($argument:ident: $type:ty),*) -> $failure:expr;)*) => {$(
        /// # Safety
        /// As the library function.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($argument: $type),*) -> c_int {
            if standalone() {
                // SAFETY: the native function with the caller's arguments.
                return unsafe { $native($($argument),*) };
            }
            refused(libc::EPERM);
            $failure
        }
    )*};
}

refused_programs! {
    __covet_libc_execv => libc::execv, (path: *const c_char, argv: Strings) -> -1;
    __covet_libc_execve => libc::execve, (path: *const c_char, argv: Strings, envp: Strings) -> -1;
    __covet_libc_execvp => libc::execvp, (file: *const c_char, argv: Strings) -> -1;
    __covet_libc_execvpe => libc::execvpe, (file: *const c_char, argv: Strings, envp: Strings) -> -1;
    __covet_libc_fexecve => libc::fexecve, (descriptor: c_int, argv: Strings, envp: Strings) -> -1;
    __covet_libc_posix_spawn => libc::posix_spawn, (pid: *mut c_int, path: *const c_char,
        actions: *const libc::posix_spawn_file_actions_t, attributes: *const libc::posix_spawnattr_t,
        argv: *const *mut c_char, envp: *const *mut c_char) -> libc::EPERM;
    __covet_libc_posix_spawnp => libc::posix_spawnp, (pid: *mut c_int, file: *const c_char,
        actions: *const libc::posix_spawn_file_actions_t, attributes: *const libc::posix_spawnattr_t,
        argv: *const *mut c_char, envp: *const *mut c_char) -> libc::EPERM;
}

/// `system(NULL)` asks whether there is a shell: in a worker there is none.
///
/// # Safety
/// As the library function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __covet_libc_system(command: *const c_char) -> c_int {
    if standalone() {
        // SAFETY: the native function.
        return unsafe { libc::system(command) };
    }
    let failed = refused(libc::EPERM);
    if command.is_null() { 0 } else { failed }
}

/// # Safety
/// As the library function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __covet_libc_popen(command: *const c_char, mode: *const c_char) -> *mut libc::FILE {
    if standalone() {
        // SAFETY: the native function.
        return unsafe { libc::popen(command, mode) };
    }
    refused(libc::EPERM);
    core::ptr::null_mut()
}

/// From the first thread on nothing is followed: two threads would write one trace.
///
/// # Safety
/// As the library function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __covet_libc_pthread_create(
    thread: *mut libc::pthread_t,
    attributes: *const libc::pthread_attr_t,
    start: extern "C" fn(*mut c_void) -> *mut c_void,
    argument: *mut c_void,
) -> c_int {
    if !standalone() {
        count(Concretization::Threads);
        tracking::stop();
        // Threads outlive the run: the process cannot be used for another.
        retire();
    }
    // SAFETY: the native function.
    unsafe { libc::pthread_create(thread, attributes, start, argument) }
}
