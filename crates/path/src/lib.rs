//! From a run's trace to its path condition.
//!
//! ```text
//! arena + events ─ Importer ─→ terms ─ PathCondition::of ─→ conditions
//! ```
//!
//! This crate never runs a program and never solves.

#![warn(clippy::undocumented_unsafe_blocks)]

mod arena;
mod importer;
mod shape;

mod condition;
mod verify;

pub mod text;

#[cfg(test)]
mod tests;

pub use arena::{Arena, ImportError};
pub use condition::{Condition, NoCases, PathCondition, SwitchCases, TraceError, differs, equals, none_of};
pub use importer::Importer;
pub use verify::{Verification, verify};
