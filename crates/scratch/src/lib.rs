//! Nothing → a private folder for temporary files, which goes when it is dropped. Those of processes that were killed are swept by the
//! next one.
//!
//! Each folder holds a file that its process keeps locked; the kernel lets go of the lock when the process ends, however it ends. So a
//! folder whose file can be locked belongs to nobody. Numbers of processes would not do: they are given anew, and mean something else
//! in another container.

use std::collections::BTreeSet;
use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use std::time::Duration;
use tempfile::TempDir;

const PREFIX: &str = "covet-scratch-";
const LOCK: &str = ".alive";
/// A folder without a lock is being made, or was left by somebody who was killed while making it.
const BEING_MADE: Duration = Duration::from_secs(600);
/// Folders swept by one process at most: what is left is for the next.
const MOST_SWEPT: usize = 256;

/// The folders of this process.
static LIVING: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// A private temporary folder.
#[derive(Debug)]
pub struct Scratch {
    folder: TempDir,
    /// Locked as long as the folder is in use.
    _lock: File,
}

/// There is no place for temporary files.
#[derive(Debug)]
pub struct Error {
    place: PathBuf,
    source: io::Error,
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Error { place, source } = self;
        write!(
            f,
            "no temporary folder can be made in {}: {source}; let TMPDIR name a folder that can be written",
            place.display()
        )
    }
}

impl std::error::Error for Error {}

impl Scratch {
    /// A fresh folder where the system keeps temporary files. The first one of a process sweeps what others have left there.
    pub fn new() -> Result<Scratch, Error> {
        static SWEPT: Once = Once::new();
        let place = std::env::temp_dir();
        SWEPT.call_once(|| drop(sweep(&place)));
        Scratch::below(&place).map_err(|source| Error { place, source })
    }

    fn below(place: &Path) -> io::Result<Scratch> {
        loop {
            let folder = tempfile::Builder::new().prefix(PREFIX).tempdir_in(place)?;
            let path = folder.path().join(LOCK);
            let lock = File::create(&path)?;
            // Whoever sweeps may have been quicker, in the moment between the two: then there is another one.
            if lock.try_lock().is_ok() && path.exists() {
                living().insert(folder.path().to_owned());
                return Ok(Scratch { folder, _lock: lock });
            }
        }
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        living().remove(self.folder.path());
    }
}

/// Removes all folders of this process, whoever may still use them: for a process that ends without dropping anything.
pub fn remove_all() {
    for folder in std::mem::take(&mut *living()) {
        let _ = std::fs::remove_dir_all(folder);
    }
}

fn living() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    LIVING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the folders of processes that are no more; gives their number.
fn sweep(place: &Path) -> io::Result<usize> {
    let is_ours =
        |path: &PathBuf| path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(PREFIX.as_bytes()));
    let entries = std::fs::read_dir(place)?.filter_map(|entry| entry.ok().map(|entry| entry.path()));
    let left = entries.filter(is_ours).filter(|folder| folder.is_dir() && !folder.is_symlink());
    Ok(left.take(MOST_SWEPT).filter(|folder| remove_if_nobodys(folder)).count())
}

fn remove_if_nobodys(folder: &Path) -> bool {
    let lock = File::open(folder.join(LOCK));
    // The lock is held until the folder is gone: who is just making it sees that.
    is_nobodys(folder, &lock) && std::fs::remove_dir_all(folder).is_ok()
}

fn is_nobodys(folder: &Path, lock: &io::Result<File>) -> bool {
    match lock {
        Ok(lock) => match lock.try_lock() {
            Ok(()) => true,
            Err(TryLockError::WouldBlock | TryLockError::Error(_)) => false,
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let age = folder.metadata().and_then(|about| about.modified()).ok().and_then(|made| made.elapsed().ok());
            age.is_some_and(|age| age > BEING_MADE)
        }
        // Another user's, say.
        Err(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_the_living_stay_and_those_of_the_dead_go() {
        let place = tempfile::tempdir().unwrap();
        let living = Scratch::below(place.path()).unwrap();
        std::fs::write(living.path().join("file"), "text").unwrap();
        let dead = place.path().join("covet-scratch-dead");
        std::fs::create_dir_all(dead.join("deep/er")).unwrap();
        std::fs::write(dead.join(LOCK), "").unwrap();
        let young = place.path().join("covet-scratch-young");
        std::fs::create_dir(&young).unwrap();
        let other = place.path().join("other");
        std::fs::create_dir(&other).unwrap();
        assert_eq!(sweep(place.path()).unwrap(), 1);
        assert!(living.path().join("file").exists() && young.exists() && other.exists() && !dead.exists());
        let path = living.path().to_owned();
        drop(living);
        assert!(!path.exists(), "it goes when it is dropped");
    }

    #[test]
    fn a_place_that_is_not_there_is_told() {
        let place = Path::new("/nowhere/at/all");
        let error = Scratch::below(place).map_err(|source| Error { place: place.to_owned(), source }).unwrap_err();
        assert!(error.to_string().contains("/nowhere/at/all") && error.to_string().contains("TMPDIR"), "{error}");
    }
}
