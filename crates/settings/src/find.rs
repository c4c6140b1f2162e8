//! Sources → the `covet.toml` that speaks of them: in their folder, or the nearest folder above it.

use crate::Error;
use std::path::{Path, PathBuf};

pub const FILE_NAME: &str = "covet.toml";

/// The file for all of `sources` (files or folders), if there is one.
pub fn find(sources: &[PathBuf]) -> Result<Option<PathBuf>, Error> {
    let mut found: Option<PathBuf> = None;
    for file in sources.iter().filter_map(|source| above(source)) {
        match &found {
            Some(first) if *first != file => return Err(Error::Several { first: first.clone(), second: file }),
            Some(_) | None => found = Some(file),
        }
    }
    Ok(found)
}

fn above(source: &Path) -> Option<PathBuf> {
    let path = std::fs::canonicalize(source).ok()?;
    let start = if path.is_dir() { path.as_path() } else { path.parent()? };
    start.ancestors().map(|folder| folder.join(FILE_NAME)).find(|file| file.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_file_above_counts_and_two_are_one_too_many() {
        let folder = tempfile::tempdir().unwrap();
        let root = std::fs::canonicalize(folder.path()).unwrap();
        std::fs::create_dir_all(root.join("a/deep")).unwrap();
        std::fs::create_dir_all(root.join("b")).unwrap();
        for file in ["a/deep/x.c", "b/y.c", "covet.toml", "a/covet.toml"] {
            std::fs::write(root.join(file), "").unwrap();
        }
        let of = |names: &[&str]| find(&names.iter().map(|name| root.join(name)).collect::<Vec<_>>());
        assert_eq!(of(&["a/deep/x.c"]).unwrap(), Some(root.join("a/covet.toml")));
        assert_eq!(of(&["b", "."]).unwrap(), Some(root.join("covet.toml")));
        assert!(matches!(of(&["a", "b"]), Err(Error::Several { .. })));
    }
}
