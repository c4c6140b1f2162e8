//! Records ↔ the results database `results.db` (SQLite, write-ahead log) of an output folder.
//!
//! A command begins a run of its own in the store and appends what it finds as it is found, each time in one transaction; when it is
//! done, its final record takes the place of what it appended and of the runs before. So a reader, or a process killed half-way,
//! sees whole tests only, and earlier results are there until there are new ones. Bits are stored as hexadecimal digits,
//! so 128-bit values survive.
//!
//! The folder is locked while a command writes to it. The layout is numbered: an older one is brought up to date
//! ([`migrate`]), one that cannot be is moved aside with a word about it, a newer one is refused.

mod migrate;
mod read;
mod write;

use crate::record::{Alarm, FunctionResult, Meta, Record, Test};
use covet_sites::SiteMap;
use rusqlite::{Connection, OpenFlags};
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::Duration;

pub use migrate::LAYOUT;

/// Name of the database inside the output folder.
pub const FILE_NAME: &str = "results.db";
/// Held by the command that writes to the folder.
const LOCK_NAME: &str = ".lock";

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{}: there are no results here; run `covet cover` or `covet run` first, or name the folder given to --out", path.display())]
    Missing { path: PathBuf },
    #[error("{}: cannot read or write the results database: {source}; remove the file to start over", path.display())]
    Sqlite { path: PathBuf, source: rusqlite::Error },
    #[error("{}: cannot be written: {source}", path.display())]
    Folder { path: PathBuf, source: std::io::Error },
    #[error("{}: in use by another run of covet; wait for it, or name another folder with --out", path.display())]
    InUse { path: PathBuf },
    #[error("{}: written by another version of covet (layout {found}, this one reads {LAYOUT}); {advice}", path.display())]
    Layout { path: PathBuf, found: i64, advice: &'static str },
    #[error("{}: the results database is damaged: {what}; remove the file and run the command again", path.display())]
    Damaged { path: PathBuf, what: String },
}

/// A results database that a command writes to.
pub struct Store {
    database: Database,
    /// The number of this command's run.
    run: i64,
    /// One of the units appended so far was explored.
    has_found: bool,
    is_finished: bool,
    /// There were no results here before.
    is_new: bool,
    _lock: File,
}

/// A results database to be read.
pub struct Database {
    path: PathBuf,
    connection: Connection,
}

/// What one unit's exploration found since the last time: appended as a whole.
#[derive(Clone, Copy, Debug)]
pub struct Unit<'a> {
    /// Its place among the units.
    pub number: usize,
    /// As far as it is known; takes the place of what was known.
    pub function: &'a FunctionResult,
    /// Those that are new.
    pub tests: &'a [Test],
    /// Every alarm known so far: alarms of several units become one, so the list is not the unit's own.
    pub alarms: &'a [Alarm],
}

/// A goal that the conditions of a nogood rule out, as fingerprints.
pub type StoredNogood = (u128, Vec<u128>);

impl Store {
    /// Begins a run in `folder`, which is made when it is not there. Gives a note when something had to be moved aside.
    pub fn begin(folder: &Path, meta: &Meta, map: &SiteMap) -> Result<(Store, Option<String>), Error> {
        std::fs::create_dir_all(folder).map_err(|source| Error::Folder { path: folder.to_owned(), source })?;
        let lock = lock(folder)?;
        let path = folder.join(FILE_NAME);
        let is_new = !path.exists();
        let note = migrate::make_room(&path)?;
        let connection = Connection::open(&path).map_err(Error::sqlite(&path))?;
        let mut database = Database { path, connection };
        database.configure()?;
        migrate::bring_up_to_date(&mut database)?;
        let run = database.transaction(|to| write::begin(to, meta, map))?;
        Ok((Store { database, run, has_found: false, is_finished: false, is_new, _lock: lock }, note))
    }

    /// Adds what one unit's exploration has found since the last time.
    pub fn append(&mut self, unit: Unit<'_>) -> Result<(), Error> {
        let run = self.run;
        self.database.transaction(|to| write::append(to, run, unit))?;
        self.has_found |= unit.function.failure.is_none();
        Ok(())
    }

    /// The final record of this run: it takes the place of what was appended, and of all runs before.
    pub fn finish(&mut self, record: &Record) -> Result<(), Error> {
        let run = self.run;
        self.database.transaction(|to| write::finish(to, run, record))?;
        self.is_finished = true;
        Ok(())
    }

    /// What earlier runs found to be impossible.
    pub fn nogoods(&self) -> Result<Vec<StoredNogood>, Error> {
        self.database.nogoods()
    }

    /// Removes the database, and the folder with it when nothing else is there.
    fn remove(&mut self) {
        // SQLite tidies up behind itself when a connection is closed.
        if let Ok(nowhere) = Connection::open_in_memory() {
            drop(std::mem::replace(&mut self.database.connection, nowhere));
        }
        let _ = std::fs::remove_file(&self.database.path);
        if let Some(folder) = self.database.path.parent() {
            let _ = std::fs::remove_file(folder.join(LOCK_NAME));
            let _ = std::fs::remove_dir(folder);
        }
    }

    /// Adds to what is known to be impossible. Independent of runs: what is impossible stays so.
    pub fn add_nogoods(&mut self, nogoods: impl Iterator<Item = StoredNogood>) -> Result<(), Error> {
        self.database.transaction(|to| write::nogoods(to, nogoods))
    }
}

impl Drop for Store {
    /// A run in which nothing could be explored leaves the results before it alone, and no trace.
    fn drop(&mut self) {
        if self.is_finished || self.has_found {
            return;
        }
        let run = self.run;
        let _ = self.database.transaction(|to| write::forget(to, run));
        let has_nogoods = self.database.nogoods().is_ok_and(|nogoods| !nogoods.is_empty());
        if self.is_new && !has_nogoods {
            self.remove();
        }
    }
}

impl Database {
    /// Opens the database of an earlier run for reading.
    pub fn open(folder: &Path) -> Result<Database, Error> {
        let path = folder.join(FILE_NAME);
        if !path.is_file() {
            return Err(Error::Missing { path });
        }
        // A reader may have to roll back what a killed writer left, so it opens for writing too.
        let connection = Connection::open_with_flags(&path, OpenFlags::SQLITE_OPEN_READ_WRITE);
        let mut database = Database { connection: connection.map_err(Error::sqlite(&path))?, path };
        migrate::check(&database)?;
        database.configure()?;
        migrate::bring_up_to_date(&mut database)?;
        Ok(database)
    }

    /// The record of the last run that found something.
    pub fn read(&self) -> Result<Record, Error> {
        read::record(self)
    }

    pub fn nogoods(&self) -> Result<Vec<StoredNogood>, Error> {
        read::nogoods(self)
    }

    fn configure(&self) -> Result<(), Error> {
        let configured = self.connection.busy_timeout(Duration::from_secs(10)).and_then(|()| {
            self.connection.pragma_update(None, "journal_mode", "WAL")?;
            // What was committed survives a killed process; only a power cut may cost the last unit.
            self.connection.pragma_update(None, "synchronous", "NORMAL")
        });
        configured.map_err(Error::sqlite(&self.path))
    }

    fn transaction<T>(
        &mut self,
        work: impl FnOnce(&rusqlite::Transaction<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, Error> {
        let failed = Error::sqlite(&self.path);
        let done = (|| {
            let transaction = self.connection.transaction()?;
            let done = work(&transaction)?;
            transaction.commit()?;
            Ok(done)
        })();
        done.map_err(failed)
    }

    fn damaged(&self, what: impl ToString) -> Error {
        Error::Damaged { path: self.path.clone(), what: what.to_string() }
    }
}

impl Error {
    fn sqlite(path: &Path) -> impl FnOnce(rusqlite::Error) -> Error + use<> {
        let path = path.to_owned();
        move |source| Error::Sqlite { path, source }
    }
}

fn lock(folder: &Path) -> Result<File, Error> {
    let path = folder.join(LOCK_NAME);
    let failed = |source| Error::Folder { path: path.clone(), source };
    let file = File::options().create(true).write(true).truncate(false).open(&path).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(Error::InUse { path: folder.to_owned() }),
        Err(TryLockError::Error(source)) => Err(failed(source)),
    }
}
