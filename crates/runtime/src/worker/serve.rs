//! The program's real `main`: alone it is the plain program; under an engine it serves runs until the engine goes away.
//!
//! Invariant: everything that can fail is done before `ready` is set; from then on the loop only waits, runs and replies. A
//! process that is not fit for another run takes `ready` back, replies and ends: the engine starts a new one.

use core::ffi::{c_char, c_int, c_void};
use core::sync::atomic::{AtomicU32, Ordering};

use covet_abi::process::{LOOKS, LOOKS_ALONE, SHARED_FD, TOLD};
use covet_abi::shared::{Control, Isolation, MAGIC};
use covet_abi::sites::Program;
use covet_abi::termination::Termination;

use crate::libc::state;
use crate::object::heap;
use crate::sys::state::{Static, complain, give_up};
use crate::sys::{descriptors, filter, image, scratch, stack};
use crate::term::arena;
use crate::trace::run;
use crate::worker::deadline::nanoseconds;
use crate::worker::fork::perform_in_child;
use crate::worker::perform::{clean_up, perform};
pub use crate::worker::signals::end_run;
use crate::worker::signals::{self, active};
use crate::worker::standalone::{self, ROOM};
use crate::worker::{plan, reset};

static WORKER: Static<bool> = Static::new(false);

unsafe extern "C" {
    fn covet_user_main() -> *const u8;
    fn covet_program() -> *const Program;
    fn on_exit(function: extern "C" fn(c_int, *mut c_void), argument: *mut c_void) -> c_int;
}

/// True while there is no engine to report to: library functions are then the native ones.
#[inline(always)]
pub fn standalone() -> bool {
    !WORKER.read()
}

/// Before any instrumented code: the presence map and somewhere to keep nodes.
#[unsafe(no_mangle)]
extern "C" fn covet_early() {
    let control = shared_control().unwrap_or_else(|| standalone::control(&ROOM));
    // SAFETY: a control block with its regions, mapped for good, and the program's own tables.
    if control.is_null() || unsafe { !run::start(control, covet_program()) } {
        give_up("no room for the presence map: is the address space of this process limited (ulimit -v)?");
    }
}

#[unsafe(no_mangle)]
extern "C" fn covet_main(argc: c_int, argv: *mut *mut c_char, envp: *mut *mut c_char) -> c_int {
    if shared_descriptor().is_some() {
        serve();
    }
    type Main = extern "C" fn(c_int, *mut *mut c_char, *mut *mut c_char) -> c_int;
    // SAFETY: the program's own `main`, or null, which is no function.
    match unsafe { core::mem::transmute::<*const u8, Option<Main>>(covet_user_main()) } {
        Some(user_main) => user_main(argc, argv, envp),
        None => {
            complain("covet runtime: this program has no main function; it only runs under an engine\n");
            2
        }
    }
}

/// The descriptor of the shared file, when there is an engine.
fn shared_descriptor() -> Option<c_int> {
    // SAFETY: a C string; the value is one too.
    unsafe {
        let value = libc::getenv(SHARED_FD.as_ptr());
        if value.is_null() { None } else { Some(libc::atoi(value)) }
    }
}

/// Maps the shared file.
fn shared_control() -> Option<*mut Control> {
    let descriptor = shared_descriptor()?;
    // SAFETY: the size is asked for first; the mapping is checked before it is believed.
    unsafe {
        let mut about: libc::stat = core::mem::zeroed();
        if libc::fstat(descriptor, &mut about) != 0 {
            give_up("the engine's shared file is not open");
        }
        let (access, size) = (libc::PROT_READ | libc::PROT_WRITE, about.st_size as usize);
        let pages = libc::mmap(core::ptr::null_mut(), size, access, libc::MAP_SHARED, descriptor, 0);
        if pages == libc::MAP_FAILED || (*pages.cast::<Control>()).magic != MAGIC {
            give_up("the engine's shared file cannot be mapped or is of another version");
        }
        libc::close(descriptor);
        Some(pages.cast())
    }
}

fn serve() -> ! {
    // SAFETY: attached by `covet_early`; the program's own tables.
    let (control, program) = unsafe { (arena::control(), covet_program()) };
    if program.is_null() {
        give_up("this program was not instrumented");
    }
    // SAFETY: as above. References to the control block are short: the engine changes it while we wait.
    unsafe {
        let program = &*program;
        prepare(&mut *control, program);
        WORKER.write(true);
        word(&raw mut (*control).ready).store(1, Ordering::Release);
        wake(&raw mut (*control).ready);
        loop {
            await_request(control);
            serve_batch(control, program);
        }
    }
}

fn prepare(control: &mut Control, program: &Program) {
    // SAFETY: the name is not looked at again; the program shall not see it.
    unsafe { libc::unsetenv(SHARED_FD.as_ptr()) };
    image::find();
    if !heap::init() || !stack::init(control.stack_limit) {
        give_up("the addresses for heap and stack are taken");
    }
    plan::init(control);
    signals::init();
    state::init(descriptors::init());
    scratch::init();
    // SAFETY: a function that lives as long as the process.
    unsafe { on_exit(exited_by_library, core::ptr::null_mut()) };
    if control.isolation != Isolation::Fork as u32 {
        // SAFETY: the program's own tables.
        unsafe { reset::init(program) };
        filter::no_more_processes();
    }
}

unsafe fn await_request(control: *mut Control) {
    // SAFETY: the attached pages.
    unsafe {
        let (request, reply) = (&raw mut (*control).request, &raw mut (*control).reply);
        let last = word(reply).load(Ordering::Acquire);
        if comes_soon(word(request), last, (*control).patience) {
            return;
        }
        let sleeps = word(&raw mut (*control).worker_sleeps);
        sleeps.store(1, Ordering::SeqCst);
        while word(request).load(Ordering::SeqCst) == last {
            futex(request, libc::FUTEX_WAIT, last);
        }
        sleeps.store(0, Ordering::Release);
    }
}

/// Looks at the word until it changes or the time is up: two sleepers that wake each other take longer than a short run.
/// After a while it gives way with every look, as the engine does.
fn comes_soon(request: &AtomicU32, last: u32, microseconds: u32) -> bool {
    let start = nanoseconds();
    let end = start + u64::from(microseconds) * 1000;
    loop {
        for _ in 0..LOOKS {
            if request.load(Ordering::Acquire) != last {
                return true;
            }
            core::hint::spin_loop();
        }
        let now = nanoseconds();
        if now >= end {
            return false;
        }
        if now - start > LOOKS_ALONE {
            // SAFETY: a plain system call. (The program may have a `sched_yield` of its own.)
            unsafe { libc::syscall(libc::SYS_sched_yield) };
        }
    }
}

unsafe fn serve_batch(control: *mut Control, program: &Program) {
    // SAFETY: batches are never larger than their regions; all of it in the attached pages.
    unsafe {
        while (*control).done < (*control).batch {
            let index = (*control).done as usize;
            let request = &*arena::region(&(*control).regions.requests).add(index);
            let result = arena::region(&(*control).regions.results).add(index);
            if (*control).isolation == Isolation::Fork as u32 {
                perform_in_child(control, program, request, result);
            } else {
                perform(&mut *control, program, request, &mut *result);
                if signals::retired() {
                    last_reply(control);
                }
                clean_up(Termination::from_u32((*result).termination).unwrap_or(Termination::WorkerLost));
            }
            word(&raw mut (*control).done).store(index as u32 + 1, Ordering::Release);
        }
        reply(control);
    }
}

unsafe fn reply(control: *mut Control) {
    // SAFETY: the attached pages.
    unsafe {
        let request = word(&raw mut (*control).request).load(Ordering::Acquire);
        word(&raw mut (*control).reply).store(request, Ordering::SeqCst);
        if word(&raw mut (*control).engine_sleeps).load(Ordering::SeqCst) != 0 {
            wake(&raw mut (*control).reply);
        }
    }
}

/// The run that just ended counts; this process ends.
unsafe fn last_reply(control: *mut Control) -> ! {
    // SAFETY: the attached pages; ends the process.
    unsafe {
        word(&raw mut (*control).done).fetch_add(1, Ordering::Release);
        word(&raw mut (*control).ready).store(0, Ordering::Release);
        reply(control);
        libc::_exit(TOLD)
    }
}

/// The library itself has called `exit` in the middle of a run (`err`, `argp`, ...).
extern "C" fn exited_by_library(code: c_int, _unused: *mut c_void) {
    if active() {
        signals::retire();
        end_run(Termination::Exited, code & 0xff);
    }
}

unsafe fn word<'a>(word: *mut u32) -> &'a AtomicU32 {
    // SAFETY: aligned, and shared with the engine by atomic accesses only.
    unsafe { AtomicU32::from_ptr(word) }
}

fn wake(word: *mut u32) {
    futex(word, libc::FUTEX_WAKE, i32::MAX as u32);
}

fn futex(word: *mut u32, operation: c_int, value: u32) {
    // SAFETY: a word in shared memory.
    unsafe { libc::syscall(libc::SYS_futex, word, operation, value, core::ptr::null::<c_void>()) };
}
