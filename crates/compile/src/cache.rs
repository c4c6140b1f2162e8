//! A folder of files named by what they were made from.
//!
//! A file is written under another name and renamed into place, so a file that exists is whole, whoever else writes at the
//! same time.

use std::fs;
use std::path::{Path, PathBuf};

use crate::Error;

#[derive(Clone, Debug)]
pub struct Cache {
    root: PathBuf,
}

/// Names a result by everything that went into it.
pub struct Key(blake3::Hasher);

impl Key {
    pub fn new(purpose: &str) -> Key {
        Key(blake3::Hasher::new()).with(purpose.as_bytes())
    }

    /// Adds one ingredient. Each is preceded by its length, so that ingredients cannot run into each other.
    pub fn with(mut self, part: &[u8]) -> Key {
        self.0.update(&(part.len() as u64).to_le_bytes());
        self.0.update(part);
        self
    }

    pub fn with_all<T: AsRef<[u8]>>(self, parts: impl IntoIterator<Item = T>) -> Key {
        parts.into_iter().fold(self, |key, part| key.with(part.as_ref()))
    }

    fn name(&self) -> String {
        self.0.finalize().to_hex()[..40].to_owned()
    }
}

impl Cache {
    pub fn open(root: &Path) -> Result<Cache, Error> {
        fs::create_dir_all(root).map_err(Error::io(root))?;
        let root = fs::canonicalize(root).map_err(Error::io(root))?;
        Ok(Cache { root })
    }

    /// Where all of its files are.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The file for `key`, made by `make` (which writes to the path it is given) unless it is there.
    pub fn file(
        &self,
        key: &Key,
        extension: &str,
        make: impl FnOnce(&Path) -> Result<(), Error>,
    ) -> Result<PathBuf, Error> {
        let name = key.name();
        let folder = self.root.join(&name[..2]);
        let path = folder.join(format!("{}.{extension}", &name[2..]));
        if path.exists() {
            return Ok(path);
        }
        fs::create_dir_all(&folder).map_err(Error::io(&folder))?;
        let unfinished = tempfile::Builder::new()
            .prefix("unfinished-")
            .suffix(&format!(".{extension}"))
            .tempfile_in(&folder)
            .map_err(Error::io(&folder))?;
        make(unfinished.path())?;
        unfinished
            .into_temp_path()
            .persist(&path)
            .map_err(|error| Error::Io { path: path.clone(), source: error.error })?;
        Ok(path)
    }

    /// A file holding `content`, named by it.
    pub fn bytes(&self, purpose: &str, extension: &str, content: &[u8]) -> Result<PathBuf, Error> {
        let key = Key::new(purpose).with(content);
        self.file(&key, extension, |path| fs::write(path, content).map_err(Error::io(path)))
    }

    /// A folder holding `files` (path below it, content), named by their content.
    pub fn folder(&self, purpose: &str, files: &[(&str, &[u8])]) -> Result<PathBuf, Error> {
        let key = Key::new(purpose).with_all(files.iter().flat_map(|(name, content)| [name.as_bytes(), content]));
        let path = self.root.join(format!("{purpose}-{}", key.name()));
        if path.exists() {
            return Ok(path);
        }
        let unfinished = tempfile::tempdir_in(&self.root).map_err(Error::io(&self.root))?;
        for (name, content) in files {
            let file = unfinished.path().join(name);
            let parent = file.parent().unwrap_or(unfinished.path());
            fs::create_dir_all(parent).map_err(Error::io(parent))?;
            fs::write(&file, content).map_err(Error::io(&file))?;
        }
        match fs::rename(unfinished.path(), &path) {
            // Someone else was faster with the same content.
            Err(_) if path.exists() => Ok(path),
            Err(source) => Err(Error::Io { path, source }),
            Ok(()) => Ok(path),
        }
    }
}
