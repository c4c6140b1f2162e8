//! From a query to an answer: an input that takes another path, a proof that there is none, or neither.
//!
//! A [`Query`](covet_expr::query::Query) is a path prefix that holds on a base input, concretization constraints, and a goal. [`Solver::solve`] slices it to what the
//! goal depends on and asks its tiers, cheapest first:
//!
//! | tier | how it answers | may say Unsat |
//! |---|---|---|
//! | `cache` | the same slice was asked before | yes |
//! | `inputs` | takes over the slice's values from earlier answers | no |
//! | `nearest` | changes one variable of the goal to the nearest value that makes it true | no |
//! | `interval` | intersects the ranges that conditions on the goal's own term leave | yes |
//! | `order` | follows `<` and `<=` from term to term | only that |
//! | `boundary` | changes one variable to a value where some condition on it turns | no |
//! | `enumerate` | tries all values of a slice of at most 16 bits | yes |
//! | `special` | corner values, values made of the constants at hand, bisection | no |
//! | `search` | local search: inverts what is violated, keeps what comes nearer | no |
//! | `walk` | Concolic Walk over floats and library calls, a short one | no |
//! | `linear` | Z3 over integers, for what is linear; its model must pass evaluation | where nothing can wrap round |
//! | `smt` | Z3 over bit-vectors and floats, incremental; then once more from scratch with more effort | yes |
//! | `long-walk` | Concolic Walk over anything, a long one | no |
//!
//! The last four are a portfolio (`portfolio.rs`): over floats and calls they are asked in the order of measured success.
//!
//! Every Sat is checked by evaluation before it leaves. This crate never sees a trace.
//!
//! To be read in this order: `solver` (the whole story), `slice` (what of a query counts), `ladder` with `known` answers, the `tiers` and their
//! `portfolio`; then what tiers share: `domain` (values a variable may have), `invert` (a goal backwards), `model` (answers checked
//! and minimised) and the SMT `backends`.

#![warn(clippy::undocumented_unsafe_blocks)]

mod config;
mod solver;
mod statistics;

mod slice;
mod slice_query;

mod ippc;
mod known;
mod ladder;
mod portfolio;
mod tiers;

mod domain;
mod invert;
mod model;

pub mod backends;
mod circuit_size;

#[cfg(test)]
mod tests;

pub use config::{Config, Mode};
pub use covet_walk as walk;
pub use known::nogoods::{Nogood, Nogoods};
pub use slice::{Slice, slice};
pub use solver::Solver;
pub use statistics::{Statistics, TierStatistics};
pub use tiers::{TierName, TierSet};
