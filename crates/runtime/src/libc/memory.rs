//! `malloc` and its kin on the worker's own heap; on the native one when the program runs alone.
//!
//! Invariant: an object keeps what is known about its bytes when it is resized, and loses it when it is freed. A pointer
//! that the heap never handed out goes to the native function, which knows it or aborts, as it would in the plain program.

use core::ffi::{c_int, c_void};
use core::sync::atomic::{AtomicBool, Ordering};

use covet_abi::check::Check;
use covet_abi::event::Concretization;
use covet_abi::node::{NodeId, Op};
use covet_abi::termination::Termination;

use crate::check::{undefined, violations};
use crate::libc::refusals;
use crate::libc::stand_in::{concretise, copy, forget, set_errno, taken};
use crate::object::heap::{self, Bad};
use crate::object::lookup;
use crate::object::sizes::{self, Size};
use crate::sys::state::complain;
use crate::term::arena::answer;
use crate::term::build;
use crate::trace::tracking;
use crate::worker::serve::standalone;
use crate::worker::signals::{Critical, end_run};

const PAGE: u64 = 4096;
/// A run that is refused memory this often ends: it would go on asking until its time is up.
const PATIENCE: u64 = 4096;

unsafe extern "C" {
    fn reallocarray(pointer: *mut c_void, count: usize, size: usize) -> *mut c_void;
    fn memalign(align: usize, size: usize) -> *mut c_void;
    fn pvalloc(size: usize) -> *mut c_void;
    fn valloc(size: usize) -> *mut c_void;
}

fn size_used(ids: &[u32], values: &[u64]) {
    for (id, value) in ids.iter().zip(values) {
        concretise(Concretization::AllocationSize, *id, *value);
    }
}

/// One at a time: a program may have started threads, and a time-out must not cut the heap's bookkeeping short.
fn locked<T>(change: impl FnOnce() -> T) -> T {
    static BUSY: AtomicBool = AtomicBool::new(false);
    let _critical = Critical::enter();
    while BUSY.swap(true, Ordering::Acquire) {
        core::hint::spin_loop();
    }
    let result = change();
    BUSY.store(false, Ordering::Release);
    result
}

fn allocate(size: u64, align: u64) -> *mut c_void {
    let address = locked(|| heap::allocate(size, align));
    if address == 0 {
        set_errno(libc::ENOMEM);
        if heap::refused() > PATIENCE {
            end_run(Termination::OutOfMemory, 0);
        }
    }
    sizes::forget(address);
    address as *mut c_void
}

/// Nobody has written to the `size` bytes there.
fn unwritten(address: *mut c_void, size: usize) -> *mut c_void {
    if !address.is_null() {
        // SAFETY: an object just made.
        unsafe { undefined::mark(address as u64, size as u64) };
    }
    address
}

/// The object at `address` has as many bytes as the term says.
fn sized(address: *mut c_void, size: NodeId) -> *mut c_void {
    if size != 0 && !address.is_null() && tracking::active() {
        sizes::note(address as u64, Size::Term(build::fit(size, 64)));
    }
    address
}

fn bad_pointer(what: Bad) -> ! {
    let (text, check) = match what {
        Bad::NotAnObject => ("free(): invalid pointer\n", Check::InvalidFree),
        Bad::Freed => ("free(): double free detected\n", Check::DoubleFree),
    };
    complain(text);
    violations::violate(check);
    end_run(Termination::Aborted, libc::SIGABRT)
}

/// The address of one of [`covet_abi::input::ALLOCATORS`].
pub fn allocator(number: u32) -> Option<u64> {
    let all = [__covet_libc_malloc as *const (), __covet_libc_calloc as *const (), __covet_libc_realloc as *const ()];
    all.get(number as usize).map(|function| *function as u64)
}

#[unsafe(no_mangle)]
pub extern "C" fn __covet_libc_malloc(size: usize) -> *mut c_void {
    if standalone() {
        // SAFETY: the native function.
        return unsafe { libc::malloc(size) };
    }
    let ids = taken(__covet_libc_malloc as *const () as usize);
    if refusals::is_refused() { core::ptr::null_mut() } else { made(size, ids[0]) }
}

/// `malloc` for the models: what they need themselves is never refused.
#[unsafe(no_mangle)]
pub extern "C" fn __covet_heap_malloc(size: usize) -> *mut c_void {
    if standalone() {
        // SAFETY: the native function.
        return unsafe { libc::malloc(size) };
    }
    made(size, taken(__covet_heap_malloc as *const () as usize)[0])
}

fn made(size: usize, id: NodeId) -> *mut c_void {
    size_used(&[id], &[size as u64]);
    sized(unwritten(allocate(size as u64, 16), size), id)
}

#[unsafe(no_mangle)]
pub extern "C" fn __covet_libc_calloc(count: usize, size: usize) -> *mut c_void {
    if standalone() {
        // SAFETY: the native function.
        return unsafe { libc::calloc(count, size) };
    }
    let ids = taken(__covet_libc_calloc as *const () as usize);
    if refusals::is_refused() {
        return core::ptr::null_mut();
    }
    size_used(&ids[..2], &[count as u64, size as u64]);
    sized(zeroed(count, size), product(&ids, count, size))
}

/// The term of `count * size`, whose ids are the first two; 0 when both are concrete.
fn product(ids: &[u32], count: usize, size: usize) -> NodeId {
    if !tracking::active() || ids[0] | ids[1] == 0 {
        return 0;
    }
    let factor = |id: u32, value: usize| build::operand(id, 64, value as u128);
    answer(build::binary(Op::Mul, 64, factor(ids[0], count), factor(ids[1], size)))
}

fn zeroed(count: usize, size: usize) -> *mut c_void {
    let Some(total) = count.checked_mul(size) else {
        set_errno(libc::ENOMEM);
        return core::ptr::null_mut();
    };
    let address = allocate(total as u64, 16);
    if !address.is_null() {
        // SAFETY: an object of `total` bytes just made.
        unsafe { zero(address.cast(), total) };
    }
    address
}

/// Zeroes without touching pages that are zero already: large objects usually are.
unsafe fn zero(address: *mut u8, total: usize) {
    if total < 1 << 20 {
        // SAFETY: the caller's object.
        unsafe { address.write_bytes(0, total) };
    } else {
        // The pages of large objects are given back when they are freed, and are zero at first use.
        let whole = total as u64 & !(PAGE - 1);
        crate::sys::state::discard(address as u64, whole);
        // SAFETY: the rest of the caller's object.
        unsafe { address.add(whole as usize).write_bytes(0, total - whole as usize) };
    }
}

/// # Safety
/// As the library function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __covet_libc_free(pointer: *mut c_void) {
    let _ = taken(__covet_libc_free as *const () as usize);
    let address = pointer as u64;
    if address == 0 {
        return;
    }
    if !heap::owns(address) {
        if !standalone() && lookup::object_at(address).is_some() {
            // A variable.
            violations::violate(Check::InvalidFree);
        }
        // SAFETY: from the library, or garbage that its `free` notices as it would in the plain program.
        return unsafe { libc::free(pointer) };
    }
    match locked(|| heap::release(address)) {
        Ok(size) => forget(address, size),
        Err(bad) => bad_pointer(bad),
    }
}

/// # Safety
/// As the library function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __covet_libc_cfree(pointer: *mut c_void) {
    // SAFETY: the same promise.
    unsafe { __covet_libc_free(pointer) };
}

/// # Safety
/// As the library function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __covet_libc_realloc(pointer: *mut c_void, size: usize) -> *mut c_void {
    if standalone() {
        // SAFETY: the native function.
        return unsafe { libc::realloc(pointer, size) };
    }
    let ids = taken(__covet_libc_realloc as *const () as usize);
    if refusals::is_refused() {
        return core::ptr::null_mut();
    }
    size_used(&ids[1..2], &[size as u64]);
    // SAFETY: as the caller vouches.
    sized(unsafe { resize(pointer, size) }, ids[1])
}

/// `realloc` for the models.
///
/// # Safety
/// As the library function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __covet_heap_realloc(pointer: *mut c_void, size: usize) -> *mut c_void {
    if standalone() {
        // SAFETY: the native function.
        return unsafe { libc::realloc(pointer, size) };
    }
    let ids = taken(__covet_heap_realloc as *const () as usize);
    size_used(&ids[1..2], &[size as u64]);
    // SAFETY: as the caller vouches.
    sized(unsafe { resize(pointer, size) }, ids[1])
}

/// # Safety
/// As the library function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __covet_libc_reallocarray(pointer: *mut c_void, count: usize, size: usize) -> *mut c_void {
    if standalone() {
        // SAFETY: the native function.
        return unsafe { reallocarray(pointer, count, size) };
    }
    let ids = taken(__covet_libc_reallocarray as *const () as usize);
    size_used(&ids[1..3], &[count as u64, size as u64]);
    match count.checked_mul(size) {
        // SAFETY: as the caller vouches.
        Some(total) => sized(unsafe { resize(pointer, total) }, product(&ids[1..3], count, size)),
        None => {
            set_errno(libc::ENOMEM);
            core::ptr::null_mut()
        }
    }
}

unsafe fn resize(pointer: *mut c_void, size: usize) -> *mut c_void {
    if pointer.is_null() {
        return unwritten(allocate(size as u64, 16), size);
    }
    if !heap::owns(pointer as u64) {
        // SAFETY: from the library, which keeps it.
        return unsafe { libc::realloc(pointer, size) };
    }
    if size == 0 {
        // SAFETY: as the caller vouches.
        unsafe { __covet_libc_free(pointer) };
        return core::ptr::null_mut();
    }
    match locked(|| heap::resize(pointer as u64, size as u64)) {
        Ok((old, true)) => {
            sizes::forget(pointer as u64);
            if (size as u64) < old {
                forget(pointer as u64 + size as u64, old - size as u64);
            }
            pointer
        }
        Ok((old, false)) => {
            let moved = unwritten(allocate(size as u64, 16), size);
            if !moved.is_null() {
                copy(moved as u64, pointer as u64, old.min(size as u64), [0; 4]);
                // SAFETY: as the caller vouches.
                unsafe { __covet_libc_free(pointer) };
            }
            moved
        }
        Err(bad) => bad_pointer(bad),
    }
}

fn aligned(align: usize, size: usize) -> *mut c_void {
    if !align.is_power_of_two() {
        set_errno(libc::EINVAL);
        return core::ptr::null_mut();
    }
    allocate(size as u64, align as u64)
}

#[unsafe(no_mangle)]
pub extern "C" fn __covet_libc_aligned_alloc(align: usize, size: usize) -> *mut c_void {
    if standalone() {
        // SAFETY: the native function.
        return unsafe { libc::aligned_alloc(align, size) };
    }
    size_used(&taken(__covet_libc_aligned_alloc as *const () as usize)[..2], &[align as u64, size as u64]);
    aligned(align, size)
}

#[unsafe(no_mangle)]
pub extern "C" fn __covet_libc_memalign(align: usize, size: usize) -> *mut c_void {
    if standalone() {
        // SAFETY: the native function.
        return unsafe { memalign(align, size) };
    }
    size_used(&taken(__covet_libc_memalign as *const () as usize)[..2], &[align as u64, size as u64]);
    aligned(align.max(1).next_power_of_two(), size)
}

/// # Safety
/// As the library function: `result` must be writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __covet_libc_posix_memalign(result: *mut *mut c_void, align: usize, size: usize) -> c_int {
    if standalone() {
        // SAFETY: the native function.
        return unsafe { libc::posix_memalign(result, align, size) };
    }
    let ids = taken(__covet_libc_posix_memalign as *const () as usize);
    size_used(&ids[1..3], &[align as u64, size as u64]);
    if !align.is_power_of_two() || !align.is_multiple_of(size_of::<usize>()) {
        return libc::EINVAL;
    }
    let address = aligned(align, size);
    if address.is_null() {
        return libc::ENOMEM;
    }
    forget(result as u64, 8);
    // SAFETY: the caller's variable.
    unsafe { *result = address };
    0
}

#[unsafe(no_mangle)]
pub extern "C" fn __covet_libc_valloc(size: usize) -> *mut c_void {
    if standalone() {
        // SAFETY: the native function.
        return unsafe { valloc(size) };
    }
    size_used(&taken(__covet_libc_valloc as *const () as usize)[..1], &[size as u64]);
    aligned(PAGE as usize, size)
}

#[unsafe(no_mangle)]
pub extern "C" fn __covet_libc_pvalloc(size: usize) -> *mut c_void {
    if standalone() {
        // SAFETY: the native function.
        return unsafe { pvalloc(size) };
    }
    size_used(&taken(__covet_libc_pvalloc as *const () as usize)[..1], &[size as u64]);
    aligned(PAGE as usize, size.next_multiple_of(PAGE as usize))
}

/// # Safety
/// As the library function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __covet_libc_malloc_usable_size(pointer: *mut c_void) -> usize {
    let _ = taken(__covet_libc_malloc_usable_size as *const () as usize);
    match heap::object_at(pointer as u64) {
        Some((base, size)) if base == pointer as u64 => size as usize,
        // SAFETY: null, from the library, or garbage.
        _ => unsafe { libc::malloc_usable_size(pointer) },
    }
}
