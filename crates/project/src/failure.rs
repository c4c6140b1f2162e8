//! Why something could not be done, and whose it is to mend. What the tested program does is never a failure.

use covet_compile::Whose;
use std::fmt::Display;
use std::path::Path;

#[derive(Debug)]
pub enum Failure {
    /// The user's input is wrong: message and what to do next.
    User(String),
    /// We failed.
    Tool(String),
    /// The time was up, or an interrupt came, before there was anything to keep.
    Cut(String),
    /// The machine did not give what was needed: a program, a folder, room. Message and what to do next.
    Machine(String),
}

impl Failure {
    /// What is to be said about it.
    pub fn message(&self) -> &str {
        let (Failure::User(message) | Failure::Tool(message) | Failure::Cut(message) | Failure::Machine(message)) =
            self;
        message
    }

    pub fn user(message: impl Display) -> Failure {
        Failure::User(message.to_string())
    }

    pub fn tool(message: impl Display) -> Failure {
        Failure::Tool(message.to_string())
    }

    pub fn machine(message: impl Display) -> Failure {
        Failure::Machine(message.to_string())
    }

    /// A file that cannot be read or written.
    pub fn file(path: &Path) -> impl FnOnce(std::io::Error) -> Failure {
        let path = path.to_owned();
        move |error| Failure::User(format!("{}: {error}", path.display()))
    }
}

impl From<covet_compile::Error> for Failure {
    fn from(error: covet_compile::Error) -> Failure {
        match error.whose() {
            Whose::Users => Failure::user(error),
            Whose::Machines => Failure::machine(error),
            Whose::Ours => Failure::tool(error),
        }
    }
}

impl From<covet_cache::Error> for Failure {
    fn from(error: covet_cache::Error) -> Failure {
        Failure::machine(error)
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
            covet_instrument::Error::Cut => Failure::Cut(error.to_string()),
            covet_instrument::Error::Cache(error) => error.into(),
        }
    }
}

impl From<covet_results::store::Error> for Failure {
    fn from(error: covet_results::store::Error) -> Failure {
        Failure::user(error)
    }
}
