//! Runs → what people keep: the results database, a minimal suite, C tests, replay.
//!
//! A [`Record`] is plain data; how its runs were found is not known here.

pub mod ctest;
pub mod database;
pub mod ending;
pub mod json;
pub mod minimal;
pub mod record;
pub mod replay;

pub use database::Database;
pub use ending::Ending;
pub use minimal::minimise;
pub use record::{Alarm, Frame, Meta, Outcome, Record, Sanitizer, Test};
