//! Jobs → outcomes: explorations of a prepared program with real workers and solvers, what they find confirmed natively, measured and
//! kept. What a front end needs besides arguments and a way to show things.
//!
//! Reading order: a [`Job`] is told to an [`Explorer`], which gives an [`Outcome`]; a [`Campaign`] does many jobs and makes one record
//! of them; [`replay`] runs its tests again; a [`Probe`] makes one run to look at.

mod alarms;
mod calls;
mod campaign;
mod carved;
mod clock;
mod collect;
mod confirm;
mod early;
mod event;
mod executor;
mod explore;
mod hunt;
mod job;
mod journal;
mod judge;
mod nogoods;
mod notes;
mod official;
mod outcome;
mod phases;
mod plan;
mod probe;
pub mod recorded;
mod replay;
mod rounds;
mod seeds;
pub mod since;
mod solver;
mod told;
mod turns;
mod underway;
mod verdicts;

pub use campaign::Campaign;
pub use event::{Event, Phase, Ran, Sink};
pub use explore::Explorer;
pub use hunt::{Hunt, KnownCalls, Sought, TAU, UnitChoice};
pub use job::{
    Allocations, Budget, Config, Elements, Environment, First, Globals, Goals, Inputs, Job, MOST_INPUTS, RunConfig,
    Scope, SolverConfig, TIME_FOR_ONE,
};
pub use outcome::Outcome;
pub use probe::Probe;
pub use replay::{Debuggable, Replayed, debuggable, replay};
