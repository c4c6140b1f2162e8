//! What a command may use → how much of it is left. Nothing here knows what it is used for.

mod deadline;

pub use deadline::Deadline;
