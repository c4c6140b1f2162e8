//! Pure library functions under [`covet_abi::node::Op::Call`]: from number to native call.
//!
//! The numbering is [`covet_abi::library::LIBRARY`]. The functions are those of the C library itself, which the program under
//! test loads too: what is computed here is what the program computes, to the last bit.

use crate::eval::mixed;
use covet_abi::float_functions;
use covet_abi::library::{Function, LIBRARY};
use std::sync::OnceLock;

/// Functions that the user declares to be pure, numbered behind those of [`LIBRARY`]: what is known of each, and the function.
static DECLARED: OnceLock<Vec<(Function, Native)>> = OnceLock::new();

/// Makes functions of doubles known, once in the life of the process. The caller promises that any arguments will do for them.
pub fn declare(functions: Vec<(String, Native)>) {
    let described = functions.into_iter().map(|(name, native)| {
        let (width, arity) = native.shape();
        (Function { name: name.leak(), width, arity }, native)
    });
    // A second list would give numbers another meaning.
    let _ = DECLARED.set(described.collect());
}

fn declared(number: u64) -> Option<&'static (Function, Native)> {
    DECLARED.get()?.get(usize::try_from(number).ok()?.checked_sub(LIBRARY.len())?)
}

pub(crate) fn find(number: u64) -> Option<&'static Function> {
    let known = usize::try_from(number).ok().and_then(|number| LIBRARY.get(number));
    known.or_else(|| declared(number).map(|(function, _)| function))
}

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
    fn shape(self) -> (u16, usize) {
        match self {
            Native::One64(_) => (64, 1),
            Native::Two64(_) => (64, 2),
            Native::Three64(_) => (64, 3),
            Native::One32(_) => (32, 1),
            Native::Two32(_) => (32, 2),
        }
    }
}

/// The bits that function `number` gives.
pub(crate) fn call(number: u64, arguments: &[u128; 3]) -> u128 {
    let double = |i: usize| f64::from_bits(arguments[i] as u64);
    let single = |i: usize| f32::from_bits(arguments[i] as u32);
    // SAFETY: mathematics of the C library, or declared to be like it: any argument will do, nothing but `errno` is touched.
    unsafe {
        match native(number) {
            Some(Native::One64(f)) => u128::from(f(double(0)).to_bits()),
            Some(Native::Two64(f)) => u128::from(f(double(0), double(1)).to_bits()),
            Some(Native::Three64(f)) => u128::from(f(double(0), double(1), double(2)).to_bits()),
            Some(Native::One32(f)) => u128::from(f(single(0)).to_bits()),
            Some(Native::Two32(f)) => u128::from(f(single(0), single(1)).to_bits()),
            None => u128::from(f64::NAN.to_bits()),
        }
    }
}

/// The function behind a number, to be called directly.
pub fn native(number: u64) -> Option<Native> {
    let known = usize::try_from(number).ok().and_then(|number| NATIVE.get(number).copied());
    known.or_else(|| declared(number).map(|(_, native)| *native))
}

macro_rules! declare {
    ($($name:ident($first:ident $(, $rest:ident)*);)*) => {
        #[link(name = "m")]
        unsafe extern "C" {
            $(fn $name(_: $first $(, _: $rest)*) -> $first;)*
        }
        /// In the order of `LIBRARY`.
        static NATIVE: &[Native] = &[
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

#[cfg(test)]
mod tests {
    use super::*;
    use covet_abi::library::number_of;

    fn apply(name: &str, arguments: [u128; 3]) -> u128 {
        call(number_of(name).expect("known") as u64, &arguments)
    }

    fn bits(x: f64) -> u128 {
        u128::from(x.to_bits())
    }

    #[test]
    fn every_numbered_function_is_callable_with_its_shape() {
        assert_eq!(NATIVE.len(), LIBRARY.len());
        for (function, native) in LIBRARY.iter().zip(NATIVE) {
            assert_eq!((function.width, function.arity), native.shape(), "{}", function.name);
        }
    }

    #[test]
    fn functions_are_the_native_ones() {
        assert_eq!(apply("pow", [bits(2.0), bits(10.0), 0]), bits(1024.0));
        assert_eq!(apply("ldexp", [bits(3.0), bits(4.0), 0]), bits(48.0));
        assert_eq!(apply("ilogb", [bits(0.0), 0, 0]), bits(f64::from(i32::MIN)));
        assert_eq!(apply("sin", [bits(0.5), 0, 0]), bits(0.5f64.sin()));
        let half = u128::from(0.5f32.to_bits());
        assert_eq!(apply("cosf", [half, 0, 0]), u128::from(0.5f32.cos().to_bits()));
    }
}
