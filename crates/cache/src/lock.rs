//! Who uses the cache, and who may take something away from it.

use std::collections::BTreeMap;
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use crate::Error;

/// The file that is locked by those who use a cache.
const USERS: &str = "lock";

/// A share in the lock of a cache, the same for all of this process.
#[derive(Debug)]
pub struct Shared(#[expect(dead_code, reason = "the lock is held while the file is open")] File);

/// Of each cache, the share that this process has.
static HELD: Mutex<BTreeMap<PathBuf, Weak<Shared>>> = Mutex::new(BTreeMap::new());

/// Takes part in using the cache at `root`: waits while somebody takes entries away.
pub fn share(root: &Path) -> Result<Arc<Shared>, Error> {
    let mut held = HELD.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = held.get(root).and_then(Weak::upgrade) {
        return Ok(known);
    }
    let file = open(root, USERS)?;
    file.lock_shared().map_err(Error::at(root))?;
    let shared = Arc::new(Shared(file));
    held.insert(root.to_owned(), Arc::downgrade(&shared));
    Ok(shared)
}

/// The cache at `root` for ourselves alone while the result lives; none when somebody uses it.
pub fn alone(root: &Path) -> Result<Option<File>, Error> {
    let file = open(root, USERS)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(source)) => Err(Error::at(root)(source)),
    }
}

/// The right to put an entry in its place, for one at a time while the result lives.
pub fn place(root: &Path) -> Result<File, Error> {
    let file = open(root, "placing")?;
    file.lock().map_err(Error::at(root))?;
    Ok(file)
}

fn open(root: &Path, name: &str) -> Result<File, Error> {
    let path = root.join(name);
    File::options().create(true).append(true).open(&path).map_err(Error::at(&path))
}
