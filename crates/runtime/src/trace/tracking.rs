//! Who tracks: the one thread whose hook calls leave a trace, and the cells that hold its state.
//!
//! Invariant: at most one thread tracks, and only that thread touches the state behind [`Lone`].

use core::cell::Cell;
use core::sync::atomic::{AtomicUsize, Ordering};

/// A variable of the tracking thread. Other threads never get past [`active`].
#[repr(transparent)]
pub struct Lone<T>(Cell<T>);

// SAFETY: only the tracking thread reads or writes these, see `active`.
unsafe impl<T> Sync for Lone<T> {}

impl<T: Copy> Lone<T> {
    pub const fn new(value: T) -> Lone<T> {
        Lone(Cell::new(value))
    }

    #[inline(always)]
    pub fn get(&self) -> T {
        self.0.get()
    }

    #[inline(always)]
    pub fn set(&self, value: T) {
        self.0.set(value);
    }

    /// Address of the value, for those who index into it.
    #[inline(always)]
    pub fn pointer(&self) -> *mut T {
        self.0.as_ptr()
    }
}

/// Thread pointer of the tracking thread; 0 while nobody tracks. Every thread reads it, so it is no [`Lone`]; relaxed, since a thread
/// looks only for its own number, which nobody else writes.
static OWNER: AtomicUsize = AtomicUsize::new(0);
/// Thread pointer of the thread that began the present run, whether it still tracks or not. Read by every thread, as above.
static RUNNER: AtomicUsize = AtomicUsize::new(0);

/// True when the calling thread is the one that tracks. Every hook asks this first.
#[inline(always)]
pub fn active() -> bool {
    OWNER.load(Ordering::Relaxed) == thread_pointer()
}

/// From now on the calling thread tracks.
pub fn start() {
    OWNER.store(thread_pointer(), Ordering::Relaxed);
    RUNNER.store(thread_pointer(), Ordering::Relaxed);
}

/// True when the calling thread is the one that the run is on.
pub fn on_the_runs_thread() -> bool {
    RUNNER.load(Ordering::Relaxed) == thread_pointer()
}

/// From now on nobody tracks: hooks answer "concrete".
pub fn stop() {
    OWNER.store(0, Ordering::Relaxed);
}

/// A number that no two live threads share, and never 0.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn thread_pointer() -> usize {
    let pointer: usize;
    // SAFETY: the x86-64 psABI keeps the thread control block's own address at %fs:0.
    unsafe { core::arch::asm!("mov {}, fs:0", out(reg) pointer, options(nostack, preserves_flags, readonly, pure)) };
    pointer
}

#[cfg(target_arch = "aarch64")]
#[inline(always)]
fn thread_pointer() -> usize {
    let pointer: usize;
    // SAFETY: reads the user thread register.
    unsafe { core::arch::asm!("mrs {}, tpidr_el0", out(reg) pointer, options(nostack, preserves_flags, nomem, pure)) };
    pointer
}
