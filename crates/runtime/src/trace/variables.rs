//! Names → input variables: the append-only table in shared memory and a private index over its names.
//!
//! Invariants: a name is in the table once; the name's bytes are written before the variable, the variable before the
//! count. The index is caught up from the count, so variables that the engine or a forked child added are found.

use core::ptr::null_mut;

use covet_abi::input::{ValueKind, Variable};
use covet_abi::node::{Node, NodeId, Op};

use crate::sys::mapping;
use crate::term::arena;
use crate::trace::tracking::Lone;
use crate::trace::values;

static VARIABLES: Lone<*mut Variable> = Lone::new(null_mut());
static NAMES: Lone<*mut u8> = Lone::new(null_mut());
static CAPACITY: Lone<u64> = Lone::new(0);
/// Open addressing, variable number plus 1; 0 = empty. Twice as many slots as variables fit.
static INDEX: Lone<*mut u32> = Lone::new(null_mut());
static INDEX_MASK: Lone<usize> = Lone::new(0);
static INDEXED: Lone<u64> = Lone::new(0);

/// Prepares the index and the values for the attached pages.
pub fn init() -> bool {
    // SAFETY: attached pages.
    let control = unsafe { &*arena::control() };
    VARIABLES.set(arena::region(&control.regions.variables));
    NAMES.set(arena::region(&control.regions.names));
    CAPACITY.set(control.regions.variables.capacity);
    let slots = (control.regions.variables.capacity as usize * 2).next_power_of_two();
    INDEX_MASK.set(slots - 1);
    INDEX.set(mapping::private(slots * size_of::<u32>()).cast());
    INDEXED.set(0);
    !INDEX.get().is_null() && values::init(control.regions.variables.capacity)
}

/// The variable called `name`, added with this width, kind and default when new. `None` when the table is full.
///
/// A known variable keeps its width: the caller checks whether it can use it.
pub fn variable(name: &[u8], width: u32, kind: ValueKind, default: u32) -> Option<u32> {
    find(name).or_else(|| add(name, width, kind, default))
}

/// The variable called `name`, if there is one.
pub fn find(name: &[u8]) -> Option<u32> {
    catch_up();
    let hash = hash(name);
    let mut slot = hash as usize & INDEX_MASK.get();
    // SAFETY: `slot` stays inside the index; numbers in it name written variables.
    unsafe {
        while let Some(number) = (*INDEX.get().add(slot)).checked_sub(1) {
            if self::name(number) == name {
                return Some(number);
            }
            slot = (slot + 1) & INDEX_MASK.get();
        }
    }
    None
}

fn add(name: &[u8], width: u32, kind: ValueKind, default: u32) -> Option<u32> {
    // SAFETY: attached pages; room is checked before anything is written.
    unsafe {
        let control = arena::control();
        let (number, at) = ((*control).variable_count, (*control).name_bytes);
        if number >= CAPACITY.get() || at + name.len() as u64 > (*control).regions.names.capacity {
            return None;
        }
        for (i, &byte) in name.iter().enumerate() {
            *NAMES.get().add(at as usize + i) = byte;
        }
        let (name_at, name_len) = (at as u32, name.len() as u32);
        let (width, kind) = (width as u16, kind as u8);
        VARIABLES.get().add(number as usize).write(Variable { name_at, name_len, width, kind, pad: 0, default });
        (&raw mut (*control).name_bytes).write_volatile(at + name.len() as u64);
        (&raw mut (*control).variable_count).write_volatile(number + 1);
        catch_up();
        Some(number as u32)
    }
}

/// Takes variables that others added into the index.
fn catch_up() {
    // SAFETY: attached pages; `slot` stays inside the index.
    unsafe {
        let count = (*arena::control()).variable_count.min(CAPACITY.get());
        while INDEXED.get() < count {
            let number = INDEXED.get() as u32;
            let mut slot = hash(name(number)) as usize & INDEX_MASK.get();
            while *INDEX.get().add(slot) != 0 {
                slot = (slot + 1) & INDEX_MASK.get();
            }
            *INDEX.get().add(slot) = number + 1;
            INDEXED.set(u64::from(number) + 1);
        }
    }
}

/// The record of a variable; `None` for numbers that name none.
pub fn get(number: u32) -> Option<Variable> {
    // SAFETY: attached pages; below the count.
    unsafe {
        let count = (*arena::control()).variable_count.min(CAPACITY.get());
        (u64::from(number) < count).then(|| *VARIABLES.get().add(number as usize))
    }
}

/// The name of a variable that is in the table.
pub fn name(number: u32) -> &'static [u8] {
    // SAFETY: written with the variable and never changed; cut to the region for records that lie.
    unsafe {
        let record = *VARIABLES.get().add(number as usize);
        let room = (*arena::control()).regions.names.capacity;
        let at = u64::from(record.name_at).min(room);
        let length = u64::from(record.name_len).min(room - at);
        core::slice::from_raw_parts(NAMES.get().add(at as usize), length as usize)
    }
}

/// The node of a variable; 0 when there is none.
pub fn variable_node(number: u32) -> NodeId {
    let Some(record) = get(number) else { return 0 };
    arena::intern(Node { op: Op::Var as u8, aux: 0, width: record.width, a: number, b: 0, c: 0, imm: 0 })
}

/// A well-mixed hash of a name, the same in every process.
pub fn hash(name: &[u8]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    for &byte in name {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    mix(hash)
}

/// Every bit of the answer depends on every bit asked.
pub fn mix(bits: u64) -> u64 {
    let bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ bits >> 31
}
