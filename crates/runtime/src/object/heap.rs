//! The heap of the program under test: sizes to addresses that are the same in every run, and addresses back to objects.
//!
//! One fixed mapping is cut into spans of 64 KiB. A span serves blocks of one size class, or is part of one large object.
//! All bookkeeping lives outside the blocks, so a program that writes past an object cannot corrupt it, and a bad `free` is
//! always noticed. Behind every object lies a red zone, and freed blocks stay poisoned for a while before they are used again.
//! Memory handed out for the first time in a run is zero. Invariant: after [`reset`] the heap is as it was at the start, at a
//! cost proportional to what the run used.

use covet_abi::shared::{POISON_BASE, PRESENCE_BASE, RED_ZONE};

use crate::check::poison;
use crate::object::lookup::Owner;
use crate::object::placed;
use crate::sys::mapping;
use crate::sys::state::{Static, discard};

pub const BASE: u64 = 0x2000_0000_0000;
const SPAN: u64 = 1 << 16;
const SPANS: u64 = 1 << 20;
pub const SIZE: u64 = SPAN * SPANS;
/// One word per 16 bytes of heap, used at block starts only.
const BLOCKS_BASE: u64 = 0x2020_0000_0000;
const BLOCKS_SIZE: u64 = SIZE / GRANULE * 8;
const SPANS_BASE: u64 = 0x2030_0000_0000;

const GRANULE: u64 = 16;
/// Larger objects have spans of their own.
const LARGEST_SMALL: u64 = 32 << 10;
const CLASSES: usize = 57;
/// Spans up to this one keep their pages between runs; the pages of later ones are given back.
const KEPT_SPANS: u64 = 64;
/// A run that wrote past its last block has hardly gone further than this.
const SPILL: u64 = 1024;
/// Large objects from this size on give their pages back when freed, and no more of them is poisoned then.
const DISCARDED_FREE: u64 = 1 << 20;
/// A class reuses its longest freed block once so many bytes of it, and so many blocks, are free.
const QUARANTINE_BYTES: u64 = 16 << 10;
const QUARANTINE_BLOCKS: u64 = 16;

/// A block word: [`LIVE`] with the size asked for, or [`FREED`] with the granule of the block freed next plus 1, or 0 (never
/// used).
const LIVE: u64 = 1 << 63;
const FREED: u64 = 1 << 62;
const PAYLOAD: u64 = FREED - 1;

const UNUSED: u8 = 0;
const SMALL: u8 = 1;
/// First span of a large object, live or free.
const LARGE: u8 = 2;
const LARGE_FREE: u8 = 3;
/// A later span of a large object.
const INSIDE: u8 = 4;

#[repr(C)]
#[derive(Clone, Copy)]
struct Span {
    kind: u8,
    class: u8,
    pad: u16,
    /// Small: blocks handed out so far. Large: spans of the object.
    count: u32,
    /// Inside: the object's first span. Free large: the next free one (or `NONE`).
    link: u32,
    pad2: u32,
    /// Large: bytes asked for.
    size: u64,
}

const NONE: u32 = u32::MAX;

/// The free blocks of a class in the order they were freed: granules plus 1 (0: none) of the first and the last.
#[derive(Clone, Copy)]
struct Freed {
    first: u64,
    last: u64,
    count: u64,
}

const NO_FREED: Freed = Freed { first: 0, last: 0, count: 0 };

struct Heap {
    ready: bool,
    /// Spans in use: all below are, none above.
    top: u64,
    held: u64,
    limit: u64,
    refused: u64,
    /// Per class: the span that blocks are cut from (`NONE`: none yet).
    current: [u32; CLASSES],
    free: [Freed; CLASSES],
    /// Free large objects by the logarithm of their span count.
    large: [u32; 32],
}

static HEAP: Static<Heap> = Static::new(Heap {
    ready: false,
    top: 0,
    held: 0,
    limit: u64::MAX,
    refused: 0,
    current: [NONE; CLASSES],
    free: [NO_FREED; CLASSES],
    large: [NONE; 32],
});

/// Why a pointer cannot be freed or resized.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bad {
    /// Not the start of any object there ever was.
    NotAnObject,
    /// Freed before.
    Freed,
}

/// Maps the heap. False when its addresses are taken.
pub fn init() -> bool {
    let heap = HEAP.get();
    if !heap.ready {
        let mapped = |address, size: u64| !mapping::private_at(address, size as usize).is_null();
        heap.ready = mapped(BASE, SIZE)
            && mapped(BLOCKS_BASE, BLOCKS_SIZE)
            && mapped(SPANS_BASE, SPANS * size_of::<Span>() as u64)
            && placed::init();
    }
    heap.ready
}

/// Bytes that a run may hold at a time.
pub fn set_limit(bytes: u64) {
    HEAP.get().limit = bytes;
}

/// How often this run was refused memory.
pub fn refused() -> u64 {
    HEAP.get().refused
}

/// True for addresses that only this heap can have handed out, or the engine for input objects.
#[inline(always)]
pub fn owns(address: u64) -> bool {
    is_cut(address) || placed::owns(address)
}

#[inline(always)]
fn is_cut(address: u64) -> bool {
    address.wrapping_sub(BASE) < SIZE
}

/// A new object of `size` bytes; 0 when the limit is reached. `align` is a power of two.
pub fn allocate(size: u64, align: u64) -> u64 {
    let heap = HEAP.get();
    if !heap.ready || size > heap.limit || heap.held + size > heap.limit {
        heap.refused += 1;
        return 0;
    }
    let room = size + RED_ZONE;
    let address = if align <= GRANULE {
        if room <= LARGEST_SMALL { heap.small(class_of(room), size) } else { heap.large(size, 1) }
    } else {
        // A block whose class is a power of two is aligned to it, because spans are.
        let block = room.max(align).next_power_of_two();
        if block <= LARGEST_SMALL { heap.small(class_of(block), size) } else { heap.large(size, align.div_ceil(SPAN)) }
    };
    if address == 0 {
        heap.refused += 1;
    } else {
        heap.held += size;
    }
    address
}

/// Ends the object at `address` and tells its size.
pub fn release(address: u64) -> Result<u64, Bad> {
    if placed::owns(address) {
        return placed::release(address);
    }
    let heap = HEAP.get();
    let at = span(address);
    let size = match at.kind {
        SMALL => {
            let class = at.class as usize;
            if !(address & (SPAN - 1)).is_multiple_of(class_size(class)) {
                return Err(Bad::NotAnObject);
            }
            let word = block(address);
            if *word & LIVE == 0 {
                return Err(if *word & FREED != 0 { Bad::Freed } else { Bad::NotAnObject });
            }
            let size = *word & PAYLOAD;
            *word = FREED;
            heap.free[class].push(address);
            poison::set(address, class_size(class));
            size
        }
        LARGE if address & (SPAN - 1) == 0 => {
            let bin = at.count.ilog2() as usize;
            at.kind = LARGE_FREE;
            at.link = heap.large[bin];
            heap.large[bin] = ((address - BASE) / SPAN) as u32;
            poison::set(address, at.size.min(DISCARDED_FREE));
            if at.size >= DISCARDED_FREE {
                discard(address, u64::from(at.count) * SPAN);
            }
            at.size
        }
        LARGE_FREE if address & (SPAN - 1) == 0 => return Err(Bad::Freed),
        _ => return Err(Bad::NotAnObject),
    };
    heap.held -= size;
    Ok(size)
}

/// Gives the object at `address` the size `size` without moving it, if it fits where it is. Its old size otherwise.
pub fn resize(address: u64, size: u64) -> Result<(u64, bool), Bad> {
    if placed::owns(address) {
        return placed::resize(address, size);
    }
    let heap = HEAP.get();
    let (base, old) = object_at(address).unwrap_or((0, 0));
    if base != address {
        let freed = span(address).kind == LARGE_FREE || *block(address) & FREED != 0;
        return Err(if freed { Bad::Freed } else { Bad::NotAnObject });
    }
    if size > heap.limit || heap.held - old + size > heap.limit {
        return Ok((old, false));
    }
    let at = span(address);
    let fits = match at.kind {
        // Shrinking far below the block's size moves, as the memory would otherwise never come back.
        SMALL => size + RED_ZONE <= class_size(at.class as usize) && size * 4 >= class_size(at.class as usize),
        _ => size + RED_ZONE <= u64::from(at.count) * SPAN && size > LARGEST_SMALL,
    };
    if fits {
        poison::clear(address + old, size.saturating_sub(old));
        poison::set(address + size, old.saturating_sub(size).max(RED_ZONE));
        if at.kind == SMALL {
            *block(address) = LIVE | size;
        } else {
            at.size = size;
        }
        heap.held = heap.held - old + size;
    }
    Ok((old, fits))
}

/// The live object that `address` lies in: its start and size. (An address at or past its end is in none.)
pub fn object_at(address: u64) -> Option<(u64, u64)> {
    if placed::owns(address) {
        return placed::object_at(address);
    }
    if !is_cut(address) || !HEAP.get().ready {
        return None;
    }
    let at = span(address);
    let (base, size) = match at.kind {
        SMALL => {
            let inside = address & (SPAN - 1);
            let base = address - inside % class_size(at.class as usize);
            let word = *block(base);
            if word & LIVE == 0 {
                return None;
            }
            (base, word & PAYLOAD)
        }
        LARGE => (address & !(SPAN - 1), at.size),
        INSIDE => {
            let first = BASE + u64::from(at.link) * SPAN;
            if span(first).kind != LARGE {
                return None;
            }
            (first, span(first).size)
        }
        _ => return None,
    };
    // An empty object still has its own address.
    (address - base < size.max(1)).then_some((base, size))
}

/// Whom a poisoned byte of the heap belongs to.
pub fn owner(address: u64) -> Owner {
    if placed::owns(address) {
        return placed::owner(address);
    }
    let at = span(address);
    let start = match at.kind {
        SMALL => address - (address & (SPAN - 1)) % class_size(at.class as usize),
        INSIDE => BASE + u64::from(at.link) * SPAN,
        _ => address & !(SPAN - 1),
    };
    let is_freed = match at.kind {
        SMALL => *block(start) & FREED != 0,
        UNUSED => false,
        _ => span(start).kind == LARGE_FREE,
    };
    if is_freed {
        Owner::Freed
    } else if object_at(address).is_some_and(|(base, size)| address - base < size) {
        Owner::Somebody
    } else {
        Owner::Nobody
    }
}

/// Back to the start: nothing handed out, everything zero.
pub fn reset() {
    placed::reset();
    let heap = HEAP.get();
    let kept = heap.top.min(KEPT_SPANS);
    for index in 0..kept {
        let start = BASE + index * SPAN;
        let at = span(start);
        if at.kind == SMALL {
            let used = u64::from(at.count) * class_size(at.class as usize);
            clear(start, (used + SPILL).min(SPAN));
            clear(block(start) as *mut u64 as u64, used / GRANULE * 8);
            for map in [PRESENCE_BASE, POISON_BASE] {
                clear(map + start / 8, used / 8);
            }
        } else {
            // Cheaper than writing 64 KiB when little of a large object was touched.
            discard(start, SPAN);
            for map in [PRESENCE_BASE, POISON_BASE] {
                discard(map + start / 8, SPAN / 8);
            }
        }
    }
    if heap.top > kept {
        discard(BASE + kept * SPAN, (heap.top - kept) * SPAN);
        for map in [PRESENCE_BASE, POISON_BASE] {
            discard(map + (BASE + kept * SPAN) / 8, (heap.top - kept) * SPAN / 8);
        }
        discard(BLOCKS_BASE + kept * (SPAN / GRANULE * 8), (heap.top - kept) * (SPAN / GRANULE * 8));
    }
    clear(SPANS_BASE, heap.top * size_of::<Span>() as u64);
    heap.top = 0;
    heap.held = 0;
    heap.refused = 0;
    heap.current = [NONE; CLASSES];
    heap.free = [NO_FREED; CLASSES];
    heap.large = [NONE; 32];
}

impl Heap {
    fn small(&mut self, class: usize, size: u64) -> u64 {
        let address = match self.free[class].pop(class_size(class)) {
            0 => self.cut(class),
            reused => {
                poison::clear(reused, size);
                reused
            }
        };
        if address != 0 {
            *block(address) = LIVE | size;
            poison::set(address + size, class_size(class) - size);
        }
        address
    }

    /// The next block of the class's current span, or the first of a new one.
    fn cut(&mut self, class: usize) -> u64 {
        let bytes = class_size(class);
        let current = self.current[class];
        if current != NONE {
            let start = BASE + u64::from(current) * SPAN;
            let at = span(start);
            let next = u64::from(at.count) * bytes;
            if next + bytes <= SPAN {
                at.count += 1;
                return start + next;
            }
        }
        if self.top == SPANS {
            return 0;
        }
        let start = BASE + self.top * SPAN;
        *span(start) = Span { kind: SMALL, class: class as u8, pad: 0, count: 1, link: NONE, pad2: 0, size: 0 };
        self.current[class] = self.top as u32;
        self.top += 1;
        start
    }

    fn large(&mut self, size: u64, align_spans: u64) -> u64 {
        let count = (size + RED_ZONE).div_ceil(SPAN);
        if align_spans == 1
            && let Some(reused) = self.reuse(count)
        {
            let at = span(reused);
            poison::clear(reused, at.size.min(DISCARDED_FREE));
            poison::clear(reused + at.size, RED_ZONE);
            at.size = size;
            poison::set(reused + size, RED_ZONE);
            return reused;
        }
        let first = self.top.next_multiple_of(align_spans);
        if first + count > SPANS {
            return 0;
        }
        for skipped in self.top..first {
            span(BASE + skipped * SPAN).kind = UNUSED;
        }
        let start = BASE + first * SPAN;
        *span(start) = Span { kind: LARGE, class: 0, pad: 0, count: count as u32, link: NONE, pad2: 0, size };
        for later in first + 1..first + count {
            let inside = Span { kind: INSIDE, class: 0, pad: 0, count: 0, link: first as u32, pad2: 0, size: 0 };
            *span(BASE + later * SPAN) = inside;
        }
        self.top = first + count;
        poison::set(start + size, RED_ZONE);
        start
    }

    /// A free large object of at least `count` spans, not much larger: the latest of its bin that fits, or of the next bin.
    fn reuse(&mut self, count: u64) -> Option<u64> {
        let bin = count.ilog2() as usize;
        for bin in bin..(bin + 2).min(32) {
            let first = self.large[bin];
            if first != NONE {
                let start = BASE + u64::from(first) * SPAN;
                let at = span(start);
                if u64::from(at.count) >= count {
                    self.large[bin] = at.link;
                    at.kind = LARGE;
                    at.link = NONE;
                    return Some(start);
                }
            }
        }
        None
    }
}

impl Freed {
    fn push(&mut self, address: u64) {
        let granule = (address - BASE) / GRANULE + 1;
        match self.last {
            0 => self.first = granule,
            last => *block(BASE + (last - 1) * GRANULE) |= granule,
        }
        self.last = granule;
        self.count += 1;
    }

    /// The block that has been free for longest, when there are enough others; 0 otherwise.
    fn pop(&mut self, size: u64) -> u64 {
        if self.count <= QUARANTINE_BLOCKS && self.count * size <= QUARANTINE_BYTES || self.count < 2 {
            return 0;
        }
        let address = BASE + (self.first - 1) * GRANULE;
        self.first = *block(address) & PAYLOAD;
        self.count -= 1;
        address
    }
}

/// Classes 1 to 32 are multiples of 16; then four to each doubling.
fn class_of(size: u64) -> usize {
    if size <= 512 {
        return (size.max(1).div_ceil(GRANULE)) as usize;
    }
    let log = (size - 1).ilog2();
    let quarter = ((size - 1) >> (log - 2)) & 3;
    32 + (log as usize - 9) * 4 + quarter as usize + 1
}

fn class_size(class: usize) -> u64 {
    if class <= 32 {
        return class as u64 * GRANULE;
    }
    let step = (class - 33) as u64;
    (512 << (step / 4)) / 4 * (4 + step % 4 + 1)
}

fn span(address: u64) -> &'static mut Span {
    // SAFETY: `address` is inside the heap, so the entry is inside the mapped table.
    unsafe { &mut *((SPANS_BASE as *mut Span).add(((address - BASE) / SPAN) as usize)) }
}

fn block(address: u64) -> &'static mut u64 {
    // SAFETY: `address` is inside the heap, so the word is inside the mapped table.
    unsafe { &mut *((BLOCKS_BASE as *mut u64).add(((address - BASE) / GRANULE) as usize)) }
}

fn clear(address: u64, bytes: u64) {
    // SAFETY: callers pass ranges of the heap's own mappings.
    unsafe { core::ptr::write_bytes(address as *mut u8, 0, bytes as usize) };
}
