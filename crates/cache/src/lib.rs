//! What a result is made from → the result, kept in a folder for the next time.
//!
//! ```text
//! entries/3f/c01d.../          named by everything that went into it ([`Key`])
//!     module.bc                what was made
//!     sum                      its files with their lengths and hashes; changed last when it was used last
//! entries/unfinished-.../      being made; renamed into place when it is whole
//! lock                         held by all who use the folder, and alone by who takes entries away
//! placing                      held by who puts an entry in its place
//! ```
//!
//! An entry is checked against its sums when it is used: one that was cut off, changed or is somebody else's is made again and replaced.
//! Several commands may use one folder: whoever is second with an entry takes that of the first.

mod entry;
mod key;
mod lock;
mod upkeep;

pub use key::Key;
pub use upkeep::{Info, Removed, clear, info, trim};

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use lock::Shared;

/// The cache cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{}: {source}; the cache is kept below XDG_CACHE_HOME or ~/.cache, and must be writable", path.display())]
pub struct Error {
    pub path: PathBuf,
    pub source: std::io::Error,
}

impl Error {
    fn at(path: &Path) -> impl FnOnce(std::io::Error) -> Error {
        let path = path.to_owned();
        move |source| Error { path, source }
    }
}

/// A folder of entries. While one of these lives, nobody takes entries away.
#[derive(Clone, Debug)]
pub struct Cache {
    entries: PathBuf,
    /// Entries that were checked already.
    checked: Arc<Mutex<HashSet<PathBuf>>>,
    _lock: Arc<Shared>,
}

impl Cache {
    /// Opens the cache at `root`; made when missing.
    pub fn open(root: &Path) -> Result<Cache, Error> {
        let entries = root.join("entries");
        fs::create_dir_all(&entries).map_err(Error::at(&entries))?;
        let root = fs::canonicalize(root).map_err(Error::at(root))?;
        let lock = lock::share(&root)?;
        Ok(Cache { entries: root.join("entries"), checked: Arc::default(), _lock: lock })
    }

    /// The folder that all of it is in.
    pub fn root(&self) -> &Path {
        self.entries.parent().unwrap_or(&self.entries)
    }

    /// The folder for `key`, filled by `make` unless it is there.
    pub fn folder<E: From<Error>>(&self, key: &Key, make: impl FnOnce(&Path) -> Result<(), E>) -> Result<PathBuf, E> {
        let name = key.name();
        let shelf = self.entries.join(&name[..2]);
        let path = shelf.join(&name[2..]);
        if self.is_there(&path) {
            return Ok(path);
        }
        let unfinished = tempfile::Builder::new().prefix(upkeep::UNFINISHED).tempdir_in(&self.entries);
        let unfinished = unfinished.map_err(Error::at(&self.entries))?;
        make(unfinished.path())?;
        entry::seal(unfinished.path()).map_err(Error::at(unfinished.path()))?;
        fs::create_dir_all(&shelf).map_err(Error::at(&shelf))?;
        self.place(unfinished, &path)?;
        Ok(path)
    }

    /// Puts what was made in its place, unless someone else was faster. One at a time: a damaged entry is never taken for a new one.
    fn place(&self, made: tempfile::TempDir, path: &Path) -> Result<(), Error> {
        let _placing = lock::place(self.root())?;
        if self.is_there(path) {
            return Ok(());
        }
        let _ = fs::remove_dir_all(path).or_else(|_| fs::remove_file(path));
        fs::rename(made.path(), path).map_err(Error::at(path))?;
        let _ = made.keep();
        Ok(())
    }

    /// The file for `key`, made by `make` (which writes to the path it is given) unless it is there.
    pub fn file<E: From<Error>>(
        &self,
        key: &Key,
        extension: &str,
        make: impl FnOnce(&Path) -> Result<(), E>,
    ) -> Result<PathBuf, E> {
        let name = format!("file.{extension}");
        let folder = self.folder(key, |folder| make(&folder.join(&name)))?;
        Ok(folder.join(name))
    }

    /// A file holding `content`, named by it.
    pub fn bytes(&self, purpose: &str, extension: &str, content: &[u8]) -> Result<PathBuf, Error> {
        let key = Key::new(purpose).with(content);
        self.file(&key, extension, |path| fs::write(path, content).map_err(Error::at(path)))
    }

    /// A folder holding `files` (path below it, content), named by their content.
    pub fn files(&self, purpose: &str, files: &[(&str, &[u8])]) -> Result<PathBuf, Error> {
        let key = Key::new(purpose).with_all(files.iter().flat_map(|(name, content)| [name.as_bytes(), content]));
        self.folder(&key, |folder| {
            for (name, content) in files {
                let file = folder.join(name);
                let parent = file.parent().unwrap_or(folder);
                fs::create_dir_all(parent).map_err(Error::at(parent))?;
                fs::write(&file, content).map_err(Error::at(&file))?;
            }
            Ok(())
        })
    }

    /// Whether an entry is there and whole.
    fn is_there(&self, path: &Path) -> bool {
        let mut checked = self.checked.lock().unwrap_or_else(PoisonError::into_inner);
        if checked.contains(path) {
            return true;
        }
        match entry::check(path) {
            Ok(()) => {
                entry::touch(path);
                checked.insert(path.to_owned());
                true
            }
            Err(entry::Wrong::Missing) => false,
            Err(entry::Wrong::Damaged(what)) => {
                tracing::debug!(entry = %path.display(), what, "a damaged entry of the cache is made again");
                false
            }
        }
    }
}
