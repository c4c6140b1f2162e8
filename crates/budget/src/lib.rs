//! What a command may use → how much of it is left. Nothing here knows what it is used for.

#![warn(clippy::undocumented_unsafe_blocks)]

mod deadline;
mod memory;

pub use deadline::Deadline;
pub use memory::Memory;
