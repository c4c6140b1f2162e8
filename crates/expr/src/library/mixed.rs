//! Functions of the mathematical library whose types are mixed, as functions of doubles: a double holds every `int` and every
//! `float` exactly.

use std::ffi::c_int;

/// Defines `name(double, ...)` by the library's function of these types.
macro_rules! of_doubles {
    ($($name:ident($($argument:ident: $ty:ty),*) -> $result:ty;)*) => {
        mod native {
            use super::c_int;
            #[link(name = "m")]
            unsafe extern "C" {
                $(pub fn $name($($argument: $ty),*) -> $result;)*
            }
        }
        $(pub(crate) unsafe extern "C" fn $name($($argument: f64),*) -> f64 {
            // SAFETY: mathematics takes any argument.
            f64::from(unsafe { native::$name($($argument as $ty),*) })
        })*
    };
}

of_doubles! {
    ldexp(x: f64, exponent: c_int) -> f64;
    ilogb(x: f64) -> c_int;
    jn(order: c_int, x: f64) -> f64;
    yn(order: c_int, x: f64) -> f64;
    jnf(order: c_int, x: f32) -> f32;
    ynf(order: c_int, x: f32) -> f32;
    fadd(x: f64, y: f64) -> f32;
    fsub(x: f64, y: f64) -> f32;
    fmul(x: f64, y: f64) -> f32;
    fdiv(x: f64, y: f64) -> f32;
    fsqrt(x: f64) -> f32;
    ffma(x: f64, y: f64, z: f64) -> f32;
}
