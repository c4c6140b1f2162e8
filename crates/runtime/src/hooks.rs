//! The hook list → a check, at compile time, that each hook exists with the very signature that callers are told.

use crate::check::provenance::__covet_element;
use crate::check::undefined::{__covet_handed_over, __covet_undefine, __covet_used};
use crate::check::violations::{__covet_bounds, __covet_overflow, __covet_shift, __covet_touched, __covet_violation};
use crate::object::lookup::{__covet_leave, __covet_restore, __covet_zone};
use crate::shadow::access::{__covet_load, __covet_store};
use crate::shadow::copies::{__covet_forget, __covet_memory_copy, __covet_memory_fill};
use crate::shadow::variadic::__covet_va_start;
use crate::term::operators::{
    __covet_binary, __covet_binary_wide, __covet_cast, __covet_concat, __covet_extract, __covet_ite_wide,
    __covet_library, __covet_round, __covet_ternary, __covet_unary,
};
use crate::trace::events::{
    __covet_branch, __covet_concretise, __covet_count, __covet_division, __covet_external, __covet_switch,
    __covet_target,
};
use crate::trace::logs::{
    __covet_argument, __covet_counted, __covet_entered, __covet_jumped_back, __covet_open_calls, __covet_returned,
};

macro_rules! check {
    ($($name:ident($($argument:ident: $type:ident),*) -> $result:ident;)*) => {
        $(const _: unsafe extern "C" fn($($type),*) -> $result = hook!($name);)*
    };
}

/// `name` → `__covet_name`.
macro_rules! hook {
    (unary) => {
        __covet_unary
    };
    (binary) => {
        __covet_binary
    };
    (binary_wide) => {
        __covet_binary_wide
    };
    (ternary) => {
        __covet_ternary
    };
    (ite_wide) => {
        __covet_ite_wide
    };
    (cast) => {
        __covet_cast
    };
    (extract) => {
        __covet_extract
    };
    (concat) => {
        __covet_concat
    };
    (round) => {
        __covet_round
    };
    (element) => {
        __covet_element
    };
    (bounds) => {
        __covet_bounds
    };
    (overflow) => {
        __covet_overflow
    };
    (shift) => {
        __covet_shift
    };
    (zone) => {
        __covet_zone
    };
    (restore) => {
        __covet_restore
    };
    (leave) => {
        __covet_leave
    };
    (undefine) => {
        __covet_undefine
    };
    (used) => {
        __covet_used
    };
    (handed_over) => {
        __covet_handed_over
    };
    (touched) => {
        __covet_touched
    };
    (violation) => {
        __covet_violation
    };
    (library) => {
        __covet_library
    };
    (load) => {
        __covet_load
    };
    (store) => {
        __covet_store
    };
    (memory_copy) => {
        __covet_memory_copy
    };
    (memory_fill) => {
        __covet_memory_fill
    };
    (forget) => {
        __covet_forget
    };
    (branch) => {
        __covet_branch
    };
    (switch) => {
        __covet_switch
    };
    (target) => {
        __covet_target
    };
    (division) => {
        __covet_division
    };
    (concretise) => {
        __covet_concretise
    };
    (count) => {
        __covet_count
    };
    (external) => {
        __covet_external
    };
    (counted) => {
        __covet_counted
    };
    (entered) => {
        __covet_entered
    };
    (argument) => {
        __covet_argument
    };
    (returned) => {
        __covet_returned
    };
    (open_calls) => {
        __covet_open_calls
    };
    (jumped_back) => {
        __covet_jumped_back
    };
    (va_start) => {
        __covet_va_start
    };
}

covet_abi::hooks!(check);
