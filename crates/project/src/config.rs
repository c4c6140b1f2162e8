//! Where a project is prepared and with what: everything that would otherwise be taken from the process.

use covet_source::Toolchain;
use std::path::PathBuf;

#[derive(Clone, Debug)]
pub struct Config {
    /// Relative paths of sources and flags are meant from here.
    pub directory: PathBuf,
    /// What was compiled or instrumented before is looked for here.
    pub cache: PathBuf,
    pub toolchain: Toolchain,
    /// Names the build of Covet itself: what another one has instrumented is not used.
    pub build_id: String,
}

impl Config {
    pub fn new(directory: impl Into<PathBuf>, cache: impl Into<PathBuf>) -> Config {
        Config {
            directory: directory.into(),
            cache: cache.into(),
            toolchain: Toolchain::default(),
            build_id: build_id(),
        }
    }
}

/// The executable this code is part of, by size and time of its last change.
fn build_id() -> String {
    let ours = std::env::current_exe().ok().and_then(|path| path.metadata().ok());
    ours.map_or_else(String::new, |file| format!("{} {:?}", file.len(), file.modified().ok()))
}
