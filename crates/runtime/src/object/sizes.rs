//! Objects whose size depends on the input: that an access stays inside is a condition on the size as well.
//!
//! An object of the input has as many elements as a variable says, one from `malloc(n)` has `n` bytes. Without a word about the size a
//! path would promise that the same access stays inside (or leaves) whatever the size becomes.
//!
//! Invariant: a note holds for one run and for the object that lives at its address; one that another pushed out is simply not there.

use covet_abi::check::Check;
use covet_abi::input::ValueKind;
use covet_abi::node::{NodeId, Op};

use crate::check::violations;
use crate::object::lookup;
use crate::term::arena::constant;
use crate::term::build::{self, binary, sign_extend, zero_extend};
use crate::term::range;
use crate::trace::tracking::{self, Lone};
use crate::trace::{events, run, variables};

/// Slots of the memory: a power of two.
const NOTED: usize = 1 << 12;

/// What the size of an object is.
#[derive(Clone, Copy)]
pub enum Size {
    /// So many elements as the variable says (none when it is negative, `most` at most), `scale` bytes each, after `before` other bytes;
    /// never less than `least` bytes.
    Counted { variable: u32, most: u64, scale: u64, before: u64, least: u64 },
    /// As many bytes as this term of 64 bits says.
    Term(NodeId),
}

#[derive(Clone, Copy)]
struct Note {
    run: u32,
    start: u64,
    size: Size,
}

static NOTES: Lone<[Note; NOTED]> = Lone::new([Note { run: 0, start: 0, size: Size::Term(0) }; NOTED]);

fn slot(start: u64) -> &'static mut Note {
    let hash = (start >> 4).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 52;
    // SAFETY: masked to the array; one thread.
    unsafe { &mut (*NOTES.pointer())[hash as usize & (NOTED - 1)] }
}

/// The object at `start` has this size.
pub fn note(start: u64, size: Size) {
    *slot(start) = Note { run: run::number(), start, size };
}

/// The size of the object at `start` is a plain number from now on.
pub fn forget(start: u64) {
    let note = slot(start);
    if note.start == start {
        note.run = 0;
    }
}

fn of(start: u64) -> Option<Size> {
    let note = slot(start);
    (note.run == run::number() && note.start == start).then_some(note.size)
}

/// Where an access ends: `index * stride + plus` bytes from the start of its object.
#[derive(Clone, Copy)]
pub struct End {
    /// 64 bits; 0 when it is no term.
    pub index: NodeId,
    pub stride: u64,
    pub plus: u64,
    /// Where it ends in this run.
    pub now: u64,
}

/// An access to the object of `bytes` bytes at `start` ends at `end`: asks for one that leaves it. False when the size is a plain
/// number, and nothing was asked.
pub fn ask(start: u64, bytes: u64, end: End, site: u32) -> bool {
    if !tracking::active() || !violations::wanted(Check::OutOfBounds) {
        return false;
    }
    let Some(size) = of(start) else { return false };
    let largest = size.largest();
    if end.index == 0 {
        if end.now <= largest
            && let Some(beyond) = size.exceeded_at(end.now)
        {
            violations::ask(Check::OutOfBounds, site, beyond, end.now > bytes);
        }
        return true;
    }
    let far = range::largest(end.index).saturating_mul(u128::from(end.stride)) + u128::from(end.plus);
    let limit = largest.saturating_sub(end.plus) / end.stride.max(1);
    let within = if far > u128::from(largest) { build::at_most(end.index, u128::from(limit)) } else { constant(1, 1) };
    let beyond = size.exceeded_by(end);
    if end.now > bytes {
        // What stays inside must not be too far for any size.
        let outside = if end.plus > largest { constant(1, 1) } else { binary(Op::Or, 1, build::not(within), beyond) };
        violations::ask(Check::OutOfBounds, site, outside, true);
    } else {
        events::bounds(site, within);
        violations::ask(Check::OutOfBounds, site, beyond, false);
    }
    true
}

/// An access to `length` plain bytes at `address`, whose object may be of input size.
pub fn reached(address: u64, length: u64, site: u32) {
    if let Some((start, bytes)) = lookup::around(address) {
        let now = (address - start).saturating_add(length);
        ask(start, bytes, End { index: 0, stride: 0, plus: 0, now }, site);
    }
}

impl Size {
    /// No object of this size is larger.
    fn largest(self) -> u64 {
        match self {
            Size::Counted { most, scale, before, least, .. } => least.max(before + most * scale),
            Size::Term(_) => 1 << 40,
        }
    }

    /// That `end` bytes are more than there are; none when it is so for all sizes or for none.
    fn exceeded_at(self, end: u64) -> Option<NodeId> {
        match self {
            Size::Term(size) => (end > 0).then(|| build::at_most(size, u128::from(end - 1))),
            Size::Counted { variable, scale, before, least, .. } => {
                if end <= least.max(before) {
                    return None;
                }
                // In the variable's own width, in which the program will compare it too.
                let count = variables::variable_node(variable);
                let width = crate::term::arena::width(count);
                let last = (end - before - 1) / scale;
                if !is_signed(variable) {
                    return Some(build::at_most(count, u128::from(last)));
                }
                let fits = u128::from(last) < 1 << (width - 1);
                fits.then(|| binary(Op::Sle, width, count, constant(width, u128::from(last))))
            }
        }
    }

    /// That an end which is not beyond the largest size is beyond this one.
    fn exceeded_by(self, End { index, stride, plus, .. }: End) -> NodeId {
        let word = |bits: u64| constant(64, u128::from(bits));
        let end = |plus: i64| {
            let scaled = binary(Op::Mul, 64, index, word(stride));
            binary(Op::Add, 64, scaled, word(plus as u64))
        };
        match self {
            Size::Term(size) => binary(Op::Ult, 64, size, end(plus as i64)),
            Size::Counted { variable, scale, before, least, .. } => {
                let rest = plus as i64 - before as i64 - 1;
                let last = if stride.is_multiple_of(scale) {
                    let steps = binary(Op::Mul, 64, index, word(stride / scale));
                    binary(Op::Add, 64, steps, word(rest.div_euclid(scale as i64) as u64))
                } else {
                    binary(Op::UDiv, 64, end(rest), word(scale))
                };
                let count = variables::variable_node(variable);
                let too_few = if is_signed(variable) {
                    binary(Op::Sle, 64, sign_extend(64, count), last)
                } else {
                    binary(Op::Ule, 64, zero_extend(64, count), last)
                };
                let always = least.max(before);
                if plus > always {
                    return too_few;
                }
                // What is there in any case is inside.
                binary(Op::And, 1, build::not(build::at_most(end(plus as i64), u128::from(always))), too_few)
            }
        }
    }
}

fn is_signed(variable: u32) -> bool {
    variables::get(variable).is_some_and(|record| record.kind == ValueKind::Signed as u8)
}
