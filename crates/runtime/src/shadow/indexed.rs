//! Loads and stores at a symbolic address → a choice among the cells of the object it points into.
//!
//! An address is taken apart into `base + first + index * stride`; the cells the index can name become the entries of a
//! table (load) or each an if-then-else (store). That the index stays inside is a check. Where all that would be too much,
//! or the object is not known, the address is pinned to what it was.
//!
//! Invariant: a load touches no memory outside the object, and one access makes at most some thousand nodes.

mod choice;
mod index;

use covet_abi::check::Check;
use covet_abi::event::Concretization;
use covet_abi::node::{NodeId, Op};
use covet_abi::shared::PRECISE_OBJECT;

use crate::check::{provenance, undefined, violations};
use crate::object::sizes::{self, End};
use crate::object::{growth, lookup, pointers};
use crate::shadow::access::{plain, read, read_or_constant, write};
use crate::shadow::bytes::{self, Cell};
use crate::term::arena::{answer, constant, constant_bits};
use crate::term::tables::{self, Listed};
use crate::term::{build, range};
use crate::trace::events;
use choice::Choice;
use index::Index;

/// Cells that one store may change at most.
const STORED_CELLS: u64 = PRECISE_OBJECT;
/// Cells that are read one by one even in larger objects.
const FEW_CELLS: u64 = 512;

/// The cells that a symbolic address may mean: `count` of them, from `start` on, one every `stride` bytes.
struct Cells {
    index: NodeId,
    start: u64,
    stride: u64,
    count: u64,
}

impl Cells {
    fn address(&self, number: u64) -> u64 {
        self.start + number * self.stride
    }
}

/// The node of `length` bytes at an address that is `id`, now `address`; 0 when concrete.
pub fn load(address: u64, id: NodeId, length: u32, site: u32) -> NodeId {
    let id = pointers::followed(build::fit(id, 64), address, site);
    if id == 0 {
        violations::access(address, u64::from(length), site);
        return read(address, length);
    }
    if let Some(choice) = choice::of(id, address, site)
        && choice.allows(address, length)
    {
        return choice.load(length, site).unwrap_or(0);
    }
    match cells(address, id, length, u64::MAX, site) {
        Ok(cells) => choose(&cells, length),
        Err(reason) => {
            violations::access(address, u64::from(length), site);
            events::concretised(reason, site, id, u128::from(address));
            read(address, length)
        }
    }
}

/// Before `value` (`concrete` in this run) is stored at an address that is `id`, now `address`.
pub fn store(address: u64, id: NodeId, length: u32, value: NodeId, concrete: u128, site: u32) {
    let id = pointers::followed(build::fit(id, 64), address, site);
    if id == 0 {
        violations::access(address, u64::from(length), site);
        return write(address, length, value, concrete);
    }
    if let Some(choice) = choice::of(id, address, site)
        && choice.allows(address, length)
        && store_through(&choice, id, length, value, concrete, site)
    {
        return changed(address, length, concrete);
    }
    let cells = match cells(address, id, length, STORED_CELLS, site) {
        Ok(cells) => cells,
        Err(reason) => {
            violations::access(address, u64::from(length), site);
            events::concretised(reason, site, id, u128::from(address));
            return write(address, length, value, concrete);
        }
    };
    let value = build::operand(value, length * 8, concrete);
    for number in 0..cells.count {
        let here = build::equals(cells.index, u128::from(number));
        replace(cells.address(number), length, here, value, cells.stride);
    }
    changed(address, length, concrete);
}

/// Every target of the pointer becomes `here ? value : what it was`. False when there are too many.
fn store_through(choice: &Choice, id: NodeId, length: u32, value: NodeId, concrete: u128, site: u32) -> bool {
    let mut targets = [0; choice::TARGETS];
    let Some(count) = choice.targets(length, &mut targets) else { return false };
    if choice.stay_inside(length, site).is_none() {
        return false;
    }
    let value = build::operand(value, length * 8, concrete);
    let targets = &targets[..count];
    let overlap = |target: u64| targets.iter().any(|&other| other != target && other.abs_diff(target) < length.into());
    for &target in targets {
        let here = build::equals(id, u128::from(target));
        replace(target, length, here, value, if overlap(target) { 1 } else { u64::from(length) });
    }
    true
}

/// Up to here every cell was recorded for the byte that memory still holds; these are about to change.
fn changed(address: u64, length: u32, concrete: u128) {
    for i in 0..u64::from(length) {
        if let Some(cell) = bytes::get(address + i) {
            bytes::set(address + i, Cell::new(cell.id(), cell.part(), (concrete >> (8 * i)) as u8));
        }
    }
}

/// One cell becomes `here ? value : what it was`.
fn replace(address: u64, length: u32, here: NodeId, value: NodeId, stride: u64) {
    // Cells that overlap are taken byte by byte, so that each sees what its neighbours made of the shared bytes.
    let step = if stride >= u64::from(length) { length } else { 1 };
    let mut at = 0;
    while at < length {
        let target = address + u64::from(at);
        // SAFETY: inside the object that `cells` found.
        unsafe {
            let old = match read_or_constant(target, step) {
                // Which of the two it is cannot be told later on: better silent than wrong.
                unwritten if undefined::is_undefined(unwritten) => constant(step * 8, plain(target, step)),
                old => old,
            };
            let new = build::ite(here, build::extract(value, at * 8, step * 8), old);
            if new != old {
                write(target, step, new, plain(target, step));
            }
        }
        at += step;
    }
}

/// Finds the object and the cells in it. That the address stays inside is a check when the object is known by the pointer the
/// address was computed from; otherwise it is only known where it is now.
fn cells(address: u64, id: NodeId, length: u32, most: u64, site: u32) -> Result<Cells, Concretization> {
    if address >= violations::NULL_PAGE
        && provenance::pointer(id).is_some_and(|pointer| pointer < violations::NULL_PAGE)
    {
        violations::violate(Check::NullDereference);
    }
    violations::touch(address);
    let length = u64::from(length);
    let own = provenance::object(id);
    let (base, size) = own.or_else(|| lookup::object_at(address)).ok_or(Concretization::UnknownObject)?;
    let growth = own.and_then(|_| growth::of(base));
    let fits = |size: u64| size >= length && address.wrapping_sub(base) <= size - length;
    let longest = growth.map_or(size, growth::Growth::capacity).max(size);
    let is_inside = fits(size);
    if let Some(growth) = growth
        && !is_inside
        && fits(longest)
    {
        growth.reach(address + length - 1);
    }
    let depends = own.is_some() && asked_of_size(address, id, length, (base, size), site);
    let Some(Index { node, stride, first }) = (size > 0).then(|| index::of(id, base, size)) else {
        violations::violate(Check::OutOfBounds);
        return Err(Concretization::UnknownObject);
    };
    let cells_of = |size: u64| match size.checked_sub(length) {
        Some(last) if first <= last => (last - first) / stride + 1,
        Some(_) | None => 0,
    };
    let (inside, possible) = (cells_of(size), cells_of(longest));
    if inside == 0 || answer(node) == 0 {
        if !is_inside && own.is_some() {
            violations::violate_at(Check::OutOfBounds, base);
        }
        return Err(Concretization::UnknownObject);
    }
    let top = range::largest(node);
    if top >= u128::from(possible) {
        let within = build::at_most(node, u128::from(possible - 1));
        if depends && is_inside {
            events::known_part(site, within);
        } else if own.is_some() {
            violations::note(Check::OutOfBounds, site, build::not(within), !is_inside);
            if !is_inside {
                violations::violate_at(Check::OutOfBounds, base);
            }
        } else if is_inside {
            events::bounds(site, within);
        }
    }
    if !is_inside {
        return Err(Concretization::UnknownObject);
    }
    if inside < possible && top >= u128::from(inside) {
        events::inside_guessed(site, build::at_most(node, u128::from(inside - 1)));
    }
    let feasible = u64::try_from(top).map_or(inside, |top| inside.min(top.saturating_add(1)));
    let span = (feasible - 1) * stride + length;
    if feasible > most || (span > PRECISE_OBJECT && feasible > FEW_CELLS) {
        return Err(Concretization::LargeObject);
    }
    Ok(Cells { index: node, start: base + first, stride, count: feasible })
}

/// Where the object's own size is input, leaving it is a matter of both. False when the size is a plain number.
fn asked_of_size(address: u64, id: NodeId, length: u64, (base, size): (u64, u64), site: u32) -> bool {
    let now = address.wrapping_sub(base).saturating_add(length);
    let (index, stride, plus) = match (size > 0).then(|| index::of(id, base, size)) {
        Some(Index { node, stride, first }) if answer(node) != 0 => (build::fit(node, 64), stride, first + length),
        Some(_) => (0, 0, 0),
        None => (build::binary(Op::Sub, 64, id, constant(64, u128::from(base))), 1, length),
    };
    sizes::ask(base, size, End { index, stride, plus, now }, site)
}

/// The entry that the index names.
fn choose(cells: &Cells, length: u32) -> NodeId {
    let end = cells.address(cells.count - 1) + u64::from(length);
    let all_plain = bytes::next_marked(cells.start, end) == end;
    let shape = cells.count | cells.stride << 16 | u64::from(length) << 48;
    // SAFETY: every cell lies inside the object that `cells` found.
    let key = all_plain.then(|| unsafe { tables::key_of_bytes(cells.start, end - cells.start, shape) });
    let known = key.and_then(tables::remembered);
    let listed = known.or_else(|| {
        // SAFETY: as above.
        tables::list(length * 8, cells.count as u32, |i| unsafe {
            read_or_constant(cells.address(u64::from(i)), length)
        })
    });
    let Some(listed) = listed else { return 0 };
    if let Some(key) = key {
        tables::remember(key, listed);
    }
    match listed {
        Listed::Same(id) => {
            if constant_bits(id).is_some() {
                0
            } else {
                id
            }
        }
        Listed::Table(number) => build::select(length * 8, cells.index, number),
    }
}
