//! Which pointer a symbolic address was computed from: the object that it must stay in is the one that pointer points into.
//!
//! `a[i]` may lie in any object, depending on `i`; only the pointer `a` says which one it should be. The hook of address
//! arithmetic notes it. Invariant: a note holds for one run; one that was pushed out by another is simply not there.

use covet_abi::node::{NodeId, Op};

use crate::object::lookup;
use crate::term::arena::{answer, constant};
use crate::term::build::{binary, operand};
use crate::trace::run;
use crate::trace::tracking::{self, Lone};

/// Slots of the memory: a power of two.
const NOTED: usize = 1 << 13;

#[derive(Clone, Copy)]
struct Note {
    run: u32,
    id: NodeId,
    pointer: u64,
}

static NOTES: Lone<[Note; NOTED]> = Lone::new([Note { run: 0, id: 0, pointer: 0 }; NOTED]);

fn slot(id: NodeId) -> &'static mut Note {
    // SAFETY: masked to the array; one thread.
    unsafe { &mut (*NOTES.pointer())[id as usize & (NOTED - 1)] }
}

/// The address `id` was computed from this pointer.
pub fn note(id: NodeId, pointer: u64) {
    if id != 0 {
        *slot(id) = Note { run: run::number(), id, pointer };
    }
}

/// The plain pointer that the address `id` was computed from.
pub fn pointer(id: NodeId) -> Option<u64> {
    let note = slot(id);
    (note.run == run::number() && note.id == id).then_some(note.pointer)
}

/// The object that the address `id` must stay in: that of the pointer it was computed from (which may point just past it).
pub fn object(id: NodeId) -> Option<(u64, u64)> {
    let pointer = pointer(id)?;
    let ends_here = |object: &(u64, u64)| object.0 + object.1 == pointer;
    let before = pointer.checked_sub(1).and_then(lookup::object_at).filter(ends_here);
    match (lookup::object_at(pointer), before) {
        // The end of one and the start of another: no telling which is meant.
        (Some(_), Some(_)) | (None, None) => None,
        (found @ Some(_), None) | (None, found @ Some(_)) => found,
    }
}

#[unsafe(no_mangle)]
#[rustfmt::skip]
pub extern "C" fn __covet_element(
    from: u64, from_id: u32, index: u64, index_id: u32, scale: u64, offset: u64,
) -> NodeId {
    if !tracking::active() {
        return 0;
    }
    let word = |bits: u64| constant(64, u128::from(bits));
    let far = index.wrapping_mul(scale).wrapping_add(offset);
    let distance = match index_id {
        0 => word(far),
        id => {
            let scaled = binary(Op::Mul, 64, operand(id, 64, u128::from(index)), word(scale));
            binary(Op::Add, 64, scaled, word(offset))
        }
    };
    let id = answer(binary(Op::Add, 64, distance, operand(from_id, 64, u128::from(from))));
    let origin = if from_id == 0 { Some(from) } else { pointer(from_id) };
    if let Some(pointer) = origin {
        note(id, pointer);
    }
    id
}
