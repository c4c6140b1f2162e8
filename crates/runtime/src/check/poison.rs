//! Poisoned memory: bytes that belong to nobody, such as red zones between objects and what was freed.
//!
//! Invariants: every poisoned byte has its presence bit set as well, so an access finds it where it looks for symbolic bytes
//! anyway; an object that is alive has none.

use covet_abi::shared::{POISON_BASE, PRESENCE_BASE, PRESENCE_SIZE};

use crate::sys::mapping;

/// No object is so large that its poison could be longer.
const LONGEST: u64 = 1 << 32;
const ADDRESS_END: u64 = 1 << 47;

/// Maps the poison map. False when the kernel refuses.
pub fn init() -> bool {
    !mapping::private_at(POISON_BASE, PRESENCE_SIZE as usize).is_null()
}

/// The byte for the 8 bytes around `address`.
#[inline(always)]
pub fn byte(address: u64) -> *mut u8 {
    (POISON_BASE + (address >> 3)) as *mut u8
}

/// The bytes for the 64 bytes around `address`.
#[inline(always)]
pub fn word(address: u64) -> *mut u64 {
    (POISON_BASE + (address >> 6) * 8) as *mut u64
}

#[inline(always)]
fn presence(map: *mut u8) -> *mut u8 {
    map.wrapping_sub((POISON_BASE - PRESENCE_BASE) as usize)
}

/// From now on the bytes belong to nobody.
pub fn set(address: u64, length: u64) {
    // SAFETY: inside both maps.
    in_pieces(address, length, |map, bits| unsafe {
        map.write_unaligned(map.read_unaligned() | bits);
        let presence = presence(map.cast()).cast::<u64>();
        presence.write_unaligned(presence.read_unaligned() | bits);
    });
}

/// From now on the bytes belong to somebody, and are plain.
pub fn clear(address: u64, length: u64) {
    // SAFETY: inside both maps.
    in_pieces(address, length, |map, bits| unsafe {
        let found = map.read_unaligned() & bits;
        if found != 0 {
            map.write_unaligned(map.read_unaligned() & !found);
            let presence = presence(map.cast()).cast::<u64>();
            presence.write_unaligned(presence.read_unaligned() & !found);
        }
    });
}

/// The first poisoned byte of a range.
#[inline]
pub fn first(address: u64, length: u64) -> Option<u64> {
    if length == 0 || address >= ADDRESS_END || length > ADDRESS_END - address {
        return None;
    }
    let (mut at, end) = (address, address + length);
    while at < end {
        // SAFETY: inside the map.
        unsafe {
            if at.is_multiple_of(64) && end - at >= 64 && *word(at) == 0 {
                at += 64;
                continue;
            }
            let marks = *byte(at) >> (at & 7);
            if marks != 0 {
                let found = at + u64::from(marks.trailing_zeros());
                return (found < end).then_some(found);
            }
        }
        at = (at | 7) + 1;
    }
    None
}

/// Calls `change` with each 8 bytes of the map that the range touches, and the bits in them that stand for its bytes.
#[inline(always)]
fn in_pieces(address: u64, length: u64, change: impl Fn(*mut u64, u64)) {
    if address >= ADDRESS_END || length > LONGEST.min(ADDRESS_END - address) {
        return;
    }
    let (mut at, end) = (address, address + length);
    while at < end {
        let start = at & !7;
        let stop = end.min(start + 64);
        let upto = |bits: u64| if bits == 64 { u64::MAX } else { (1 << bits) - 1 };
        change(byte(start).cast(), upto(stop - start) & !upto(at - start));
        at = stop;
    }
}
