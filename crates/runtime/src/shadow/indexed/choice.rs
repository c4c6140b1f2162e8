//! Addresses that are a choice among known pointers: `names[i]`, `c ? &a : &b`, a list walked from either.
//!
//! Reading through such a pointer reads through each of them: the choice stays, its pointers become what they point to.
//!
//! Invariant: only memory inside known objects is read. That the pointer is not NULL is a check; that it is none of the others
//! which point into no known object is logged as bounds.

use covet_abi::check::Check;
use covet_abi::node::{NodeId, Op};

use crate::check::violations;
use crate::object::lookup;
use crate::shadow::access::read_or_constant;
use crate::term::arena::{constant, constant_bits, node};
use crate::term::build::{ite, select, split_offset};
use crate::term::tables::{self, Listed};
use crate::trace::events;

/// Nested conditions, and pointers in all, at most.
const DEPTH: u32 = 64;
const POINTERS: u32 = 1024;
/// Different pointers that one store may go through at most.
pub const TARGETS: usize = 64;

/// Pointers that an address chooses among, each plus the same offset.
pub struct Choice {
    pointers: NodeId,
    offset: u64,
}

/// The address (now `address`) as such a choice, if it is one.
pub fn of(id: NodeId, address: u64, site: u32) -> Option<Choice> {
    let (pointers, offset) = split_offset(id);
    let mut room = POINTERS;
    let chosen = node(pointers).op == Op::Ite as u8 || node(pointers).op == Op::Select as u8;
    if !chosen || !all_known(pointers, DEPTH, &mut room, true) {
        return None;
    }
    let choice = Choice { pointers, offset: offset as u64 };
    let is_null = |address: u64| address < violations::NULL_PAGE;
    let null = choice.map(pointers, 1, &mut |address| constant(1, u128::from(is_null(address))))?;
    violations::note(Check::NullDereference, site, null, is_null(address));
    Some(choice)
}

/// True when only constants are chosen from. A table within a table is not looked into: only one can be made at a time.
fn all_known(id: NodeId, depth: u32, room: &mut u32, tables_allowed: bool) -> bool {
    let record = node(id);
    if record.op == Op::Const as u8 {
        *room = room.saturating_sub(1);
        *room > 0
    } else if record.op == Op::Ite as u8 {
        let mut known = |id| depth > 0 && all_known(id, depth - 1, room, tables_allowed);
        known(record.b) && known(record.c)
    } else if record.op == Op::Select as u8 && tables_allowed {
        let entries = tables::entries(record.b);
        !entries.is_empty() && entries.iter().all(|&entry| all_known(entry, depth, room, false))
    } else {
        false
    }
}

impl Choice {
    /// True when `length` bytes at the present address are inside an object: otherwise there is nothing to choose.
    pub fn allows(&self, address: u64, length: u32) -> bool {
        inside(address, length)
    }

    /// What `length` bytes at the address are; logs that it points into an object. `None` when there is no room left.
    pub fn load(&self, length: u32, site: u32) -> Option<NodeId> {
        self.stay_inside(length, site)?;
        self.map(self.pointers, length * 8, &mut |address| {
            // SAFETY: only inside a known object.
            if inside(address, length) { unsafe { read_or_constant(address, length) } } else { constant(length * 8, 0) }
        })
    }

    /// Logs that the address is one of those that point to `length` bytes of an object.
    pub fn stay_inside(&self, length: u32, site: u32) -> Option<()> {
        let valid = self.map(self.pointers, 1, &mut |address| constant(1, u128::from(inside(address, length))))?;
        events::bounds(site, valid);
        Some(())
    }

    /// The different addresses inside objects, in order of appearance; `None` when there are too many.
    pub fn targets(&self, length: u32, targets: &mut [u64; TARGETS]) -> Option<usize> {
        let mut count = 0;
        let mut fits = true;
        self.map(self.pointers, 1, &mut |address| {
            if inside(address, length) && !targets[..count].contains(&address) {
                match targets.get_mut(count) {
                    Some(slot) => (*slot, count) = (address, count + 1),
                    None => fits = false,
                }
            }
            constant(1, 0)
        })?;
        fits.then_some(count)
    }

    /// The same choice with `change` applied to every address: nodes of this width.
    fn map(&self, id: NodeId, width: u32, change: &mut dyn FnMut(u64) -> NodeId) -> Option<NodeId> {
        let at = |bits: Option<u128>| (bits.unwrap_or(0) as u64).wrapping_add(self.offset);
        let record = *node(id);
        if record.op == Op::Const as u8 {
            return Some(change(at(constant_bits(id)))).filter(|&id| id != 0);
        }
        if record.op == Op::Ite as u8 {
            let (yes, no) = (self.map(record.b, width, change)?, self.map(record.c, width, change)?);
            return Some(ite(record.a, yes, no)).filter(|&id| id != 0);
        }
        let entries = tables::entries(record.b);
        let listed =
            tables::list(width, entries.len() as u32, |i| self.map(entries[i as usize], width, change).unwrap_or(0))?;
        Some(match listed {
            Listed::Same(id) => id,
            Listed::Table(number) => select(width, record.a, number),
        })
        .filter(|&id| id != 0)
    }
}

fn inside(address: u64, length: u32) -> bool {
    lookup::object_at(address).is_some_and(|(base, size)| {
        let length = u64::from(length);
        size >= length && address - base <= size - length
    })
}
