//! The site map: what the counters and events of an instrumented program mean in the source.
//!
//! `instrument` writes it beside the executable; everyone else reads it without needing LLVM. Inside one build things are called by
//! dense numbers ([`numbers`]); what outlives a build calls them by ids ([`ids`]).

pub mod cfg;
mod decisions;
mod ids;
mod map;
mod numbers;
#[cfg(any(test, feature = "testing"))]
pub mod testing;

pub use decisions::{
    ConditionInfo, ConditionVector, Conditions, DecisionInfo, DecisionLeftOut, MOST_VECTORS, Next, Test, WhyLeftOut,
};
pub use ids::{BadId, DecisionId, FunctionId, Ids, SiteId};
pub use map::{BlockInfo, Callee, Edge, FunctionInfo, GlobalInfo, SiteInfo, SiteKind, SiteMap};
pub use numbers::{Counter, DecisionNumber, FunctionNumber, SiteNumber, VectorNumber};
