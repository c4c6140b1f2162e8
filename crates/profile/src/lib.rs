//! Call profiles: what runs of a program did at its calls → how much functions depend on each other, and states that calls began in.
//!
//! A [`Profile`] is data that outlives a build: it names functions by id, merges, and is read and written as a file. Put to the site map of
//! a build it becomes [`Calls`], of which the published questions are asked: the dependency p(g|f), the extended unit of f, and its calling
//! contexts.

mod calls;
mod context;
mod dependency;
mod file;
mod graph;
mod merge;
mod profile;
mod raw;
mod runtime;
mod state;
mod unit;

pub use calls::Calls;
pub use context::{Contexts, MOST_CONTEXTS, calling_contexts};
pub use dependency::Dependency;
pub use file::Error;
pub use graph::Graph;
pub use profile::{Argument, FunctionProfile, Numbers, Pairing, Pointers, Profile, Run};
pub use raw::{BadRecord, LeftOut, Process, read_process};
pub use runtime::RUNTIME;
pub use state::{Global, Region, State};
pub use unit::{Basis, Relevance, extended_unit};
