//! Benchmarks and soaks of Covet itself, run by hand through `covet bench NAME`. Results are data; the command line prints them.

mod apt;
pub mod bugs;
pub mod build;
mod child;
mod command;
mod csmith;
pub mod emitted;
pub mod ippc;
pub mod mutants;
pub mod packages;
mod pair;
pub mod projects;
pub mod promises;
mod run;
pub mod semantics;
pub mod speed;
mod subject;
pub mod walk;

/// A benchmark that could not be carried out: what, and what to do about it.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{program} cannot be started ({reason}); `make deps` installs what is missing")]
    Missing { program: String, reason: std::io::Error },
    #[error("{0}")]
    Compile(#[from] covet_compile::Error),
    #[error("{}", .0.message())]
    Failed(covet_project::Failure),
    #[error("{0}")]
    Execute(#[from] covet_execute::Error),
    #[error("{context}: {reason}")]
    File { context: String, reason: std::io::Error },
    #[error("{0}")]
    Unexpected(String),
}

impl From<covet_project::Failure> for Error {
    fn from(failure: covet_project::Failure) -> Error {
        Error::Failed(failure)
    }
}

impl Error {
    fn file(context: impl std::fmt::Display) -> impl FnOnce(std::io::Error) -> Error {
        let context = context.to_string();
        move |reason| Error::File { context, reason }
    }
}
