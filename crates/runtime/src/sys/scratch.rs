//! The folder that runs start in: whatever a run has left there is gone before the next.
//!
//! Invariant: only entries below the folder given are removed; links are removed, not followed.

use core::ffi::{CStr, c_int};

use crate::sys::descriptors;
use crate::sys::state::Static;

/// Tells whether anything was put into the folder, far faster than looking. -1: it cannot be watched.
static WATCH: Static<c_int> = Static::new(-1);

const BUFFER: usize = 4096;
/// Folders nested deeper than this stay: no sane run makes them.
const DEPTH: u32 = 32;

#[repr(C, align(8))]
struct Entries([u8; BUFFER]);

/// Offsets in a directory entry: its length and its name.
const LENGTH_AT: usize = 16;
const NAME_AT: usize = 19;

/// Watches the current folder from now on.
pub fn init() {
    // SAFETY: plain system calls.
    unsafe {
        let watch = libc::inotify_init1(libc::IN_NONBLOCK | libc::IN_CLOEXEC);
        if watch >= 0 {
            let added = libc::inotify_add_watch(watch, c".".as_ptr(), libc::IN_CREATE | libc::IN_MOVED_TO);
            if added >= 0 {
                WATCH.write(descriptors::out_of_the_way(watch));
            }
            libc::close(watch);
        }
    }
}

/// Removes everything in the folder.
pub fn empty(folder: c_int) {
    if WATCH.read() >= 0 && !touched() {
        return;
    }
    empty_nested(folder, DEPTH);
}

/// Whether something was put into the folder since the last time.
fn touched() -> bool {
    let mut news = Entries([0; BUFFER]);
    let mut any = false;
    // SAFETY: reads into a buffer of that size; never waits.
    while unsafe { libc::read(WATCH.read(), news.0.as_mut_ptr().cast(), BUFFER) } > 0 {
        any = true;
    }
    any
}

fn empty_nested(folder: c_int, depth: u32) {
    let mut entries = Entries([0; BUFFER]);
    loop {
        // SAFETY: the folder's entries into a buffer of that size; from the start, as removing moves them.
        let filled = unsafe {
            libc::lseek(folder, 0, libc::SEEK_SET);
            libc::syscall(libc::SYS_getdents64, folder, entries.0.as_mut_ptr(), BUFFER)
        };
        if filled <= 0 || !remove_listed(folder, &entries.0[..filled as usize], depth) {
            return;
        }
    }
}

/// Removes what one look at the folder has listed. False when there was nothing to remove or nothing could be.
fn remove_listed(folder: c_int, entries: &[u8], depth: u32) -> bool {
    let mut removed = false;
    let mut at = 0;
    while at + NAME_AT < entries.len() {
        let length = usize::from(u16::from_ne_bytes([entries[at + LENGTH_AT], entries[at + LENGTH_AT + 1]]));
        let end = (at + length.max(NAME_AT + 1)).min(entries.len());
        if let Ok(name) = CStr::from_bytes_until_nul(&entries[at + NAME_AT..end]) {
            removed |= name != c"." && name != c".." && remove(folder, name, depth);
        }
        at = end;
    }
    removed
}

fn remove(folder: c_int, name: &CStr, depth: u32) -> bool {
    // SAFETY: plain calls on names of the folder.
    unsafe {
        if libc::unlinkat(folder, name.as_ptr(), 0) == 0 {
            return true;
        }
        if depth > 0 {
            let flags = libc::O_RDONLY | libc::O_DIRECTORY | libc::O_NOFOLLOW | libc::O_CLOEXEC;
            let inner = libc::openat(folder, name.as_ptr(), flags);
            if inner >= 0 {
                empty_nested(inner, depth - 1);
                libc::close(inner);
            }
        }
        libc::unlinkat(folder, name.as_ptr(), libc::AT_REMOVEDIR) == 0
    }
}
