//! The stack that runs use: a fixed address, a limit, a wide guard below, and clean memory for every run.
//!
//! Invariant: a run that has used the stack leaves it zero again after [`clean`], except below an untouched gap of
//! [`LOOK_AHEAD`] bytes (a huge local array that was never written), where stale bytes may stay.

use covet_abi::shared::{POISON_BASE, PRESENCE_BASE};

use crate::sys::mapping;
use crate::sys::state::{Static, discard};

/// Stacks end here and grow down.
const TOP: u64 = 0x2040_0000_0000;
/// No memory below the stack: frames far larger than a page still fault here.
const GUARD: u64 = 256 << 20;
/// What a shell gives a program.
const DEFAULT_SIZE: u64 = 8 << 20;
const CHUNK: u64 = 4096;
const LOOK_AHEAD: u64 = 4 * CHUNK;
/// Deeper stacks give their pages back instead of being cleared in place.
const CLEARED_IN_PLACE: u64 = 512 << 10;

static LOW: Static<u64> = Static::new(0);

/// Maps a stack of `size` bytes (0: the usual size). False when its addresses are taken.
pub fn init(size: u64) -> bool {
    let size = if size == 0 { DEFAULT_SIZE } else { size.next_multiple_of(CHUNK).clamp(64 << 10, 16 << 30) };
    if mapping::private_at(TOP - size - GUARD, (size + GUARD) as usize).is_null() {
        return false;
    }
    // SAFETY: the low part of the mapping just made.
    unsafe { libc::mprotect((TOP - size - GUARD) as *mut _, GUARD as usize, libc::PROT_NONE) };
    LOW.write(TOP - size);
    true
}

/// Where a run's first frame starts.
pub fn top() -> u64 {
    TOP - 64
}

/// The lowest address.
pub fn low() -> u64 {
    LOW.read()
}

pub fn contains(address: u64) -> bool {
    (LOW.read()..TOP).contains(&address)
}

/// True for a fault just below the stack.
pub fn overflowed(fault: u64, stack_pointer: u64) -> bool {
    let guard = LOW.read() - GUARD..LOW.read();
    guard.contains(&fault) || guard.contains(&stack_pointer)
}

/// Makes the used part zero.
pub fn clean() {
    let (mut at, mut clean) = (TOP, 0);
    while at > LOW.read() && clean < LOOK_AHEAD {
        at -= CHUNK;
        if TOP - at > CLEARED_IN_PLACE {
            discard(LOW.read(), at + CHUNK - LOW.read());
            // Red zones of frames that did not return, and what was symbolic.
            for map in [PRESENCE_BASE, POISON_BASE] {
                let first = (map + LOW.read() / 8) & !(CHUNK - 1);
                discard(first, map + TOP / 8 - first);
            }
            return;
        }
        // SAFETY: a chunk of our own mapping, with no run on it.
        let words = unsafe { core::slice::from_raw_parts_mut(at as *mut u64, CHUNK as usize / 8) };
        if words.iter().fold(0, |all, word| all | word) == 0 {
            clean += CHUNK;
        } else {
            words.fill(0);
            clean = 0;
        }
        for map in [PRESENCE_BASE, POISON_BASE] {
            // SAFETY: the part of the map for that chunk.
            unsafe { core::ptr::write_bytes((map + at / 8) as *mut u8, 0, CHUNK as usize / 8) };
        }
    }
}
