//! A program over many inputs at once: every step is done for all of them before the next one, so that the choice of the operator
//! is paid once for a whole row and the compiler can use wide instructions.

use crate::apply::{Operands, apply};
use crate::bits::mask;
use crate::program::{Program, Step};
use covet_abi::node::Op;

/// Inputs evaluated together.
pub const LANES: usize = 256;

type Row = [u64; LANES];

/// Room for the values of a program whose terms have at most 64 bits.
#[derive(Clone, Debug)]
pub struct Lanes {
    rows: Vec<Row>,
}

impl Lanes {
    /// Nothing when a term is wider than 64 bits.
    pub fn of(program: &Program) -> Option<Lanes> {
        let is_narrow = |step: &Step| step.width <= 64 && step.widths.iter().all(|width| *width <= 64);
        let fits =
            program.steps.iter().all(is_narrow) && program.slots.iter().all(|value| *value <= u128::from(u64::MAX));
        fits.then(|| Lanes { rows: program.slots.iter().map(|value| [*value as u64; LANES]).collect() })
    }

    /// The values for up to [`LANES`] inputs; `value(v, i)` is that of moved variable `v` in input `i`.
    pub fn run(&mut self, program: &Program, count: usize, value: impl Fn(usize, usize) -> u64) -> &[u64] {
        let count = count.min(LANES);
        for (variable, slot) in program.moved.iter().enumerate() {
            let Some(slot) = slot else { continue };
            let row = &mut self.rows[*slot as usize];
            row[..count].iter_mut().enumerate().for_each(|(lane, place)| *place = value(variable, lane));
        }
        for step in &program.steps {
            let row = self.row(program, step, count);
            self.rows[step.result as usize] = row;
        }
        &self.rows[program.root as usize][..count]
    }

    fn row(&self, program: &Program, step: &Step, count: usize) -> Row {
        let [a, b, c] = step.operands.map(|slot| &self.rows[slot as usize]);
        let (most, from) = (mask(step.width) as u64, step.widths[0]);
        match step.op {
            Op::Add => pairs(a, b, |a, b| a.wrapping_add(b) & most),
            Op::Sub => pairs(a, b, |a, b| a.wrapping_sub(b) & most),
            Op::Mul => pairs(a, b, |a, b| a.wrapping_mul(b) & most),
            Op::And => pairs(a, b, |a, b| a & b),
            Op::Or => pairs(a, b, |a, b| a | b),
            Op::Xor => pairs(a, b, |a, b| a ^ b),
            Op::Not => pairs(a, a, |a, _| !a & most),
            Op::Eq => pairs(a, b, |a, b| u64::from(a == b)),
            Op::Ult => pairs(a, b, |a, b| u64::from(a < b)),
            Op::Ule => pairs(a, b, |a, b| u64::from(a <= b)),
            Op::Slt => pairs(a, b, |a, b| u64::from(signed(a, from) < signed(b, from))),
            Op::Sle => pairs(a, b, |a, b| u64::from(signed(a, from) <= signed(b, from))),
            Op::ZExt => *a,
            Op::SExt => pairs(a, a, |a, _| signed(a, from) as u64 & most),
            Op::Extract => pairs(a, a, |a, _| a >> step.imm & most),
            Op::Concat => pairs(a, b, |a, b| a << step.widths[1] | b),
            Op::Ite => {
                let chosen = pairs(a, b, |a, b| if a != 0 { b } else { 0 });
                let other = pairs(a, c, |a, c| if a != 0 { 0 } else { c });
                pairs(&chosen, &other, |a, b| a | b)
            }
            Op::Select => {
                let (start, len) = step.table;
                let entries = &program.entries[start as usize..(start + len) as usize];
                let mut row = [0; LANES];
                for lane in 0..count {
                    let entry = usize::try_from(a[lane]).ok().and_then(|index| entries.get(index));
                    row[lane] = entry.map_or(0, |slot| self.rows[*slot as usize][lane]);
                }
                row
            }
            op => {
                let mut row = [0; LANES];
                for lane in 0..count {
                    let values = [a[lane], b[lane], c[lane]].map(u128::from);
                    let operands = Operands { values, widths: step.widths };
                    row[lane] = apply(op, step.aux, step.width, step.imm, &operands) as u64;
                }
                row
            }
        }
    }
}

#[inline(always)]
fn pairs(a: &Row, b: &Row, with: impl Fn(u64, u64) -> u64) -> Row {
    std::array::from_fn(|lane| with(a[lane], b[lane]))
}

/// Bits of this width as a signed number.
#[inline(always)]
fn signed(value: u64, width: u16) -> i64 {
    let unused = 64 - u32::from(width.max(1));
    (value << unused) as i64 >> unused
}
