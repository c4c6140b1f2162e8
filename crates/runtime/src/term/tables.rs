//! Lists of entries → table numbers: the same list is recorded once.
//!
//! Invariants: entries are written before the table, the table before the count. The private index over the shared
//! tables is caught up from the count, so tables that a forked child added are found by its parent, and it is dropped
//! when the epoch changes.

use core::ptr::null_mut;

use covet_abi::node::{NodeId, Table};

use crate::sys::mapping;
use crate::term::arena;
use crate::trace::tracking::Lone;

/// Remembered lists of plain bytes, a power of two.
const REMEMBERED: usize = 1 << 10;

static TABLES: Lone<*mut Table> = Lone::new(null_mut());
static ENTRIES: Lone<*mut NodeId> = Lone::new(null_mut());
/// Open addressing, table number plus 1; 0 = empty. Twice as many slots as tables fit.
static INDEX: Lone<*mut u32> = Lone::new(null_mut());
static INDEX_MASK: Lone<usize> = Lone::new(0);
static INDEXED: Lone<u64> = Lone::new(0);
static EPOCH: Lone<u64> = Lone::new(0);
static BYTES: Lone<[Remembered; REMEMBERED]> =
    Lone::new([Remembered { key: [0; 2], listed: Listed::Same(0) }; REMEMBERED]);

#[derive(Clone, Copy)]
struct Remembered {
    key: [u64; 2],
    listed: Listed,
}

/// What a list of entries came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Listed {
    /// All entries are this node.
    Same(NodeId),
    Table(u32),
}

/// Prepares the index for the attached pages.
pub fn init() -> bool {
    // SAFETY: attached pages.
    let control = unsafe { &*arena::control() };
    TABLES.set(arena::region(&control.regions.tables));
    ENTRIES.set(arena::region(&control.regions.entries));
    let slots = (control.regions.tables.capacity as usize * 2).next_power_of_two();
    INDEX_MASK.set(slots - 1);
    INDEX.set(mapping::private(slots * size_of::<u32>()).cast());
    INDEXED.set(0);
    EPOCH.set(control.epoch);
    !INDEX.get().is_null()
}

/// Takes in tables that others recorded, forgets all when the arena was emptied.
pub fn catch_up() {
    // SAFETY: attached pages; indexes stay inside the regions and the private index.
    unsafe {
        let control = &*arena::control();
        if control.epoch != EPOCH.get() || control.table_count < INDEXED.get() {
            for slot in 0..=INDEX_MASK.get() {
                *INDEX.get().add(slot) = 0;
            }
            for slot in 0..REMEMBERED {
                (*BYTES.pointer())[slot] = Remembered { key: [0; 2], listed: Listed::Same(0) };
            }
            EPOCH.set(control.epoch);
            INDEXED.set(0);
        }
        while INDEXED.get() < control.table_count {
            let number = INDEXED.get() as u32;
            let mut slot = (*TABLES.get().add(number as usize)).hash as usize & INDEX_MASK.get();
            while *INDEX.get().add(slot) != 0 {
                slot = (slot + 1) & INDEX_MASK.get();
            }
            *INDEX.get().add(slot) = number + 1;
            INDEXED.set(u64::from(number) + 1);
        }
    }
}

/// Records `length` entries of this width, made by `entry`. `None`: no room, and tracking has stopped.
pub fn list(width: u32, length: u32, mut entry: impl FnMut(u32) -> NodeId) -> Option<Listed> {
    // SAFETY: attached pages; the entries are written behind those in use, within the region.
    unsafe {
        let control = arena::control();
        let start = (*control).entry_count;
        if length == 0
            || start + u64::from(length) > (*control).regions.entries.capacity
            || (*control).table_count >= (*control).regions.tables.capacity
        {
            arena::full();
            return None;
        }
        let fresh = ENTRIES.get().add(start as usize);
        let mut hash = u64::from(width) << 32 | u64::from(length);
        let mut uniform = true;
        for i in 0..length {
            let id = entry(i);
            if id == 0 {
                return None;
            }
            *fresh.add(i as usize) = id;
            uniform &= id == *fresh;
            hash = (hash ^ u64::from(id)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23);
        }
        if uniform {
            return Some(Listed::Same(*fresh));
        }
        let table = Table { start: start as u32, len: length, width, hash: (hash ^ hash >> 32) as u32 };
        Some(Listed::Table(find(&table).unwrap_or_else(|| record(table))))
    }
}

/// The entries of a recorded table; none for numbers that name none.
pub fn entries(number: u32) -> &'static [NodeId] {
    // SAFETY: attached pages; below the count, and only the engine ever empties them, between runs.
    unsafe {
        if u64::from(number) >= (*arena::control()).table_count {
            return &[];
        }
        let table = &*TABLES.get().add(number as usize);
        core::slice::from_raw_parts(ENTRIES.get().add(table.start as usize), table.len as usize)
    }
}

/// The recorded table with the same entries.
unsafe fn find(wanted: &Table) -> Option<u32> {
    // SAFETY: the caller has written the entries of `wanted`; recorded tables lie inside the region.
    unsafe {
        let mut slot = wanted.hash as usize & INDEX_MASK.get();
        loop {
            let number = (*INDEX.get().add(slot)).checked_sub(1)?;
            let table = &*TABLES.get().add(number as usize);
            if (table.hash, table.len, table.width) == (wanted.hash, wanted.len, wanted.width) {
                let (old, new) = (ENTRIES.get().add(table.start as usize), ENTRIES.get().add(wanted.start as usize));
                if (0..table.len as usize).all(|i| *old.add(i) == *new.add(i)) {
                    return Some(number);
                }
            }
            slot = (slot + 1) & INDEX_MASK.get();
        }
    }
}

unsafe fn record(table: Table) -> u32 {
    // SAFETY: the caller has checked that there is room.
    unsafe {
        let control = arena::control();
        let number = (*control).table_count;
        TABLES.get().add(number as usize).write(table);
        (&raw mut (*control).entry_count).write_volatile((*control).entry_count + u64::from(table.len));
        (&raw mut (*control).table_count).write_volatile(number + 1);
        catch_up();
        number as u32
    }
}

/// Two independent hashes of plain bytes: lists made of equal bytes in the same way are equal.
///
/// # Safety
/// The bytes must be readable.
pub unsafe fn key_of_bytes(address: u64, length: u64, seed: u64) -> [u64; 2] {
    let mut key = [seed ^ 0x243f_6a88_85a3_08d3, length ^ 0x1319_8a2e_0370_7344];
    let mut at = 0;
    while at < length {
        let chunk = (length - at).min(8) as u32;
        // SAFETY: the caller vouches for the bytes.
        let word = if chunk == 8 {
            unsafe { ((address + at) as *const u64).read_unaligned() }
        } else {
            unsafe { crate::shadow::access::plain(address + at, chunk) as u64 }
        };
        key[0] = (key[0] ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
        key[1] = (key[1].rotate_left(17) ^ word.rotate_left(32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
        at += 8;
    }
    [key[0] ^ key[1] >> 31, key[1] ^ key[0] >> 27 | 1]
}

/// What a list with this key came to before.
pub fn remembered(key: [u64; 2]) -> Option<Listed> {
    // SAFETY: in bounds; one thread.
    let slot = unsafe { &(*BYTES.pointer())[key[0] as usize & (REMEMBERED - 1)] };
    (slot.key == key).then_some(slot.listed)
}

pub fn remember(key: [u64; 2], listed: Listed) {
    // SAFETY: in bounds; one thread.
    unsafe { (*BYTES.pointer())[key[0] as usize & (REMEMBERED - 1)] = Remembered { key, listed } };
}
