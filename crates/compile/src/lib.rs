//! C project → linked bitcode, and plain builds of the same code.
//!
//! ```text
//! Project ─parse→ models ─drivers→ extended text ─clang→ one bitcode file per unit ─llvm-link→ program.bc
//! ```
//!
//! Every clang result is cached by content and written atomically, so a failed or interrupted build leaves nothing half-written.
//! The user's own files are never changed; drivers reach clang through a file-system overlay.

mod bitcode;
mod clang;
mod conditions;
mod config;
mod database;
mod driver;
mod error;
mod flags;
mod foreign;
mod fresh;
mod link;
mod listed;
mod missing;
mod models;
mod plain;
mod program;
mod project;
mod replaced;
mod stub;

pub use config::{Config, Embedded, Misfits};
pub use driver::{Driver, driver_symbol};
pub use error::{Error, Whose};
pub use flags::{Trust, listed as listed_flags};
pub use plain::{Flavour, PlainBuild, build_plain};
pub use program::{BrokenUnit, CompiledUnit, Program, build};
pub use project::Project;
pub use replaced::{Replaced, Replacements, Units};
pub use stub::{PREAMBLE as STUB_PREAMBLE, Stub};

/// Symbols of functions that assume what the user says begin with this.
const CONDITION_PREFIX: &str = "__covet_assumes_";
/// Those of functions that assume what a stub promises.
const PROMISE_PREFIX: &str = "__covet_promises_";
