//! Runs → what people keep: a minimal suite, C tests, replay.

pub mod ctest;
pub mod ending;
pub mod minimal;
pub mod replay;

pub use ending::Ending;
pub use minimal::minimise;
