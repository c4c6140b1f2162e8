//! An entry and its sums: a line for each file with its hash, its length and its path.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// The file with the sums, written when the others are.
pub const SUMS: &str = "sum";

/// Why an entry cannot be used.
pub enum Wrong {
    Missing,
    Damaged(&'static str),
}

/// Writes the sums of everything in `folder`.
pub fn seal(folder: &Path) -> io::Result<()> {
    let mut lines = String::new();
    for file in files(folder)? {
        let name = file.strip_prefix(folder).unwrap_or(&file).to_string_lossy().into_owned();
        lines += &format!("{} {} {name}\n", hash(&file)?, file.metadata()?.len());
    }
    let own = blake3::hash(lines.as_bytes()).to_hex();
    fs::write(folder.join(SUMS), format!("{own}\n{lines}"))
}

/// Compares an entry with its sums.
pub fn check(folder: &Path) -> Result<(), Wrong> {
    // In this order: an entry that is put in its place between the two steps has its sums.
    folder.symlink_metadata().map_err(|_| Wrong::Missing)?;
    let sums = fs::read_to_string(folder.join(SUMS)).map_err(|_| Wrong::Damaged("it has no sums"))?;
    let (own, lines) = sums.split_once('\n').ok_or(Wrong::Damaged("its sums are cut off"))?;
    if own != blake3::hash(lines.as_bytes()).to_hex().as_str() {
        return Err(Wrong::Damaged("its sums are not as they were written"));
    }
    for line in lines.lines() {
        let mut words = line.splitn(3, ' ');
        let (Some(expected), Some(length), Some(name)) = (words.next(), words.next(), words.next()) else {
            return Err(Wrong::Damaged("its sums are not readable"));
        };
        let file = folder.join(name);
        let has_length = file.metadata().is_ok_and(|found| found.len().to_string() == length);
        if !has_length || !hash(&file).is_ok_and(|found| found == expected) {
            return Err(Wrong::Damaged("a file is not as it was written"));
        }
    }
    Ok(())
}

/// Notes that an entry was used. Once an hour is enough.
pub fn touch(folder: &Path) {
    const OFTEN: Duration = Duration::from_secs(3600);
    let sums = folder.join(SUMS);
    let is_recent = used(folder).elapsed().is_ok_and(|age| age < OFTEN);
    if !is_recent && let Ok(file) = File::options().append(true).open(sums) {
        let _ = file.set_modified(SystemTime::now());
    }
}

/// When an entry was used last.
pub fn used(folder: &Path) -> SystemTime {
    folder.join(SUMS).metadata().and_then(|file| file.modified()).unwrap_or(SystemTime::UNIX_EPOCH)
}

/// Bytes of an entry.
pub fn size(folder: &Path) -> u64 {
    let sizes = files(folder).unwrap_or_default().into_iter().filter_map(|file| Some(file.metadata().ok()?.len()));
    sizes.sum()
}

fn hash(file: &Path) -> io::Result<String> {
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(File::open(file)?)?;
    Ok(hasher.finalize().to_hex().to_string())
}

/// All files below `folder`, in order of their paths, without the sums.
fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            match entry.file_type()?.is_dir() {
                true => folders.push(entry.path()),
                false => found.push(entry.path()),
            }
        }
    }
    found.retain(|file| *file != folder.join(SUMS));
    found.sort();
    Ok(found)
}
