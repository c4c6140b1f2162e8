//! Functions made up for function pointers: every call returns a fresh input.
//!
//! A result is returned in the integer and in the floating-point register at once, so one function stands for all types of up to
//! eight bytes. One that is given a buffer to fill fills it, with bytes that are inputs, and returns a number of bytes that fits. Invariant:
//! the n-th call in a run returns the variable with `#n` to its name.

use covet_abi::input::ValueKind;
use covet_abi::node::Op;
use covet_abi::plan::{Fill, MAX_MOCKS};
use covet_abi::termination::Termination;

use crate::object::lookup::object_at;
use crate::shadow::calls;
use crate::term::{arena, build};
#[cfg(test)]
use crate::tests::end_run;
use crate::trace::label::Label;
use crate::trace::tracking::{self, Lone};
use crate::trace::{events, marking, run, values, variables};
#[cfg(not(test))]
use crate::worker::signals::end_run;

/// Returned in `rax` and `xmm0`.
#[repr(C)]
pub struct Both {
    whole: u64,
    float: f64,
}

/// The variable of each mock's result, and the run it was defined for.
static RESULTS: Lone<[(u32, u32); MAX_MOCKS]> = Lone::new([(0, 0); MAX_MOCKS]);

/// What each mock fills, and the run it was told so for.
static FILLS: Lone<[Option<(u32, Fill)>; MAX_MOCKS]> = Lone::new([None; MAX_MOCKS]);
/// Bytes of a buffer that are input; what lies behind them stays as it is.
const MOST_FILLED: u64 = 64;

/// What the six registers for words hold when it is called.
type Words = [u64; 6];
type Mock = extern "C" fn(u64, u64, u64, u64, u64, u64) -> Both;

macro_rules! mocks {
    ($($row:literal)*) => { [$(
        mock::<{ $row * 8 }>, mock::<{ $row * 8 + 1 }>, mock::<{ $row * 8 + 2 }>, mock::<{ $row * 8 + 3 }>,
        mock::<{ $row * 8 + 4 }>, mock::<{ $row * 8 + 5 }>, mock::<{ $row * 8 + 6 }>, mock::<{ $row * 8 + 7 }>
    ),*] };
}

/// Eight to a row.
static MOCKS: [Mock; MAX_MOCKS] =
    mocks!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31);

/// The address of a mock.
pub fn address(number: u32) -> Option<u64> {
    MOCKS.get(number as usize).map(|&mock| mock as *const () as u64)
}

/// Mock `number` returns `variable` in this run.
pub fn define(number: u32, variable: u32) -> Option<()> {
    variables::get(variable)?;
    // SAFETY: one thread.
    *unsafe { &mut *RESULTS.pointer() }.get_mut(number as usize)? = (run::number(), variable);
    Some(())
}

/// Mock `number` fills a buffer in this run.
pub fn define_fill(number: u32, fill: Fill) -> Option<()> {
    // SAFETY: one thread.
    *unsafe { &mut *FILLS.pointer() }.get_mut(number as usize)? = Some((run::number(), fill));
    Some(())
}

extern "C" fn mock<const NUMBER: usize>(a: u64, b: u64, c: u64, d: u64, e: u64, f: u64) -> Both {
    calls::returns(0);
    // SAFETY: below the array's length; one thread.
    let (defined, variable) = unsafe { (*RESULTS.pointer())[NUMBER] };
    if !run::is_on() || defined != run::number() {
        return Both { whole: 0, float: 0.0 };
    }
    // SAFETY: below the array's length; one thread.
    let fill = unsafe { (*FILLS.pointer())[NUMBER] };
    let fill = fill.filter(|(told, _)| *told == defined).map(|(_, fill)| fill);
    let value = result(variable, fill, &[a, b, c, d, e, f]).unwrap_or(0);
    Both { whole: value, float: f64::from_bits(value) }
}

/// A fresh variable like `variable`, whose node goes along with the result; what is to be filled is.
fn result(variable: u32, fill: Option<Fill>, words: &Words) -> Option<u64> {
    let record = variables::get(variable)?;
    let kind = ValueKind::from_u8(record.kind)?;
    let width = u32::from(record.width);
    let mut label: Label = marking::fresh_label(variables::name(variable));
    let plain = label.length();
    let room = fill.map(|fill| room(fill, words));
    if let (Some(fill), Some(room)) = (fill, room) {
        write(fill, room, words, &mut label)?;
        label.cut(plain);
    }
    let fresh = marking::variable_of_width(&mut label, width, kind)?;
    let value = values::value(fresh) as u64;
    let counts = fill.is_some_and(|fill| fill.got.is_none()) && width >= 32;
    if let Some(room) = room.filter(|_| counts && matches!(kind, ValueKind::Signed | ValueKind::Unsigned)) {
        fits(fresh, width, u64::from(kind == ValueKind::Signed), room);
    }
    if tracking::active() {
        calls::returns(variables::variable_node(fresh));
    }
    Some(value)
}

/// Bytes that the caller has room for.
fn room(fill: Fill, words: &Words) -> u64 {
    let word = |register: u8| words.get(usize::from(register)).copied().unwrap_or(0);
    let cut = |word: u64| if fill.bits >= 64 { word } else { word & ((1 << fill.bits) - 1) };
    let size = cut(word(fill.size)).saturating_mul(fill.times.map_or(1, |times| cut(word(times))));
    // A negative size is none.
    if fill.bits < 64 && size >> (fill.bits - 1) != 0 || size >> 63 != 0 { 0 } else { size }
}

/// Writes input bytes into the buffer, as many as there is room for and as are its own, and their number where it is wanted.
fn write(fill: Fill, room: u64, words: &Words, label: &mut Label) -> Option<()> {
    let plain = label.length();
    let buffer = *words.get(usize::from(fill.buffer))?;
    let own = object_at(buffer).map_or(0, |(start, size)| start + size - buffer);
    // SAFETY: inside an object of the program.
    unsafe { marking::name_bytes(buffer, room.min(own).min(MOST_FILLED), label, 0) };
    let Some(got) = fill.got.and_then(|got| words.get(usize::from(got)).copied()) else { return Some(()) };
    if object_at(got).is_none_or(|(start, size)| start + size - got < 8) {
        return Some(());
    }
    label.cut(plain);
    label.push(b".got");
    let number = marking::variable_of_width(label, 64, ValueKind::Unsigned)?;
    fits(number, 64, 0, room);
    // SAFETY: eight bytes of an object of the program.
    unsafe { marking::place(number, got, 0) };
    Some(())
}

/// The run assumes that a number of bytes is no more than there is room for; `below` zero it may be, for "none at all".
fn fits(variable: u32, width: u32, below: u64, room: u64) {
    let mask = arena::mask(width);
    let most = (u128::from(room) + u128::from(below)).min(mask);
    let moved = (values::value(variable) + u128::from(below)) & mask;
    if moved > most {
        end_run(Termination::AssumptionFailed, 0);
    }
    if tracking::active() {
        let node = variables::variable_node(variable);
        let one = build::operand(0, width, u128::from(below));
        events::assume_at_most(if below == 0 { node } else { build::binary(Op::Add, width, node, one) }, most);
    }
}
