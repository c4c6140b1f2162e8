//! A command → a process that ends when it must: at the deadline, at an interrupt, and with the engine, together with everything it
//! has started.
//!
//! [`Program`] is anything that contains the user's code: it runs in a sandbox. [`tool`] runs a compiler or another tool to its end; [`keep`] starts one that is talked to. Nothing else in the engine starts a process.

mod calls;
mod error;
mod files;
mod group;
mod output;
mod program;
mod starter;
mod together;
mod tool;
mod wall;
mod warden;

pub use calls::call_name;
pub use error::Error;
pub use files::SYSTEM;
pub use output::drain;
pub use program::{Bounds, End, Limits, Program, Running};
pub use together::together;
pub use tool::{Kept, Output, keep, tool};
pub use wall::wall;
pub use warden::{Resource, seal};
