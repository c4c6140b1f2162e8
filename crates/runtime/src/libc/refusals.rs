//! Allocations of the user's code → which of them fail, in runs whose plan lets them.
//!
//! Invariant: `malloc`, `calloc` and `realloc` are counted where the user's code calls them, and nowhere else, so that a test that counts the same
//! calls refuses the same one. Whether the call fails is an input and a decision like any other: a model makes it.

use core::ffi::c_int;

use crate::sys::state::Static;
use crate::trace::run;

/// Calls of a run that may fail: those behind them are given what they ask for.
const MOST: u32 = 64;

struct Refusals {
    are_possible: bool,
    count: u32,
}

static REFUSALS: Static<Refusals> = Static::new(Refusals { are_possible: false, count: 0 });

unsafe extern "C" {
    /// `guard.c`: asks the models, where there are any.
    fn __covet_ask_refused(number: u32) -> c_int;
}

/// Every allocation succeeds.
pub fn reset() {
    *REFUSALS.get() = Refusals { are_possible: false, count: 0 };
}

/// From now on each may fail.
pub fn allow() {
    REFUSALS.get().are_possible = true;
}

/// Whether the allocation that the user's code asks for now fails.
pub fn is_refused() -> bool {
    let refusals = REFUSALS.get();
    if !refusals.are_possible || !run::is_on() || refusals.count >= MOST {
        return false;
    }
    refusals.count += 1;
    // SAFETY: a function of the models, which takes a number.
    unsafe { __covet_ask_refused(refusals.count) != 0 }
}
