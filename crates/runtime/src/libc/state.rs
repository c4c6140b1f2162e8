//! Hidden state of the C library that a run may change: random sequences, environment, locale, folder, mask.
//!
//! Invariant: each stand-in notes what it touches before it does, and [`reset`] puts back exactly what was touched.

use core::ffi::{c_char, c_int, c_long, c_uint, c_ushort, c_void};

use crate::libc::stand_in::forget;
use crate::sys::mapping;
use crate::sys::state::Static;
use crate::worker::serve::standalone;

const RANDOM: u32 = 1;
const DRAND48: u32 = 2;
const ENVIRONMENT: u32 = 4;
const LOCALE: u32 = 8;
const FOLDER: u32 = 16;
const MASK: u32 = 32;

struct State {
    touched: u32,
    folder: c_int,
    mask: libc::mode_t,
    environment: *mut *mut c_char,
    /// Its entries, and the array that the program sees, refilled from them.
    entries: *mut *mut c_char,
    shown: *mut *mut c_char,
    entry_count: usize,
    /// State of the deterministic stand-in for the kernel's random numbers.
    entropy: u64,
}

static STATE: Static<State> = Static::new(State {
    touched: 0,
    folder: -1,
    mask: 0,
    environment: core::ptr::null_mut(),
    entries: core::ptr::null_mut(),
    shown: core::ptr::null_mut(),
    entry_count: 0,
    entropy: 0,
});

unsafe extern "C" {
    static mut environ: *mut *mut c_char;
    fn rand() -> c_int;
    fn srand(seed: c_uint);
    fn random() -> c_long;
    fn srandom(seed: c_uint);
    fn initstate(seed: c_uint, state: *mut c_char, size: usize) -> *mut c_char;
    fn setstate(state: *mut c_char) -> *mut c_char;
    fn drand48() -> f64;
    fn lrand48() -> c_long;
    fn mrand48() -> c_long;
    fn srand48(seed: c_long);
    fn seed48(seed: *mut c_ushort) -> *mut c_ushort;
    fn lcong48(parameters: *mut c_ushort);
    fn putenv(entry: *mut c_char) -> c_int;
    fn clearenv() -> c_int;
    fn arc4random() -> u32;
    fn arc4random_uniform(bound: u32) -> u32;
    fn arc4random_buf(buffer: *mut c_void, size: usize);
}

/// The 128 bytes of state that the library starts with stay aside, as `initstate` may swap them for the program's.
static DEFAULT_RANDOM: Static<*mut c_char> = Static::new(core::ptr::null_mut());

/// Remembers what the first run finds. `folder` is a descriptor of the folder runs start in.
pub fn init(folder: c_int) {
    let state = STATE.get();
    state.folder = folder;
    // SAFETY: single thread; `environ` is a list that ends with a null pointer.
    unsafe {
        state.mask = libc::umask(0);
        libc::umask(state.mask);
        state.environment = environ;
        while !environ.is_null() && !(*environ.add(state.entry_count)).is_null() {
            state.entry_count += 1;
        }
        let bytes = (state.entry_count + 1) * size_of::<*mut c_char>();
        state.entries = mapping::private(2 * bytes).cast();
        state.shown = state.entries.add(state.entry_count + 1);
        if !environ.is_null() {
            state.entries.copy_from_nonoverlapping(environ, state.entry_count);
        }
    }
}

/// Puts back what the run has touched.
pub fn reset() {
    let state = STATE.get();
    state.entropy = 0;
    let touched = core::mem::take(&mut state.touched);
    if touched == 0 {
        return;
    }
    // SAFETY: single thread, no run on; each call restores what `init` or the library's start-up had.
    unsafe {
        if touched & RANDOM != 0 {
            if !DEFAULT_RANDOM.read().is_null() {
                setstate(DEFAULT_RANDOM.read());
            }
            srandom(1);
        }
        if touched & DRAND48 != 0 {
            // Parameters of the standard, state zero: what the library starts with.
            let mut parameters: [c_ushort; 7] = [0, 0, 0, 0xe66d, 0xdeec, 0x5, 0xb];
            lcong48(parameters.as_mut_ptr());
        }
        if touched & ENVIRONMENT != 0 {
            state.shown.copy_from_nonoverlapping(state.entries, state.entry_count + 1);
            environ = state.shown;
        }
        if touched & LOCALE != 0 {
            libc::setlocale(libc::LC_ALL, c"C".as_ptr());
        }
        if touched & FOLDER != 0 {
            libc::fchdir(state.folder);
        }
        if touched & MASK != 0 {
            libc::umask(state.mask);
        }
    }
}

#[inline(always)]
fn touch(what: u32) {
    STATE.get().touched |= what;
}

macro_rules! touching {
    ($($name:ident => $native:path, $what:ident, ($($argument:ident: $type:ty),*) -> $result:ty;)*) => {$(
        /// # Safety
        /// As the library function.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($argument: $type),*) -> $result {
            touch($what);
            // SAFETY: the native function with the caller's arguments.
            unsafe { $native($($argument),*) }
        }
    )*};
}

touching! {
    __covet_libc_rand => rand, RANDOM, () -> c_int;
    __covet_libc_srand => srand, RANDOM, (seed: c_uint) -> ();
    __covet_libc_random => random, RANDOM, () -> c_long;
    __covet_libc_srandom => srandom, RANDOM, (seed: c_uint) -> ();
    __covet_libc_setstate => setstate, RANDOM, (state: *mut c_char) -> *mut c_char;
    __covet_libc_drand48 => drand48, DRAND48, () -> f64;
    __covet_libc_lrand48 => lrand48, DRAND48, () -> c_long;
    __covet_libc_mrand48 => mrand48, DRAND48, () -> c_long;
    __covet_libc_srand48 => srand48, DRAND48, (seed: c_long) -> ();
    __covet_libc_seed48 => seed48, DRAND48, (seed: *mut c_ushort) -> *mut c_ushort;
    __covet_libc_lcong48 => lcong48, DRAND48, (parameters: *mut c_ushort) -> ();
    __covet_libc_setenv => libc::setenv, ENVIRONMENT, (name: *const c_char, value: *const c_char, replace: c_int) -> c_int;
    __covet_libc_unsetenv => libc::unsetenv, ENVIRONMENT, (name: *const c_char) -> c_int;
    __covet_libc_putenv => putenv, ENVIRONMENT, (entry: *mut c_char) -> c_int;
    __covet_libc_clearenv => clearenv, ENVIRONMENT, () -> c_int;
    __covet_libc_setlocale => libc::setlocale, LOCALE, (category: c_int, locale: *const c_char) -> *mut c_char;
    __covet_libc_chdir => libc::chdir, FOLDER, (path: *const c_char) -> c_int;
    __covet_libc_fchdir => libc::fchdir, FOLDER, (descriptor: c_int) -> c_int;
    __covet_libc_umask => libc::umask, MASK, (mask: libc::mode_t) -> libc::mode_t;
}

/// # Safety
/// As the library function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __covet_libc_initstate(seed: c_uint, buffer: *mut c_char, size: usize) -> *mut c_char {
    touch(RANDOM);
    forget(buffer as u64, size as u64);
    // SAFETY: the native function with the caller's arguments.
    let before = unsafe { initstate(seed, buffer, size) };
    if DEFAULT_RANDOM.read().is_null() {
        DEFAULT_RANDOM.write(before);
    }
    before
}

/// The next number of a fixed sequence (splitmix64).
fn entropy() -> u64 {
    let state = &mut STATE.get().entropy;
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

unsafe fn fill_random(buffer: *mut c_void, size: usize) {
    forget(buffer as u64, size as u64);
    for at in 0..size {
        // SAFETY: inside the caller's buffer.
        unsafe { buffer.cast::<u8>().add(at).write(entropy() as u8) };
    }
}

/// # Safety
/// As the library function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __covet_libc_getrandom(buffer: *mut c_void, size: usize, flags: c_uint) -> isize {
    if standalone() {
        // SAFETY: the native function.
        return unsafe { libc::getrandom(buffer, size, flags) };
    }
    // SAFETY: the caller's buffer.
    unsafe { fill_random(buffer, size) };
    size as isize
}

/// # Safety
/// As the library function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __covet_libc_getentropy(buffer: *mut c_void, size: usize) -> c_int {
    if standalone() || size > 256 {
        // SAFETY: the native function.
        return unsafe { libc::getentropy(buffer, size) };
    }
    // SAFETY: the caller's buffer.
    unsafe { fill_random(buffer, size) };
    0
}

#[unsafe(no_mangle)]
pub extern "C" fn __covet_libc_arc4random() -> u32 {
    // SAFETY: the native function.
    if standalone() { unsafe { arc4random() } } else { entropy() as u32 }
}

#[unsafe(no_mangle)]
pub extern "C" fn __covet_libc_arc4random_uniform(bound: u32) -> u32 {
    if standalone() {
        // SAFETY: the native function.
        return unsafe { arc4random_uniform(bound) };
    }
    if bound == 0 { 0 } else { entropy() as u32 % bound }
}

/// # Safety
/// As the library function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __covet_libc_arc4random_buf(buffer: *mut c_void, size: usize) {
    // SAFETY: the native function, or the caller's buffer.
    unsafe { if standalone() { arc4random_buf(buffer, size) } else { fill_random(buffer, size) } }
}
