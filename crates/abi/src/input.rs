//! Inputs: named variables and their values for one run.
//!
//! The variable table in shared memory is append-only and lives as long as the worker. The engine appends variables for
//! arguments and globals while the worker is idle; the worker appends those met on the way (`stdin[3]`, `x` of
//! `klee_make_symbolic`). Names are unique; a second marking of the same name is `name#2` ([`REPETITION`]).

/// Stands between a name and its number, from the second variable of that name in a run on.
pub const REPETITION: char = '#';

/// One variable: its name is `name_len` bytes at `name_at` of the names region.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Variable {
    pub name_at: u32,
    pub name_len: u32,
    /// Bits: 1 to 128.
    pub width: u16,
    /// A [`ValueKind`].
    pub kind: u8,
    pub pad: u8,
    /// Value when a run says nothing about it (low bits; the first input may override, see [`crate::shared::Control::first`]).
    pub default: u32,
}

/// How a variable's bits are shown to people.
#[repr(u8)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum ValueKind {
    Signed = 1,
    Unsigned = 2,
    Float = 3,
    /// A signed character of text.
    Char = 4,
    Bool = 5,
    /// An address; in a variable of a few bits, the number of the object pointed at among the pointer's candidates; 0 is NULL.
    Pointer = 6,
    /// A byte of text or raw data, never negative.
    Byte = 7,
    /// The number of the function that a pointer input points at, among its candidates; 0 is NULL.
    Function = 8,
    /// Elements that an object has beyond its first ones.
    Growth = 9,
}

impl ValueKind {
    pub const fn from_u8(n: u8) -> Option<ValueKind> {
        Some(match n {
            1 => ValueKind::Signed,
            2 => ValueKind::Unsigned,
            3 => ValueKind::Float,
            4 => ValueKind::Char,
            5 => ValueKind::Bool,
            6 => ValueKind::Pointer,
            7 => ValueKind::Byte,
            8 => ValueKind::Function,
            9 => ValueKind::Growth,
            _ => return None,
        })
    }
}

/// One `variable = value` of a run's input, 24 bytes.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Assignment {
    pub variable: u32,
    pub pad: u32,
    pub low: u64,
    pub high: u64,
}

impl Assignment {
    pub const fn new(variable: u32, bits: u128) -> Assignment {
        Assignment { variable, pad: 0, low: bits as u64, high: (bits >> 64) as u64 }
    }

    pub const fn bits(&self) -> u128 {
        self.low as u128 | (self.high as u128) << 64
    }
}

/// A variable that a run has used, in the lists of [`crate::shared`]; or, as variable [`Used::TOUCHED`], eight bytes of an input object
/// that it has read or written: their address, or 0 for more of them than are told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Used {
    pub variable: u32,
    pub bits: u128,
}

impl Used {
    /// Words that each takes.
    pub const WORDS: usize = 3;
    /// Stands for no variable.
    pub const TOUCHED: u32 = u32::MAX;
    /// Bytes that are touched together.
    pub const GRANULE: u64 = 8;

    pub const fn pack(self) -> [u64; Used::WORDS] {
        [self.variable as u64, self.bits as u64, (self.bits >> 64) as u64]
    }

    pub const fn unpack([variable, low, high]: [u64; Used::WORDS]) -> Used {
        Used { variable: variable as u32, bits: low as u128 | (high as u128) << 64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BITS: [u128; 4] = [0, u128::MAX, 1 << 64, u64::MAX as u128];

    #[test]
    fn values_survive_their_records() {
        for bits in BITS {
            assert_eq!(Assignment::new(7, bits).bits(), bits);
            let used = Used { variable: u32::MAX, bits };
            assert_eq!(Used::unpack(used.pack()), used);
        }
    }

    #[test]
    fn kinds_survive_their_numbers() {
        for number in 0..=u8::MAX {
            if let Some(kind) = ValueKind::from_u8(number) {
                assert_eq!(kind as u8, number);
            }
        }
        assert_eq!(ValueKind::from_u8(ValueKind::Growth as u8), Some(ValueKind::Growth));
    }
}
