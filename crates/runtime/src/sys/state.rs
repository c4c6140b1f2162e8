//! Mutable statics of a process that tracks one thread only, and the few system calls that shape its memory.
//!
//! Invariant: a [`Static`] is only used by the thread that runs the program under test; a program that starts threads
//! switches tracking off first.

use core::cell::UnsafeCell;
use core::ffi::c_void;

use covet_abi::process::Failure;

/// A static that is read and written without locks.
#[repr(transparent)]
pub struct Static<T>(UnsafeCell<T>);

// SAFETY: see the invariant above.
unsafe impl<T> Sync for Static<T> {}

impl<T> Static<T> {
    pub const fn new(value: T) -> Static<T> {
        Static(UnsafeCell::new(value))
    }

    /// The contents, for the caller alone until it lets go.
    #[expect(clippy::mut_from_ref, reason = "one thread; each use is short and does not overlap another")]
    #[inline(always)]
    pub fn get(&self) -> &mut T {
        // SAFETY: one thread, short uses.
        unsafe { &mut *self.0.get() }
    }
}

impl<T: Copy> Static<T> {
    #[inline(always)]
    pub fn read(&self) -> T {
        // SAFETY: one thread; volatile because signal handlers write some of these.
        unsafe { self.0.get().read_volatile() }
    }

    #[inline(always)]
    pub fn write(&self, value: T) {
        // SAFETY: as above.
        unsafe { self.0.get().write_volatile(value) }
    }
}

/// Gives the pages of a private anonymous range back: they read as zero again. On a private file mapping: as the file.
pub fn discard(address: u64, size: u64) {
    // SAFETY: callers pass ranges of their own mappings.
    unsafe { libc::madvise(address as *mut c_void, size as usize, libc::MADV_DONTNEED) };
}

/// Writes a message to standard error, unbuffered.
pub fn complain(text: &str) {
    // SAFETY: a plain write of valid memory.
    unsafe { libc::write(2, text.as_ptr().cast(), text.len()) };
}

/// A failure of our own before the first run: says why and ends the process.
pub fn give_up(text: &str) -> ! {
    complain("covet runtime: ");
    complain(text);
    complain("\n");
    // SAFETY: ends the process.
    unsafe { libc::_exit(Failure::NotReady as i32) }
}
