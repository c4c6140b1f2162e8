//! Hook calls of an instrumented program → a trace in shared memory; and the worker that runs the program again and again.
//!
//! Linked into the program under test as a static library. Invariants: never allocates with `malloc`, never panics on
//! what the program or the engine does, and tracks one thread only.
//!
//! Reading order: a value has a [`term`]; [`shadow`] keeps it beside the value; [`object`] says where memory begins and ends, and
//! [`check`] that an access stays there; [`trace`] is what the engine gets to see of all that. [`worker`] runs the program, [`libc`]
//! keeps it from leaving the run, on the ground of [`sys`].
#![cfg_attr(not(test), no_std)]

pub mod term;

pub mod shadow;

pub mod object;

pub mod check;

pub mod trace;

pub mod worker;

pub mod libc;

pub mod sys;

mod hooks;
#[cfg(test)]
mod tests;

pub use trace::run::{begin_run, finish_run, reset_run, start};

#[cfg(all(feature = "standalone", not(test)))]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    sys::state::give_up("the runtime met a state it does not know; please report this with the program that was tested")
}

/// Precompiled parts of the core library name this although nothing unwinds here.
#[cfg(all(feature = "standalone", not(test)))]
#[unsafe(no_mangle)]
extern "C" fn rust_eh_personality() {}
