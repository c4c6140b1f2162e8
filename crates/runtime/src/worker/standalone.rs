//! A control block of our own, in private memory, laid out like the shared file: for a program that runs without an
//! engine, and for tests.
//!
//! Invariant: every region lies inside the mapping and does not overlap another.

use covet_abi::shared::{ArenaSizes, Control, MAGIC, Regions};

use crate::sys::mapping;

/// Enough for a program that nobody asks about.
pub const ROOM: ArenaSizes = ArenaSizes {
    nodes: 1 << 20,
    tables: 1 << 14,
    entries: 1 << 20,
    variables: 1 << 16,
    names: 1 << 21,
    events: 1 << 18,
    lists: 1 << 20,
    control_flow: 1 << 12,
    calls: 1 << 12,
    steps: 1 << 12,
    values: 1 << 16,
    stubs: 0,
    externals: 1 << 10,
};

/// A fresh control block; null when the kernel gives no memory.
pub fn control(room: &ArenaSizes) -> *mut Control {
    let (regions, size) = Regions::lay_out(room);
    let control: *mut Control = mapping::private(size as usize).cast();
    if control.is_null() {
        return control;
    }
    // SAFETY: fresh zeroed memory of our own, larger than a control block.
    let block = unsafe { &mut *control };
    block.magic = MAGIC;
    block.size = size;
    block.batch = 1;
    block.node_count = 1;
    block.regions = regions;
    control
}
