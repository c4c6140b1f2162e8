//! What is entered becomes a blueprint: a function with its arguments and globals, a whole program, a fuzz harness.

mod function;
mod globals;
mod program;
mod variadic;

pub use function::plan_function;
pub use globals::{Freedom, GlobalPlace, add_global};
pub use program::{ProgramSetup, add_refusals, add_surroundings, plan_harness, plan_program};
pub(crate) use variadic::Variadic;
