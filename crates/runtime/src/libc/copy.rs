//! `memcpy` and its kin: the bytes and what is known about them, by the hooks that copy and fill.
//!
//! Invariant: the value a function returns (its first argument, or just behind what was written) keeps its expression.

use core::ffi::{c_int, c_void};

use covet_abi::event::Concretization;

use crate::libc::stand_in::{concretise, copy, fill, returns, taken};

#[unsafe(no_mangle)]
pub extern "C" fn __covet_libc_memcpy(to: *mut c_void, from: *const c_void, length: usize) -> *mut c_void {
    let ids = taken(__covet_libc_memcpy as *const () as usize);
    copy(to as u64, from as u64, length as u64, ids);
    returns(ids[0]);
    to
}

#[unsafe(no_mangle)]
pub extern "C" fn __covet_libc_memmove(to: *mut c_void, from: *const c_void, length: usize) -> *mut c_void {
    let ids = taken(__covet_libc_memmove as *const () as usize);
    copy(to as u64, from as u64, length as u64, ids);
    returns(ids[0]);
    to
}

#[unsafe(no_mangle)]
pub extern "C" fn __covet_libc_mempcpy(to: *mut c_void, from: *const c_void, length: usize) -> *mut c_void {
    let ids = taken(__covet_libc_mempcpy as *const () as usize);
    copy(to as u64, from as u64, length as u64, ids);
    concretise(Concretization::CopyLength, ids[0], to as u64);
    (to as u64).wrapping_add(length as u64) as *mut c_void
}

#[unsafe(no_mangle)]
pub extern "C" fn __covet_libc_bcopy(from: *const c_void, to: *mut c_void, length: usize) {
    let ids = taken(__covet_libc_bcopy as *const () as usize);
    copy(to as u64, from as u64, length as u64, [ids[1], ids[0], ids[2], 0]);
}

#[unsafe(no_mangle)]
pub extern "C" fn __covet_libc_memset(to: *mut c_void, byte: c_int, length: usize) -> *mut c_void {
    let ids = taken(__covet_libc_memset as *const () as usize);
    fill(to as u64, byte as u32 as u64, length as u64, ids);
    returns(ids[0]);
    to
}

#[unsafe(no_mangle)]
pub extern "C" fn __covet_libc_bzero(to: *mut c_void, length: usize) {
    let ids = taken(__covet_libc_bzero as *const () as usize);
    fill(to as u64, 0, length as u64, [ids[0], 0, ids[1], 0]);
}

#[unsafe(no_mangle)]
pub extern "C" fn __covet_libc_explicit_bzero(to: *mut c_void, length: usize) {
    let ids = taken(__covet_libc_explicit_bzero as *const () as usize);
    fill(to as u64, 0, length as u64, [ids[0], 0, ids[1], 0]);
}

/// What the checking forms do when the room is too small.
fn check(length: usize, room: usize) {
    if length > room {
        unsafe extern "C" {
            fn __covet_libc_abort() -> !;
        }
        // SAFETY: ends the run, or the program.
        unsafe { __covet_libc_abort() }
    }
}

#[unsafe(no_mangle)]
#[rustfmt::skip]
pub extern "C" fn __covet_libc___memcpy_chk(to: *mut c_void, from: *const c_void, length: usize, room: usize) -> *mut c_void {
    let ids = taken(__covet_libc___memcpy_chk as *const () as usize);
    check(length, room);
    copy(to as u64, from as u64, length as u64, ids);
    returns(ids[0]);
    to
}

#[unsafe(no_mangle)]
#[rustfmt::skip]
pub extern "C" fn __covet_libc___memmove_chk(to: *mut c_void, from: *const c_void, length: usize, room: usize) -> *mut c_void {
    let ids = taken(__covet_libc___memmove_chk as *const () as usize);
    check(length, room);
    copy(to as u64, from as u64, length as u64, ids);
    returns(ids[0]);
    to
}

#[unsafe(no_mangle)]
pub extern "C" fn __covet_libc___memset_chk(to: *mut c_void, byte: c_int, length: usize, room: usize) -> *mut c_void {
    let ids = taken(__covet_libc___memset_chk as *const () as usize);
    check(length, room);
    fill(to as u64, byte as u32 as u64, length as u64, ids);
    returns(ids[0]);
    to
}
