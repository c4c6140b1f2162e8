//! The variables that instrumented code and the runtime share: ids of arguments and results on their way between
//! functions, and the stack of indexable stack objects.
//!
//! Invariant: nothing in here outlives a run.

use covet_abi::hooks::{ARGUMENT_SLOTS, OBJECT_SLOTS, RESULT_SLOTS};
use covet_abi::node::NodeId;

use crate::trace::logs::__covet_logs;
use crate::trace::tracking::Lone;

/// Stack objects that are remembered; deeper ones are unknown objects.
pub const STACK_OBJECTS: usize = OBJECT_SLOTS as usize;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Object {
    pub address: u64,
    pub size: u64,
}

#[unsafe(no_mangle)]
pub static __covet_args: Lone<[NodeId; ARGUMENT_SLOTS]> = Lone::new([0; ARGUMENT_SLOTS]);
/// Address of the function that [`__covet_args`] is meant for; at rest, [`__covet_logs`].
#[unsafe(no_mangle)]
pub static __covet_args_for: Lone<u64> = Lone::new(0);
#[unsafe(no_mangle)]
pub static __covet_ret: Lone<[NodeId; RESULT_SLOTS]> = Lone::new([0; RESULT_SLOTS]);
#[unsafe(no_mangle)]
pub static __covet_objects: Lone<[Object; STACK_OBJECTS]> = Lone::new([Object { address: 0, size: 0 }; STACK_OBJECTS]);
/// Number of objects on [`__covet_objects`].
#[unsafe(no_mangle)]
pub static __covet_object_top: Lone<u64> = Lone::new(0);

pub fn clear() {
    rest();
    __covet_ret.set([0; RESULT_SLOTS]);
    __covet_object_top.set(0);
}

/// No arguments are on their way.
#[inline(always)]
pub fn rest() {
    __covet_args_for.set(__covet_logs.get());
}

/// The id that came with the first argument of a call to the runtime's own function at `callee`.
pub fn first_argument(callee: u64) -> NodeId {
    if __covet_args_for.get() != callee {
        return 0;
    }
    rest();
    // SAFETY: in bounds; one thread.
    unsafe { (*__covet_args.pointer())[0] }
}

/// The id of the scalar that a function of the runtime is about to return.
pub fn returns(id: NodeId) {
    // SAFETY: in bounds; one thread.
    unsafe { (*__covet_ret.pointer())[0] = id };
}
