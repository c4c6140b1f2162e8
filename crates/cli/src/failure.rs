//! Why a command could not do its work, and the exit code that says so. What the tested program does is never a failure.

use std::fmt::Display;
use std::path::Path;
use std::process::ExitCode;

#[derive(Debug)]
pub enum Failure {
    /// The user's input is wrong: message and what to do next.
    User(String),
    /// We, or the machine, failed.
    Tool(String),
}

pub const FOUND: u8 = 1;
pub const WRONG_INPUT: u8 = 2;
pub const TOOL_FAILED: u8 = 3;
pub const INTERRUPTED: u8 = 130;

impl Failure {
    pub fn user(message: impl Display) -> Failure {
        Failure::User(message.to_string())
    }

    pub fn tool(message: impl Display) -> Failure {
        Failure::Tool(message.to_string())
    }

    /// A file that cannot be read or written.
    pub fn file(path: &Path) -> impl FnOnce(std::io::Error) -> Failure {
        let path = path.to_owned();
        move |error| Failure::User(format!("{}: {error}", path.display()))
    }

    /// Tells the user, on standard error.
    pub fn report(&self) -> ExitCode {
        match self {
            Failure::User(message) => {
                // Compiler messages speak for themselves.
                let prefix = if message.contains("error:") { "" } else { "error: " };
                eprintln!("{prefix}{}", message.trim_end());
                ExitCode::from(WRONG_INPUT)
            }
            Failure::Tool(message) => {
                eprintln!("covet failed: {}", message.trim_end());
                eprintln!("If this looks like a bug, please report it with the command line and the source file.");
                ExitCode::from(TOOL_FAILED)
            }
        }
    }
}

impl From<covet_compile::Error> for Failure {
    fn from(error: covet_compile::Error) -> Failure {
        if error.is_users() { Failure::user(error) } else { Failure::tool(error) }
    }
}

impl From<covet_settings::Error> for Failure {
    fn from(error: covet_settings::Error) -> Failure {
        Failure::user(error)
    }
}

impl From<covet_instrument::Error> for Failure {
    fn from(error: covet_instrument::Error) -> Failure {
        match error {
            covet_instrument::Error::Linker(_) => Failure::user(error),
            covet_instrument::Error::Bitcode { .. }
            | covet_instrument::Error::Link(_)
            | covet_instrument::Error::Target(_)
            | covet_instrument::Error::Passes(_)
            | covet_instrument::Error::Broken { .. }
            | covet_instrument::Error::Write { .. } => Failure::tool(error),
        }
    }
}

impl From<covet_suite::database::Error> for Failure {
    fn from(error: covet_suite::database::Error) -> Failure {
        Failure::user(error)
    }
}

impl From<covet_execute::Error> for Failure {
    fn from(error: covet_execute::Error) -> Failure {
        Failure::tool(error)
    }
}

impl From<covet_explore::Error> for Failure {
    fn from(error: covet_explore::Error) -> Failure {
        Failure::tool(error)
    }
}
