//! The loop and its strategies: runs and answers come in, flips and inputs go out, events tell the rest.
//!
//! ```text
//! strategy ─choose→ flips ─queries→ solvers ─inputs→ executor ─runs→ merge ─→ state ─→ strategy
//! ```
//!
//! Nothing here knows LLVM, processes or a terminal: the program is behind [`Executor`], solving behind [`Solver`].

#![warn(clippy::undocumented_unsafe_blocks)]

mod assumptions;
mod boundaries;
mod completeness;
mod edges;
mod engine;
mod execution;
mod leap;
mod lengthen;
mod merge;
mod patience;
mod queries;
mod random;
mod report;
mod shed;
mod state;
mod strategies;
mod strategy;
mod stretch;
mod told;
mod tree;
mod vary;
mod ways;

#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

pub use engine::{Config, DEFAULT_DEPTH, Error, Exploration, Parties, Progress, Until};
pub use execution::{Execution, Executor, Solver};
pub use lengthen::Texts;
pub use queries::{BaseRun, FlipQuery};
pub use random::{Random, random_input};
pub use report::{Event, Figures, Ran, Report, Stopped};
pub use strategy::StrategyName;
pub use ways::{Way, way};
