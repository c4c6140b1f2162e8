//! A run's plan (steps from the engine) → memory objects, input variables in them, symbolic files and the entry's arguments.
//!
//! Invariant: steps are carried out in order; a step that names a slot, function or global that is not there ends the run as
//! lost, with the step's number as its code, instead of touching memory.

use core::ffi::c_void;

use covet_abi::input::{NULL_SLOT, Step, StepOp};
use covet_abi::shared::{Control, RunRequest};
use covet_abi::sites::Program;
use covet_abi::termination::Termination;

use crate::libc::memory;
use crate::object::pointers::{self, Candidate, Span};
use crate::object::sizes::{self, Size};
use crate::object::{growth, heap, mocks, placed};
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
    SLOT_COUNT.write(control.steps.capacity);
    SLOTS.write(mapping::private(control.steps.capacity as usize * 8).cast());
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
        let region = &(*arena::control()).steps;
        let first = u64::from(request.steps_at).min(region.capacity);
        let count = u64::from(request.steps_len).min(region.capacity - first);
        core::slice::from_raw_parts(arena::region::<Step>(region).add(first as usize), count as usize)
    };
    for (number, step) in steps.iter().enumerate() {
        // SAFETY: as the caller vouches.
        if unsafe { carry_out(program, step, arguments) }.is_none() {
            end_run(Termination::WorkerLost, number as i32);
        }
    }
    for step in steps {
        // Slots of one plan must not be seen by the next.
        if let Some(StepOp::Alloc | StepOp::Place | StepOp::Global) = StepOp::from_u32(step.op) {
            set_slot(u64::from(step.slot), 0);
        }
    }
}

fn set_slot(number: u64, address: u64) -> Option<()> {
    if number >= SLOT_COUNT.read() {
        return None;
    }
    // SAFETY: inside the table.
    unsafe { *SLOTS.read().add(number as usize) = address };
    Some(())
}

fn slot(number: u64) -> Option<u64> {
    if number >= SLOT_COUNT.read() {
        return None;
    }
    // SAFETY: inside the table.
    let address = unsafe { *SLOTS.read().add(number as usize) };
    if address == 0 { None } else { Some(address) }
}

unsafe fn carry_out(program: &Program, step: &Step, arguments: &mut [*mut c_void; MAX_ARGUMENTS]) -> Option<()> {
    let number = u64::from(step.slot);
    match StepOp::from_u32(step.op)? {
        StepOp::Alloc => {
            let address = heap::allocate(step.a, step.b.max(1).next_power_of_two());
            if address == 0 {
                end_run(Termination::OutOfMemory, 0);
            }
            set_slot(number, address)
        }
        StepOp::Global => {
            if step.a >= program.global_count {
                return None;
            }
            // SAFETY: inside the program's table.
            set_slot(number, unsafe { (*program.globals.add(step.a as usize)).address } as u64)
        }
        StepOp::Variable => {
            let (address, bit) = (slot(number)? + step.offset, step.b as u32 & 0xff);
            variables::get(step.a as u32)?;
            // SAFETY: the engine places variables inside objects of the plan.
            unsafe { marking::place(step.a as u32, address, bit) };
            Some(())
        }
        StepOp::Keep => {
            let (address, bit) = (slot(number)? + step.offset, step.b as u32 & 0xff);
            variables::get(step.a as u32)?;
            // SAFETY: the engine keeps variables inside objects of the plan.
            unsafe { marking::keep(step.a as u32, address, bit) };
            Some(())
        }
        StepOp::Pointer => {
            let target = if step.a == NULL_SLOT { 0 } else { slot(step.a)? + step.b };
            store(slot(number)? + step.offset, target, 8);
            Some(())
        }
        StepOp::Function => {
            if step.a >= program.function_count {
                return None;
            }
            // SAFETY: inside the program's table.
            let function = unsafe { (*program.functions.add(step.a as usize)).address };
            store(slot(number)? + step.offset, function as u64, 8);
            Some(())
        }
        StepOp::Constant => {
            store(slot(number)? + step.offset, step.a, step.b.min(8));
            Some(())
        }
        StepOp::Argument => {
            *arguments.get_mut(step.a as usize)? = slot(number)? as *mut c_void;
            Some(())
        }
        StepOp::File => {
            let name = if step.offset == 0 { 0 } else { slot(step.offset)? };
            files::add(name, slot(number)?, step.a, step.b).then_some(())
        }
        StepOp::Stream => files::add_stream(step.offset, slot(number)?, step.a, step.b).then_some(()),
        StepOp::Grow => growth::add(slot(number)?, step.a as u32, step.b >> 32, step.b & 0xffff_ffff, step.offset),
        StepOp::Reached => {
            let start = slot(number)?;
            // SAFETY: the engine places variables inside objects of the plan.
            unsafe { growth::fill(start, start + step.offset, step.a as u32, step.b) }
        }
        StepOp::AtMost => {
            at_most(step.a as u32, step.b);
            Some(())
        }
        StepOp::Place => {
            if !placed::place(step.offset, step.a, step.b != 0) {
                return None;
            }
            set_slot(number, step.offset)
        }
        StepOp::Candidate => pointers::add_candidate(match step.b {
            0 => Candidate::Address(step.a),
            1 if step.a < program.function_count => {
                // SAFETY: inside the program's table.
                Candidate::Address(unsafe { (*program.functions.add(step.a as usize)).address as u64 })
            }
            2 => Candidate::Address(mocks::address(step.a)?),
            3 => Candidate::Scalar(step.a as u32),
            5 => Candidate::Address(memory::allocator(step.a)?),
            // SAFETY: the engine keeps pointers inside objects of the plan.
            4 => Candidate::Address(unsafe { ((slot(number)? + step.offset) as *const u64).read_unaligned() }),
            _ => return None,
        }),
        StepOp::Choose => {
            // SAFETY: the engine places pointers inside objects of the plan.
            unsafe { pointers::choose(step.a as u32, slot(number)? + step.offset, step.b != 0) }
        }
        StepOp::Inside => {
            let span =
                Span { choice: step.a as u32, at: (step.a >> 32) as u32, length: step.b as u32, element: step.b >> 32 };
            // SAFETY: the engine places pointers inside objects of the plan.
            unsafe { pointers::point_inside(&span, slot(number)? + step.offset) }
        }
        StepOp::Counted => {
            let halves = |word: u64| (word & u64::from(u32::MAX), word >> 32);
            let ((variable, most), (scale, before)) = (halves(step.a), halves(step.b));
            variables::get(variable as u32)?;
            let size =
                Size::Counted { variable: variable as u32, most, scale: scale.max(1), before, least: step.offset };
            sizes::note(slot(number)?, size);
            Some(())
        }
        StepOp::Mock => mocks::define(number, step.a as u32),
    }
}

fn store(address: u64, value: u64, bytes: u64) {
    let value = value.to_le_bytes();
    // SAFETY: the engine places values inside objects of the plan.
    unsafe { core::ptr::copy_nonoverlapping(value.as_ptr(), address as *mut u8, bytes as usize) };
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
