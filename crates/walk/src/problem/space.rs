//! The valuation space: variables with their types, points as bits, and bits as numbers.
//!
//! A point holds each variable's bits, so that every value of its type can be reached: NaN, infinities, both zeros. Steps along
//! an axis are taken in one of two scales: numbers (`x + d`), or ulps (the next representable values, one by one).

use covet_expr::bits::{mask, signed};
use covet_input::VarId;

/// One value per variable of a problem, as bits.
pub type Point = Vec<u64>;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Float,
    Signed,
    Unsigned,
}

/// A dimension of the space.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Variable {
    pub id: VarId,
    /// 1 to 64.
    pub width: u16,
    pub kind: Kind,
}

impl Variable {
    pub fn is_float(self) -> bool {
        self.kind == Kind::Float
    }

    /// The number that bits stand for.
    pub fn number(self, bits: u64) -> f64 {
        match (self.kind, self.width) {
            (Kind::Float, 32) => f64::from(f32::from_bits(bits as u32)),
            (Kind::Float, _) => f64::from_bits(bits),
            (Kind::Signed, width) => signed(u128::from(bits), width) as f64,
            (Kind::Unsigned, _) => bits as f64,
        }
    }

    /// The nearest bits for a number; integers stop at the ends of their range.
    pub fn bits(self, number: f64) -> u64 {
        match (self.kind, self.width) {
            (Kind::Float, 32) => u64::from((number as f32).to_bits()),
            (Kind::Float, _) => number.to_bits(),
            (Kind::Signed, width) => {
                let top = (mask(width) >> 1) as i128;
                ((number.round() as i128).clamp(-top - 1, top) as u128 & mask(width)) as u64
            }
            (Kind::Unsigned, width) => (number.round() as u128).min(mask(width)) as u64,
        }
    }

    /// The value `steps` places further along the order of this type's values; integers wrap round.
    pub fn moved(self, bits: u64, steps: i64) -> u64 {
        let all = mask(self.width) as u64;
        if !self.is_float() {
            return bits.wrapping_add(steps as u64) & all;
        }
        let place = self.place(bits).saturating_add(i128::from(steps));
        let top = (all >> 1) as i128;
        self.at_place(place.clamp(-top, top))
    }

    /// Where a value stands in the order of its type: neighbouring values are one apart, both zeros are at 0.
    pub fn place(self, bits: u64) -> i128 {
        match self.kind {
            Kind::Float => {
                let magnitude = i128::from(bits & (mask(self.width) as u64 >> 1));
                if bits >> (self.width - 1) & 1 == 1 { -magnitude } else { magnitude }
            }
            Kind::Signed => signed(u128::from(bits), self.width),
            Kind::Unsigned => i128::from(bits),
        }
    }

    fn at_place(self, place: i128) -> u64 {
        let magnitude = place.unsigned_abs() as u64;
        if place < 0 { magnitude | 1 << (self.width - 1) } else { magnitude }
    }

    /// Smallest and largest finite number.
    pub fn range(self) -> (f64, f64) {
        match (self.kind, self.width) {
            (Kind::Float, 32) => (f64::from(f32::MIN), f64::from(f32::MAX)),
            (Kind::Float, _) => (f64::MIN, f64::MAX),
            (Kind::Signed, width) => (-((width - 1) as f64).exp2(), ((width - 1) as f64).exp2() - 1.0),
            (Kind::Unsigned, width) => (0.0, f64::from(width).exp2() - 1.0),
        }
    }
}

/// How many doubles lie between two numbers; a big number when one is NaN.
pub(crate) fn ulps(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() {
        return 1e30;
    }
    let double = Variable { id: VarId(0), width: 64, kind: Kind::Float };
    (double.place(a.to_bits()) - double.place(b.to_bits())).unsigned_abs() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variable(kind: Kind, width: u16) -> Variable {
        Variable { id: VarId(0), width, kind }
    }

    #[test]
    fn ulp_steps_cross_zero_and_stop_before_nothing() {
        let single = variable(Kind::Float, 32);
        let one = u64::from(1.0f32.to_bits());
        assert_eq!(single.moved(one, 1), u64::from(1.0f32.next_up().to_bits()));
        assert_eq!(single.moved(1, -2), 0x8000_0001);
        assert_eq!(single.moved(single.moved(one, 1 << 40), 0) & 0x8000_0000, 0);
        assert_eq!(variable(Kind::Signed, 8).moved(127, 1), 128);
    }

    #[test]
    fn numbers_and_bits_agree() {
        let byte = variable(Kind::Signed, 8);
        assert_eq!((byte.number(255), byte.bits(-1.0), byte.bits(1e9)), (-1.0, 255, 127));
        assert_eq!(variable(Kind::Unsigned, 8).bits(-5.0), 0);
        assert_eq!(variable(Kind::Float, 64).bits(f64::NAN), f64::NAN.to_bits());
        assert_eq!(ulps(0.0, -0.0), 0.0);
        assert_eq!(ulps(1.0, 1.0f64.next_up().next_up()), 2.0);
    }
}
