//! Tests → plain C programs that compile with `cc` and check themselves.

mod access;
mod body;
mod build;
mod literal;
mod marks;
mod mock;
mod object;
mod program;
mod raw;
mod reachable;
mod replaced;
mod variadic;
mod zero;

pub use build::{Build, BuildError, Flavour, Step};
pub use program::{Settings, Sources, Stub, TestProgram, programs, write};
pub use replaced::Replaced;
