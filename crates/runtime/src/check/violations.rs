//! Checks: conditions that must not become true. A symbolic one is logged, so that the engine can ask for an input that
//! violates it; a violated one ends the run, with its call stack.
//!
//! Invariant: a check that nobody wants ends nothing, and what it says is then only a condition of the path.

use covet_abi::check::{Check, Checks};
use covet_abi::event::NO_SITE;
use covet_abi::node::{NodeId, Op};
use covet_abi::termination::Termination;

use crate::check::poison;
use crate::object::lookup::{self, Owner};
use crate::object::{growth, heap, sizes};
use crate::term::arena::constant;
use crate::term::build::{self, binary, fit, sign_extend};
use crate::term::{arena, range};
#[cfg(test)]
use crate::tests::end_run;
use crate::trace::tracking::{self, Lone};
use crate::trace::{events, run};
#[cfg(not(test))]
use crate::worker::signals::end_run;

/// Addresses below are a NULL pointer with an offset.
pub const NULL_PAGE: u64 = 4096;

/// The address that the program was last about to touch, as far as that was looked into.
static TOUCHED: Lone<u64> = Lone::new(0);

/// The program is about to touch this address.
pub fn touch(address: u64) {
    TOUCHED.set(address);
}

/// Whether a violation is to be sought and told.
pub fn wanted(check: Check) -> bool {
    // SAFETY: attached pages.
    run::is_on() && Checks(unsafe { (*arena::control()).checks }).contains(check)
}

/// `violation` says when the check is violated, and `violated` whether it is now: then the run ends, if that is wanted.
pub fn ask(check: Check, site: u32, violation: NodeId, violated: bool) {
    note(check, site, violation, violated);
    if violated {
        violate(check);
    }
}

/// As [`ask`], where the machine itself ends the run.
pub fn note(check: Check, site: u32, violation: NodeId, violated: bool) {
    if wanted(check) {
        events::check(check, site, violation, violated);
    } else if !violated {
        events::bounds(site, build::not(violation));
    }
}

/// The check is violated, whatever the input.
pub fn violate(check: Check) {
    if wanted(check) {
        end(check);
    }
}

/// The check is violated at an address, or about the object that is there.
pub fn violate_at(check: Check, address: u64) {
    #[cfg(not(test))]
    if wanted(check) {
        crate::worker::signals::ENDING.get().fault = address;
    }
    let _ = address;
    violate(check);
}

/// The program is about to touch these bytes: poisoned ones end the run.
#[inline]
pub fn access(address: u64, length: u64, site: u32) {
    touch(address);
    if heap::owns(address) && length > 0 {
        sizes::reached(address, length, site);
    }
    if let Some(at) = poison::first(address, length) {
        touched_poison(at, address + length);
    }
}

#[cold]
fn touched_poison(mut at: u64, end: u64) {
    while at < end {
        match lookup::owner(at) {
            Owner::Freed => return violate(Check::UseAfterFree),
            Owner::Nobody => {
                if let Some(growth) = growth::of(at).filter(|growth| growth.may_hold(at)) {
                    growth.reach(at);
                }
                return violate_at(Check::OutOfBounds, at);
            }
            Owner::Unknown => end_run(Termination::AssumptionFailed, 0),
            // Left behind by a frame that was jumped out of.
            Owner::Somebody => poison::clear(at, 1),
        }
        at = poison::first(at, end - at).unwrap_or(end);
    }
}

#[cfg(not(test))]
#[inline(never)]
fn end(check: Check) -> ! {
    let ending = crate::worker::signals::ENDING.get();
    if ending.fault == 0 && matches!(check, Check::OutOfBounds | Check::UseAfterFree) {
        ending.fault = TOUCHED.get();
    }
    crate::worker::signals::end_run_at(frame(), Termination::Violated, check as i32)
}

#[cfg(test)]
fn end(check: Check) -> ! {
    end_run(Termination::Violated, check as i32)
}

/// The frame of the function this is inlined into: the runtime is built with frame pointers.
#[cfg(all(not(test), target_arch = "x86_64"))]
#[inline(always)]
fn frame() -> u64 {
    let frame: u64;
    // SAFETY: reads a register.
    unsafe { core::arch::asm!("mov {}, rbp", out(reg) frame, options(nomem, nostack, preserves_flags)) };
    frame
}

#[cfg(all(not(test), target_arch = "aarch64"))]
#[inline(always)]
fn frame() -> u64 {
    let frame: u64;
    // SAFETY: reads a register.
    unsafe { core::arch::asm!("mov {}, x29", out(reg) frame, options(nomem, nostack, preserves_flags)) };
    frame
}

/// Not 0 when one of the bytes is symbolic or poisoned, and not only a neighbour of such.
#[unsafe(no_mangle)]
pub extern "C" fn __covet_touched(address: u64, length: u64) -> u32 {
    u32::from(
        crate::shadow::bytes::next_marked(address, address.saturating_add(length)) < address.saturating_add(length),
    )
}

/// For models: a native function has read or written these bytes of the program's.
#[unsafe(no_mangle)]
pub extern "C" fn __covet_accessed(address: u64, length: u64) {
    access(address, length, NO_SITE);
}

#[unsafe(no_mangle)]
pub extern "C" fn __covet_bounds(site: u32, id: u32, index: u64, count: u64) -> u32 {
    if index >= count {
        // The array is left by its type, whatever was touched last.
        touch(0);
    }
    at_least(Check::OutOfBounds, site, (id, 64), index, count);
    0
}

#[unsafe(no_mangle)]
pub extern "C" fn __covet_shift(site: u32, width: u32, id: u32, amount: u64) -> u32 {
    at_least(Check::ShiftOutOfRange, site, (id, width), amount, u64::from(width));
    0
}

#[unsafe(no_mangle)]
#[rustfmt::skip]
pub extern "C" fn __covet_overflow(
    site: u32, op: u32, width: u32, a: u32, b: u32, av: u64, bv: u64,
) -> u32 {
    let signed = |value: u64| i128::from(value as i64) << (128 - width) >> (128 - width);
    let (x, y) = (signed(av), signed(bv));
    let (result, op, wide) = match Op::from_u8(op as u8) {
        Some(Op::Sub) => (x - y, Op::Sub, width + 1),
        Some(Op::Mul) => (x * y, Op::Mul, width * 2),
        _ => (x + y, Op::Add, width + 1),
    };
    let most = (1i128 << (width - 1)) - 1;
    let violated = !(-most - 1..=most).contains(&result);
    if a | b == 0 || !tracking::active() {
        if violated {
            violate(Check::SignedOverflow);
        }
        return 0;
    }
    // Computed with room for every result.
    let term = |id: NodeId, value: i128| match id {
        0 => constant(wide, value as u128),
        id => sign_extend(wide, fit(id, width)),
    };
    let number = |value: i128| constant(wide, value as u128);
    let sum = binary(op, wide, term(a, x), term(b, y));
    let (below, above) = (binary(Op::Slt, wide, sum, number(-most - 1)), binary(Op::Slt, wide, number(most), sum));
    ask(Check::SignedOverflow, site, binary(Op::Or, 1, below, above), violated);
    0
}

/// A value (its node and width) that violates `check` when it reaches `limit`, unsigned.
fn at_least(check: Check, site: u32, (id, width): (NodeId, u32), value: u64, limit: u64) {
    if id == 0 || !tracking::active() {
        if value >= limit {
            violate(check);
        }
        return;
    }
    let id = fit(id, width);
    if limit > 0 && range::largest(id) >= u128::from(limit) {
        // In the same words as for an object: what was found to be inside one is not asked again for the other.
        let beyond = build::not(build::at_most(id, u128::from(limit - 1)));
        ask(check, site, beyond, value >= limit);
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn __covet_violation(_site: u32, check: u32) -> u32 {
    if let Some(check) = Check::from_u16(check as u16) {
        violate(check);
    }
    0
}
