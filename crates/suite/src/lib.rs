//! Runs → what people keep: a minimal suite, C tests, replay.

pub mod ctest;
pub mod minimal;
pub mod observe;
pub mod replay;

pub use minimal::minimise;
pub use replay::{Expectation, NativeEnd, Returned};
