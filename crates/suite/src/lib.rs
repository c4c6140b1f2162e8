//! Runs → what people keep: a minimal suite, C tests, replay.

pub mod ctest;
pub mod minimal;
mod native_end;
pub mod replay;
mod report;

pub use minimal::minimise;
pub use native_end::{Expectation, NativeEnd, Returned};
