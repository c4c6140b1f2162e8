//! Terms and an input become bits.
//!
//! [`apply`] says what each operator means on bits ([`float`] for floats). Three ways to use it: [`scalar`] evaluates
//! one term under one input with a memo, [`tape`] one term under many inputs, [`batch`] a tape under a row of inputs at once.

pub mod apply;
pub mod float;

pub mod scalar;

pub mod batch;
pub mod tape;

#[cfg(test)]
mod random;
