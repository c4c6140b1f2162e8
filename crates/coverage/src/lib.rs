//! Runs and the site map become coverage: which branches and statements of the user's program were executed.
//!
//! While exploring, coverage is a set of counters ([`Covered`]) read through the site map ([`Scope`]). The numbers a
//! report claims come from others: [`official`] reads what llvm-cov says of a replay on a plain build. Nothing here
//! runs a solver or decides what to explore.

mod covered;
mod criterion;
pub mod official;
mod scope;
mod statements;

pub use covered::Covered;
pub use criterion::Criterion;
pub use scope::{Count, Scope, Summary};
pub use statements::executed_lines;
