//! Node records → ids, hash-consed straight into the shared pages.
//!
//! The hash uses a power-of-two prefix of its region that grows with the node count, so that small arenas stay in the
//! processor's caches.
//!
//! Invariants: equal records have equal ids (but for the node at which a run was killed); children are interned before their
//! parents; the record is written before the count is bumped, and the count before the hash slot, so a run that dies
//! half-way leaves a valid arena. When it is full, tracking stops for the run and every further id is 0.

use core::ptr::null_mut;

use covet_abi::event::Concretization;
use covet_abi::node::{Node, NodeId, Op};
use covet_abi::shared::{Control, Region, ResultFlags};

use crate::check::undefined;
use crate::trace::tracking::{self, Lone};
use crate::trace::{events, run};

static CONTROL: Lone<*mut Control> = Lone::new(null_mut());
static NODES: Lone<*mut Node> = Lone::new(null_mut());
/// Ids stay below this: what the nodes region holds and the hash can index at a load of at most 7/8.
static NODE_LIMIT: Lone<u64> = Lone::new(0);
static HASH: Lone<*mut u32> = Lone::new(null_mut());
static HASH_CAPACITY: Lone<u64> = Lone::new(0);
/// Slots in use, less one.
static HASH_MASK: Lone<u64> = Lone::new(0);
/// The hash is made for at least this many nodes.
const FEWEST: u64 = 1024;
static NOWHERE: Node = Node { op: 0, aux: 0, width: 0, a: 0, b: 0, c: 0, imm: 0 };

/// Works on these pages from now on.
///
/// # Safety
/// `control` must point to a filled control block with its regions, mapped for good.
pub unsafe fn attach(control: *mut Control) {
    CONTROL.set(control);
    // SAFETY: the caller vouches for the block.
    let block = unsafe { &mut *control };
    NODES.set(region(&block.regions.nodes));
    HASH.set(region(&block.regions.hash));
    HASH_CAPACITY.set(block.regions.hash.capacity);
    NODE_LIMIT.set(block.regions.nodes.capacity.min(block.regions.hash.capacity / 8 * 7).min(u64::from(u32::MAX)));
    block.node_count = block.node_count.max(1);
    catch_up();
}

/// Adopts what others have made of the arena: a child that added nodes, the engine that emptied it.
pub fn catch_up() {
    // SAFETY: attached pages.
    HASH_MASK.set(slots(unsafe { (*control()).node_count }) - 1);
}

/// Slots of the hash in use for so many nodes: between a half and a quarter of them are taken.
fn slots(nodes: u64) -> u64 {
    (nodes.max(FEWEST) * 4).next_power_of_two().min(HASH_CAPACITY.get()).max(1)
}

/// The control block everything hangs on.
#[inline(always)]
pub fn control() -> *mut Control {
    CONTROL.get()
}

/// Ids of nodes are below this.
#[inline(always)]
pub fn limit() -> u64 {
    NODE_LIMIT.get()
}

/// First element of a region of the attached pages.
pub fn region<T>(region: &Region<T>) -> *mut T {
    // SAFETY: regions lie inside the mapping that starts with the control block.
    unsafe { CONTROL.get().cast::<u8>().add(region.at as usize).cast() }
}

/// The record of a node; an empty record (operator 0, width 0) for ids that name none.
#[inline(always)]
pub fn node(id: NodeId) -> &'static Node {
    if u64::from(id) < NODE_LIMIT.get() {
        // SAFETY: inside the nodes region; only this thread writes it while a run is on.
        unsafe { &*NODES.get().add(id as usize) }
    } else {
        &NOWHERE
    }
}

#[inline(always)]
pub fn width(id: NodeId) -> u32 {
    u32::from(node(id).width)
}

/// The operator of a node, `None` for ids that name none.
#[inline(always)]
pub fn op(id: NodeId) -> Option<Op> {
    Op::from_u8(node(id).op)
}

#[inline(always)]
pub fn is(id: NodeId, op: Op) -> bool {
    node(id).op == op as u8
}

/// The id of this very record; 0 once the arena is full.
#[inline]
pub fn intern(record: Node) -> NodeId {
    let wanted = words(&record);
    let mask = HASH_MASK.get();
    let table = HASH.get();
    let mut slot = hash(wanted) & mask;
    loop {
        // SAFETY: the slot is masked to the hash region; ids in it name written records.
        let id = unsafe { *table.add(slot as usize) };
        if id == 0 {
            return append(record, slot);
        }
        if words(node(id)) == wanted {
            return id;
        }
        slot = (slot + 1) & mask;
    }
}

#[inline(never)]
fn append(record: Node, slot: u64) -> NodeId {
    // SAFETY: attached pages; the limit keeps the index inside the region.
    unsafe {
        let control = CONTROL.get();
        let id = (*control).node_count;
        if !tracking::active() || id >= NODE_LIMIT.get() {
            full();
            return 0;
        }
        NODES.get().add(id as usize).write(record);
        undefined::added(id as NodeId, &record);
        (&raw mut (*control).node_count).write_volatile(id + 1);
        if slots(id + 1) != HASH_MASK.get() + 1 {
            grow(id + 1);
        } else {
            HASH.get().add(slot as usize).write_volatile(id as u32);
        }
        id as NodeId
    }
}

/// Spreads all nodes over the hash's new, larger size.
#[cold]
fn grow(count: u64) {
    let mask = slots(count) - 1;
    HASH_MASK.set(mask);
    // SAFETY: masked to the hash region.
    unsafe {
        let table = HASH.get();
        for slot in 0..=mask {
            *table.add(slot as usize) = 0;
        }
        for id in 1..count {
            let mut slot = hash(words(node(id as NodeId))) & mask;
            while *table.add(slot as usize) != 0 {
                slot = (slot + 1) & mask;
            }
            *table.add(slot as usize) = id as NodeId;
        }
    }
}

/// No room for another node, table or shadow page: the rest of the run is concrete.
#[cold]
pub fn full() {
    if tracking::active() {
        events::count(Concretization::ArenaFull);
        run::flag(ResultFlags::ARENA_FULL);
        tracking::stop();
    }
}

#[inline(always)]
fn words(record: &Node) -> [u64; 3] {
    // SAFETY: a node is 24 bytes without padding, aligned to 8.
    unsafe { *(&raw const *record).cast() }
}

#[inline(always)]
fn hash(words: [u64; 3]) -> u64 {
    let mixed = (words[0] ^ words[2].rotate_left(29)).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ words[1];
    let mixed = (mixed ^ (mixed >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    mixed ^ (mixed >> 29)
}

/// All ones in the low `width` bits.
#[inline(always)]
pub const fn mask(width: u32) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

/// The constant of these bits, cut to `width`.
#[inline]
pub fn constant(width: u32, bits: u128) -> NodeId {
    intern(Node::constant(width as u16, bits & mask(width)))
}

/// The bits of a constant node.
#[inline(always)]
pub fn constant_bits(id: NodeId) -> Option<u128> {
    let record = node(id);
    (record.op == Op::Const as u8).then(|| record.constant_bits())
}

/// What a hook answers: a node that turned out constant is "concrete" to the program.
#[inline(always)]
pub fn answer(id: NodeId) -> NodeId {
    if node(id).op == Op::Const as u8 { 0 } else { id }
}
