//! Native functions of floats, and those of the C library in the order of their numbers.

use crate::library::mixed;
use covet_abi::float_functions;

/// A native function of floats: by width and number of arguments.
#[derive(Clone, Copy, Debug)]
pub enum Native {
    One64(unsafe extern "C" fn(f64) -> f64),
    Two64(unsafe extern "C" fn(f64, f64) -> f64),
    Three64(unsafe extern "C" fn(f64, f64, f64) -> f64),
    One32(unsafe extern "C" fn(f32) -> f32),
    Two32(unsafe extern "C" fn(f32, f32) -> f32),
}

impl Native {
    /// Width and number of arguments.
    pub(super) fn shape(self) -> (u16, usize) {
        match self {
            Native::One64(_) => (64, 1),
            Native::Two64(_) => (64, 2),
            Native::Three64(_) => (64, 3),
            Native::One32(_) => (32, 1),
            Native::Two32(_) => (32, 2),
        }
    }

    /// The bits that the function gives.
    ///
    /// # Safety
    /// Its code is loaded, and any arguments will do for it.
    pub(super) unsafe fn call(self, arguments: &[u128; 3]) -> u128 {
        let double = |i: usize| f64::from_bits(arguments[i] as u64);
        let single = |i: usize| f32::from_bits(arguments[i] as u32);
        // SAFETY: by the caller.
        unsafe {
            match self {
                Native::One64(f) => u128::from(f(double(0)).to_bits()),
                Native::Two64(f) => u128::from(f(double(0), double(1)).to_bits()),
                Native::Three64(f) => u128::from(f(double(0), double(1), double(2)).to_bits()),
                Native::One32(f) => u128::from(f(single(0)).to_bits()),
                Native::Two32(f) => u128::from(f(single(0), single(1)).to_bits()),
            }
        }
    }
}

macro_rules! declare {
    ($($name:ident($first:ident $(, $rest:ident)*);)*) => {
        #[link(name = "m")]
        unsafe extern "C" {
            $(fn $name(_: $first $(, _: $rest)*) -> $first;)*
        }
        /// In the order of `LIBRARY`.
        pub(super) static NATIVE: &[Native] = &[
            $(wrap!($name $first $($rest)*),)*
            Native::Two64(mixed::ldexp),
            Native::One64(mixed::ilogb),
            Native::Two64(mixed::jn),
            Native::Two64(mixed::yn),
            Native::Two64(mixed::jnf),
            Native::Two64(mixed::ynf),
            Native::Two64(mixed::fadd),
            Native::Two64(mixed::fsub),
            Native::Two64(mixed::fmul),
            Native::Two64(mixed::fdiv),
            Native::One64(mixed::fsqrt),
            Native::Three64(mixed::ffma),
        ];
    };
}

macro_rules! wrap {
    ($name:ident f64) => {
        Native::One64($name)
    };
    ($name:ident f64 f64) => {
        Native::Two64($name)
    };
    ($name:ident f32) => {
        Native::One32($name)
    };
    ($name:ident f32 f32) => {
        Native::Two32($name)
    };
}

float_functions!(declare);
