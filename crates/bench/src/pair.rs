//! A C file becomes what the benchmarks compare: the plain program and the instrumented one.

use crate::Error;
use crate::subject::Subject;
use covet_project::{Config, Parts};
use std::path::{Path, PathBuf};

pub struct Pair {
    pub subject: Subject,
    pub plain: PathBuf,
}

/// Builds both versions of `file` in `folder`. `cache` is shared between benchmarks.
pub fn pair(file: &Path, flags: &[String], cache: &Path, folder: &Path) -> Result<Pair, Error> {
    let config = Config::new(folder, cache);
    let subject = Subject::prepare(&config, vec![file.to_owned()], flags.to_vec(), Parts::All)?;
    let plain = folder.join("plain");
    subject.build_plain(&plain)?;
    Ok(Pair { subject, plain })
}
