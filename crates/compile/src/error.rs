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
    #[error("{path}: this name is not UTF-8 text, so neither flags nor tests can spell it; rename it")]
    NotText { path: PathBuf },
    #[error("{path}: {reason}")]
    Database { path: PathBuf, reason: String },
    #[error("'{symbol}' is defined in both {first} and {second}; {}", two_programs(symbol, first))]
    DefinedTwice { symbol: String, first: PathBuf, second: PathBuf },
    #[error(
        "`{function}` cannot be replaced by a stub: C has no name for one of its types, or it is only known inside its file"
    )]
    NoStub { function: String },
    #[error("cannot run {program}: {source}; run `make deps` or install clang-19 and llvm-19")]
    NoProgram { program: PathBuf, source: std::io::Error },
    #[error("{0}; run `make deps` or install clang-19 and llvm-19")]
    Tool(#[from] covet_launch::Error),
    #[error("{path}: {source}")]
    Io { path: PathBuf, source: std::io::Error },
    #[error(transparent)]
    Cache(covet_cache::Error),
    #[error(transparent)]
    NoScratch(#[from] covet_scratch::Error),
    #[error(transparent)]
    Source(covet_source::Error),
}

/// What to do about a symbol that two files define.
fn two_programs(symbol: &str, first: &Path) -> String {
    match symbol {
        "main" => format!(
            "these are two programs: choose one by the file of its `main`, as in `--program {}`, or give the files of one only",
            first.display()
        ),
        _ => "one program has one: give the files of one program only, or take `covet cover`, which keeps them apart"
            .into(),
    }
}

/// Whose it is to mend.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Whose {
    /// The input is wrong: the code, a path, a database.
    Users,
    /// A program, a folder or room is missing.
    Machines,
    Ours,
}

impl Error {
    pub fn whose(&self) -> Whose {
        match self {
            Error::Clang { .. }
            | Error::NotFound { .. }
            | Error::NotSource { .. }
            | Error::NoSources { .. }
            | Error::NotText { .. }
            | Error::Database { .. }
            | Error::NoStub { .. }
            | Error::DefinedTwice { .. } => Whose::Users,
            Error::NoProgram { .. } | Error::Tool(_) | Error::NoScratch(_) | Error::Cache(_) | Error::Io { .. } => {
                Whose::Machines
            }
            Error::Source(error) => match error {
                covet_source::Error::Clang { .. } | covet_source::Error::NulInFlag { .. } => Whose::Users,
                covet_source::Error::NoLibclang { .. } | covet_source::Error::NoCompiler { .. } => Whose::Machines,
                covet_source::Error::Libclang { .. } => Whose::Ours,
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
