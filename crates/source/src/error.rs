//! What can go wrong between a C file and its model.

use std::path::PathBuf;

#[derive(thiserror::Error, Debug)]
pub enum Error {
    /// The C code does not compile: what clang printed, word for word.
    #[error("{stderr}")]
    Clang { file: PathBuf, stderr: String },
    #[error("cannot load libclang 19 (tried {tried}): {reason}; run `make deps` or install libclang-19-dev")]
    NoLibclang { tried: String, reason: String },
    #[error("{source}; run `make deps` or install clang-19")]
    NoCompiler { source: covet_launch::Error },
    #[error("{file}: libclang gave up (code {code}) on a file that clang compiles; please report this")]
    Libclang { file: PathBuf, code: i32 },
    #[error("{file}: a flag or path holds a NUL character")]
    NulInFlag { file: PathBuf },
}
