//! The program's variables, put back after every run: a snapshot taken before the first one.
//!
//! Small ranges are copied back, from a copy at the same offset within its page (a misaligned copy is many times slower).
//! The whole pages of a large range become a private mapping of a file with the snapshot, so that dropping them costs what
//! the run has written. Invariant: after [`restore`] each byte of the program's variables is as before the first run.

use core::ffi::c_void;

use covet_abi::sites::{Global, Program};

use crate::image::image;
use crate::mapping;
use crate::state::{Static, discard, give_up};

const PAGE: u64 = 4096;
/// Ranges from this size on are mapped instead of copied.
const LARGE: u64 = 256 << 10;
/// Ranges this close together are one: only padding lies between.
const GAP: u64 = 64;

const CONSTANT: u64 = 1;
const THREAD_LOCAL: u64 = 4;

#[repr(C)]
#[derive(Clone, Copy)]
struct Range {
    address: u64,
    size: u64,
    /// Where the copy is; 0: the range is a mapping of the snapshot file.
    copy: u64,
}

struct Snapshot {
    ranges: *mut Range,
    count: usize,
}

static SNAPSHOT: Static<Snapshot> = Static::new(Snapshot { ranges: core::ptr::null_mut(), count: 0 });

/// Takes the snapshot.
///
/// # Safety
/// `program` must be the program's own tables.
pub unsafe fn init(program: &Program) {
    let snapshot = SNAPSHOT.get();
    let most = program.global_count as usize + 1;
    // A large range becomes three.
    snapshot.ranges = mapping::private(most * 3 * size_of::<Range>()).cast();
    if snapshot.ranges.is_null() {
        give_up("no memory for the list of the program's variables");
    }
    // SAFETY: the caller vouches for the table; fresh memory of three times `most` entries.
    let (globals, ranges) = unsafe {
        let globals: &[Global] = match program.global_count {
            0 => &[],
            count => core::slice::from_raw_parts(program.globals, count as usize),
        };
        (globals, core::slice::from_raw_parts_mut(snapshot.ranges, most * 3))
    };
    let merged = merge(ranges, globals);
    snapshot.count = split(ranges, merged);
    copy_out(&mut ranges[..snapshot.count]);
}

/// Sorts the variables by address and joins neighbours. Returns how many ranges there are.
fn merge(ranges: &mut [Range], globals: &[Global]) -> usize {
    let mut count = 0;
    let variables = globals.iter().filter(|global| global.flags & (CONSTANT | THREAD_LOCAL) == 0 && global.size > 0);
    for global in variables {
        ranges[count] = Range { address: global.address as u64, size: global.size, copy: 0 };
        count += 1;
    }
    if image().tls_size > 0 {
        ranges[count] = Range { address: image().tls, size: image().tls_size, copy: 0 };
        count += 1;
    }
    ranges[..count].sort_unstable_by_key(|range| range.address);
    let mut merged = 0;
    for index in 0..count {
        let next = ranges[index];
        if merged > 0 {
            let last = &mut ranges[merged - 1];
            let end = last.address + last.size;
            if next.address <= end + GAP {
                last.size = end.max(next.address + next.size) - last.address;
                continue;
            }
        }
        ranges[merged] = next;
        merged += 1;
    }
    merged
}

/// Cuts each large range into its whole pages (mapped) and its two ends (copied, `copy` still 0 as for all: see below).
/// Ranges to copy come first; the mapped ones are mapped here.
fn split(ranges: &mut [Range], merged: usize) -> usize {
    let mut count = merged;
    for index in 0..merged {
        let range = ranges[index];
        if range.size < LARGE {
            continue;
        }
        let (start, end) = (range.address.next_multiple_of(PAGE), (range.address + range.size) & !(PAGE - 1));
        if !map_snapshot(start, end - start) {
            continue;
        }
        // The head takes the place of the whole; middle and tail go to the end of the list.
        ranges[index].size = start - range.address;
        ranges[count] = Range { address: start, size: end - start, copy: MAPPED };
        ranges[count + 1] = Range { address: end, size: range.address + range.size - end, copy: 0 };
        count += 2;
    }
    count
}

const MAPPED: u64 = 1;

/// Replaces whole pages by a private mapping of a file with their contents.
fn map_snapshot(address: u64, size: u64) -> bool {
    // SAFETY: the pages are written to the file before they are replaced by it.
    unsafe {
        let file = libc::memfd_create(c"snapshot".as_ptr(), libc::MFD_CLOEXEC);
        if file < 0 {
            return false;
        }
        let mut written = 0;
        while written < size {
            let step = libc::write(file, (address + written) as *const c_void, (size - written) as usize);
            if step <= 0 {
                libc::close(file);
                return false;
            }
            written += step as u64;
        }
        let (access, flags) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_FIXED);
        let mapped = libc::mmap(address as *mut c_void, size as usize, access, flags, file, 0);
        libc::close(file);
        mapped as u64 == address
    }
}

/// Copies every range that is not mapped to a place with the same offset within its page.
fn copy_out(ranges: &mut [Range]) {
    let room: u64 = ranges.iter().filter(|range| range.copy != MAPPED).map(|range| range.size + 2 * PAGE).sum();
    let start = mapping::private(room as usize) as u64;
    if start == 0 {
        give_up("no memory for the snapshot of the program's variables");
    }
    let mut end = start;
    for range in ranges.iter_mut().filter(|range| range.copy != MAPPED) {
        let offset = range.address % PAGE;
        end += (offset + PAGE - end % PAGE) % PAGE;
        range.copy = end;
        end += range.size;
        // SAFETY: the program's own variables into fresh memory.
        unsafe {
            core::ptr::copy_nonoverlapping(range.address as *const u8, range.copy as *mut u8, range.size as usize)
        };
    }
}

/// Puts every variable back.
pub fn restore() {
    let snapshot = SNAPSHOT.get();
    for index in 0..snapshot.count {
        // SAFETY: the ranges were the program's variables when the snapshot was taken, and still are.
        unsafe {
            let range = *snapshot.ranges.add(index);
            if range.copy == MAPPED {
                discard(range.address, range.size);
            } else {
                core::ptr::copy_nonoverlapping(range.copy as *const u8, range.address as *mut u8, range.size as usize);
            }
        }
    }
}
