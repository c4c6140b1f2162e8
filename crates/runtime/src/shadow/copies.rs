//! Copying, filling and forgetting ranges of memory: the bytes and what is known about them.
//!
//! Invariant: the plain operation always happens, tracked or not. The shadow is moved first, while memory still holds
//! what the source's cells were made for.

use covet_abi::check::Check;
use covet_abi::event::Concretization;
use covet_abi::node::NodeId;

use crate::check::{provenance, violations};
use crate::object::sizes::{self, End};
use crate::object::{lookup, pointers};
use crate::shadow::bytes::{self, Cell};
use crate::shadow::{access, indexed};
use crate::term::arena::answer;
use crate::term::build::{self, fit};
use crate::term::range;
use crate::trace::{events, touched, tracking};

/// Copies at a symbolic address that are made word by word at most, in words.
const WORDS: usize = 32;

#[unsafe(no_mangle)]
#[rustfmt::skip]
pub extern "C" fn __covet_memory_copy(
    to: u64, from: u64, length: u64, to_id: u32, from_id: u32, length_id: u32, site: u32,
) -> u32 {
    let (mut to_id, mut from_id) = (to_id, from_id);
    if tracking::active() {
        if length > 0 {
            something_used(&[to_id, from_id], fit(length_id, 64), site);
            (to_id, from_id) = (decided(to_id, to, site), decided(from_id, from, site));
        }
        length_used(&[(from, from_id), (to, to_id)], length, fit(length_id, 64), site);
    }
    violations::access(from, length, site);
    violations::access(to, length, site);
    if tracking::active() && length > 0 {
        touched::touch(from, length);
        touched::touch(to, length);
        if to_id == 0 && from_id == 0 {
            copy_shadow(to, from, length);
        } else if length <= WORDS as u64 * 8 {
            copy_words(to, from, length as usize, (fit(to_id, 64), fit(from_id, 64)), site);
            return 0;
        } else {
            pin_address(to_id, to);
            pin_address(from_id, from);
            copy_shadow(to, from, length);
        }
    }
    // SAFETY: the program's own copy, at its own risk.
    unsafe { core::ptr::copy(from as *const u8, to as *mut u8, length as usize) };
    0
}

/// The id of an address with pointer inputs in it decided.
fn decided(id: NodeId, address: u64, site: u32) -> NodeId {
    if id == 0 { 0 } else { pointers::followed(fit(id, 64), address, site) }
}

/// Addresses of inputs are looked at because the length is not zero, softly: without that, the next decision would be another.
fn something_used(addresses: &[NodeId], length: NodeId, site: u32) {
    if answer(length) != 0 && addresses.iter().any(|id| *id != 0) {
        events::length_used(site, build::not(build::equals(length, 0)));
    }
}

/// As many bytes as `id` says (now `length`) are touched at these addresses: asks for more than there are, then pins their number.
/// Also when nothing is touched: with another length something would be. Addresses that depend on input are decided first, so with
/// length zero nothing can be asked of them yet.
fn length_used(places: &[(u64, NodeId)], length: u64, id: NodeId, site: u32) {
    if answer(id) == 0 {
        return;
    }
    if length == 0 && places.iter().any(|(_, id)| *id != 0) {
        return events::concretised(Concretization::CopyLength, site, id, 0);
    }
    for &(address, _) in places.iter().filter(|(_, id)| *id == 0) {
        let Some((start, size)) = lookup::object_at(address) else { continue };
        violations::touch(address);
        let from = address - start;
        let end = End { index: id, stride: 1, plus: from, now: from.saturating_add(length) };
        if !sizes::ask(start, size, end, site) && range::largest(id) > u128::from(size - from) {
            let beyond = build::not(build::at_most(id, u128::from(size - from)));
            violations::ask(Check::OutOfBounds, site, beyond, length > size - from);
        }
    }
    events::concretised(Concretization::CopyLength, site, id, u128::from(length));
}

fn pin_address(id: NodeId, address: u64) {
    if id != 0 {
        events::concretised(Concretization::LargeObject, 0, fit(id, 64), u128::from(address));
    }
}

/// A structure assigned through a symbolic index, bytes and all: every word is read before the first is written.
fn copy_words(to: u64, from: u64, length: usize, (to_id, from_id): (NodeId, NodeId), site: u32) {
    let words = length.div_ceil(8);
    let word = |i: usize| ((i * 8) as u64, (length - i * 8).min(8) as u32);
    let mut taken = [(0, 0u128); WORDS];
    for (i, slot) in taken.iter_mut().enumerate().take(words) {
        let (offset, size) = word(i);
        let id = match from_id {
            0 => access::read(from + offset, size),
            _ => answer(indexed::load(from + offset, displaced(from, from_id, offset), size, site)),
        };
        // SAFETY: the program's own copy, at its own risk.
        *slot = (id, unsafe { access::plain(from + offset, size) });
    }
    for (i, &(id, value)) in taken.iter().enumerate().take(words) {
        let (offset, size) = word(i);
        match to_id {
            0 => access::write(to + offset, size, id, value),
            _ => indexed::store(to + offset, displaced(to, to_id, offset), size, id, value, site),
        }
        // SAFETY: as above. At once, so that the next word finds memory as its shadow says.
        unsafe { access::put(to + offset, size, value) };
    }
}

/// `id + offset`, of the address that is now `from`.
fn displaced(from: u64, id: NodeId, offset: u64) -> NodeId {
    if offset == 0 { id } else { provenance::__covet_element(from, id, 0, 0, 0, offset) }
}

/// Moves what is known of the source to the target, as `memmove` moves the bytes.
fn copy_shadow(to: u64, from: u64, length: u64) {
    let end = from.saturating_add(length);
    if to == from {
        return;
    }
    if bytes::next_marked(from, end) == end {
        return bytes::forget(to, length);
    }
    if to.wrapping_sub(from) < length {
        for i in (0..length).rev() {
            copy_cell(to + i, from + i);
        }
        return;
    }
    // Long stretches without a mark on either side cost next to nothing.
    let mut at = 0;
    while at < length {
        let next = bytes::next_marked(from + at, end) - from;
        bytes::forget(to + at, next - at);
        if next < length {
            copy_cell(to + next, from + next);
        }
        at = next + 1;
    }
}

fn copy_cell(to: u64, from: u64) {
    match bytes::get(from) {
        Some(cell) => bytes::set(to, cell),
        None => bytes::forget(to, 1),
    }
}

#[unsafe(no_mangle)]
#[rustfmt::skip]
pub extern "C" fn __covet_memory_fill(
    to: u64, byte: u64, length: u64, to_id: u32, byte_id: u32, length_id: u32, site: u32,
) -> u32 {
    let mut to_id = to_id;
    if tracking::active() {
        if length > 0 {
            something_used(&[to_id], fit(length_id, 64), site);
            to_id = decided(to_id, to, site);
            pin_address(to_id, to);
        }
        length_used(&[(to, to_id)], length, fit(length_id, 64), site);
    }
    violations::access(to, length, site);
    if tracking::active() && length > 0 {
        touched::touch(to, length);
        let id = if byte_id == 0 { 0 } else { answer(fit(byte_id, 8)) };
        if id == 0 {
            bytes::forget(to, length);
        } else {
            for i in 0..length {
                bytes::set(to + i, Cell::new(id, 0, byte as u8));
            }
        }
    }
    // SAFETY: the program's own fill, at its own risk.
    unsafe { core::ptr::write_bytes(to as *mut u8, byte as u8, length as usize) };
    0
}

#[unsafe(no_mangle)]
pub extern "C" fn __covet_forget(address: u64, length: u64) -> u32 {
    if tracking::active() {
        bytes::forget(address, length);
    }
    0
}
