//! Hook calls → the event log of the run, and the counters of what was made concrete.
//!
//! Invariants: a record is written before the count is bumped, so a run that dies leaves a valid prefix. Every logged
//! `expr` is a symbolic node. A constraint that is never negated is logged once per run. When the log is full, tracking
//! stops for the run.

use covet_abi::check::Check;
use covet_abi::event::{CONCRETIZATIONS, Concretization, Event, Kind, NO_SITE};
use covet_abi::node::{NodeId, Op};
use covet_abi::shared::ResultFlags;

use crate::check::undefined;
use crate::check::violations;
use crate::term::arena::{self, answer, constant, width};
use crate::term::build::{self, binary, equals, fit, operand};
use crate::trace::progress;
use crate::trace::run;
use crate::trace::tracking::{self, Lone};

/// Slots of the memory of constraints that need no repetition: a power of two.
const REMEMBERED: usize = 1 << 12;

static EVENTS: Lone<*mut Event> = Lone::new(core::ptr::null_mut());
/// The log may grow to this many events during the present run.
static LIMIT: Lone<u64> = Lone::new(0);
static LAST: Lone<Event> = Lone::new(NO_EVENT);
/// Run number and node of constraints already in this run's log, at the node's slot.
static PINNED: Lone<[(u32, NodeId); REMEMBERED]> = Lone::new([(0, 0); REMEMBERED]);

const NO_EVENT: Event = Event { kind: 0, taken: 0, detail: 0, site: 0, expr: 0, asked: 0, value: 0 };

/// Starts the log of a run that may append up to `limit` events in total.
pub fn begin(limit: u64) {
    // SAFETY: attached pages.
    EVENTS.set(arena::region(unsafe { &(*arena::control()).regions.events }));
    LIMIT.set(limit);
    LAST.set(NO_EVENT);
}

#[inline]
fn append(event: Event) {
    let last = LAST.get();
    if event == last {
        return;
    }
    if undefined::is_undefined(event.expr) {
        // What is merely made concrete has decided nothing yet.
        if event.kind != Kind::Concretise as u8 {
            undefined::used(event.expr);
        }
        return;
    }
    // SAFETY: the limit keeps the index inside the events region.
    unsafe {
        let control = arena::control();
        let count = (*control).event_count;
        if count >= LIMIT.get() {
            run::flag(ResultFlags::EVENTS_FULL);
            tracking::stop();
            return;
        }
        EVENTS.get().add(count as usize).write(Event { asked: progress::count(), ..event });
        (&raw mut (*control).event_count).write_volatile(count + 1);
    }
    LAST.set(event);
}

/// Logs `expr == taken` unless `expr` is concrete.
fn condition(kind: Kind, detail: u16, site: u32, expr: NodeId, taken: bool) {
    if answer(expr) != 0 {
        append(Event { kind: kind as u8, taken: u8::from(taken), detail, site, expr, asked: 0, value: 0 });
    }
}

/// Logs a true `expr` that is never negated, once.
fn pin(kind: Kind, detail: u16, site: u32, expr: NodeId) {
    if is_first(expr) {
        condition(kind, detail, site, expr, true);
    }
}

/// The run has not logged this constraint lately.
fn is_first(expr: NodeId) -> bool {
    // SAFETY: the index is masked; one thread.
    let slot = unsafe { &mut (*PINNED.pointer())[expr as usize & (REMEMBERED - 1)] };
    core::mem::replace(slot, (run::number(), expr)) != (run::number(), expr)
}

/// A symbolic address was inside its object: `expr` holds.
pub fn bounds(site: u32, expr: NodeId) {
    pin(Kind::Bounds, 0, site, expr);
}

/// A symbolic index was inside its object as that is now: beyond, nothing is known.
pub fn known_part(site: u32, expr: NodeId) {
    pin(Kind::Concretise, Concretization::InputLength as u16, site, expr);
}

/// `expr` says when `check` is violated. What was found not to be so is not asked again further on in the run.
pub fn check(check: Check, site: u32, expr: NodeId, violated: bool) {
    if is_first(expr) || violated {
        condition(Kind::Check, check as u16, site, expr, violated);
    }
}

/// A pointer was followed to an address. Logged once per pointer.
pub fn follow(site: u32, pointer: NodeId, address: u64, others_may_be_asked: bool) {
    if answer(pointer) != 0 && is_first(pointer) {
        let taken = u8::from(others_may_be_asked);
        append(Event { kind: Kind::Follow as u8, taken, detail: 0, site, expr: pointer, asked: 0, value: address });
    }
}

/// `expr` was assumed.
pub fn assume(expr: NodeId, held: bool) {
    condition(Kind::Assume, 0, 0, expr, held);
}

/// An object of the input was too short; `expr` says when it is long enough.
pub fn too_short(site: u32, expr: NodeId) {
    condition(Kind::Assume, 0, site, expr, false);
}

/// An index stayed inside an object that might have been longer: `expr` holds, softly.
pub fn inside_guessed(site: u32, expr: NodeId) {
    pin(Kind::Concretise, Concretization::Length as u16, site, expr);
}

/// A length was used as what `expr` says of it, softly.
pub fn length_used(site: u32, expr: NodeId) {
    pin(Kind::Concretise, Concretization::CopyLength as u16, site, expr);
}

/// `id` is used as the constant `bits` for `reason`. Sizes are decisions: what a program does with one of 5 bytes says little about
/// 500, so others are asked for.
pub fn concretised(reason: Concretization, site: u32, id: NodeId, bits: u128) {
    count(reason);
    match reason {
        Concretization::AllocationSize | Concretization::CopyLength => follow(NO_SITE, id, bits as u64, true),
        _ => pin(Kind::Concretise, reason as u16, site, equals(id, bits)),
    }
}

/// One more of this reason in the run's result.
pub fn count(reason: Concretization) {
    run::with_result(|result| {
        let slot = &mut result.concretised[reason as usize % CONCRETIZATIONS];
        *slot = slot.saturating_add(1);
    });
}

#[unsafe(no_mangle)]
pub extern "C" fn __covet_branch(site: u32, id: u32, taken: u32) -> u32 {
    if tracking::active() {
        condition(Kind::Branch, 0, site, fit(id, 1), taken & 1 == 1);
    }
    0
}

#[unsafe(no_mangle)]
pub extern "C" fn __covet_switch(site: u32, id: u32, width: u32, value: u64) -> u32 {
    choice(Kind::Switch, site, id, width, value)
}

#[unsafe(no_mangle)]
pub extern "C" fn __covet_target(site: u32, id: u32, value: u64) -> u32 {
    if tracking::active() {
        violations::note(Check::NullDereference, site, equals(fit(id, 64), 0), value == 0);
    }
    choice(Kind::Target, site, id, 64, value)
}

fn choice(kind: Kind, site: u32, id: u32, width: u32, value: u64) -> u32 {
    if tracking::active() {
        let expr = answer(fit(id, width));
        if expr != 0 {
            append(Event { kind: kind as u8, taken: 1, detail: 0, site, expr, asked: 0, value });
        }
    }
    0
}

#[unsafe(no_mangle)]
#[rustfmt::skip]
pub extern "C" fn __covet_division(
    site: u32, signed: u32, width: u32, a: u32, b: u32, al: u64, ah: u64, bl: u64, bh: u64,
) -> u32 {
    if !tracking::active() || !(1..=128).contains(&width) {
        return 0;
    }
    let (av, bv) = (u128::from(al) | u128::from(ah) << 64, u128::from(bl) | u128::from(bh) << 64);
    let all = arena::mask(width);
    let (av, bv) = (av & all, bv & all);
    if b != 0 {
        let zero = equals(fit(b, width), 0);
        violations::note(Check::DivisionByZero, site, zero, bv == 0);
    }
    let least = 1 << (width - 1);
    if signed != 0 && (a != 0 || av == least) && (b != 0 || bv == all) {
        let dividend = equals(operand(a, width, av), least);
        let divisor = equals(operand(b, width, bv), all);
        let overflow = binary(Op::And, 1, dividend, divisor);
        violations::note(Check::DivisionOverflow, site, overflow, av == least && bv == all);
    }
    0
}

#[unsafe(no_mangle)]
pub extern "C" fn __covet_concretise(reason: u32, id: u32, bits: u32, low: u64, high: u64) -> u32 {
    if tracking::active()
        && id != 0
        && let Some(reason) = Concretization::from_u16(reason as u16)
    {
        let value = u128::from(low) | u128::from(high) << 64;
        concretised(reason, 0, build::operand(id, bits.clamp(1, 128), value), value & arena::mask(bits));
    }
    0
}

#[unsafe(no_mangle)]
pub extern "C" fn __covet_count(reason: u32) -> u32 {
    if tracking::active()
        && let Some(reason) = Concretization::from_u16(reason as u16)
    {
        count(reason);
    }
    0
}

#[unsafe(no_mangle)]
pub extern "C" fn __covet_external(number: u32) -> u32 {
    if tracking::active() {
        count(Concretization::External);
        // SAFETY: attached pages; the index is checked against the region.
        unsafe {
            let region = &(*arena::control()).regions.externals;
            if u64::from(number) < region.capacity {
                let slot = arena::region(region).add(number as usize);
                *slot = (*slot).saturating_add(1);
            }
        }
    }
    0
}

/// Keeps in mind that a value is at most `bits`, in every run that goes the same way. It is no decision of the program: which bounds
/// there are depends on what the input builds.
pub fn assume_at_most(id: NodeId, bits: u128) {
    let expr = if width(id) == 0 { constant(1, 1) } else { build::at_most(id, bits) };
    bounds(0, expr);
}
