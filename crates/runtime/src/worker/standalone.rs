//! A control block of our own, in private memory, laid out like the shared file: for a program that runs without an
//! engine, and for tests.
//!
//! Invariant: every region lies inside the mapping and does not overlap another.

use core::mem::size_of;

use covet_abi::event::Event;
use covet_abi::input::{Assignment, Step, Variable};
use covet_abi::node::{Node, Table};
use covet_abi::shared::{Control, MAGIC, MAX_BATCH, Region, RunRequest, RunResult};

use crate::sys::mapping;

/// How much room the growing regions get.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    pub nodes: u64,
    pub events: u64,
    pub variables: u64,
    pub lists: u64,
}

pub const ROOM: Room = Room { nodes: 1 << 20, events: 1 << 18, variables: 1 << 16, lists: 1 << 20 };

/// A fresh control block; null when the kernel gives no memory.
pub fn control(room: Room) -> *mut Control {
    let mut end = 4096u64;
    let mut region = |capacity: u64, size: usize| {
        let at = end;
        end = (at + capacity * size as u64 + 4095) & !4095;
        Region { at, capacity }
    };
    let requests = region(MAX_BATCH as u64, size_of::<RunRequest>());
    let results = region(MAX_BATCH as u64, size_of::<RunResult>());
    let steps = region(1 << 12, size_of::<Step>());
    let values = region(1 << 16, size_of::<Assignment>());
    let variables = region(room.variables, size_of::<Variable>());
    let names = region(room.variables * 32, 1);
    let nodes = region(room.nodes, size_of::<Node>());
    let hash = region((room.nodes * 2).next_power_of_two(), size_of::<u32>());
    let tables = region(1 << 14, size_of::<Table>());
    let entries = region(1 << 20, size_of::<u32>());
    let events = region(room.events, size_of::<Event>());
    let lists = region(room.lists, size_of::<u64>());
    let externals = region(1 << 10, size_of::<u64>());

    let control: *mut Control = mapping::private(end as usize).cast();
    if control.is_null() {
        return control;
    }
    // SAFETY: fresh zeroed memory of our own, larger than a control block.
    let block = unsafe { &mut *control };
    block.magic = MAGIC;
    block.size = end;
    block.batch = 1;
    block.node_count = 1;
    (block.requests, block.results, block.steps, block.values) = (requests, results, steps, values);
    (block.variables, block.names, block.nodes, block.hash) = (variables, names, nodes, hash);
    (block.tables, block.entries, block.events, block.lists) = (tables, entries, events, lists);
    block.externals = externals;
    control
}
