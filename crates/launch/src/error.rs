//! Why a process could not be started or did not come to its end. What it printed or returned is never an error here.

use std::io;
use std::path::PathBuf;

#[derive(thiserror::Error, Debug)]
pub enum Error {
    #[error("{} is not there", program.display())]
    Missing { program: PathBuf },
    #[error("{} cannot be started: {source}", program.display())]
    Refused { program: PathBuf, source: io::Error },
    /// Cut at the deadline or by an interrupt; also when it was not even begun for that reason.
    #[error("{} was stopped: the time was up", program.display())]
    Cut { program: PathBuf },
    #[error("{} was stopped: it printed more than {limit} bytes", program.display())]
    TooMuchOutput { program: PathBuf, limit: usize },
    #[error("{} cannot be watched: {source}", program.display())]
    Watch { program: PathBuf, source: io::Error },
}

impl Error {
    pub(crate) fn starting(program: PathBuf, source: io::Error) -> Error {
        match source.kind() {
            io::ErrorKind::NotFound => Error::Missing { program },
            _ => Error::Refused { program, source },
        }
    }

    /// Whether time, not the tool, was the reason.
    pub fn is_cut(&self) -> bool {
        match self {
            Error::Cut { .. } => true,
            Error::Missing { .. } | Error::Refused { .. } | Error::TooMuchOutput { .. } | Error::Watch { .. } => false,
        }
    }
}
