//! Shadows: which term stands behind a value while the program carries it around.
//!
//! Reading order: [`bytes`] is the shadow of memory, [`access`] loads and stores through it, [`copies`] moves ranges of it,
//! [`indexed`] does both at a symbolic address; [`calls`] and [`variadic`] are the shadows of arguments and results.

pub mod bytes;

pub mod access;
pub mod copies;
pub mod indexed;

pub mod calls;
pub mod variadic;
