//! Runs and the site map become coverage: which goals of the user's program were met.
//!
//! While exploring, goals are a [`GoalSet`]: branch outcomes, lines and violations, read through the site map from the counters that runs
//! bump ([`Covered`]). The numbers a report claims come from others: [`official`] reads what llvm-cov says of a replay on a plain build.
//! Nothing here runs a solver or decides what to explore.

mod count;
mod covered;
mod criterion;
mod goal;
mod goals;
pub mod mcdc;
pub mod official;

#[cfg(test)]
mod testing;

pub use count::{Count, Summary};
pub use covered::Covered;
pub use criterion::Criterion;
pub use goal::{Goal, GoalId, GoalKind};
pub use goals::{Gain, GoalSet, NoSuchGoal, Run};
