//! From a run's trace to its path condition.
//!
//! ```text
//! arena + events ─ Importer ─→ terms ─ PathCondition::of ─→ conditions ─ alternatives ─→ what to ask the solver
//!                                                               └─ decisions ─ Prediction::check ─→ followed or diverged
//! ```
//!
//! This crate never runs a program and never solves.

mod arena;
mod importer;
mod shape;

mod condition;
mod decision;
mod prediction;
mod verify;

pub mod text;

#[cfg(test)]
mod tests;

pub use arena::{Arena, ImportError};
pub use condition::{Alternative, Condition, NoCases, PathCondition, SwitchCases, TraceError};
pub use decision::{Decision, Outcome};
pub use importer::Importer;
pub use prediction::{Expected, Prediction, Verdict};
pub use verify::{Verification, verify};
