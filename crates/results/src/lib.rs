//! What was found → typed records, and the results database that holds them.
//!
//! A [`Record`] is plain data; how its runs were found is not known here.

pub mod database;
pub mod json;
pub mod record;

pub use database::Database;
pub use record::{Alarm, Frame, Meta, Outcome, Record, Sanitizer, Test};
