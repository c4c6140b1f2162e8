//! Input objects at addresses that the engine has chosen, beside the heap: they can be freed and resized like its objects.
//!
//! Invariant: an object is zero when it is placed, and after [`reset`] the region is zero as far as the run may have written.

use covet_abi::placed::{BASE, SIZE, block};
use covet_abi::shared::RED_ZONE;

use crate::check::poison;
use crate::object::heap::Bad;
use crate::object::lookup::Owner;
use crate::object::{growth, sizes};
use crate::sys::mapping;
use crate::sys::state::Static;

/// One word per 16 bytes of the region, used at the starts of objects only.
const WORDS_BASE: u64 = 0x2060_0000_0000;
const WORDS_SIZE: u64 = SIZE / 2;
/// A word: [`LIVE`] (perhaps with [`OPEN`]), from [`GROWTH`] on one more than the number of its growth, and the size of the
/// object; or [`FREED`].
const LIVE: u64 = 1 << 63;
/// There may be more behind it, which nobody knows.
const OPEN: u64 = 1 << 61;
const GROWTH: u32 = 32;
const GROWTH_BITS: u64 = (1 << 20) - 1;
const SIZE_BITS: u64 = (1 << GROWTH) - 1;
const FREED: u64 = 1 << 62;
/// Objects of one run at most.
const PLACED: usize = 1 << 13;
/// A run that wrote past an object has hardly gone further than this.
const SPILL: u64 = 256;
/// Bytes behind an object that are poisoned at most.
const ZONE: u64 = 4096;

/// Address and size.
static OBJECTS: Static<[(u64, u64); PLACED]> = Static::new([(0, 0); PLACED]);
static COUNT: Static<usize> = Static::new(0);

pub fn init() -> bool {
    !mapping::private_at(BASE, SIZE as usize).is_null()
        && !mapping::private_at(WORDS_BASE, WORDS_SIZE as usize).is_null()
}

#[inline(always)]
pub fn owns(address: u64) -> bool {
    address.wrapping_sub(BASE) < SIZE
}

/// Makes `size` bytes at `address` an object. False when that is not the start of a block with room, or there are too many.
pub fn place(address: u64, size: u64, is_open: bool) -> bool {
    let count = COUNT.read();
    let fits = block(address).is_some_and(|(start, bytes)| start == address && size < bytes);
    if !fits || count == PLACED || *word(address) != 0 {
        return false;
    }
    OBJECTS.get()[count] = (address, size);
    COUNT.write(count + 1);
    *word(address) = LIVE | size | if is_open { OPEN } else { 0 };
    poison::clear(address, size);
    poison::set(address + size, tail(address, size));
    if object_at(address - RED_ZONE).is_none() {
        poison::set(address - RED_ZONE, RED_ZONE);
    }
    true
}

/// Bytes behind an object that are poisoned.
fn tail(address: u64, size: u64) -> u64 {
    block(address).map_or(0, |(_, bytes)| (bytes - size).min(ZONE))
}

/// The object at `start` has growth number `number`.
pub fn set_growth(start: u64, number: u64) {
    *word(start) |= (number + 1) << GROWTH;
}

/// The number of the growth of the object that the address is in, or behind in its block.
pub fn growth(address: u64) -> Option<u64> {
    let (start, _) = block(address)?;
    let word = *word(start);
    ((word >> GROWTH) & GROWTH_BITS).checked_sub(1).filter(|_| word & LIVE != 0)
}

/// Whom a poisoned byte of the region belongs to.
pub fn owner(address: u64) -> Owner {
    match block(address) {
        Some((start, _)) if *word(start) & FREED != 0 => Owner::Freed,
        _ if object_at(address).is_some() => Owner::Somebody,
        Some((start, _)) if *word(start) & OPEN != 0 => Owner::Unknown,
        _ => Owner::Nobody,
    }
}

/// The live object that `address` of the region lies in.
pub fn object_at(address: u64) -> Option<(u64, u64)> {
    around(address).filter(|&(start, size)| address - start < size.max(1))
}

/// The live object in whose block `address` lies.
pub fn around(address: u64) -> Option<(u64, u64)> {
    let (start, _) = block(address)?;
    let word = *word(start);
    (word & LIVE != 0).then_some((start, word & SIZE_BITS))
}

/// Ends the object at `address` and tells its size.
pub fn release(address: u64) -> Result<u64, Bad> {
    let size = size_of_object(address)?;
    *word(address) = FREED;
    poison::set(address, size);
    Ok(size)
}

/// Gives the object at `address` the size `size` where it is, if there is room. Its old size otherwise.
pub fn resize(address: u64, size: u64) -> Result<(u64, bool), Bad> {
    let old = size_of_object(address)?;
    // Growing in place would hide that the program forgot to take the new address.
    let fits = size <= old;
    if fits {
        *word(address) = LIVE | size;
        sizes::forget(address);
        poison::set(address + size, old - size);
    }
    Ok((old, fits))
}

fn size_of_object(address: u64) -> Result<u64, Bad> {
    let found = if address.is_multiple_of(16) { *word(address) } else { 0 };
    match found {
        word if word & LIVE != 0 => Ok(word & SIZE_BITS),
        FREED => Err(Bad::Freed),
        _ => Err(Bad::NotAnObject),
    }
}

/// Nothing is placed any more, and all is zero.
pub fn reset() {
    for &(address, size) in &OBJECTS.get()[..COUNT.read()] {
        let longest = growth::of(address).map_or(size, growth::Growth::capacity).max(size);
        *word(address) = 0;
        let end = (address + longest + SPILL).min(BASE + SIZE);
        poison::clear(address - RED_ZONE, RED_ZONE + size + tail(address, size));
        // SAFETY: inside the region.
        unsafe { core::ptr::write_bytes(address as *mut u8, 0, (end - address) as usize) };
    }
    COUNT.write(0);
    growth::reset();
}

fn word(address: u64) -> &'static mut u64 {
    // SAFETY: the address is inside the region, so the word is inside the mapped table.
    unsafe { &mut *((WORDS_BASE as *mut u64).add(((address - BASE) / 16) as usize)) }
}
