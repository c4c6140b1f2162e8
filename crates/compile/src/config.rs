//! What a build needs to know besides the project: tools, cache, and the C text that comes with Covet.

use std::collections::BTreeSet;
use std::path::PathBuf;

use covet_settings::Settings;
use covet_source::Toolchain;

/// A header that Covet brings along.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Embedded {
    /// Path below the include folder.
    pub name: String,
    pub text: String,
}

/// What to do with a unit that does not compile, or that defines a symbol an earlier one has, as the programs of one project do
/// with `main`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Misfits {
    /// Say what is wrong with it and stop.
    Refuse,
    /// Refuse what does not compile; a symbol defined for the second time is its file's own.
    KeepApart,
    /// The same, but go on without what does not compile and report the reason.
    LeaveOut,
}

#[derive(Clone, Debug)]
pub struct Config {
    pub toolchain: Toolchain,
    /// The cache folder; made when missing.
    pub cache: PathBuf,
    /// Clang processes at a time.
    pub jobs: usize,
    pub misfits: Misfits,
    /// Whether what is defined nowhere becomes a symbolic stub.
    pub stubs: bool,
    /// Names of functions that get a stub beside them whether or not the settings want one; see [`crate::Replacements`].
    pub replaceable: BTreeSet<String>,
    /// What the user says about the program's functions.
    pub settings: Settings,
    /// Headers every unit can include: `covet.h`, `klee/klee.h`.
    pub headers: Vec<Embedded>,
}

impl Config {
    /// Debian's LLVM 19, a job per processor, the headers of this version.
    pub fn new(cache: impl Into<PathBuf>) -> Config {
        Config {
            toolchain: Toolchain::default(),
            cache: cache.into(),
            jobs: std::thread::available_parallelism().map_or(2, usize::from),
            misfits: Misfits::Refuse,
            stubs: false,
            replaceable: BTreeSet::new(),
            settings: Settings::default(),
            headers: embedded(covet_models::HEADERS),
        }
    }
}

fn embedded(files: &[(&str, &str)]) -> Vec<Embedded> {
    files.iter().map(|(name, text)| Embedded { name: (*name).to_owned(), text: (*text).to_owned() }).collect()
}
