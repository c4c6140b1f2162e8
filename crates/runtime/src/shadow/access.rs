//! Bytes of memory ↔ nodes, and the load and store hooks.
//!
//! Invariant: reading back what was written gives the very node that was written, whatever way it was cut in between.

use core::cell::Cell as Slot;

use covet_abi::event::Concretization;
use covet_abi::node::NodeId;

use crate::check::{undefined, violations};
use crate::shadow::bytes::{self, Cell};
use crate::shadow::indexed;
use crate::term::arena::{answer, constant, is, width};
use crate::term::build;
use crate::trace::{events, touched, tracking};

/// Widest access in bytes that has a node.
pub const WIDEST: u32 = 16;

#[unsafe(no_mangle)]
pub extern "C" fn __covet_load(address: u64, id: u32, bits: u32, site: u32) -> NodeId {
    let length = bits / 8;
    if !tracking::active() || length == 0 {
        return 0;
    }
    touched::touch(address, u64::from(length));
    if id == 0 {
        violations::access(address, u64::from(length), site);
    } else {
        undefined::used(id);
    }
    if length > WIDEST {
        if bytes::range_is_symbolic(address, u64::from(length)) {
            events::count(Concretization::WideInteger);
        }
        return 0;
    }
    if id == 0 {
        read(address, length)
    } else {
        undefined::chosen(answer(indexed::load(address, id, length, site)), address, length, site)
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn __covet_store(address: u64, id: u32, bits: u32, value: u32, low: u64, high: u64, site: u32) -> u32 {
    let length = bits / 8;
    if !tracking::active() {
        return 0;
    }
    touched::touch(address, u64::from(bits.div_ceil(8)));
    if id == 0 {
        violations::access(address, u64::from(bits.div_ceil(8)), site);
    } else {
        undefined::used(id);
    }
    if length == 0 || length > WIDEST {
        bytes::forget(address, u64::from(bits.div_ceil(8)));
        return 0;
    }
    let value = if value == 0 { 0 } else { answer(build::fit(value, length * 8)) };
    let concrete = u128::from(low) | u128::from(high) << 64;
    if id == 0 {
        write(address, length, value, concrete);
    } else {
        indexed::store(address, id, length, value, concrete, site);
    }
    0
}

/// The node of `length` bytes at `address`; 0 when none of them is symbolic.
#[inline]
pub fn read(address: u64, length: u32) -> NodeId {
    if length <= 8 && (address & 7) + u64::from(length) <= 8 {
        let id = bytes::whole_within_granule(address, length);
        if id != 0 && width(id) == length * 8 {
            return id;
        }
    }
    let end = address.saturating_add(u64::from(length));
    if bytes::next_marked(address, end) == end { 0 } else { assemble(address, length) }
}

/// The node of `length` bytes at `address`, a constant when none of them is symbolic.
///
/// # Safety
/// The bytes must be readable.
pub unsafe fn read_or_constant(address: u64, length: u32) -> NodeId {
    let id = read(address, length);
    // SAFETY: the caller vouches for the bytes.
    if id != 0 { id } else { constant(length * 8, unsafe { plain(address, length) }) }
}

/// The concrete value of `length` bytes at `address`.
///
/// # Safety
/// The bytes must be readable.
#[inline]
pub unsafe fn plain(address: u64, length: u32) -> u128 {
    let mut value = 0u128;
    for i in (0..length).rev() {
        // SAFETY: the caller vouches for the bytes.
        value = value << 8 | u128::from(unsafe { *(address as *const u8).add(i as usize) });
    }
    value
}

/// Puts a concrete value into memory.
///
/// # Safety
/// The bytes must be writable.
pub unsafe fn put(address: u64, length: u32, value: u128) {
    for i in 0..length {
        // SAFETY: the caller vouches for the bytes.
        unsafe { *(address as *mut u8).add(i as usize) = (value >> (8 * i)) as u8 };
    }
}

/// Runs of bytes that belong together, lowest first, glued one above the other.
#[inline(never)]
fn assemble(address: u64, length: u32) -> NodeId {
    let glued = Slot::new(0);
    let push = |piece: NodeId| glued.set(if glued.get() == 0 { piece } else { build::concat(piece, glued.get()) });
    let mut symbolic = false;
    let mut at = 0;
    while at < length {
        let first = bytes::get(address + u64::from(at));
        let mut run = 1;
        while at + run < length && continues(first, run, bytes::get(address + u64::from(at + run))) {
            run += 1;
        }
        match first {
            Some(cell) => {
                symbolic = true;
                push(build::extract(cell.id(), cell.part() * 8, run * 8));
            }
            // SAFETY: a neighbouring byte of the same access is symbolic, so this is memory of the program about to be
            // read by it anyway.
            None => push(constant(run * 8, unsafe { plain(address + u64::from(at), run) })),
        }
        at += run;
    }
    if symbolic { answer(glued.get()) } else { 0 }
}

/// True when `next` is the byte that follows a run of `run` bytes that began with `first`.
fn continues(first: Option<Cell>, run: u32, next: Option<Cell>) -> bool {
    match (first, next) {
        (None, None) => true,
        (Some(first), Some(next)) => first.id() == next.id() && first.part() + run == next.part(),
        (Some(_), None) | (None, Some(_)) => false,
    }
}

/// The `length` bytes at `address` are `id` from now on (or concrete, when 0), having the concrete value given.
#[inline]
pub fn write(address: u64, length: u32, id: NodeId, concrete: u128) {
    if id == 0 || is(id, covet_abi::node::Op::Const) {
        bytes::forget(address, u64::from(length));
        return;
    }
    let mut part = 0;
    while part < length {
        let at = address.wrapping_add(u64::from(part));
        let run = (8 - (at & 7) as u32).min(length - part);
        bytes::set_within_granule(at, run, id, part, (concrete >> (part * 8)) as u64);
        part += run;
    }
}

/// Marks what the memory holds already: its concrete value stays.
///
/// # Safety
/// The bytes must be readable.
pub unsafe fn mark(address: u64, length: u32, id: NodeId) {
    // SAFETY: the caller vouches for the bytes.
    write(address, length, id, unsafe { plain(address, length) });
}
