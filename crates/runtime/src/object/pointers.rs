//! Pointer inputs: a choice among a few addresses when compared, one object when followed.
//!
//! The node of a pointer input is a selection from a table of addresses by the variable that numbers them. Comparing it is
//! comparing that selection, so flipping `p == NULL` or `p == q` is solving for the variable. Following it is a decision of its
//! own: the run has one object there, and says so.
//!
//! Invariant: what comes back from [`followed`] has the address's value for every input that makes the decisions logged on the way.

use covet_abi::check::Check;
use covet_abi::input::ValueKind;
use covet_abi::node::{Node, NodeId, Op};
use covet_abi::plan::MAX_CANDIDATES;
use covet_abi::termination::Termination;

use crate::check::{provenance, violations};
use crate::shadow::access;
use crate::term::arena::{answer, constant, constant_bits, intern, node};
use crate::term::build::{self, binary, equals, split_offset, zero_extend};
use crate::term::tables::{self, Listed};
#[cfg(test)]
use crate::tests::end_run;
use crate::trace::tracking::{self, Lone};
use crate::trace::{events, values, variables};
#[cfg(not(test))]
use crate::worker::signals::end_run;

/// Pointers in a table of which one is chosen at most.
const MOST_SETTLED: usize = 64;
/// Sums are looked into so deep for a pointer input.
const DEPTH: u32 = 6;

/// Marks on the selection of a pointer input, apart from all other selections: following it needs no word, or offers its other
/// objects.
const QUIET: u8 = 1;
const OFFERED: u8 = 2;

/// What a pointer input may hold.
#[derive(Clone, Copy)]
pub enum Target {
    Address(u64),
    /// The value of this variable: another member of the union that the pointer is in.
    Scalar(u32),
}

impl Target {
    const NULL: Target = Target::Address(0);

    fn value(self) -> u128 {
        match self {
            Target::Address(address) => u128::from(address),
            Target::Scalar(variable) => values::value(variable),
        }
    }

    fn node(self) -> NodeId {
        match self {
            Target::Address(address) => constant(64, u128::from(address)),
            Target::Scalar(variable) => zero_extend(64, variables::variable_node(variable)),
        }
    }
}

/// Candidates for the next choice of the plan.
static CANDIDATES: Lone<[Target; MAX_CANDIDATES]> = Lone::new([Target::NULL; MAX_CANDIDATES]);
static COUNT: Lone<usize> = Lone::new(0);

/// One more thing that the next pointer may hold.
pub fn add_candidate(candidate: Target) -> Option<()> {
    // SAFETY: one thread.
    let candidates = unsafe { &mut *CANDIDATES.pointer() };
    // Number 0 is NULL.
    *candidates.get_mut(COUNT.get() + 1)? = candidate;
    COUNT.set(COUNT.get() + 1);
    Some(())
}

/// Stores the candidate that `variable` numbers at `address`, and marks it.
///
/// # Safety
/// Eight bytes at `address` must be writable.
pub unsafe fn choose(variable: u32, address: u64, is_offered: bool) -> Option<()> {
    let record = variables::get(variable)?;
    let count = COUNT.get() + 1;
    COUNT.set(0);
    if !(1..=4).contains(&record.width) {
        return None;
    }
    // SAFETY: one thread.
    let candidates = unsafe { &*CANDIDATES.pointer() };
    let chosen = |number: usize| if number > 0 && number < count { candidates[number] } else { Target::NULL };
    let value = chosen(values::value(variable) as usize).value();
    let mut id = 0;
    if tracking::active() {
        // A table as long as the variable reaches: every value of it means one of the candidates.
        let listed = tables::list(64, 1 << record.width, |i| chosen(i as usize).node());
        if let Some(Listed::Table(table)) = listed {
            let is_object = record.kind == ValueKind::Pointer as u8;
            let aux = if !is_object {
                0
            } else if is_offered {
                OFFERED
            } else {
                QUIET
            };
            let a = variables::variable_node(variable);
            id = intern(Node { op: Op::Select as u8, aux, width: 64, a, b: table, c: 0, imm: 0 });
        }
    }
    // SAFETY: as the caller vouches.
    unsafe {
        access::put(address, 8, value);
        access::write(address, 8, id, value);
    }
    Some(())
}

/// A pointer into an object of the input: variables that number its object, its elements before the pointer, and all its elements.
pub struct Span {
    pub choice: u32,
    pub at: u32,
    pub length: u32,
    /// Bytes of one.
    pub element: u64,
}

/// Stores at `address` a pointer into the only candidate, and marks it.
///
/// # Safety
/// Eight bytes at `address` must be writable.
pub unsafe fn point_inside(span: &Span, address: u64) -> Option<()> {
    COUNT.set(0);
    variables::get(span.choice)?;
    // SAFETY: one thread.
    let start = unsafe { (*CANDIDATES.pointer())[1] }.value() as u64;
    let (at, length) = (values::value(span.at), values::value(span.length));
    let node_of = |variable: u32| zero_extend(64, variables::variable_node(variable));
    if span.at != span.length {
        let beyond = binary(Op::Ult, 1, node_of(span.length), node_of(span.at));
        if at > length {
            events::assume(build::not(beyond), false);
            end_run(Termination::AssumptionFailed, 0);
        }
        events::bounds(0, build::not(beyond));
    }
    let is_there = values::value(span.choice) == 1;
    let value = if is_there { start + at as u64 * span.element } else { 0 };
    let mut id = 0;
    if tracking::active() {
        let far = binary(Op::Mul, 64, node_of(span.at), constant(64, u128::from(span.element)));
        let inside = binary(Op::Add, 64, far, constant(64, u128::from(start)));
        let there = equals(variables::variable_node(span.choice), 1);
        id = build::ite(there, inside, constant(64, 0));
        provenance::note(id, start);
    }
    // SAFETY: as the caller vouches.
    unsafe {
        access::put(address, 8, u128::from(value));
        access::write(address, 8, id, u128::from(value));
    }
    Some(())
}

/// The node of an address about to be used, with the pointer inputs in it decided; 0 when nothing else is symbolic in it.
pub fn followed(id: NodeId, address: u64, site: u32) -> NodeId {
    let (root, offset) = split_offset(id);
    if is_input(root) {
        decide(root, address.wrapping_sub(offset as u64), site);
        return 0;
    }
    if node(root).op == Op::Add as u8 {
        let Some(pointer) = input_in_sum(root, DEPTH) else { return id };
        let Some(value) = current(pointer) else {
            // Part of a number, which happens to be used as an address.
            decide(root, address.wrapping_sub(offset as u64), site);
            return 0;
        };
        decide(pointer, value, site);
        let id = answer(replaced(id, pointer, constant(64, u128::from(value)), DEPTH + 1));
        provenance::note(id, value);
        return id;
    }
    if mentions_input(root, 4) {
        // Which of them it is stays open, what each of them points at does not.
        if let Some(known) = settled(root, site, 4) {
            return answer(binary(Op::Add, 64, known, constant(64, offset)));
        }
        decide(root, address.wrapping_sub(offset as u64), site);
        return 0;
    }
    id
}

/// A pointer has this value: not NULL as far as it goes on, and this very object.
fn decide(pointer: NodeId, value: u64, site: u32) {
    let (mut others, mut null) = (0, true);
    if is_input(pointer) {
        let entries = tables::entries(node(pointer).b);
        let distinct = |i: usize| entries[i + 1..].iter().all(|other| *other != entries[i]);
        null = entries.iter().any(|&entry| constant_bits(entry) == Some(0));
        others = (0..entries.len()).filter(|&i| constant_bits(entries[i]) != Some(0) && distinct(i)).count();
    }
    if null {
        // The machine notices it, too.
        violations::note(Check::NullDereference, site, equals(pointer, 0), value == 0);
    }
    if value != 0 && others != 1 {
        events::follow(site, pointer, value, node(pointer).aux == OFFERED);
    }
}

/// A choice between pointers with the inputs in it replaced by what they hold; none when it is of another make.
fn settled(id: NodeId, site: u32, depth: u32) -> Option<NodeId> {
    let record = *node(id);
    if constant_bits(id).is_some() {
        return Some(id);
    }
    if is_input(id) {
        let value = current(id)?;
        events::follow(site, id, value, false);
        return Some(constant(64, u128::from(value)));
    }
    let depth = depth.checked_sub(1)?;
    if record.op == Op::Ite as u8 {
        let (yes, no) = (settled(record.b, site, depth)?, settled(record.c, site, depth)?);
        return Some(build::ite(record.a, yes, no));
    }
    if record.op != Op::Select as u8 {
        return None;
    }
    let entries = tables::entries(record.b);
    let mut known = [0; MOST_SETTLED];
    for (slot, entry) in known.get_mut(..entries.len())?.iter_mut().zip(entries) {
        *slot = settled(*entry, site, depth)?;
    }
    Some(match tables::list(64, entries.len() as u32, |i| known[i as usize])? {
        Listed::Same(id) => id,
        Listed::Table(number) => build::select(64, record.a, number),
    })
}

/// A selection by a variable that numbers the targets of a pointer.
fn is_input(id: NodeId) -> bool {
    let record = node(id);
    record.op == Op::Select as u8 && record.aux != 0
}

/// The address that a pointer input holds in this run; none when it holds another member of its union.
fn current(pointer: NodeId) -> Option<u64> {
    let number = values::value(node(node(pointer).a).a) as usize;
    let entry = *tables::entries(node(pointer).b).get(number)?;
    constant_bits(entry).map(|bits| bits as u64)
}

fn input_in_sum(id: NodeId, depth: u32) -> Option<NodeId> {
    if is_input(id) {
        return Some(id);
    }
    let record = *node(id);
    if depth == 0 || record.op != Op::Add as u8 {
        return None;
    }
    input_in_sum(record.a, depth - 1).or_else(|| input_in_sum(record.b, depth - 1))
}

/// A sum with `pointer` replaced.
fn replaced(id: NodeId, pointer: NodeId, by: NodeId, depth: u32) -> NodeId {
    let record = *node(id);
    if id == pointer {
        by
    } else if depth == 0 || record.op != Op::Add as u8 {
        id
    } else {
        let (a, b) = (replaced(record.a, pointer, by, depth - 1), replaced(record.b, pointer, by, depth - 1));
        binary(Op::Add, 64, a, b)
    }
}

/// A choice between pointers, at least one of which is an input.
fn mentions_input(id: NodeId, depth: u32) -> bool {
    let record = *node(id);
    if depth == 0 {
        return false;
    }
    if record.op == Op::Ite as u8 {
        return mentions_input(record.b, depth - 1) || mentions_input(record.c, depth - 1);
    }
    if record.op == Op::Select as u8 {
        return is_input(id) || tables::entries(record.b).iter().any(|&entry| mentions_input(entry, depth - 1));
    }
    false
}
