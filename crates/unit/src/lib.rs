//! A function's type becomes the plan by which its arguments are built: which memory objects there are, what points
//! where, and which scalars are input variables.
//!
//! A [`Blueprint`] is made once per entry; [`Blueprint::steps`] gives the steps for one input, since pointers are choices that the
//! input makes. Variables are named by their access path. This crate knows types, not runs and not solvers.

mod blueprint;
mod function;
mod globals;
mod layout;
mod program;

pub use blueprint::{Blueprint, Pointee};
pub use function::{FunctionSetup, plan_function};
pub use globals::{GlobalPlace, add_global};
pub use layout::Limits;
pub use program::{ProgramSetup, plan_harness, plan_program};

#[cfg(test)]
mod testing;
