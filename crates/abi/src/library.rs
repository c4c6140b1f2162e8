//! Pure library functions that may appear under `Op::Call`: C's mathematics, as one list.
//!
//! Arguments and result are floats of one width (a C `int` among them travels as a double, exactly). A function's number is
//! its place in [`LIBRARY`]; functions that the user declares come behind them. `instrument` knows them by name, `expr` calls them natively: both processes load the same library,
//! so both get the same bits.

/// Expands `$callback! { name(width, width, ...); ... }` with every function that takes and gives floats alone.
#[macro_export]
macro_rules! float_functions {
    ($callback:ident) => {
        $callback! {
            sin(f64); cos(f64); tan(f64); asin(f64); acos(f64); atan(f64); atan2(f64, f64);
            sinh(f64); cosh(f64); tanh(f64); asinh(f64); acosh(f64); atanh(f64);
            exp(f64); exp2(f64); exp10(f64); expm1(f64); log(f64); log2(f64); log10(f64); log1p(f64); logb(f64);
            pow(f64, f64); cbrt(f64); hypot(f64, f64); erf(f64); erfc(f64); tgamma(f64); lgamma(f64);
            remainder(f64, f64); drem(f64, f64); fdim(f64, f64); nextafter(f64, f64); significand(f64);
            j0(f64); j1(f64); y0(f64); y1(f64); nextup(f64); nextdown(f64); scalb(f64, f64);
            fmaximum(f64, f64); fminimum(f64, f64); fmaximum_num(f64, f64); fminimum_num(f64, f64);
            fmaximum_mag(f64, f64); fminimum_mag(f64, f64); fmaximum_mag_num(f64, f64); fminimum_mag_num(f64, f64);
            fmaxmag(f64, f64); fminmag(f64, f64);
            sinf(f32); cosf(f32); tanf(f32); asinf(f32); acosf(f32); atanf(f32); atan2f(f32, f32);
            sinhf(f32); coshf(f32); tanhf(f32); asinhf(f32); acoshf(f32); atanhf(f32);
            expf(f32); exp2f(f32); exp10f(f32); expm1f(f32); logf(f32); log2f(f32); log10f(f32); log1pf(f32); logbf(f32);
            powf(f32, f32); cbrtf(f32); hypotf(f32, f32); erff(f32); erfcf(f32); tgammaf(f32); lgammaf(f32);
            remainderf(f32, f32); dremf(f32, f32); fdimf(f32, f32); nextafterf(f32, f32); significandf(f32);
            j0f(f32); j1f(f32); y0f(f32); y1f(f32); nextupf(f32); nextdownf(f32); scalbf(f32, f32);
            fmaximumf(f32, f32); fminimumf(f32, f32); fmaximum_numf(f32, f32); fminimum_numf(f32, f32);
            fmaximum_magf(f32, f32); fminimum_magf(f32, f32); fmaximum_mag_numf(f32, f32); fminimum_mag_numf(f32, f32);
            fmaxmagf(f32, f32); fminmagf(f32, f32);
        }
    };
}

/// What is known of a library function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Function {
    pub name: &'static str,
    /// Width of every argument and of the result, 32 or 64.
    pub width: u16,
    pub arity: usize,
}

mod f64 {
    pub const BITS: u16 = 64;
}
mod f32 {
    pub const BITS: u16 = 32;
}

/// A function of mixed types: its integers and floats travel as doubles.
const fn mixed(name: &'static str, arity: usize) -> Function {
    Function { name, width: 64, arity }
}

macro_rules! describe {
    ($($name:ident($first:ident $(, $rest:ident)*);)*) => {
        &[
            $(Function {
                name: stringify!($name),
                width: $first::BITS,
                arity: 1 + { let rest: &[&str] = &[$(stringify!($rest)),*]; rest.len() },
            },)*
            mixed("ldexp", 2),
            mixed("ilogb", 1),
            mixed("jn", 2),
            mixed("yn", 2),
            mixed("jnf", 2),
            mixed("ynf", 2),
            mixed("fadd", 2),
            mixed("fsub", 2),
            mixed("fmul", 2),
            mixed("fdiv", 2),
            mixed("fsqrt", 1),
            mixed("ffma", 3),
        ]
    };
}

/// Every function that `Op::Call` may name, by number.
pub const LIBRARY: &[Function] = float_functions!(describe);

/// The number of a function, if the list has it.
pub fn number_of(name: &str) -> Option<usize> {
    LIBRARY.iter().position(|function| function.name == name)
}
