//! A run's input → the value of each variable, and the list of those the run used.
//!
//! Invariants: a variable has one value throughout a run. It enters the list in shared memory on first use, at once, so
//! that a run that dies has told what it read.

use core::ptr::null_mut;

use covet_abi::input::{Used, ValueKind, Variable};
use covet_abi::shared::{First, RunRequest};

use crate::sys::mapping;
use crate::term::arena;
use crate::trace::run;
use crate::trace::tracking::Lone;
use crate::trace::variables::{self, hash, mix};

#[derive(Clone, Copy)]
struct Value {
    /// Run in which `bits` was set, run in which it was used.
    set: u32,
    used: u32,
    bits: u128,
}

static VALUES: Lone<*mut Value> = Lone::new(null_mut());
static CAPACITY: Lone<u64> = Lone::new(0);

/// Room for the values of this many variables.
pub fn init(capacity: u64) -> bool {
    CAPACITY.set(capacity);
    VALUES.set(mapping::private(capacity as usize * size_of::<Value>()).cast());
    !VALUES.get().is_null()
}

/// Takes the values that a request assigns.
///
/// # Safety
/// The request must lie in the attached pages.
pub unsafe fn begin(request: &RunRequest) {
    // SAFETY: attached pages; assignments are cut to the region.
    unsafe {
        let region = &(*arena::control()).regions.values;
        let first = u64::from(request.values_at).min(region.capacity);
        let count = u64::from(request.values_len).min(region.capacity - first);
        let assignments = arena::region(region).add(first as usize);
        for i in 0..count as usize {
            let assignment = *assignments.add(i);
            if u64::from(assignment.variable) < CAPACITY.get() {
                let value = &mut *VALUES.get().add(assignment.variable as usize);
                value.set = run::number();
                value.bits = assignment.bits();
            }
        }
    }
}

/// Whether this run's request gives the variable a value, or it has been used.
pub fn is_given(number: u32) -> bool {
    // SAFETY: below the capacity.
    u64::from(number) < CAPACITY.get() && unsafe { (*VALUES.get().add(number as usize)).set } == run::number()
}

/// Gives a variable its value in this run, whatever the request said.
pub fn assign(number: u32, bits: u128) {
    if u64::from(number) < CAPACITY.get() {
        // SAFETY: below the capacity.
        let slot = unsafe { &mut *VALUES.get().add(number as usize) };
        (slot.set, slot.bits) = (run::number(), bits);
    }
}

/// The value of a variable in this run. It counts as used from now on.
pub fn value(number: u32) -> u128 {
    let Some(variable) = variables::get(number) else { return 0 };
    // SAFETY: the number is below the table's count, hence below the capacity.
    let slot = unsafe { &mut *VALUES.get().add(number as usize) };
    let mask = arena::mask(u32::from(variable.width));
    if slot.set != run::number() {
        (slot.set, slot.bits) = (run::number(), unnamed(number, &variable));
    }
    let bits = slot.bits & mask;
    if slot.used != run::number() {
        slot.used = run::number();
        list(number, bits);
    }
    bits
}

/// Whether what the input does not name is zero, its default otherwise.
pub fn are_zero() -> bool {
    // SAFETY: attached pages.
    unsafe { (*arena::control()).first == First::Zeros as u32 }
}

/// The value of a variable that the input does not name.
fn unnamed(number: u32, variable: &Variable) -> u128 {
    if are_zero() {
        return u128::from(variable.default);
    }
    // SAFETY: attached pages.
    let seed = unsafe { (*arena::control()).seed };
    let random = mix(seed ^ hash(variables::name(number)));
    match ValueKind::from_u8(variable.kind) {
        Some(ValueKind::Signed | ValueKind::Unsigned | ValueKind::Char | ValueKind::Byte) => {
            u128::from(random) | u128::from(mix(random)) << 64
        }
        Some(ValueKind::Bool) => u128::from(random & 1),
        Some(ValueKind::Float) => random_float(random, variable.width),
        // A random pointer points nowhere.
        Some(ValueKind::Pointer | ValueKind::Function | ValueKind::Growth) | None => u128::from(variable.default),
    }
}

/// A number of ordinary size: random bits would mostly be huge, tiny or no number.
fn random_float(random: u64, width: u16) -> u128 {
    let unit = (random >> 11) as f64 / (1u64 << 53) as f64;
    let number = (unit - 0.5) * 2000.0;
    match width {
        32 => u128::from((number as f32).to_bits()),
        64 => u128::from(number.to_bits()),
        _ => 0,
    }
}

/// Appends to the run's list of used variables.
pub fn list(number: u32, bits: u128) {
    // SAFETY: attached pages; room is checked.
    unsafe {
        let control = arena::control();
        let at = (*control).list_count;
        let end = at + Used::WORDS as u64;
        if end > (*control).regions.lists.capacity {
            return;
        }
        let entry = arena::region(&(*control).regions.lists).add(at as usize);
        entry.cast::<[u64; Used::WORDS]>().write(Used { variable: number, bits }.pack());
        (&raw mut (*control).list_count).write_volatile(end);
    }
    run::with_result(|result| result.variables_len += 1);
}
