//! What two hunts of a bug showed ↔ a file, so that a measurement that was broken off goes on where it was.

use super::hunted::Hunted;
use super::table::Bug;
use crate::Error;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};

/// The results of one bug in one way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Kept {
    schema: String,
    /// For people who look at the file.
    package: String,
    patch: String,
    /// Seconds for each function.
    seconds_each: f64,
    pub buggy: Hunted,
    pub fixed: Hunted,
}

const SCHEMA: &str = "covet/bench/bugs/kept/1";

impl Kept {
    pub fn new(bug: &Bug, seconds_each: f64, buggy: Hunted, fixed: Hunted) -> Kept {
        let (package, patch) = (bug.package.clone(), bug.patch.clone());
        Kept { schema: SCHEMA.to_owned(), package, patch, seconds_each, buggy, fixed }
    }

    /// None where there is nothing, nothing that can be read, or something that had another time.
    pub fn read(results: &Path, seconds_each: f64) -> Option<Kept> {
        let text = fs::read_to_string(file(results)).ok()?;
        let kept: Kept = serde_json::from_str(&text).ok()?;
        (kept.schema == SCHEMA && kept.seconds_each == seconds_each).then_some(kept)
    }

    pub fn write(&self, results: &Path) -> Result<(), Error> {
        let (file, text) = (file(results), serde_json::json!(self).to_string());
        let unfinished = file.with_extension("unfinished");
        fs::write(&unfinished, text).map_err(Error::file(unfinished.display()))?;
        fs::rename(&unfinished, &file).map_err(Error::file(file.display()))
    }
}

fn file(results: &Path) -> PathBuf {
    results.join("kept.json")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bugs::bugs;

    #[test]
    fn what_was_hunted_is_not_hunted_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let bug = bugs().into_iter().next().expect("a bug");
        let hunted = Hunted { seconds: 0.1, ..Hunted::default() };
        let kept = Kept::new(&bug, 30.0, hunted.clone(), hunted);
        assert_eq!(Kept::read(folder.path(), 30.0), None);
        kept.write(folder.path()).expect("a file");
        assert_eq!(Kept::read(folder.path(), 30.0), Some(kept));
        // With another time it may come out otherwise.
        assert_eq!(Kept::read(folder.path(), 10.0), None);
        fs::write(file(folder.path()), "{").expect("a file");
        assert_eq!(Kept::read(folder.path(), 30.0), None);
    }
}
