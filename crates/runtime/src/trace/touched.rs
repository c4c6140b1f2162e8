//! Accesses to input objects → the list of what the run has touched of them, beside the variables it used.
//!
//! Loads and stores of input memory come by here because it is marked, or is behind a symbolic address. Invariants: a granule enters the
//! list once in a run, at once; a run that touches more than [`MOST`] says so instead of listing the rest.

use covet_abi::input::Used;
use covet_abi::placed::{BASE, SIZE};

use crate::sys::mapping;
use crate::trace::tracking::Lone;
use crate::trace::values;

/// Granules of one run that are told.
const MOST: usize = 1 << 12;
/// Stands in the list for "and others".
const OTHERS: u64 = 0;

/// One byte per granule of the region: not 0 once it was touched.
static MAP: Lone<*mut u8> = Lone::new(core::ptr::null_mut());
static LISTED: Lone<[u64; MOST]> = Lone::new([0; MOST]);
static COUNT: Lone<usize> = Lone::new(0);
static IS_FULL: Lone<bool> = Lone::new(false);

pub fn init() -> bool {
    MAP.set(mapping::private((SIZE / Used::GRANULE) as usize));
    !MAP.get().is_null()
}

/// A run begins that has touched nothing.
pub fn begin() {
    for at in 0..COUNT.get() {
        // SAFETY: below the array's length; listed granules are inside the map; one thread.
        unsafe { *MAP.get().add((*LISTED.pointer())[at] as usize) = 0 };
    }
    COUNT.set(0);
    IS_FULL.set(false);
}

/// The program reads or writes these bytes.
#[inline]
pub fn touch(address: u64, length: u64) {
    if address.wrapping_sub(BASE) < SIZE {
        touch_input(address - BASE, length);
    }
}

fn touch_input(offset: u64, length: u64) {
    let first = offset / Used::GRANULE;
    let last = offset.saturating_add(length.max(1) - 1).min(SIZE - 1) / Used::GRANULE;
    for granule in first..=last {
        // SAFETY: inside the map; one thread.
        let mark = unsafe { &mut *MAP.get().add(granule as usize) };
        if *mark != 0 {
            continue;
        }
        if IS_FULL.get() {
            return;
        }
        let count = COUNT.get();
        if count == MOST {
            IS_FULL.set(true);
            values::list(Used::TOUCHED, u128::from(OTHERS));
            return;
        }
        *mark = 1;
        // SAFETY: below the array's length; one thread.
        unsafe { (*LISTED.pointer())[count] = granule };
        COUNT.set(count + 1);
        values::list(Used::TOUCHED, u128::from(BASE + granule * Used::GRANULE));
    }
}
