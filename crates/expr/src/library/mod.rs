//! Pure functions under [`Op::Call`](covet_abi::node::Op::Call): from number to native call.
//!
//! First come those of the C library, numbered as [`LIBRARY`] is, then those that the user of a program declares to be pure. Both
//! are the very functions that the program under test calls: what is computed here is what the program computes, to the last bit.
//!
//! A [`Library`] belongs to the pools of one program, so two programs with other declarations can be explored side by side.

mod mixed;
mod native;

use crate::term::fingerprint::{hash_name, mix};
use covet_abi::library::LIBRARY;
use native::NATIVE;
use std::any::Any;

pub use native::Native;

/// The functions that terms of a pool may call.
#[derive(Debug, Default)]
pub struct Library {
    declared: Vec<Declared>,
    /// What holds the code of the declared functions.
    _code: Option<Box<dyn Any + Send + Sync>>,
}

/// A function that the user declares to be pure.
#[derive(Clone, Debug)]
pub struct Declared {
    pub name: String,
    /// Its declaration in C, which tells it from another of that name.
    pub prototype: String,
    /// The function as one of doubles.
    pub native: Native,
}

impl Library {
    /// The functions of the C library, and these behind them.
    ///
    /// # Safety
    /// As long as `code` lives, every function of `declared` may be called with any arguments, from any thread, and does nothing but
    /// compute.
    pub unsafe fn new(declared: Vec<Declared>, code: Box<dyn Any + Send + Sync>) -> Library {
        Library { declared, _code: Some(code) }
    }

    /// The name of a function, when there is one of that number.
    pub fn name(&self, number: u64) -> Option<&str> {
        let known = usize::try_from(number).ok().and_then(|number| LIBRARY.get(number)).map(|function| function.name);
        known.or_else(|| self.declared(number).map(|function| &*function.name))
    }

    /// Width and number of arguments of a function, when there is one of that number.
    pub fn shape(&self, number: u64) -> Option<(u16, usize)> {
        self.native(number).map(Native::shape)
    }

    /// The function behind a number, to be called while this library lives.
    pub fn native(&self, number: u64) -> Option<Native> {
        let known = usize::try_from(number).ok().and_then(|number| NATIVE.get(number).copied());
        known.or_else(|| self.declared(number).map(|function| function.native))
    }

    /// The bits that a function gives; those of NaN when there is none of that number.
    pub(crate) fn call(&self, number: u64, arguments: &[u128; 3]) -> u128 {
        match self.native(number) {
            // SAFETY: mathematics of the C library, or declared to be like it (see `new`), whose code lives as long as we do.
            Some(native) => unsafe { native.call(arguments) },
            None => u128::from(f64::NAN.to_bits()),
        }
    }

    /// A number that means this function in every library, wherever it stands there.
    pub(crate) fn identity(&self, number: u64) -> u128 {
        match self.declared(number) {
            Some(function) => mix(hash_name(&function.name), hash_name(&function.prototype)),
            None => {
                let (width, arity) = self.shape(number).unwrap_or_default();
                mix(self.name(number).map_or(0, hash_name), u128::from(width) << 8 | arity as u128)
            }
        }
    }

    fn declared(&self, number: u64) -> Option<&Declared> {
        self.declared.get(usize::try_from(number).ok()?.checked_sub(LIBRARY.len())?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use covet_abi::library::number_of;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    fn bits(x: f64) -> u128 {
        u128::from(x.to_bits())
    }

    fn apply(name: &str, arguments: [u128; 3]) -> u128 {
        Library::default().call(number_of(name).expect("known") as u64, &arguments)
    }

    unsafe extern "C" fn halved(x: f64) -> f64 {
        x / 2.0
    }

    fn library(prototype: &str, code: Box<dyn Any + Send + Sync>) -> Library {
        let declared = Declared { name: "f".into(), prototype: prototype.into(), native: Native::One64(halved) };
        // SAFETY: a function of this program, which only computes.
        unsafe { Library::new(vec![declared], code) }
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

    #[test]
    fn declared_functions_stand_behind_those_of_the_c_library() {
        let library = library("double f(double)", Box::new(()));
        let number = LIBRARY.len() as u64;
        assert_eq!((library.name(number), library.shape(number)), (Some("f"), Some((64, 1))));
        assert_eq!(library.call(number, &[bits(5.0), 0, 0]), bits(2.5));
        assert_eq!(library.name(0), Some(LIBRARY[0].name));
        assert!(library.native(number + 1).is_none() && Library::default().native(number).is_none());
    }

    #[test]
    fn identities_are_of_name_and_prototype() {
        let (one, other) = (library("double f(double)", Box::new(())), library("float f(float)", Box::new(())));
        let number = LIBRARY.len() as u64;
        assert_ne!(one.identity(number), other.identity(number));
        assert_eq!(one.identity(3), other.identity(3));
        assert_ne!(one.identity(3), one.identity(4));
    }

    #[test]
    fn the_code_goes_with_the_last_pool() {
        struct Code(Arc<AtomicBool>);
        impl Drop for Code {
            fn drop(&mut self) {
                self.0.store(true, Ordering::Relaxed);
            }
        }
        let gone = Arc::new(AtomicBool::new(false));
        let shared = Arc::new(library("double f(double)", Box::new(Code(Arc::clone(&gone)))));
        let pools = [crate::Pool::with_library(Arc::clone(&shared)), crate::Pool::with_library(shared)];
        let [first, second] = pools;
        drop(first);
        assert!(!gone.load(Ordering::Relaxed));
        drop(second);
        assert!(gone.load(Ordering::Relaxed));
    }
}
