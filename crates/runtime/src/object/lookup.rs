//! Addresses → the object they point into: stack, globals, heap, and what was registered by hand.
//!
//! Invariant: an answer `(base, size)` contains the address asked for, and its bytes are readable.

use core::ptr::null_mut;

use covet_abi::shared::RED_ZONE;
use covet_abi::sites::{GlobalFlags, Program};

use crate::check::poison;
use crate::object::{heap, placed};
use crate::shadow::calls::{self, __covet_object_top, __covet_objects, Object, STACK_OBJECTS};
use crate::shadow::variadic;
use crate::sys::mapping;
use crate::trace::run;
use crate::trace::tracking::Lone;

/// Objects registered at run time at most (tables of the C library and the like).
const REGISTERED: usize = 256;

/// Globals sorted by address.
static GLOBALS: Lone<*mut Object> = Lone::new(null_mut());
static GLOBAL_COUNT: Lone<usize> = Lone::new(0);
static EXTRA: Lone<[Object; REGISTERED]> = Lone::new([Object { address: 0, size: 0 }; REGISTERED]);
static EXTRA_COUNT: Lone<usize> = Lone::new(0);
/// So many of them were registered outside a run and stay.
static LASTING: Lone<usize> = Lone::new(0);

/// Sorts the program's globals.
///
/// # Safety
/// `program` must be null or point to the program's tables.
pub unsafe fn init(program: *const Program) -> bool {
    GLOBAL_COUNT.set(0);
    EXTRA_COUNT.set(0);
    LASTING.set(0);
    if program.is_null() {
        return true;
    }
    // SAFETY: the caller vouches for the tables; the copy has room for all of them.
    unsafe {
        let total = (*program).global_count as usize;
        if total == 0 {
            return true;
        }
        let sorted: *mut Object = mapping::private(total * size_of::<Object>()).cast();
        if sorted.is_null() {
            return false;
        }
        let mut count = 0;
        for i in 0..total {
            let global = &*(*program).globals.add(i);
            if !global.address.is_null() && global.size > 0 {
                *sorted.add(count) = Object { address: global.address as u64, size: global.size };
                count += 1;
                if global.flags.has(GlobalFlags::RED_ZONE) {
                    poison::set(global.address as u64 + global.size, RED_ZONE);
                }
            }
        }
        core::slice::from_raw_parts_mut(sorted, count).sort_unstable_by_key(|object| object.address);
        GLOBALS.set(sorted);
        GLOBAL_COUNT.set(count);
    }
    true
}

/// Forgets the objects of the run before.
pub fn begin() {
    EXTRA_COUNT.set(LASTING.get());
}

/// Whom a poisoned byte belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Owner {
    /// It is no longer anybody's.
    Freed,
    /// It lies beside an object.
    Nobody,
    /// It is used after all.
    Somebody,
    /// The input does not say what is there.
    Unknown,
}

pub fn owner(address: u64) -> Owner {
    if heap::owns(address) {
        return heap::owner(address);
    }
    if !on_stack(address) {
        return Owner::Nobody;
    }
    if variadic::is_guarded(address) {
        return Owner::Unknown;
    }
    // A frame leaves its red zones behind when it is jumped out of; those of a frame that is alive are beside an object.
    let top = (__covet_object_top.get() as usize).min(STACK_OBJECTS);
    // SAFETY: below the array's length; one thread.
    let objects = unsafe { &(&(*__covet_objects.pointer()))[..top] };
    let beside = |object: &&Object| {
        let end = object.address + object.size;
        (end..(end + RED_ZONE).next_multiple_of(8)).contains(&address)
            || (object.address.saturating_sub(RED_ZONE)..object.address).contains(&address)
    };
    if objects.iter().rev().any(|object| beside(&object)) { Owner::Nobody } else { Owner::Somebody }
}

#[cfg(not(test))]
use crate::sys::stack::contains as on_stack;

#[cfg(test)]
fn on_stack(_address: u64) -> bool {
    false
}

/// The object that `address` lies in: its start and size.
pub fn object_at(address: u64) -> Option<(u64, u64)> {
    global_at(address)
        .or_else(|| heap::object_at(address))
        .or_else(|| stack_object_at(address))
        .or_else(|| registered_at(address))
}

/// The heap's object that `address` lies in, or in the rest of whose place.
pub fn around(address: u64) -> Option<(u64, u64)> {
    if heap::owns(address) { placed::around(address).or_else(|| heap::object_at(address)) } else { None }
}

#[inline(always)]
fn holds(object: &Object, address: u64) -> bool {
    address.wrapping_sub(object.address) < object.size
}

fn global_at(address: u64) -> Option<(u64, u64)> {
    let count = GLOBAL_COUNT.get();
    if count == 0 {
        return None;
    }
    // SAFETY: filled by `init`, never freed.
    let globals = unsafe { core::slice::from_raw_parts(GLOBALS.get(), count) };
    let after = globals.partition_point(|object| object.address <= address);
    let object = globals.get(after.checked_sub(1)?)?;
    holds(object, address).then_some((object.address, object.size))
}

/// The innermost object first: frames that a `longjmp` skipped may have left others further up.
fn stack_object_at(address: u64) -> Option<(u64, u64)> {
    let here = 0u8;
    if address < &raw const here as u64 {
        // Below our own frame there is nothing alive.
        return None;
    }
    let top = (__covet_object_top.get() as usize).min(STACK_OBJECTS);
    // SAFETY: below the array's length; one thread.
    let objects = unsafe { &(&(*__covet_objects.pointer()))[..top] };
    let object = objects.iter().rev().find(|object| holds(object, address))?;
    Some((object.address, object.size))
}

fn registered_at(address: u64) -> Option<(u64, u64)> {
    // SAFETY: below the array's length; one thread.
    let extra = unsafe { &(&(*EXTRA.pointer()))[..EXTRA_COUNT.get()] };
    let object = extra.iter().rev().find(|object| holds(object, address))?;
    Some((object.address, object.size))
}

/// The red zones of a stack object of variable length: before it, and behind it to the end of eight bytes.
fn zones(object: &Object) -> [(u64, u64); 2] {
    let end = object.address + object.size;
    [(object.address - RED_ZONE, RED_ZONE), (end, (end + RED_ZONE).next_multiple_of(8) - end)]
}

#[unsafe(no_mangle)]
pub extern "C" fn __covet_zone(address: u64, length: u64) -> u32 {
    // Frames that were jumped out of may have left theirs.
    poison::clear(address, length);
    zones(&Object { address, size: length }).into_iter().for_each(|(start, bytes)| poison::set(start, bytes));
    0
}

/// Forgets the objects that `is_gone` says of, from the innermost on, and their zones.
fn drop_objects(is_gone: impl Fn(usize, &Object) -> bool) {
    let mut top = (__covet_object_top.get() as usize).min(STACK_OBJECTS);
    // SAFETY: below the array's length; one thread.
    let objects = unsafe { &*__covet_objects.pointer() };
    while let Some(last) = top.checked_sub(1).filter(|&last| is_gone(last, &objects[last])) {
        zones(&objects[last]).into_iter().for_each(|(start, bytes)| poison::clear(start, bytes));
        top = last;
    }
    __covet_object_top.set(top as u64);
}

#[unsafe(no_mangle)]
pub extern "C" fn __covet_restore(stack: u64) -> u32 {
    drop_objects(|_, object| object.address < stack);
    0
}

#[unsafe(no_mangle)]
pub extern "C" fn __covet_leave(objects: u64) -> u32 {
    drop_objects(|number, _| number as u64 >= objects);
    0
}

/// Bytes from `address` to the end of the object it lies in; 0 when no object is known there.
#[unsafe(no_mangle)]
pub extern "C" fn __covet_object_left(address: *const u8) -> u64 {
    calls::returns(0);
    object_at(address as u64).map_or(0, |(start, size)| start + size - address as u64)
}

/// Makes `size` readable bytes at `address` an object, for the run if there is one, else for good. The same address
/// again changes its size.
#[unsafe(no_mangle)]
pub extern "C" fn __covet_register_object(address: *const u8, size: usize) {
    let (address, size) = (address as u64, size as u64);
    // SAFETY: below the array's length; one thread.
    let extra = unsafe { &mut *EXTRA.pointer() };
    let count = EXTRA_COUNT.get();
    if let Some(known) = extra[..count].iter_mut().find(|object| object.address == address) {
        known.size = size;
    } else if count < REGISTERED {
        extra[count] = Object { address, size };
        EXTRA_COUNT.set(count + 1);
        if !run::is_on() {
            LASTING.set(count + 1);
        }
    }
}
