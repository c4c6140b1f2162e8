//! What can go wrong between a C project and its builds. [`Error::is_users`] tells a wrong input from a failure of ours.

use std::path::{Path, PathBuf};

#[derive(thiserror::Error, Debug)]
pub enum Error {
    /// The C code does not compile or link: what the tool printed, word for word.
    #[error("{stderr}")]
    Clang { file: PathBuf, stderr: String },
    #[error("{path}: no such file or folder")]
    NotFound { path: PathBuf },
    #[error("{path}: not a C file, a folder or a compile_commands.json")]
    NotSource { path: PathBuf },
    #[error("{path}: no C files here")]
    NoSources { path: PathBuf },
    #[error("{path}: {reason}")]
    Database { path: PathBuf, reason: String },
    #[error(
        "'{symbol}' is defined in both {first} and {second}; give the files of one program only, or a compile_commands.json"
    )]
    DefinedTwice { symbol: String, first: PathBuf, second: PathBuf },
    #[error(
        "`{function}` cannot be replaced by a stub: C has no name for one of its types, or it is only known inside its file"
    )]
    NoStub { function: String },
    #[error("cannot run {program}: {source}; run `make deps` or install clang-19 and llvm-19")]
    NoTool { program: PathBuf, source: std::io::Error },
    #[error("{path}: {source}")]
    Io { path: PathBuf, source: std::io::Error },
    #[error(transparent)]
    Cache(covet_cache::Error),
    #[error(transparent)]
    Source(covet_source::Error),
}

impl Error {
    /// True when the input is wrong (the code, a path, a database); false when the tool or the machine failed.
    pub fn is_users(&self) -> bool {
        match self {
            Error::Clang { .. }
            | Error::NotFound { .. }
            | Error::NotSource { .. }
            | Error::NoSources { .. }
            | Error::Database { .. }
            | Error::NoStub { .. }
            | Error::DefinedTwice { .. } => true,
            Error::NoTool { .. } | Error::Io { .. } | Error::Cache(_) => false,
            Error::Source(error) => match error {
                covet_source::Error::Clang { .. } | covet_source::Error::NulInFlag { .. } => true,
                covet_source::Error::NoLibclang { .. }
                | covet_source::Error::NoCompiler { .. }
                | covet_source::Error::Libclang { .. } => false,
            },
        }
    }

    pub(crate) fn io(path: &Path) -> impl FnOnce(std::io::Error) -> Error {
        let path = path.to_owned();
        move |source| Error::Io { path, source }
    }
}

impl From<covet_cache::Error> for Error {
    fn from(error: covet_cache::Error) -> Error {
        Error::Cache(error)
    }
}

impl From<covet_source::Error> for Error {
    fn from(error: covet_source::Error) -> Error {
        match error {
            covet_source::Error::Clang { file, stderr } => Error::Clang { file, stderr },
            covet_source::Error::NoLibclang { .. }
            | covet_source::Error::NoCompiler { .. }
            | covet_source::Error::Libclang { .. }
            | covet_source::Error::NulInFlag { .. } => Error::Source(error),
        }
    }
}
