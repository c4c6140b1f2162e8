//! Tests → plain C programs that compile with `cc` and check themselves.

mod sources;

mod access;
mod body;
mod data;
pub(crate) mod literal;
mod marks;
mod mock;
mod object;
mod variadic;
mod watch;

mod build;
mod heap;
mod program;
mod replacements;

pub use body::unit_of;
pub use build::{Build, BuildError, Compilation, Flavour, make_shared};
pub use program::{MEMORY, Settings, TestProgram, programs, write};
pub use replacements::Replacement;
pub use sources::{Sources, StubText};
pub use watch::{Root, Watched};
