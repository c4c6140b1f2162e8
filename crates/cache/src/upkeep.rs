//! The cache as a whole: how large it is, what goes when it is too large, and all of it when asked.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::{Error, entry, lock};

/// Entries that are being made begin with this.
pub const UNFINISHED: &str = "unfinished-";

/// How often the size is looked at.
const OFTEN: Duration = Duration::from_secs(600);

/// What is in a cache.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Info {
    pub entries: usize,
    pub bytes: u64,
    /// Whether a command uses it at this moment.
    pub in_use: bool,
}

/// What was taken away.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Removed {
    pub entries: usize,
    pub bytes: u64,
    /// Nothing, because a command uses the cache.
    pub in_use: bool,
}

pub fn info(root: &Path) -> Result<Info, Error> {
    if !root.exists() {
        return Ok(Info::default());
    }
    let all = entries(root);
    let bytes = all.iter().map(|entry| entry.bytes).sum();
    let in_use = lock::alone(root)?.is_none();
    Ok(Info { entries: all.len(), bytes, in_use })
}

/// Takes everything away, unless a command uses it.
pub fn clear(root: &Path) -> Result<Removed, Error> {
    if !root.exists() {
        return Ok(Removed::default());
    }
    let Some(_lock) = lock::alone(root)? else { return Ok(Removed { in_use: true, ..Removed::default() }) };
    sweep(root);
    Ok(remove(entries(root).iter()))
}

/// Takes away what was used longest ago until no more than `limit` bytes are left, and what killed commands have left behind. Looks now and
/// then, and only while no command uses the cache.
pub fn trim(root: &Path, limit: u64) -> Result<Removed, Error> {
    let stamp = root.join("trimmed");
    let looked = stamp.metadata().and_then(|file| file.modified());
    let is_recent = looked.is_ok_and(|moment| moment.elapsed().is_ok_and(|age| age < OFTEN));
    if is_recent || !root.exists() {
        return Ok(Removed::default());
    }
    let Some(_lock) = lock::alone(root)? else { return Ok(Removed { in_use: true, ..Removed::default() }) };
    fs::write(&stamp, "").map_err(Error::at(&stamp))?;
    sweep(root);
    let mut all = entries(root);
    all.sort_by_key(|entry| entry.used);
    let mut left: u64 = all.iter().map(|entry| entry.bytes).sum();
    if left <= limit {
        return Ok(Removed::default());
    }
    // Somewhat less, so that it is not time again at once.
    let wanted = limit / 10 * 9;
    let old: Vec<&Found> = all
        .iter()
        .take_while(|entry| {
            let is_too_much = left > wanted;
            left = left.saturating_sub(entry.bytes);
            is_too_much
        })
        .collect();
    let removed = remove(old.into_iter());
    tracing::debug!(entries = removed.entries, bytes = removed.bytes, "old entries of the cache are gone");
    Ok(removed)
}

struct Found {
    path: PathBuf,
    bytes: u64,
    used: SystemTime,
}

fn entries(root: &Path) -> Vec<Found> {
    let shelves = below(&root.join("entries")).into_iter().filter(|path| !is_unfinished(path));
    let found = |path: PathBuf| Found { bytes: entry::size(&path), used: entry::used(&path), path };
    shelves.flat_map(|shelf| below(&shelf)).map(found).collect()
}

fn remove<'f>(entries: impl Iterator<Item = &'f Found>) -> Removed {
    let mut removed = Removed::default();
    for entry in entries {
        if fs::remove_dir_all(&entry.path).or_else(|_| fs::remove_file(&entry.path)).is_ok() {
            removed.entries += 1;
            removed.bytes += entry.bytes;
        }
    }
    removed
}

/// Removes what was being made when its maker was killed: nobody uses the cache now.
fn sweep(root: &Path) {
    for path in below(&root.join("entries")).into_iter().filter(|path| is_unfinished(path)) {
        let _ = fs::remove_dir_all(path);
    }
}

fn is_unfinished(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(UNFINISHED))
}

fn below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    entries.filter_map(|entry| Some(entry.ok()?.path())).collect()
}
