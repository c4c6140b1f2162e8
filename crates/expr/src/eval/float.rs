//! IEEE operators on bits, as x86-64 code computes them: width 32 is `float`, width 64 is `double`.
//!
//! Conversions to integers out of range give what compiled code gives:
//!
//! | result | computed by |
//! |---|---|
//! | signed, up to 32 bits | the 32-bit conversion (`INT_MIN` when out of range), truncated |
//! | signed, 33 to 64 bits | the 64-bit conversion (`LONG_MIN` when out of range), truncated |
//! | unsigned, up to 16 bits | the signed 32-bit conversion, truncated |
//! | unsigned, 17 to 32 bits | the signed 64-bit conversion, truncated |
//! | unsigned, 33 to 64 bits | signed 64-bit below 2^63, otherwise that of `x - 2^63` with the top bit flipped |
//! | over 64 bits | the nearest value of the type; 0 for NaN (the library routine's own result is unspecified) |

use crate::bits::{signed_min, truncate};
use covet_abi::node::{Op, Rounding};

fn f32_of(bits: u128) -> f32 {
    f32::from_bits(bits as u32)
}

fn f64_of(bits: u128) -> f64 {
    f64::from_bits(bits as u64)
}

fn bits32(value: f32) -> u128 {
    u128::from(value.to_bits())
}

fn bits64(value: f64) -> u128 {
    u128::from(value.to_bits())
}

pub(crate) fn binary(op: Op, width: u16, a: u128, b: u128) -> u128 {
    if op == Op::FCopySign {
        let sign = signed_min(width);
        return a & !sign | b & sign;
    }
    if width == 32 {
        let (x, y) = (f32_of(a), f32_of(b));
        bits32(match op {
            Op::FAdd => x + y,
            Op::FSub => x - y,
            Op::FMul => x * y,
            Op::FDiv => x / y,
            Op::FRem => x % y,
            Op::FMin => pick(x.is_nan(), y.is_nan(), y < x, x, y),
            _ => pick(x.is_nan(), y.is_nan(), x < y, x, y),
        })
    } else {
        let (x, y) = (f64_of(a), f64_of(b));
        bits64(match op {
            Op::FAdd => x + y,
            Op::FSub => x - y,
            Op::FMul => x * y,
            Op::FDiv => x / y,
            Op::FRem => x % y,
            Op::FMin => pick(x.is_nan(), y.is_nan(), y < x, x, y),
            _ => pick(x.is_nan(), y.is_nan(), x < y, x, y),
        })
    }
}

/// `fmin`/`fmax`: the number when the other is NaN; the first of two equals, as the compiled minimum instruction gives.
fn pick<T>(first_is_nan: bool, second_is_nan: bool, second_wins: bool, first: T, second: T) -> T {
    if first_is_nan || (!second_is_nan && second_wins) { second } else { first }
}

pub(crate) fn unary(op: Op, width: u16, a: u128) -> u128 {
    let sign = signed_min(width);
    match op {
        Op::FNeg => a ^ sign,
        Op::FAbs => a & !sign,
        _ if width == 32 => bits32(f32_of(a).sqrt()),
        _ => bits64(f64_of(a).sqrt()),
    }
}

pub(crate) fn fused(width: u16, a: u128, b: u128, c: u128) -> u128 {
    if width == 32 {
        bits32(f32_of(a).mul_add(f32_of(b), f32_of(c)))
    } else {
        bits64(f64_of(a).mul_add(f64_of(b), f64_of(c)))
    }
}

/// The rounding mode behind its number; unknown numbers never get past the importer.
pub fn rounding(aux: u8) -> Rounding {
    match aux {
        1 => Rounding::NearestAway,
        2 => Rounding::Down,
        3 => Rounding::Up,
        4 => Rounding::Zero,
        _ => Rounding::NearestEven,
    }
}

pub(crate) fn round(aux: u8, width: u16, a: u128) -> u128 {
    let mode = rounding(aux);
    if width == 32 {
        let x = f32_of(a);
        bits32(match mode {
            Rounding::NearestEven => x.round_ties_even(),
            Rounding::NearestAway => x.round(),
            Rounding::Down => x.floor(),
            Rounding::Up => x.ceil(),
            Rounding::Zero => x.trunc(),
        })
    } else {
        let x = f64_of(a);
        bits64(match mode {
            Rounding::NearestEven => x.round_ties_even(),
            Rounding::NearestAway => x.round(),
            Rounding::Down => x.floor(),
            Rounding::Up => x.ceil(),
            Rounding::Zero => x.trunc(),
        })
    }
}

pub(crate) fn compare(op: Op, width: u16, a: u128, b: u128) -> bool {
    // Widening is exact and keeps order and NaN.
    let (x, y) = (as_f64(width, a), as_f64(width, b));
    match op {
        Op::FEq => x == y,
        Op::FLt => x < y,
        Op::FLe => x <= y,
        _ => x.is_nan() || y.is_nan(),
    }
}

fn as_f64(width: u16, bits: u128) -> f64 {
    if width == 32 { f64::from(f32_of(bits)) } else { f64_of(bits) }
}

pub(crate) fn resize(from: u16, to: u16, a: u128) -> u128 {
    match (from, to) {
        (32, 64) => bits64(f64::from(f32_of(a))),
        (64, 32) => bits32(f64_of(a) as f32),
        _ => a,
    }
}

/// `cvttsd2si` to 32 bits.
fn truncated_32(x: f64) -> i32 {
    if x > -2_147_483_649.0 && x < 2_147_483_648.0 { x as i32 } else { i32::MIN }
}

/// `cvttsd2si` to 64 bits.
fn truncated_64(x: f64) -> i64 {
    if (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&x) { x as i64 } else { i64::MIN }
}

pub(crate) fn to_signed(from: u16, width: u16, a: u128) -> u128 {
    let x = as_f64(from, a);
    let value = match width {
        0..=32 => i128::from(truncated_32(x)),
        33..=64 => i128::from(truncated_64(x)),
        _ => {
            let (low, high) = (-(1i128 << (width - 1).min(126)), (1i128 << (width - 1).min(126)) - 1);
            if width == 128 { x as i128 } else { (x as i128).clamp(low, high) }
        }
    };
    truncate(value as u128, width)
}

pub(crate) fn to_unsigned(from: u16, width: u16, a: u128) -> u128 {
    const TWO_63: f64 = 9_223_372_036_854_775_808.0;
    let x = as_f64(from, a);
    let value = match width {
        0..=16 => truncated_32(x) as u128,
        17..=32 => truncated_64(x) as u128,
        33..=64 if x < TWO_63 => truncated_64(x) as u128,
        33..=64 => (truncated_64(x - TWO_63) ^ i64::MIN) as u128,
        _ => (x as u128).min(crate::bits::mask(width)),
    };
    truncate(value, width)
}

pub(crate) fn from_signed(value: i128, width: u16) -> u128 {
    if width == 32 { bits32(value as f32) } else { bits64(value as f64) }
}

pub(crate) fn from_unsigned(value: u128, width: u16) -> u128 {
    if width == 32 { bits32(value as f32) } else { bits64(value as f64) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the processor's own conversions say.
    #[cfg(target_arch = "x86_64")]
    #[test]
    fn conversions_agree_with_the_processor() {
        use std::arch::x86_64::{_mm_cvttsd_si32, _mm_cvttsd_si64, _mm_set_sd};
        let samples = [
            0.0,
            -0.0,
            1.5,
            -1.5,
            2147483647.5,
            2147483648.0,
            -2147483648.9,
            -2147483649.0,
            4294967296.5,
            9.3e18,
            -9.223372036854775e18,
            1.8e19,
            1e300,
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
        ];
        for x in samples {
            // SAFETY: SSE2 is part of x86-64.
            let (narrow, wide) = unsafe { (_mm_cvttsd_si32(_mm_set_sd(x)), _mm_cvttsd_si64(_mm_set_sd(x))) };
            assert_eq!(truncated_32(x), narrow, "{x}");
            assert_eq!(truncated_64(x), wide, "{x}");
        }
    }

    #[test]
    fn unsigned_conversions_split_at_two_to_the_63() {
        assert_eq!(to_unsigned(64, 64, bits64(1.0e19)), 10_000_000_000_000_000_000);
        assert_eq!(to_unsigned(64, 64, bits64(-1.0)), u128::from(u64::MAX));
        assert_eq!(to_unsigned(64, 32, bits64(4294967295.0)), 0xffff_ffff);
        assert_eq!(to_unsigned(64, 8, bits64(257.0)), 1);
    }

    #[test]
    fn minimum_prefers_numbers_and_the_first_of_equals() {
        let nan = bits64(f64::NAN);
        assert_eq!(binary(Op::FMin, 64, nan, bits64(1.0)), bits64(1.0));
        assert_eq!(binary(Op::FMax, 64, bits64(1.0), nan), bits64(1.0));
        assert_eq!(binary(Op::FMin, 64, bits64(0.0), bits64(-0.0)), bits64(0.0));
        assert_eq!(binary(Op::FMax, 64, bits64(2.0), bits64(3.0)), bits64(3.0));
    }
}
