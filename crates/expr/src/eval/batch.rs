//! A tape over many inputs at once: every step is done for all of them before the next one, so that the choice of the operator
//! is paid once for a whole row and the compiler can use wide instructions.

use crate::bits::mask;
use crate::eval::apply::{Operands, apply};
use crate::eval::tape::{Step, Tape};
use covet_abi::node::Op;

/// Inputs evaluated together, at most.
pub const BATCH: usize = 256;

type Row = [u64; BATCH];

/// Room for the values of any tape whose terms have at most 64 bits ([`Tape::is_narrow`]).
#[derive(Clone, Debug, Default)]
pub struct Batch {
    rows: Vec<Row>,
}

impl Batch {
    /// The values for up to [`BATCH`] inputs; `value(v, i)` is that of moved variable `v` in input `i`.
    pub fn run(&mut self, tape: &Tape, count: usize, value: impl Fn(usize, usize) -> u64) -> &[u64] {
        debug_assert!(tape.is_narrow());
        let count = count.min(BATCH);
        if self.rows.len() < tape.slots.len() {
            self.rows.resize(tape.slots.len(), [0; BATCH]);
        }
        for &slot in &tape.fixed {
            self.rows[slot as usize][..count].fill(tape.slots[slot as usize] as u64);
        }
        for (variable, slot) in tape.moved.iter().enumerate() {
            let Some(slot) = slot else { continue };
            let row = &mut self.rows[*slot as usize][..count];
            row.iter_mut().enumerate().for_each(|(at, place)| *place = value(variable, at));
        }
        for step in &tape.steps {
            // Operands come before what is made of them.
            let (made, rest) = self.rows.split_at_mut(step.result as usize);
            row(tape, step, made, &mut rest[0][..count]);
        }
        &self.rows[tape.root as usize][..count]
    }
}

fn row(tape: &Tape, step: &Step, made: &[Row], out: &mut [u64]) {
    let count = out.len();
    let [a, b, c] = step.operands.map(|slot| &made[slot as usize][..count]);
    let (most, from) = (mask(step.width) as u64, step.widths[0]);
    match step.op {
        Op::Add => pairs(out, a, b, |a, b| a.wrapping_add(b) & most),
        Op::Sub => pairs(out, a, b, |a, b| a.wrapping_sub(b) & most),
        Op::Mul => pairs(out, a, b, |a, b| a.wrapping_mul(b) & most),
        Op::And => pairs(out, a, b, |a, b| a & b),
        Op::Or => pairs(out, a, b, |a, b| a | b),
        Op::Xor => pairs(out, a, b, |a, b| a ^ b),
        Op::Not => pairs(out, a, a, |a, _| !a & most),
        Op::Eq => pairs(out, a, b, |a, b| u64::from(a == b)),
        Op::Ult => pairs(out, a, b, |a, b| u64::from(a < b)),
        Op::Ule => pairs(out, a, b, |a, b| u64::from(a <= b)),
        Op::Slt => pairs(out, a, b, |a, b| u64::from(signed(a, from) < signed(b, from))),
        Op::Sle => pairs(out, a, b, |a, b| u64::from(signed(a, from) <= signed(b, from))),
        Op::ZExt => out.copy_from_slice(a),
        Op::SExt => pairs(out, a, a, |a, _| signed(a, from) as u64 & most),
        Op::Extract => pairs(out, a, a, |a, _| a >> step.imm & most),
        Op::Concat => pairs(out, a, b, |a, b| a << step.widths[1] | b),
        Op::Ite => {
            pairs(out, a, b, |a, b| if a != 0 { b } else { 0 });
            let others = a.iter().zip(c).map(|(a, c)| if *a != 0 { 0 } else { *c });
            out.iter_mut().zip(others).for_each(|(out, other)| *out |= other);
        }
        Op::Select => {
            let (start, len) = step.table;
            let entries = &tape.entries[start as usize..(start + len) as usize];
            for (at, out) in out.iter_mut().enumerate() {
                let entry = usize::try_from(a[at]).ok().and_then(|index| entries.get(index));
                *out = entry.map_or(0, |slot| made[*slot as usize][at]);
            }
        }
        op => {
            for (at, out) in out.iter_mut().enumerate() {
                let values = [a[at], b[at], c[at]].map(u128::from);
                let operands = Operands { values, widths: step.widths };
                *out = apply(&tape.library, op, step.aux, step.width, step.imm, &operands) as u64;
            }
        }
    }
}

#[inline(always)]
fn pairs(out: &mut [u64], a: &[u64], b: &[u64], with: impl Fn(u64, u64) -> u64) {
    out.iter_mut().zip(a.iter().zip(b)).for_each(|(out, (a, b))| *out = with(*a, *b));
}

/// Bits of this width as a signed number.
#[inline(always)]
fn signed(value: u64, width: u16) -> i64 {
    let unused = 64 - u32::from(width.max(1));
    (value << unused) as i64 >> unused
}
