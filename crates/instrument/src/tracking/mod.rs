//! What the rewriting inserts: shadows of values, guards that look at them, and the hooks of the runtime that guards call.

pub mod guards;
pub mod hooks;
pub mod shadow;
