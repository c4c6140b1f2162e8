//! C sources → a prepared program: compiled, linked with the library models, instrumented, every step cached by content; and what one
//! wants to know of it before a run: its entries, its globals, its symbols.
//!
//! Nothing here depends on the current directory, on environment variables or on other state of the process: [`Config`] says all.

mod cache;
mod changes;
mod config;
pub mod entries;
mod examples;
mod failure;
pub mod interface;
mod missing;
pub mod names;
mod prepare;
mod programs;
mod pure;
pub mod recording;
mod symbols;

pub use changes::Changes;
pub use config::Config;
pub use covet_compile::listed_flags;
pub use covet_instrument::Times;
pub use entries::{Entry, HARNESS};
pub use examples::{examples, seeds};
pub use failure::Failure;
pub use prepare::{Compiled, Parts, Prepared, Request, Took, compile, compile_config, prepare, shipped_headers, units};
pub use symbols::Symbols;
