//! Pure library functions under [`covet_abi::node::Op::Call`]: from number to native call.
//!
//! The numbering is [`covet_abi::node::LIBRARY`]; a number is callable when its name is known here.

use covet_abi::node::LIBRARY;

type Function = fn(f64, f64) -> f64;

/// How many arguments function `number` takes, or `None` when it cannot be called.
pub(crate) fn arity(number: u64) -> Option<usize> {
    find(number).map(|(arity, _)| arity)
}

/// The bits of the double that the function gives.
pub(crate) fn call(number: u64, arguments: &[u128; 3]) -> u128 {
    let argument = |i: usize| f64::from_bits(arguments[i] as u64);
    match find(number) {
        Some((_, function)) => u128::from(function(argument(0), argument(1)).to_bits()),
        None => u128::from(f64::NAN.to_bits()),
    }
}

fn find(number: u64) -> Option<(usize, Function)> {
    by_name(LIBRARY.get(usize::try_from(number).ok()?)?)
}

fn by_name(name: &str) -> Option<(usize, Function)> {
    let function: (usize, Function) = match name {
        "sin" => (1, |x, _| x.sin()),
        "cos" => (1, |x, _| x.cos()),
        "tan" => (1, |x, _| x.tan()),
        "asin" => (1, |x, _| x.asin()),
        "acos" => (1, |x, _| x.acos()),
        "atan" => (1, |x, _| x.atan()),
        "atan2" => (2, f64::atan2),
        "sinh" => (1, |x, _| x.sinh()),
        "cosh" => (1, |x, _| x.cosh()),
        "tanh" => (1, |x, _| x.tanh()),
        "exp" => (1, |x, _| x.exp()),
        "exp2" => (1, |x, _| x.exp2()),
        "expm1" => (1, |x, _| x.exp_m1()),
        "log" => (1, |x, _| x.ln()),
        "log2" => (1, |x, _| x.log2()),
        "log10" => (1, |x, _| x.log10()),
        "log1p" => (1, |x, _| x.ln_1p()),
        "pow" => (2, f64::powf),
        "cbrt" => (1, |x, _| x.cbrt()),
        "hypot" => (2, f64::hypot),
        _ => return None,
    };
    Some(function)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_numbered_function_is_callable() {
        assert!(LIBRARY.iter().all(|name| by_name(name).is_some()));
    }

    #[test]
    fn functions_are_the_native_ones() {
        let (arity, pow) = by_name("pow").expect("known");
        assert_eq!((arity, pow(2.0, 10.0)), (2, 1024.0));
        assert!(by_name("no such function").is_none());
    }
}
