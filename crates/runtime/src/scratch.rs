//! The folder that runs start in: whatever a run has left there is gone before the next.
//!
//! Invariant: only entries below the folder given are removed; links are removed, not followed.

use core::ffi::{CStr, c_int};

const BUFFER: usize = 4096;
/// Folders nested deeper than this stay: no sane run makes them.
const DEPTH: u32 = 32;

#[repr(C, align(8))]
struct Entries([u8; BUFFER]);

/// Offsets in a directory entry: its length and its name.
const LENGTH_AT: usize = 16;
const NAME_AT: usize = 19;

/// Removes everything in the folder.
pub fn empty(folder: c_int) {
    empty_nested(folder, DEPTH);
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
