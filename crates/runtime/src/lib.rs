//! Hook calls of an instrumented program → a trace in shared memory; and the worker that runs the program again and again.
//!
//! Linked into the program under test as a static library. Invariants: never allocates with `malloc`, never panics on
//! what the program or the engine does, and tracks one thread only.
#![cfg_attr(not(test), no_std)]

// Terms: nodes in the shared arena.
pub mod arena;
pub mod range;
pub mod tables;
pub mod terms;
// Values on their way through the program.
pub mod calls;
pub mod checks;
pub mod copies;
pub mod indexed;
pub mod memory;
pub mod objects;
pub mod ops;
pub mod pointers;
pub mod poison;
pub mod provenance;
pub mod shadow;
pub mod sizes;
pub mod undefined;
pub mod variadic;
// Inputs and the trace.
pub mod events;
pub mod label;
pub mod marking;
pub mod run;
pub mod values;
pub mod variables;
// Ground.
pub mod alone;
pub mod mapping;
pub mod tracking;

// The process: the worker loop, the run stack, ending a run, and back to a clean process.
pub mod descriptors;
pub mod division;
pub mod exit_handlers;
pub mod files;
pub mod filter;
pub mod fork;
pub mod frames;
pub mod growth;
pub mod heap;
pub mod image;
pub mod overtime;
pub mod perform;
pub mod placed;
pub mod plan;
pub mod reset;
pub mod scratch;
pub mod signals;
pub mod stack;
pub mod state;
pub mod worker;
// Stand-ins for library functions.
pub mod libc_copy;
pub mod libc_memory;
pub mod libc_process;
pub mod libc_signal;
pub mod libc_state;
pub mod libc_time;
pub mod stand_in;
pub mod stubs;

mod hooks;
#[cfg(test)]
mod tests;

pub use run::{begin_run, finish_run, reset_run, start};

#[cfg(all(feature = "standalone", not(test)))]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    state::give_up("the runtime met a state it does not know; please report this with the program that was tested")
}

/// Precompiled parts of the core library name this although nothing unwinds here.
#[cfg(all(feature = "standalone", not(test)))]
#[unsafe(no_mangle)]
extern "C" fn rust_eh_personality() {}
