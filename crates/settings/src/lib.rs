//! `covet.toml` → what the user says about a project and its functions, each thing with the place where it is said.
//!
//! What a file says is checked here as far as the file alone can tell; whether functions and variables of these names exist is for
//! those to say who know the program. `docs/covet-toml.md` describes the format.

mod error;
mod file;
mod find;
mod flags;
mod near;
mod origin;
mod read;
mod signature;

pub use error::Error;
pub use find::{FILE_NAME, find};
pub use near::near;
pub use origin::{Origin, Said};
pub use read::{parse, read};
pub use signature::{Scalar, Signature};

use std::path::{Path, PathBuf};
use wildmatch::WildMatch;

/// A pattern for names: `*` stands for any characters, `?` for one.
pub type Pattern = WildMatch;

/// Everything that one `covet.toml` says.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Where it was read from; none when there is no such file.
    pub file: Option<PathBuf>,
    /// Its text, word for word.
    pub text: String,
    /// Whether the user vouches for the project's files: this one and others that say how to compile it.
    pub trusted: bool,
    /// For clang; paths in them are those of the file's folder.
    pub flags: Vec<String>,
    /// Functions that are not explored on their own.
    pub skip: Vec<Said<Pattern>>,
    /// Functions whose calls give fresh inputs, although they have a body.
    pub stubs: Vec<Said<Pattern>>,
    /// Whether every function may be replaced: which ones are, for whom, is said when the program is there.
    pub stubs_beside_all: bool,
    pub symbolic_globals: Vec<Said<String>>,
    /// Defaults of options of the command line.
    pub options: Vec<Choice>,
    /// Functions of libraries that are nothing but a function of their arguments.
    pub pure: Vec<Said<Signature>>,
    pub made_up: Vec<StubSettings>,
    pub functions: Vec<FunctionSettings>,
}

/// An option of the command line, by its long name.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    pub name: Said<String>,
    pub value: Chosen,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Chosen {
    /// An option without a value, given or not.
    Switch(bool),
    /// A value as it would be typed.
    One(String),
    Many(Vec<String>),
}

/// How the stub of a function behaves.
#[derive(Clone, Debug, PartialEq)]
pub struct StubSettings {
    pub name: Said<String>,
    /// Conditions over its parameters and `result` that hold after each call.
    pub assume: Vec<Said<String>>,
    /// Parameters that it writes through; none said: those that point at numbers.
    pub outputs: Option<Vec<Output>>,
}

/// A pointer parameter that a stub writes through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    pub parameter: Said<String>,
    /// How many elements, as a C expression over the parameters; none said: one.
    pub count: Option<String>,
}

/// What is said about one function.
#[derive(Clone, Debug, PartialEq)]
pub struct FunctionSettings {
    /// `name`, or `file.c:name` where several have that name.
    pub name: Said<String>,
    /// C expressions over its parameters and the globals it can see.
    pub assume: Vec<Said<String>>,
    pub sizes: Vec<(Said<String>, Size)>,
    /// Pointers that callers pass NULL for, and that they do not: `p`, `p->data`.
    pub nullable: Vec<Said<String>>,
    pub nonnull: Vec<Said<String>>,
    pub stubs: Vec<Said<Pattern>>,
    pub symbolic_globals: Vec<Said<String>>,
    pub skip: bool,
    /// Seconds.
    pub time: Option<f64>,
    pub iterations: Option<u64>,
}

/// How many elements a pointer points at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Size {
    Fixed(u64),
    /// As many as this parameter says.
    Parameter(String),
}

impl Settings {
    /// What is said about the function `name` of `file`.
    pub fn function(&self, file: &Path, name: &str) -> Option<&FunctionSettings> {
        self.functions.iter().find(|settings| is_named(&settings.name.value, file, name))
    }

    /// Whether the function is not to be explored on its own.
    pub fn skips(&self, file: &Path, name: &str) -> bool {
        match self.function(file, name) {
            Some(settings) if settings.skip => true,
            Some(_) | None => self.skip.iter().any(|pattern| pattern.value.matches(name)),
        }
    }
}

/// Whether `said`, which may be `file.c:name`, means the function `name` of `file`.
pub fn is_named(said: &str, file: &Path, name: &str) -> bool {
    match said.rsplit_once(':') {
        Some((said_file, said_name)) => said_name == name && file.ends_with(said_file),
        None => said == name,
    }
}
