//! Program and models ask for input → named variables in memory, with values of this run.
//!
//! Invariants: the n-th marking of a name in a run is called `name#n`, so the same path meets the same variables in every
//! run. What is marked has its variable's value in memory, and its node in the shadow. A run that is no longer tracked has no
//! variables for what nobody gave a value: zero is what every reader takes for an input that is not named, so a million of them cost nothing.

use core::ffi::{CStr, c_char};

use covet_abi::event::Concretization;
use covet_abi::input::{REPETITION, ValueKind};
use covet_abi::node::NodeId;
use covet_abi::sites::Leaf;
use covet_abi::termination::Termination;

use crate::shadow::{access, bytes, calls};
use crate::term::{arena, build};
#[cfg(test)]
use crate::tests::end_run;
use crate::trace::label::Label;
use crate::trace::tracking::{self, Lone};
use crate::trace::variables::{self, variable, variable_node};
use crate::trace::{events, progress, run, values};
#[cfg(not(test))]
use crate::worker::signals::end_run;

/// Names that one run may number: a power of two.
const NUMBERED: usize = 1 << 14;
/// How often a name may turn up with different widths before it is given up.
const CLASHES: u32 = 16;

#[derive(Clone, Copy)]
struct Occurrences {
    name: u64,
    run: u32,
    count: u32,
    /// The last variable of this name in the run, plus 1, and whether there were inputs without one after it.
    last: u32,
    is_behind: bool,
}

const NEVER: Occurrences = Occurrences { name: 0, run: 0, count: 0, last: 0, is_behind: false };

static OCCURRENCES: Lone<[Occurrences; NUMBERED]> = Lone::new([NEVER; NUMBERED]);

/// How often `name` was marked in this run.
fn occurrences(name: &[u8]) -> Option<&'static mut Occurrences> {
    let hash = variables::hash(name);
    let first = hash as usize;
    for step in 0..NUMBERED {
        // SAFETY: masked to the array; one thread.
        let slot = unsafe { &mut (*OCCURRENCES.pointer())[first.wrapping_add(step) & (NUMBERED - 1)] };
        if slot.run != run::number() {
            *slot = Occurrences { name: hash, run: run::number(), ..NEVER };
        }
        if slot.name == hash {
            return Some(slot);
        }
    }
    None
}

/// Whether the input of this label needs no variable: the run is not tracked any more, and nobody has given it a value. The first of a name
/// always has one.
fn is_left_out(slot: &mut Occurrences, label: &Label) -> bool {
    if slot.last == 0 || !progress::is_stalled() || !values::are_zero() {
        return false;
    }
    let is_known = variables::find(label.bytes())
        .is_some_and(|number| values::is_given(number) || !is_alike(number, slot.last - 1));
    slot.is_behind |= !is_known;
    !is_known
}

/// Whether two variables hold the same kind of value.
fn is_alike(one: u32, other: u32) -> bool {
    let form = |number| variables::get(number).map(|variable| (variable.width, variable.kind));
    form(one) == form(other)
}

/// The run is cut: the last input of each name becomes a variable after all, so that it is known where it ended.
pub fn name_last() {
    for number in 0..NUMBERED {
        // SAFETY: inside the array; one thread.
        let slot = unsafe { &mut (*OCCURRENCES.pointer())[number] };
        if slot.run != run::number() || !slot.is_behind {
            continue;
        }
        let Some(record) = variables::get(slot.last - 1) else { continue };
        let plain = variables::name(slot.last - 1).split(|byte| *byte == REPETITION as u8).next().unwrap_or(b"");
        let mut label = Label::new(plain);
        label.push(&[REPETITION as u8]);
        label.push_number(u64::from(slot.count));
        let kind = ValueKind::from_u8(record.kind).unwrap_or(ValueKind::Unsigned);
        if let Some(last) = variable_of_width(&mut label, u32::from(record.width), kind) {
            values::value(last);
        }
    }
}

/// The variable of this name and width; under the next free `#n` when the name has another width already.
pub fn variable_of_width(name: &mut Label, width: u32, kind: ValueKind) -> Option<u32> {
    let plain = name.length();
    for clash in 1..=CLASHES {
        if clash > 1 {
            name.cut(plain);
            name.push(b"#w");
            name.push_number(u64::from(width));
            name.push(b".");
            name.push_number(u64::from(clash));
        }
        let number = variable(name.bytes(), width, kind, 0)?;
        if variables::get(number)?.width == width as u16 {
            return Some(number);
        }
    }
    None
}

/// The program asks for an input: `name`, or `name#n` from the second marking in this run on.
pub fn fresh_label(name: &[u8]) -> Label {
    let mut label = Label::new(name);
    number(name, &mut label);
    label
}

/// The program asks for an input, whose number in this run is added to its name.
fn number(name: &[u8], label: &mut Label) -> Option<&'static mut Occurrences> {
    progress::asked();
    let slot = occurrences(name)?;
    slot.count += 1;
    if slot.count > 1 {
        label.push(&[REPETITION as u8]);
        label.push_number(u64::from(slot.count));
    }
    Some(slot)
}

fn bytes_of<'a>(name: *const c_char) -> &'a [u8] {
    if name.is_null() {
        return b"unnamed";
    }
    // SAFETY: callers pass C strings.
    unsafe { CStr::from_ptr(name) }.to_bytes()
}

/// Stores a variable's value at `address + bit_offset` bits and marks it. Neighbouring bits keep what they are.
///
/// # Safety
/// The bytes that the variable touches must be writable.
pub unsafe fn place(number: u32, address: u64, bit_offset: u32) {
    let Some(record) = variables::get(number) else { return };
    let width = u32::from(record.width);
    let (address, low) = (address + u64::from(bit_offset / 8), bit_offset % 8);
    let length = (low + width).div_ceil(8);
    let value = values::value(number);
    if length > access::WIDEST {
        return;
    }
    // SAFETY: the caller vouches for the bytes.
    unsafe {
        let mut id = if tracking::active() { variable_node(number) } else { 0 };
        if id != 0 && width != length * 8 {
            id = between(id, low, length * 8, access::read_or_constant(address, length));
        }
        let field = arena::mask(width) << low;
        let bits = access::plain(address, length) & !field | value << low;
        access::put(address, length, bits);
        access::write(address, length, id, bits);
    }
}

/// Marks what `address` holds as variable `number`; the input may give it another value.
///
/// # Safety
/// As for [`place`].
pub unsafe fn keep(number: u32, address: u64, bit_offset: u32) {
    let Some(record) = variables::get(number) else { return };
    let (start, low) = (address + u64::from(bit_offset / 8), bit_offset % 8);
    let length = (low + u32::from(record.width)).div_ceil(8);
    if length <= access::WIDEST && !values::is_given(number) {
        // SAFETY: the caller vouches for the bytes.
        let held = unsafe { access::plain(start, length) };
        values::assign(number, held >> low);
    }
    // SAFETY: as the caller vouches.
    unsafe { place(number, address, bit_offset) };
}

/// `old` with the bits from `low` on replaced by `id`.
fn between(id: NodeId, low: u32, total: u32, old: NodeId) -> NodeId {
    let high = low + arena::width(id);
    let mut whole = id;
    if low > 0 {
        whole = build::concat(whole, build::extract(old, 0, low));
    }
    if high < total {
        whole = build::concat(build::extract(old, high, total - high), whole);
    }
    whole
}

/// A fresh scalar input: its value in this run, its node in slot 0 of `__covet_ret`.
#[unsafe(no_mangle)]
pub extern "C" fn __covet_input(kind: u32, width: u32, name: *const c_char) -> u64 {
    calls::returns(0);
    if !run::is_on() || !(1..=64).contains(&width) {
        return 0;
    }
    let kind = ValueKind::from_u8(kind as u8).unwrap_or(ValueKind::Unsigned);
    fresh_input(bytes_of(name), width, kind)
}

/// As [`__covet_input`].
pub fn fresh_input(name: &[u8], width: u32, kind: ValueKind) -> u64 {
    let mut label = Label::new(name);
    let mut slot = number(name, &mut label);
    if slot.as_deref_mut().is_some_and(|slot| is_left_out(slot, &label)) {
        return 0;
    }
    let Some(number) = variable_of_width(&mut label, width, kind) else { return 0 };
    if let Some(slot) = slot {
        (slot.last, slot.is_behind) = (number + 1, false);
    }
    let value = values::value(number);
    if tracking::active() {
        // The result has 64 bits, whatever the variable has.
        calls::returns(build::fit(variable_node(number), 64));
    }
    value as u64
}

/// Makes `length` bytes at `address` input: one variable per leaf, or per byte when no leaves are given.
///
/// # Safety
/// The bytes must be writable, `name` a C string, and `leaves` point to `leaf_count` leaves inside the bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __covet_make_symbolic(
    address: *mut u8,
    length: usize,
    name: *const c_char,
    leaves: *const Leaf,
    leaf_count: u32,
) {
    if !run::is_on() || address.is_null() {
        return;
    }
    let mut label = fresh_label(bytes_of(name));
    if leaves.is_null() || leaf_count == 0 {
        // SAFETY: the caller vouches for the bytes.
        return unsafe { name_bytes(address as u64, length as u64, &mut label, 0) };
    }
    // SAFETY: the caller vouches for the leaves.
    let leaves = unsafe { core::slice::from_raw_parts(leaves, leaf_count as usize) };
    let alike = leaves.iter().all(|leaf| (leaf.width, leaf.kind) == (leaves[0].width, leaves[0].kind));
    let plain = label.length();
    for (i, leaf) in leaves.iter().enumerate() {
        let (offset, width) = (u64::from(leaf.offset), u32::from(leaf.width));
        if width == 0 || width > 128 || offset + u64::from(width.div_ceil(8)) > length as u64 {
            continue;
        }
        label.cut(plain);
        if leaves.len() > 1 && alike {
            label.push_index(i as u64);
        } else if leaves.len() > 1 {
            label.push(b".");
            label.push_number(offset);
        }
        let kind = ValueKind::from_u8(leaf.kind).unwrap_or(ValueKind::Unsigned);
        if let Some(number) = variable_of_width(&mut label, width, kind) {
            // SAFETY: the leaf lies inside the caller's bytes.
            unsafe { place(number, address as u64 + offset, 0) };
        }
    }
}

/// Makes `length` bytes at `address` the input bytes `name[first]`, `name[first + 1]`, ...: always the same variables.
///
/// # Safety
/// The bytes must be writable and `name` a C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __covet_name_symbolic_bytes(address: *mut u8, length: usize, name: *const c_char, first: u64) {
    if run::is_on() && !address.is_null() {
        // SAFETY: the caller vouches for the bytes.
        unsafe { name_bytes(address as u64, length as u64, &mut Label::new(bytes_of(name)), first) };
    }
}

/// As [`__covet_name_symbolic_bytes`].
///
/// # Safety
/// The bytes must be writable.
pub unsafe fn name_bytes(address: u64, length: u64, label: &mut Label, first: u64) {
    let plain = label.length();
    for i in 0..length {
        label.cut(plain);
        label.push_index(first + i);
        let Some(number) = variable_of_width(label, 8, ValueKind::Byte) else { return };
        // SAFETY: the caller vouches for the bytes.
        unsafe { place(number, address + i, 0) };
    }
}

/// Only runs for which `condition` holds say anything about the program.
#[unsafe(no_mangle)]
pub extern "C" fn __covet_assume(condition: u32) {
    let id = calls::first_argument(__covet_assume as *const () as u64);
    if !run::is_on() {
        return;
    }
    if tracking::active() && id != 0 {
        let holds = if arena::width(id) == 1 { id } else { build::not(build::equals(id, 0)) };
        events::assume(holds, condition != 0);
    }
    if condition == 0 {
        end_run(Termination::AssumptionFailed, 0);
    }
}

/// 1 when the argument depends on input in this run.
#[unsafe(no_mangle)]
pub extern "C" fn __covet_is_symbolic(_value: u64) -> u32 {
    let id = calls::first_argument(__covet_is_symbolic as *const () as u64);
    calls::returns(0);
    u32::from(tracking::active() && id != 0)
}

/// The argument as it is in this run, for a model that needs it concrete: softly pinned.
#[unsafe(no_mangle)]
pub extern "C" fn __covet_settle(value: u64) -> u64 {
    let id = calls::first_argument(__covet_settle as *const () as u64);
    calls::returns(0);
    if tracking::active() && id != 0 {
        events::concretised(Concretization::Model, 0, build::fit(id, 64), u128::from(value));
    }
    value
}

/// 1 when a byte of the range is symbolic.
#[unsafe(no_mangle)]
pub extern "C" fn __covet_symbolic_range(address: *const u8, length: usize) -> i32 {
    calls::returns(0);
    i32::from(tracking::active() && bytes::range_is_symbolic(address as u64, length as u64))
}

/// 1 when a byte of the C string, its terminator included, is symbolic.
///
/// # Safety
/// `address` must point to a C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __covet_symbolic_string(address: *const c_char) -> i32 {
    calls::returns(0);
    // SAFETY: the caller vouches for the string.
    i32::from(tracking::active() && unsafe { bytes::string_is_symbolic(address as u64) })
}
