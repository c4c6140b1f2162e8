//! A function's type becomes the plan by which its arguments are built: which memory objects there are, what points
//! where, and which scalars are input variables.
//!
//! A [`Blueprint`] is made once per entry; [`Blueprint::steps`] gives the steps for one input, since pointers are choices that the
//! input makes, and [`Blueprint::shape`] says what it chose. Variables are named by their access path. This crate knows types, not
//! runs and not solvers.

mod environment;

mod blueprint;
mod ends;
mod entry;
mod invariants;
mod layout;
mod shape;

pub use blueprint::Blueprint;
pub use entry::{
    Freedom, GlobalPlace, ProgramSetup, add_global, add_refusals, add_surroundings, plan_function, plan_harness,
    plan_program,
};
pub use environment::{Limits, Sizes, Start, UnitEnvironment};
pub use invariants::{Invariant, invariants};
pub use shape::{Assumed, Fault, FaultSort, Grounds, Matter, Seen, Shape};

#[cfg(test)]
mod testing;
