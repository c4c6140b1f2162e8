//! Memory that nobody has written: its bytes are variables of no input, and what depends on them must decide nothing.
//!
//! They travel through memory and operators like symbolic bytes, so padding, copies of whole structures and the other bits of a
//! bit-field are no uses. On request only: nothing is ever marked otherwise.
//!
//! Invariant: no condition that depends on such a byte gets into the log.

use covet_abi::check::Check;
use covet_abi::node::{Node, NodeId, Op};

use crate::check::violations;
use crate::object::lookup;
use crate::shadow::access;
use crate::shadow::bytes::{self, Cell};
use crate::sys::mapping;
use crate::term::arena::{self, constant, constant_bits, intern};
use crate::term::build;
use crate::term::tables::{self, Listed};
use crate::trace::tracking::{self, Lone};

/// Numbers of variables from here on are those of bytes that nobody has written.
const FIRST: u32 = u32::MAX - 64;
/// What such bytes hold: whatever writes them without our knowledge hardly leaves it as it is.
const PATTERN: u8 = 0xb5;
/// Bytes of one object that are marked at most.
const MARKED: u64 = 1 << 16;

/// For each node of the arena, which of its bits depend on such a byte; null as long as nothing was marked.
static DEPENDENT: Lone<*mut u64> = Lone::new(core::ptr::null_mut());

/// An object came into being that nobody has written to.
///
/// # Safety
/// The bytes must be writable.
pub unsafe fn mark(address: u64, length: u64) {
    if !tracking::active() || !violations::wanted(Check::Uninitialised) || !is_ready() {
        return;
    }
    for at in address..address + length.min(MARKED) {
        let a = FIRST + (at % 64) as u32;
        let id = intern(Node { op: Op::Var as u8, aux: 0, width: 8, a, b: 0, c: 0, imm: 0 });
        // SAFETY: as the caller vouches.
        unsafe { *(at as *mut u8) = PATTERN };
        bytes::set(at, Cell::new(id, 0, PATTERN));
    }
}

fn is_ready() -> bool {
    if DEPENDENT.get().is_null() {
        DEPENDENT.set(mapping::private(arena::limit() as usize * size_of::<u64>()).cast());
    }
    !DEPENDENT.get().is_null()
}

/// A node was added to the arena: it depends on what its operands depend on.
#[inline(always)]
pub fn added(id: NodeId, record: &Node) {
    if !DEPENDENT.get().is_null() {
        note(id, record);
    }
}

#[cold]
fn note(id: NodeId, record: &Node) {
    // SAFETY: a word for each node that the arena can hold.
    unsafe { *DEPENDENT.get().add(id as usize) = bits_of(record) };
}

/// Masks and shifts by constants keep apart what was written and what was not; anything else mixes it.
fn bits_of(record: &Node) -> u64 {
    let width = u32::from(record.width);
    let all = arena::mask(width.min(64)) as u64;
    let Some(op) = Op::from_u8(record.op) else { return 0 };
    let (a, b) = (record.a, record.b);
    let mixed = |any: bool| if any { all } else { 0 };
    let number = |id: NodeId| constant_bits(id).map(|bits| bits as u64);
    let wide = width > 64 || arena::width(a) > 64;
    match op {
        Op::Const => 0,
        Op::Var => mixed(a >= FIRST),
        Op::Select => mixed(is_undefined(a) || tables::entries(b).iter().any(|entry| is_undefined(*entry))),
        _ if wide => mixed([a, b, record.c].into_iter().any(is_undefined)),
        Op::And => match (number(a), number(b)) {
            (Some(mask), _) => bits(b) & mask,
            (_, Some(mask)) => bits(a) & mask,
            (None, None) => bits(a) | bits(b),
        },
        Op::Or => match (number(a), number(b)) {
            (Some(ones), _) => bits(b) & !ones,
            (_, Some(ones)) => bits(a) & !ones,
            (None, None) => bits(a) | bits(b),
        },
        Op::Xor | Op::Not => bits(a) | bits(b),
        Op::Shl => number(b)
            .map_or(mixed(is_undefined(a) || is_undefined(b)), |by| bits(a).checked_shl(by as u32).unwrap_or(0) & all),
        Op::LShr => number(b)
            .map_or(mixed(is_undefined(a) || is_undefined(b)), |by| bits(a).checked_shr(by as u32).unwrap_or(0)),
        Op::Extract => bits(a).checked_shr(record.imm as u32).unwrap_or(0) & all,
        Op::Concat => bits(a).checked_shl(arena::width(b)).unwrap_or(0) | bits(b),
        Op::ZExt => bits(a),
        _ => mixed([a, b, record.c].into_iter().any(is_undefined)),
    }
}

#[inline(always)]
fn bits(id: NodeId) -> u64 {
    // SAFETY: as above.
    if u64::from(id) < arena::limit() { unsafe { *DEPENDENT.get().add(id as usize) } } else { 0 }
}

/// Whether the value depends on a byte that nobody has written.
#[inline(always)]
pub fn is_undefined(id: NodeId) -> bool {
    !DEPENDENT.get().is_null() && bits(id) != 0
}

/// The value decides where the program goes or what it does: it must not be undefined.
#[inline(always)]
pub fn used(id: NodeId) {
    if is_undefined(id) {
        violations::violate(Check::Uninitialised);
    }
}

/// What an access at `address` by a symbolic index gives: `id`. Where some of the cells were never written, an index of such a cell is
/// asked for; other indices give what the other cells hold.
pub fn chosen(id: NodeId, address: u64, length: u32, site: u32) -> NodeId {
    if !is_undefined(id) || !arena::is(id, Op::Select) {
        return id;
    }
    let Node { a: index, b: table, width, .. } = *arena::node(id);
    let mapped = |width: u32, change: &dyn Fn(NodeId) -> NodeId| {
        let entries = tables::entries(table);
        match tables::list(width, entries.len() as u32, |i| change(entries[i as usize])) {
            Some(Listed::Same(id)) => id,
            Some(Listed::Table(number)) => build::select(width, index, number),
            None => 0,
        }
    };
    let unwritten = mapped(1, &|entry| constant(1, u128::from(is_undefined(entry))));
    let now = access::read(address, length);
    // Reading alone is no use.
    violations::note(Check::Uninitialised, site, unwritten, is_undefined(now));
    if is_undefined(now) {
        return now;
    }
    let width = u32::from(width);
    arena::answer(mapped(width, &|entry| if is_undefined(entry) { constant(width, 0) } else { entry }))
}

/// The object from this address on is in the hands of others, who may write to it.
fn handed_over(address: u64) {
    let Some((start, size)) = lookup::object_at(address).filter(|_| !DEPENDENT.get().is_null()) else { return };
    for at in address..(start + size).min(address + MARKED) {
        if bytes::get(at).is_some_and(|cell| is_undefined(cell.id())) {
            bytes::forget(at, 1);
        }
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn __covet_undefine(address: u64, length: u64) -> u32 {
    // SAFETY: an object of the program that has just been made.
    unsafe { mark(address, length) };
    0
}

#[unsafe(no_mangle)]
pub extern "C" fn __covet_used(id: u32) -> u32 {
    if tracking::active() {
        used(id);
    }
    0
}

#[unsafe(no_mangle)]
pub extern "C" fn __covet_handed_over(address: u64) -> u32 {
    if tracking::active() {
        handed_over(address);
    }
    0
}
