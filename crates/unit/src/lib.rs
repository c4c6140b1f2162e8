//! A function's type becomes the plan by which its arguments are built: which memory objects there are, what points
//! where, and which scalars are input variables.
//!
//! A [`Blueprint`] is made once per entry; [`Blueprint::steps`] gives the steps for one input, since pointers are choices that the
//! input makes, and [`Blueprint::shape`] says what it chose. Variables are named by their access path. This crate knows types, not
//! runs and not solvers.

mod assumptions;
mod blueprint;
mod function;
mod globals;
mod layout;
mod lengths;
mod limits;
mod program;
mod restore;
mod shape;
mod sizes;
mod spans;
mod streams;
mod targets;
mod variadic;

pub use assumptions::Fault;
pub use blueprint::{Blueprint, Surroundings};
pub use function::plan_function;
pub use globals::{GlobalPlace, add_global};
pub use limits::{Limits, Start};
pub use program::{ProgramSetup, plan_harness, plan_program};
pub use shape::Shape;
pub use sizes::Sizes;

#[cfg(test)]
mod testing;
