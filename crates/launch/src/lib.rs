//! A command → a process that ends when it must: at the deadline, at an interrupt, and with the engine, together with everything it
//! has started.
//!
//! [`tool`] runs a compiler or another tool to its end; [`keep`] starts one that is talked to. Nothing else in the engine starts a process.

mod error;
mod group;
mod output;
mod starter;
mod tool;

pub use error::Error;
pub use tool::{Kept, Output, keep, tool};
