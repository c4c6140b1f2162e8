//! A program put in the place of another, and back.

use crate::failure::Failure;
use std::path::{Path, PathBuf};

/// While this lives, another program is where the user's was.
pub struct InPlace {
    place: PathBuf,
    /// The user's own, when there was one.
    aside: Option<PathBuf>,
}

impl InPlace {
    pub fn put(program: &Path, place: &Path) -> Result<InPlace, Failure> {
        let mut name = place.as_os_str().to_owned();
        name.push(".covet-saved");
        let aside = PathBuf::from(name);
        if aside.exists() {
            // One that was killed over its command.
            std::fs::rename(&aside, place).map_err(Failure::file(&aside))?;
        }
        let aside = match place.exists() {
            true => {
                std::fs::rename(place, &aside).map_err(Failure::file(place))?;
                Some(aside)
            }
            false => None,
        };
        let in_place = InPlace { place: place.to_owned(), aside };
        // On failure what was there comes back with the drop.
        std::fs::copy(program, place).map_err(Failure::file(place))?;
        Ok(in_place)
    }
}

impl Drop for InPlace {
    fn drop(&mut self) {
        let back = match &self.aside {
            Some(aside) => std::fs::rename(aside, &self.place),
            None => std::fs::remove_file(&self.place),
        };
        if let Err(error) = back {
            tell!("note: {} is still the recorded program: {error}", self.place.display());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_there_comes_back() {
        let folder = tempfile::tempdir().unwrap();
        let (ours, place) = (folder.path().join("ours"), folder.path().join("tool"));
        std::fs::write(&ours, "ours").unwrap();
        let read = || std::fs::read_to_string(&place).unwrap_or_default();
        drop(InPlace::put(&ours, &place).unwrap());
        assert!(!place.exists());
        std::fs::write(&place, "theirs").unwrap();
        let held = InPlace::put(&ours, &place).unwrap();
        assert_eq!(read(), "ours");
        std::mem::forget(held);
        let held = InPlace::put(&ours, &place).unwrap();
        assert_eq!(read(), "ours");
        drop(held);
        assert_eq!(read(), "theirs", "also after one that was killed");
    }
}
