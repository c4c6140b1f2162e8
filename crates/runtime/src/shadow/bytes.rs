//! Shadow memory: which bytes of the program are symbolic, and which byte of which node each is.
//!
//! The presence map has one byte for every 8 bytes of memory, one bit for each of them: the fast check of instrumented
//! code and our own. Where a bit is set, the cell in the shadow page says which node the byte was cut from, which byte
//! of it, and the concrete byte it was made for.
//!
//! Invariants: a cell counts only while its presence bit is set, its byte is not poisoned, and memory still holds its
//! concrete byte (otherwise somebody we do not see wrote there: the bit is dropped on sight). All that a run touched is listed, so [`reset`]
//! costs what was touched.

use core::ptr::null_mut;

use covet_abi::event::NO_SITE;
use covet_abi::node::NodeId;
use covet_abi::shared::{PRESENCE_BASE, PRESENCE_SIZE};

use crate::check::{poison, violations};
use crate::object::lookup;
use crate::sys::mapping;
use crate::term::arena;
use crate::trace::tracking::Lone;

const PAGE: u64 = 4096;
/// Addresses from here on have no presence byte (and no user memory). The first page is never mapped either.
const ADDRESS_END: u64 = 1 << 47;
const NO_PAGE: u64 = u64::MAX;
/// No program copies or clears more than this at once: a length beyond is a mistake that is about to crash.
const LONGEST: u64 = 1 << 36;
/// Shadow pages at most: 128 MiB of program memory with symbolic bytes in every page.
const POOL: usize = 1 << 15;
const SLOTS: usize = 2 * POOL;

/// One byte of program memory: node id in bits 0..32, byte number within the node in 32..40, concrete byte in 40..48.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Cell(u64);

impl Cell {
    #[inline(always)]
    pub fn new(id: NodeId, part: u32, concrete: u8) -> Cell {
        Cell(u64::from(id) | u64::from(part) << 32 | u64::from(concrete) << 40)
    }

    #[inline(always)]
    pub fn id(self) -> NodeId {
        self.0 as u32
    }

    #[inline(always)]
    pub fn part(self) -> u32 {
        (self.0 >> 32) as u32 & 0xff
    }

    #[inline(always)]
    pub fn concrete(self) -> u8 {
        (self.0 >> 40) as u8
    }
}

#[repr(C)]
struct Slot {
    /// Address of the page divided by its size; 0 = free.
    page: u64,
    cells: *mut Cell,
}

static READY: Lone<bool> = Lone::new(false);
static TABLE: Lone<*mut Slot> = Lone::new(null_mut());
static CELLS: Lone<*mut Cell> = Lone::new(null_mut());
/// Slots in use, in order of first touch: `TOUCHED[i]` owns pool page `i`.
static TOUCHED: Lone<*mut u32> = Lone::new(null_mut());
static TOUCHED_COUNT: Lone<usize> = Lone::new(0);
static LAST_PAGE: Lone<u64> = Lone::new(NO_PAGE);
static LAST_CELLS: Lone<*mut Cell> = Lone::new(null_mut());

/// Maps the presence map and the pool. False when the kernel refuses: then nothing can be tracked.
pub fn init() -> bool {
    if READY.get() {
        return true;
    }
    let presence = mapping::private_at(PRESENCE_BASE, PRESENCE_SIZE as usize);
    TABLE.set(mapping::private(SLOTS * size_of::<Slot>()).cast());
    CELLS.set(mapping::private(POOL * PAGE as usize * size_of::<Cell>()).cast());
    TOUCHED.set(mapping::private(POOL * size_of::<u32>()).cast());
    let mapped = !presence.is_null() && !TABLE.get().is_null() && !CELLS.get().is_null() && !TOUCHED.get().is_null();
    READY.set(mapped && poison::init());
    READY.get()
}

/// Nothing is symbolic any more.
pub fn reset() {
    for index in 0..TOUCHED_COUNT.get() {
        // SAFETY: listed slots are inside the table; their pages lie below ADDRESS_END.
        unsafe {
            let slot = TABLE.get().add(*TOUCHED.get().add(index) as usize);
            let (presence, poison) = (presence_word((*slot).page * PAGE), poison::word((*slot).page * PAGE));
            for word in 0..(PAGE / 64) as usize {
                *presence.add(word) = *poison.add(word);
            }
            (*slot).page = 0;
        }
    }
    TOUCHED_COUNT.set(0);
    LAST_PAGE.set(NO_PAGE);
}

/// The presence byte of the 8 bytes around `address`.
#[inline(always)]
fn presence(address: u64) -> *mut u8 {
    (PRESENCE_BASE + (address >> 3)) as *mut u8
}

/// The presence bytes of the 64 bytes around `address`.
#[inline(always)]
fn presence_word(address: u64) -> *mut u64 {
    (PRESENCE_BASE + (address >> 6) * 8) as *mut u64
}

#[inline(always)]
fn in_reach(address: u64, length: u64) -> bool {
    (PAGE..ADDRESS_END).contains(&address) && length <= (ADDRESS_END - address).min(LONGEST)
}

#[inline(always)]
fn slot_of(page: u64) -> usize {
    (page.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48) as usize % SLOTS
}

/// The cells of a page that has some, null otherwise.
#[inline(always)]
fn find(page: u64) -> *mut Cell {
    if page == LAST_PAGE.get() {
        return LAST_CELLS.get();
    }
    find_in_table(page)
}

#[inline(never)]
fn find_in_table(page: u64) -> *mut Cell {
    let mut at = slot_of(page);
    // SAFETY: `at` stays inside the table, which is never more than half full.
    unsafe {
        loop {
            let slot = TABLE.get().add(at);
            if (*slot).page == page {
                LAST_PAGE.set(page);
                LAST_CELLS.set((*slot).cells);
                return (*slot).cells;
            }
            if (*slot).page == 0 {
                return null_mut();
            }
            at = (at + 1) % SLOTS;
        }
    }
}

/// The cells of a page, newly taken from the pool if need be; null when the pool is empty (tracking has stopped then).
#[inline(always)]
fn find_or_add(page: u64) -> *mut Cell {
    let cells = find(page);
    if cells.is_null() { add(page) } else { cells }
}

#[cold]
fn add(page: u64) -> *mut Cell {
    let count = TOUCHED_COUNT.get();
    if count == POOL {
        arena::full();
        return null_mut();
    }
    let mut at = slot_of(page);
    // SAFETY: as in `find_in_table`; `count` is below the pool's size.
    unsafe {
        while (*TABLE.get().add(at)).page != 0 {
            at = (at + 1) % SLOTS;
        }
        let cells = CELLS.get().add(count * PAGE as usize);
        // Listed before it is found: a run that is ended right here still gives the page back.
        *TOUCHED.get().add(count) = at as u32;
        TOUCHED_COUNT.set(count + 1);
        *TABLE.get().add(at) = Slot { page, cells };
        LAST_PAGE.set(page);
        LAST_CELLS.set(cells);
        cells
    }
}

/// The cell of a byte, if that byte is symbolic. Drops it when memory has changed behind our back.
#[inline]
pub fn get(address: u64) -> Option<Cell> {
    if !in_reach(address, 1) {
        return None;
    }
    let bit = 1u8 << (address & 7);
    // SAFETY: the presence map covers the address; a set bit means the page has cells and the memory was there.
    unsafe {
        let marks = presence(address);
        if *marks & bit == 0 || *poison::byte(address) & bit != 0 {
            return None;
        }
        let cells = find(address / PAGE);
        if cells.is_null() {
            return None;
        }
        let cell = *cells.add((address % PAGE) as usize);
        if cell.concrete() != *(address as *const u8) {
            *marks &= !bit;
            return None;
        }
        Some(cell)
    }
}

/// From now on the byte is this byte of that node.
#[inline]
pub fn set(address: u64, cell: Cell) {
    if !in_reach(address, 1) {
        return;
    }
    let cells = find_or_add(address / PAGE);
    if cells.is_null() {
        return;
    }
    // SAFETY: inside the page's cells and the presence map.
    unsafe {
        *cells.add((address % PAGE) as usize) = cell;
        *presence(address) |= 1 << (address & 7);
        cure(address, 1 << (address & 7));
    }
}

/// All of `length` (1 to 8) bytes within one aligned granule as consecutive bytes of `id`, from its byte `part` on.
#[inline(always)]
pub fn set_within_granule(address: u64, length: u32, id: NodeId, part: u32, concrete: u64) {
    if !in_reach(address, 8) {
        return;
    }
    let cells = find_or_add(address / PAGE);
    if cells.is_null() {
        return;
    }
    // SAFETY: the bytes share a granule, hence a page.
    unsafe {
        let first = cells.add((address % PAGE) as usize);
        for i in 0..length {
            *first.add(i as usize) = Cell::new(id, part + i, (concrete >> (8 * i)) as u8);
        }
        let bits = (((1u32 << length) - 1) << (address & 7)) as u8;
        *presence(address) |= bits;
        cure(address, bits);
    }
}

/// What is written belongs to somebody: poison that a frame has left behind is gone.
#[inline(always)]
unsafe fn cure(address: u64, bits: u8) {
    // SAFETY: the caller vouches for the address.
    unsafe {
        let poison = poison::byte(address);
        if *poison & bits != 0 {
            *poison &= !bits;
        }
    }
}

/// The node whose bytes from 0 on these are, when all `length` (1 to 8) bytes of one granule are symbolic and current.
#[inline(always)]
pub fn whole_within_granule(address: u64, length: u32) -> NodeId {
    if !in_reach(address, 8) {
        return 0;
    }
    let bits = (((1u32 << length) - 1) << (address & 7)) as u8;
    // SAFETY: as in `get`; the bytes share a granule, hence a page.
    unsafe {
        if *presence(address) & bits != bits || *poison::byte(address) & bits != 0 {
            return 0;
        }
        let cells = find(address / PAGE);
        if cells.is_null() {
            return 0;
        }
        let first = cells.add((address % PAGE) as usize);
        let id = (*first).id();
        for i in 0..length {
            if *first.add(i as usize) != Cell::new(id, i, *(address as *const u8).add(i as usize)) {
                return 0;
            }
        }
        id
    }
}

/// The bytes are concrete from now on. (Poison stays.)
pub fn forget(address: u64, length: u64) {
    if length == 0 || !in_reach(address, length) {
        return;
    }
    let (mut at, end) = (address, address + length);
    // SAFETY: inside the presence map.
    unsafe {
        while at < end {
            if at.is_multiple_of(64) && end - at >= 64 {
                let word = presence_word(at);
                if *word != 0 {
                    *word = *poison::word(at);
                }
                at += 64;
                continue;
            }
            let stop = end.min((at | 7) + 1);
            let marks = presence(at);
            if *marks != 0 {
                let bits = (((1u32 << (stop - at)) - 1) << (at & 7)) as u8;
                *marks &= !bits | *poison::byte(at);
            }
            at = stop;
        }
    }
}

/// The first address in `address .. end` that may be symbolic (or is poisoned), `end` if there is none.
#[inline]
pub fn next_marked(address: u64, end: u64) -> u64 {
    if !in_reach(address, end.saturating_sub(address)) {
        return end;
    }
    let mut at = address;
    // SAFETY: inside the presence map.
    unsafe {
        while at < end {
            if at.is_multiple_of(64) && end - at >= 64 && *presence_word(at) == 0 {
                at += 64;
                continue;
            }
            let marks = *presence(at) >> (at & 7);
            if marks != 0 {
                return (at + u64::from(marks.trailing_zeros())).min(end);
            }
            at = (at | 7) + 1;
        }
    }
    end
}

/// True when a byte of the range is symbolic, and still is what it was. A range that runs past its object ("as long as it
/// is") ends with it.
pub fn range_is_symbolic(address: u64, length: u64) -> bool {
    let length = match lookup::object_at(address) {
        Some((base, size)) if length > PAGE => length.min(size - (address - base)),
        _ => length.min(LONGEST),
    };
    let end = address.saturating_add(length);
    let mut at = next_marked(address, end);
    while at < end {
        if get(at).is_some() {
            return true;
        }
        at = next_marked(at + 1, end);
    }
    false
}

/// True when a byte of the C string, its terminator included, is symbolic.
///
/// # Safety
/// `address` must point to a C string.
pub unsafe fn string_is_symbolic(address: u64) -> bool {
    let mut at = address;
    loop {
        if get(at).is_some() {
            return true;
        }
        violations::access(at, 1, NO_SITE);
        // SAFETY: not past the terminator.
        if unsafe { *(at as *const u8) } == 0 {
            return false;
        }
        at += 1;
    }
}
