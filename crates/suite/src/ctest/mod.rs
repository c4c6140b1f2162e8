//! Tests → plain C programs that compile with `cc` and check themselves.

mod sources;

mod access;
mod body;
mod literal;
mod marks;
mod mock;
mod object;
mod variadic;

mod build;
mod program;
mod replacements;

pub use build::{Build, BuildError, Compilation, Flavour};
pub use program::{Settings, TestProgram, programs, write};
pub use replacements::Replacement;
pub use sources::{Sources, StubText};
