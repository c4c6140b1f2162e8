//! A variable's bits as people and machines read them: signed, unsigned, float, character.

use covet_abi::input::ValueKind;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Bits together with how to read them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub struct Value {
    pub bits: u128,
    pub width: u16,
    pub kind: ValueKind,
}

impl Value {
    /// The bits as a signed integer of the value's width.
    pub fn signed(self) -> i128 {
        let shift = 128 - u32::from(self.width);
        ((self.bits << shift) as i128) >> shift
    }

    /// The bits as a number, when the kind is a float of 32 or 64 bits.
    pub fn float(self) -> Option<f64> {
        match (self.kind, self.width) {
            (ValueKind::Float, 32) => Some(f64::from(f32::from_bits(self.bits as u32))),
            (ValueKind::Float, 64) => Some(f64::from_bits(self.bits as u64)),
            _ => None,
        }
    }
}

/// A value as it is written down: 128 bits are more than most formats have a number for.
#[derive(Serialize, Deserialize)]
struct Written {
    bits: String,
    width: u16,
    kind: u8,
}

impl From<Value> for Written {
    fn from(value: Value) -> Written {
        Written { bits: format!("{:x}", value.bits), width: value.width, kind: value.kind as u8 }
    }
}

impl TryFrom<Written> for Value {
    type Error = String;

    fn try_from(Written { bits, width, kind }: Written) -> Result<Value, String> {
        let bits = u128::from_str_radix(&bits, 16).map_err(|error| format!("bits `{bits}`: {error}"))?;
        let kind = ValueKind::from_u8(kind).ok_or_else(|| format!("value kind {kind}"))?;
        Ok(Value { bits, width, kind })
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            ValueKind::Signed | ValueKind::Char => write!(f, "{}", self.signed()),
            ValueKind::Unsigned | ValueKind::Bool | ValueKind::Byte => write!(f, "{}", self.bits),
            ValueKind::Function | ValueKind::Growth => write!(f, "{}", self.bits),
            ValueKind::Pointer => write!(f, "{:#x}", self.bits),
            ValueKind::Float => match (self.width, self.float()) {
                (32, Some(_)) => write!(f, "{:?}", f32::from_bits(self.bits as u32)),
                (_, Some(number)) => write!(f, "{number:?}"),
                (_, None) => write!(f, "{:#x}", self.bits),
            },
        }
    }
}
