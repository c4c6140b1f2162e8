//! The program's variables, put back after every run: a snapshot taken before the first one.
//!
//! Small ranges are copied back, from a copy at the same offset within its page (a misaligned copy is many times slower).
//! The whole pages of a large range become a private mapping of a file with the snapshot, so that dropping them costs what
//! the run has touched; while runs touch most of it, copying is cheaper than the page faults. Invariant: after [`restore`] each byte of the program's variables is as before the first run.

use core::ffi::c_void;

use covet_abi::sites::{Global, GlobalFlags, Program};

use crate::sys::image::image;
use crate::sys::mapping;
use crate::sys::state::{Static, discard, give_up};

const PAGE: u64 = 4096;
/// Ranges from this size on are mapped instead of copied.
const LARGE: u64 = 256 << 10;
/// Ranges this close together are one: only padding lies between.
const GAP: u64 = 64;

/// What needs no putting back, or is put back with its thread's block.
const LEFT_OUT: GlobalFlags = GlobalFlags::CONSTANT.with(GlobalFlags::THREAD_LOCAL, true);

#[repr(C)]
#[derive(Clone, Copy)]
struct Range {
    address: u64,
    size: u64,
    /// Where the copy is.
    copy: u64,
    /// The range is a private mapping of the copy's file.
    mapped: bool,
}

struct Snapshot {
    ranges: *mut Range,
    count: usize,
    /// Pages in mapped ranges.
    pages: u64,
    /// Page faults of this process when the last run began.
    faults: u64,
    /// Runs for which mapped ranges are still copied.
    copying: u32,
}

static SNAPSHOT: Static<Snapshot> =
    Static::new(Snapshot { ranges: core::ptr::null_mut(), count: 0, pages: 0, faults: 0, copying: 0 });

/// How long to copy before looking again at how much the runs touch.
const COPY_RUNS: u32 = 32;

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
    snapshot.pages = ranges.iter().filter(|range| range.mapped).map(|range| range.size / PAGE).sum();
    snapshot.faults = faults();
}

/// Sorts the variables by address and joins neighbours. Returns how many ranges there are.
fn merge(ranges: &mut [Range], globals: &[Global]) -> usize {
    let mut count = 0;
    let variables = globals.iter().filter(|global| !global.flags.has(LEFT_OUT) && global.size > 0);
    for global in variables {
        ranges[count] = Range { address: global.address as u64, size: global.size, copy: 0, mapped: false };
        count += 1;
    }
    if image().tls_size > 0 {
        ranges[count] = Range { address: image().tls, size: image().tls_size, copy: 0, mapped: false };
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

/// Cuts each large range into its whole pages (mapped here) and its two ends. Returns how many ranges there are.
fn split(ranges: &mut [Range], merged: usize) -> usize {
    let mut count = merged;
    for index in 0..merged {
        let range = ranges[index];
        if range.size < LARGE {
            continue;
        }
        let (start, end) = (range.address.next_multiple_of(PAGE), (range.address + range.size) & !(PAGE - 1));
        let Some(copy) = map_snapshot(start, end - start) else { continue };
        // The head takes the place of the whole; middle and tail go to the end of the list.
        ranges[index].size = start - range.address;
        ranges[count] = Range { address: start, size: end - start, copy, mapped: true };
        ranges[count + 1] = Range { address: end, size: range.address + range.size - end, copy: 0, mapped: false };
        count += 2;
    }
    count
}

/// Replaces whole pages by a private mapping of a file with their contents, and maps that file once more to copy from.
fn map_snapshot(address: u64, size: u64) -> Option<u64> {
    // SAFETY: the pages are written to the file before they are replaced by it.
    unsafe {
        let file = libc::memfd_create(c"snapshot".as_ptr(), libc::MFD_CLOEXEC);
        if file < 0 {
            return None;
        }
        let mut written = 0;
        while written < size {
            let step = libc::write(file, (address + written) as *const c_void, (size - written) as usize);
            if step <= 0 {
                libc::close(file);
                return None;
            }
            written += step as u64;
        }
        let (length, both) = (size as usize, libc::PROT_READ | libc::PROT_WRITE);
        let copy = libc::mmap(core::ptr::null_mut(), length, libc::PROT_READ, libc::MAP_SHARED, file, 0);
        let flags = libc::MAP_PRIVATE | libc::MAP_FIXED;
        let mapped = copy != libc::MAP_FAILED
            && libc::mmap(address as *mut c_void, length, both, flags, file, 0) != libc::MAP_FAILED;
        libc::close(file);
        mapped.then_some(copy as u64)
    }
}

/// Copies every range that is not mapped to a place with the same offset within its page.
fn copy_out(ranges: &mut [Range]) {
    let room: u64 = ranges.iter().filter(|range| !range.mapped).map(|range| range.size + 2 * PAGE).sum();
    if room == 0 {
        return;
    }
    let start = mapping::private(room as usize) as u64;
    if start == 0 {
        give_up("no memory for the snapshot of the program's variables");
    }
    let mut end = start;
    for range in ranges.iter_mut().filter(|range| !range.mapped) {
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
    let copying = snapshot.pages > 0 && copy_mapped(snapshot);
    for index in 0..snapshot.count {
        // SAFETY: the ranges were the program's variables when the snapshot was taken, and still are.
        unsafe {
            let range = *snapshot.ranges.add(index);
            if range.mapped && !copying {
                discard(range.address, range.size);
            } else {
                core::ptr::copy_nonoverlapping(range.copy as *const u8, range.address as *mut u8, range.size as usize);
            }
        }
    }
    if snapshot.pages > 0 {
        snapshot.faults = faults();
    }
}

/// Whether mapped ranges are to be copied this time: for a while after a run that has touched more than half of them.
fn copy_mapped(snapshot: &mut Snapshot) -> bool {
    if snapshot.copying > 0 {
        snapshot.copying -= 1;
    } else if faults() - snapshot.faults > snapshot.pages / 2 {
        snapshot.copying = COPY_RUNS;
    }
    snapshot.copying > 0
}

/// Page faults of this process so far.
fn faults() -> u64 {
    // SAFETY: plain data, filled in by the call.
    unsafe {
        let mut used: libc::rusage = core::mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &mut used);
        used.ru_minflt as u64
    }
}
