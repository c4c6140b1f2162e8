//! What is wrong with a `covet.toml`: always the user's to mend, so every message says where and what to do next.

use crate::Origin;
use crate::origin::line_around;
use std::ops::Range;
use std::path::{Path, PathBuf};

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{}: error: cannot be read: {source}", path.display())]
    Unreadable { path: PathBuf, source: std::io::Error },
    /// Place, message, and the line with what is meant underlined.
    #[error("{origin}: error: {message}\n{shown}")]
    Wrong { origin: Origin, message: String, shown: String },
    #[error(
        "error: the sources have different settings, {} and {}; choose one with `--config FILE`",
        first.display(),
        second.display()
    )]
    Several { first: PathBuf, second: PathBuf },
}

impl Error {
    pub(crate) fn at(path: &Path, text: &str, span: Range<usize>, message: impl Into<String>) -> Error {
        let origin = Origin::of(path, text, span.start);
        let (line, within) = line_around(text, &span);
        let before = line[..within.start].chars().count();
        let marked = line[within].chars().count().max(1);
        let shown = format!("    {line}\n    {}{}", " ".repeat(before), "^".repeat(marked));
        Error::Wrong { origin, message: message.into(), shown }
    }
}
