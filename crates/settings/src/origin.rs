//! Where in a file something is said.

use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// A place in a file, for messages: `covet.toml:3:10`. Lines and columns count from 1.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Origin {
    pub file: PathBuf,
    pub line: u32,
    pub column: u32,
}

impl Origin {
    /// The place of byte `at` of `text`, which is that of `file`.
    pub(crate) fn of(file: &Path, text: &str, at: usize) -> Origin {
        let before = &text.as_bytes()[..at.min(text.len())];
        let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
        let line = before.iter().filter(|byte| **byte == b'\n').count() as u32 + 1;
        Origin { file: file.to_owned(), line, column: (before.len() - start) as u32 + 1 }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}:{}", self.file.display(), self.line, self.column)
    }
}

/// Something said, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said<T> {
    pub value: T,
    pub origin: Origin,
}

/// The text of the line that holds `span`, and `span` within that line.
pub(crate) fn line_around(text: &str, span: &Range<usize>) -> (String, Range<usize>) {
    let at = span.start.min(text.len());
    let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let end = text[at..].find('\n').map_or(text.len(), |newline| at + newline);
    (text[start..end].to_owned(), at - start..span.end.clamp(at, end) - start)
}
