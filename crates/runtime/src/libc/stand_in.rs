//! What the stand-ins for library functions share: ids of their arguments, the hooks they use, and `errno`.
//!
//! Invariant: [`taken`] clears the hand-over, so that no later callee mistakes it for its own.

use core::ffi::c_int;

use covet_abi::event::Concretization;

use crate::shadow::calls;
pub use crate::shadow::calls::returns;
use covet_abi::event::NO_SITE;

/// Ids of the arguments of the call in progress, all 0 when they are concrete.
pub type Ids = [u32; 4];

mod hooks {
    unsafe extern "C" {
        pub fn __covet_concretise(reason: u32, id: u32, width: u32, low: u64, high: u64) -> u32;
        pub fn __covet_memory_copy(
            to: u64,
            from: u64,
            length: u64,
            to_id: u32,
            from_id: u32,
            length_id: u32,
            site: u32,
        ) -> u32;
        pub fn __covet_memory_fill(
            to: u64,
            byte: u64,
            length: u64,
            to_id: u32,
            byte_id: u32,
            length_id: u32,
            site: u32,
        ) -> u32;
        pub fn __covet_forget(address: u64, length: u64) -> u32;
        pub fn __covet_extract(a: u32, low: u32, width: u32) -> u32;
        pub fn __covet_count(reason: u32) -> u32;
    }
}
use hooks::*;

/// The ids handed over to `function`, if its caller had any.
#[inline(always)]
pub fn taken(function: usize) -> Ids {
    if calls::__covet_args_for.get() != function as u64 {
        return [0; 4];
    }
    calls::rest();
    // SAFETY: the first of 64 ids.
    unsafe { *calls::__covet_args.pointer().cast::<Ids>() }
}

/// `value` with expression `id` is used concretely.
#[inline(always)]
pub fn concretise(reason: Concretization, id: u32, value: u64) {
    if id != 0 {
        // SAFETY: a hook.
        unsafe { __covet_concretise(reason as u32, id, 64, value, 0) };
    }
}

/// Copies bytes together with what is known about them. The ranges may overlap.
#[inline(always)]
pub fn copy(to: u64, from: u64, length: u64, ids: Ids) {
    // SAFETY: the program asked for this very copy.
    unsafe { __covet_memory_copy(to, from, length, ids[0], ids[1], ids[2], NO_SITE) };
}

/// Fills with the low byte of `byte`; `ids` are those of address, byte (as the `int` it is passed in) and length.
#[inline(always)]
pub fn fill(to: u64, byte: u64, length: u64, ids: Ids) {
    // SAFETY: the program asked for this very fill; hooks.
    unsafe {
        let byte_id = if ids[1] == 0 { 0 } else { __covet_extract(ids[1], 0, 8) };
        __covet_memory_fill(to, byte & 0xff, length, ids[0], byte_id, ids[2], NO_SITE);
    }
}

/// Drops what is known about a range.
#[inline(always)]
pub fn forget(address: u64, length: u64) {
    // SAFETY: a hook.
    unsafe { __covet_forget(address, length) };
}

/// Counts something that was made concrete or refused.
pub fn count(reason: Concretization) {
    // SAFETY: a hook.
    unsafe { __covet_count(reason as u32) };
}

pub fn set_errno(number: c_int) {
    // SAFETY: the calling thread's own variable.
    unsafe { *libc::__errno_location() = number };
}

/// What a refused call returns.
pub fn refused(number: c_int) -> c_int {
    count(Concretization::External);
    set_errno(number);
    -1
}
