//! A run's plan (steps from the engine) → memory objects, input variables in them, symbolic files and the entry's arguments.
//!
//! Invariant: steps are carried out in order; a step that names a slot, function or global that is not there ends the run as
//! lost, with the step's number as its code, instead of touching memory.

use core::ffi::c_void;

use covet_abi::plan::{Candidate, Place, Step, StepRecord};
use covet_abi::shared::{Control, RunRequest};
use covet_abi::sites::Program;
use covet_abi::termination::Termination;

use crate::libc::{memory, refusals};
use crate::object::pointers::{Span, Target};
use crate::object::sizes::{self, Size};
use crate::object::{growth, heap, mocks, placed, pointers};
use crate::sys::mapping;
use crate::sys::state::{Static, give_up};
use crate::term::arena;
use crate::trace::{events, marking, tracking, values, variables};
use crate::worker::files;
use crate::worker::signals::end_run;

pub const MAX_ARGUMENTS: usize = 256;

/// Address of each slot of the present plan; 0: not there.
static SLOTS: Static<*mut u64> = Static::new(core::ptr::null_mut());
static SLOT_COUNT: Static<u64> = Static::new(0);

/// Makes room for as many slots as a batch can have steps.
pub fn init(control: &Control) {
    SLOT_COUNT.write(control.regions.steps.capacity);
    SLOTS.write(mapping::private(control.regions.steps.capacity as usize * 8).cast());
    if SLOTS.read().is_null() {
        give_up("no memory for the slots of a plan");
    }
}

/// Carries out the steps of a request. `arguments` receives the addresses of the argument objects.
///
/// # Safety
/// The request must lie in the attached pages, and a run be on.
pub unsafe fn build(program: &Program, request: &RunRequest, arguments: &mut [*mut c_void; MAX_ARGUMENTS]) {
    // SAFETY: attached pages; the range is cut to the region.
    let steps = unsafe {
        let region = &(*arena::control()).regions.steps;
        let first = u64::from(request.steps_at).min(region.capacity);
        let count = u64::from(request.steps_len).min(region.capacity - first);
        core::slice::from_raw_parts(arena::region(region).add(first as usize), count as usize)
    };
    for (number, step) in steps.iter().enumerate() {
        // SAFETY: as the caller vouches.
        if step.unpack().and_then(|step| unsafe { carry_out(program, step, arguments) }).is_none() {
            end_run(Termination::WorkerLost, number as i32);
        }
    }
    // Slots of one plan must not be seen by the next.
    for step in steps.iter().filter_map(StepRecord::unpack) {
        if let Step::Alloc { slot, .. } | Step::Place { slot, .. } | Step::Global { slot, .. } = step {
            set_slot(slot, 0);
        }
    }
}

fn set_slot(number: u32, address: u64) -> Option<()> {
    if u64::from(number) >= SLOT_COUNT.read() {
        return None;
    }
    // SAFETY: inside the table.
    unsafe { *SLOTS.read().add(number as usize) = address };
    Some(())
}

fn slot(number: u32) -> Option<u64> {
    if u64::from(number) >= SLOT_COUNT.read() {
        return None;
    }
    // SAFETY: inside the table.
    let address = unsafe { *SLOTS.read().add(number as usize) };
    if address == 0 { None } else { Some(address) }
}

/// The address of a place.
fn address(place: Place) -> Option<u64> {
    Some(slot(place.slot)? + place.offset)
}

/// # Safety
/// The engine puts everything inside objects of the plan; a run must be on.
unsafe fn carry_out(program: &Program, step: Step, arguments: &mut [*mut c_void; MAX_ARGUMENTS]) -> Option<()> {
    match step {
        Step::Alloc { slot, bytes, align } => {
            let address = heap::allocate(bytes, align.max(1).next_power_of_two());
            if address == 0 {
                end_run(Termination::OutOfMemory, 0);
            }
            set_slot(slot, address)
        }
        Step::Global { slot, global } => {
            if u64::from(global) >= program.global_count {
                return None;
            }
            // SAFETY: inside the program's table.
            set_slot(slot, unsafe { (*program.globals.add(global as usize)).address } as u64)
        }
        Step::Variable { at, variable, bit } => {
            let at = address(at)?;
            variables::get(variable)?;
            // SAFETY: as the caller vouches.
            unsafe { marking::place(variable, at, bit.into()) };
            Some(())
        }
        Step::Keep { at, variable, bit } => {
            let at = address(at)?;
            variables::get(variable)?;
            // SAFETY: as the caller vouches.
            unsafe { marking::keep(variable, at, bit.into()) };
            Some(())
        }
        Step::Pointer { at, to } => {
            let to = match to {
                Some(to) => address(to)?,
                None => 0,
            };
            store(at, to, 8)
        }
        Step::Function { at, function } => store(at, function_address(program, function)?, 8),
        Step::Constant { at, value, bytes } => store(at, value, bytes),
        Step::Argument { number, slot: argument } => {
            *arguments.get_mut(number as usize)? = slot(argument)? as *mut c_void;
            Some(())
        }
        Step::File { name, slot: contents, bytes, length } => {
            let name = match name {
                Some(name) => slot(name)?,
                None => 0,
            };
            files::add(name, slot(contents)?, bytes, length).then_some(())
        }
        Step::Stream { address, slot: contents, bytes, length } => {
            files::add_stream(address, slot(contents)?, bytes, length).then_some(())
        }
        Step::Grow { slot: object, variable, first, size, zeros } => {
            growth::add(slot(object)?, variable, first.into(), size.into(), zeros)
        }
        // SAFETY: as the caller vouches.
        Step::Reached { at, variable, beyond } => unsafe {
            growth::fill(slot(at.slot)?, address(at)?, variable, beyond)
        },
        Step::Given { at, variable } => {
            if !values::is_given(variable) {
                return Some(());
            }
            let bytes = variables::get(variable)?.width.div_ceil(8).min(8) as u8;
            store(at, values::value(variable) as u64, bytes)
        }
        Step::Surroundings => {
            files::surround();
            Some(())
        }
        Step::Refusals => {
            refusals::allow();
            Some(())
        }
        Step::AtMost { variable, most } => {
            at_most(variable, most);
            Some(())
        }
        Step::Place { slot, address, bytes, is_open } => {
            if !placed::place(address, bytes, is_open) {
                return None;
            }
            set_slot(slot, address)
        }
        // SAFETY: as the caller vouches.
        Step::Candidate { at, candidate } => pointers::add_candidate(unsafe { target(program, at, candidate)? }),
        // SAFETY: as the caller vouches.
        Step::Choose { at, variable, is_offered } => unsafe { pointers::choose(variable, address(at)?, is_offered) },
        Step::Inside { at, choice, index, length, size } => {
            let span = Span { choice, at: index, length, element: size.into() };
            // SAFETY: as the caller vouches.
            unsafe { pointers::point_inside(&span, address(at)?) }
        }
        Step::Counted { slot: object, variable, most, size, before, least } => {
            variables::get(variable)?;
            let (most, scale, before) = (most.into(), size.max(1).into(), before.into());
            sizes::note(slot(object)?, Size::Counted { variable, most, scale, before, least });
            Some(())
        }
        Step::Mock { number, variable } => mocks::define(number, variable),
        Step::Fills { number, fill } => mocks::define_fill(number, fill),
    }
}

/// What a candidate of the pointer at `at` is in this run.
///
/// # Safety
/// As for [`carry_out`].
unsafe fn target(program: &Program, at: Place, candidate: Candidate) -> Option<Target> {
    Some(match candidate {
        Candidate::Object(address) => Target::Address(address),
        Candidate::Function(number) => Target::Address(function_address(program, number)?),
        Candidate::Mock(number) => Target::Address(mocks::address(number)?),
        Candidate::Scalar(variable) => Target::Scalar(variable),
        Candidate::Allocator(number) => Target::Address(memory::allocator(number)?),
        // SAFETY: as the caller vouches.
        Candidate::Kept => Target::Address(unsafe { (address(at)? as *const u64).read_unaligned() }),
    })
}

fn function_address(program: &Program, number: u32) -> Option<u64> {
    if u64::from(number) >= program.function_count {
        return None;
    }
    // SAFETY: inside the program's table.
    Some(unsafe { (*program.functions.add(number as usize)).address as u64 })
}

fn store(at: Place, value: u64, bytes: u8) -> Option<()> {
    let value = value.to_le_bytes();
    let length = usize::from(bytes).min(value.len());
    // SAFETY: the engine places values inside objects of the plan.
    unsafe { core::ptr::copy_nonoverlapping(value.as_ptr(), address(at)? as *mut u8, length) };
    Some(())
}

/// The run assumes that a variable is at most `most`.
fn at_most(variable: u32, most: u64) {
    if values::value(variable) > u128::from(most) {
        end_run(Termination::AssumptionFailed, 0);
    }
    if tracking::active() {
        events::assume_at_most(variables::variable_node(variable), u128::from(most));
    }
}
