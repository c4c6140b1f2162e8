//! Bit-vectors of 1 to 128 bits held in a `u128`: masks, sign, powers of two.
//!
//! A value of width `w` has no bits set at or above `w`.

/// The all-ones value of a width.
#[inline]
pub const fn mask(width: u16) -> u128 {
    if width >= 128 { u128::MAX } else { (1u128 << width) - 1 }
}

/// The low `width` bits.
#[inline]
pub const fn truncate(value: u128, width: u16) -> u128 {
    value & mask(width)
}

/// The value read as two's complement.
#[inline]
pub const fn signed(value: u128, width: u16) -> i128 {
    let shift = 128 - width as u32;
    ((value << shift) as i128) >> shift
}

/// The bit pattern of the smallest signed value.
#[inline]
pub const fn signed_min(width: u16) -> u128 {
    1u128 << (width - 1)
}

/// The bit pattern of the largest signed value.
#[inline]
pub const fn signed_max(width: u16) -> u128 {
    mask(width) >> 1
}

/// The inverse of an odd number modulo 2^width.
pub const fn inverse_of_odd(value: u128, width: u16) -> u128 {
    // Newton's iteration doubles the number of right bits: 3, 6, 12, ... 192.
    let mut inverse = value;
    let mut round = 0;
    while round < 6 {
        inverse = inverse.wrapping_mul(2u128.wrapping_sub(value.wrapping_mul(inverse)));
        round += 1;
    }
    truncate(inverse, width)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverses_multiply_to_one() {
        for width in [1u16, 4, 8, 32, 64, 127, 128] {
            for value in [1u128, 3, 5, 0x1234_5677, u128::MAX] {
                let odd = truncate(value, width);
                assert_eq!(truncate(odd.wrapping_mul(inverse_of_odd(odd, width)), width), truncate(1, width));
            }
        }
    }

    #[test]
    fn signs() {
        assert_eq!(signed(0b1000, 4), -8);
        assert_eq!(signed(0b0111, 4), 7);
        assert_eq!(signed(u128::MAX, 128), -1);
        assert_eq!(signed_min(4), 8);
        assert_eq!(signed_max(1), 0);
    }
}
