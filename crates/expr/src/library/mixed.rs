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

/// The same of Bessel functions. The library's take time in proportion to their order: whoever tries a thousand values must not wait seconds
/// for each, so beyond any order that a program has use for there is no number.
macro_rules! of_orders {
    ($($name:ident($argument:ty) -> $result:ty;)*) => {
        mod bessel {
            use super::c_int;
            #[link(name = "m")]
            unsafe extern "C" {
                $(pub fn $name(order: c_int, x: $argument) -> $result;)*
            }
        }
        $(pub(crate) unsafe extern "C" fn $name(order: f64, x: f64) -> f64 {
            if order.abs() > MOST_ORDER {
                return f64::NAN;
            }
            // SAFETY: mathematics takes any argument.
            f64::from(unsafe { bessel::$name(order as c_int, x as $argument) })
        })*
    };
}

const MOST_ORDER: f64 = (1 << 16) as f64;

of_orders! {
    jn(f64) -> f64;
    yn(f64) -> f64;
    jnf(f32) -> f32;
    ynf(f32) -> f32;
}

of_doubles! {
    ldexp(x: f64, exponent: c_int) -> f64;
    ilogb(x: f64) -> c_int;
    fadd(x: f64, y: f64) -> f32;
    fsub(x: f64, y: f64) -> f32;
    fmul(x: f64, y: f64) -> f32;
    fdiv(x: f64, y: f64) -> f32;
    fsqrt(x: f64) -> f32;
    ffma(x: f64, y: f64, z: f64) -> f32;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_order_takes_long() {
        let began = std::time::Instant::now();
        // SAFETY: mathematics takes any argument.
        let values = unsafe { [jn(2.0, 3.0), yn(-2147483648.0, 3.0), jnf(2147483647.0, 3.0), ynf(3.0, 3.0)] };
        assert_eq!(values.map(f64::is_nan), [false, true, true, false]);
        assert!(began.elapsed().as_secs_f64() < 1.0);
    }
}
