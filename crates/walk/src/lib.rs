//! Path conditions that no theory decides → inputs, by search: the Concolic Walk.
//!
//! Every term can be evaluated, library calls included, so every condition can say how far a point is from satisfying it.
//! A [`Problem`] splits the conditions into linear ones, whose solutions form a polytope, and the rest; a walk inside the
//! polytope follows the error scores of the rest. [`Variant::Paper`] is the published algorithm; [`Variant::Ours`] keeps the frame and
//! takes better steps. What is found is a solution; that nothing is found means nothing.
//!
//! To be read in this order: `walk` (the way in), `problem` (what conditions become), `evaluate` (points become scores, interpreted or
//! compiled), `start` (where to begin), `search` (our steps) and `published` (the paper's, and its baselines).

#![warn(clippy::undocumented_unsafe_blocks)]

mod config;
mod random;
mod walk;

mod problem;

mod evaluate;

mod start;

mod search;

mod published;

#[cfg(test)]
mod tests;

pub use config::{Config, Variant};
pub use evaluate::speed::{Speed, speed};
pub use problem::Problem;
pub use problem::space::{Kind, Point, Variable};
pub use problem::theory::Theories;
pub use walk::{Walk, WalkResult};
