//! The records of processes → one profile, while the command goes on: what a process has left is read and removed when it is over, so
//! that thousands of them need no more room than a few.

use covet_profile::{Profile, read_process};
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

const LOOK: Duration = Duration::from_millis(200);

pub struct Collector {
    is_over: Arc<AtomicBool>,
    thread: JoinHandle<Collected>,
}

#[derive(Default)]
struct Collected {
    profile: Profile,
    full: u64,
    broken: u64,
}

impl Collector {
    /// Looks after the folder `records`; functions are named from `root`.
    pub fn start(records: &Path, root: &Path) -> Collector {
        let is_over = Arc::new(AtomicBool::new(false));
        let (flag, records, root) = (Arc::clone(&is_over), records.to_owned(), root.to_string_lossy().into_owned());
        let thread = std::thread::spawn(move || {
            let mut collected = Collected::default();
            while !flag.load(Ordering::Acquire) {
                collected.take(&records, &root, false);
                std::thread::park_timeout(LOOK);
            }
            // Whatever is still running has its record as it is.
            collected.take(&records, &root, true);
            collected
        });
        Collector { is_over, thread }
    }

    /// What was recorded, and what a person should know about it.
    pub fn finish(self) -> (Profile, Vec<String>) {
        self.is_over.store(true, Ordering::Release);
        self.thread.thread().unpark();
        let Collected { profile, full, broken } = self.thread.join().unwrap_or_default();
        let mut notes = Vec::new();
        if full > 0 {
            notes.push(format!("{full} processes did more than there is room for in a record; the rest is left out"));
        }
        if broken > 0 {
            notes.push(format!("{broken} records end early: their processes were killed over them"));
        }
        (profile, notes)
    }
}

impl Collected {
    fn take(&mut self, records: &Path, root: &str, all: bool) {
        let mut files: Vec<PathBuf> =
            std::fs::read_dir(records).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
        files.sort_unstable();
        for file in files {
            if !all && !is_free(&file) {
                continue;
            }
            if let Some(process) = std::fs::read(&file).ok().and_then(|bytes| read_process(&bytes, root).ok()) {
                self.profile.merge(&process.profile);
                self.full += u64::from(process.left_out.is_full);
                self.broken += u64::from(process.left_out.is_broken);
            }
            let _ = std::fs::remove_file(&file);
        }
    }
}

/// Its process, and all children that share it, are gone: the kernel has let go of their lock.
fn is_free(file: &Path) -> bool {
    let Ok(open) = File::open(file) else { return false };
    // One that is empty is only just being made.
    let is_begun = open.metadata().is_ok_and(|about| about.len() > 0);
    is_begun && !matches!(open.try_lock(), Err(TryLockError::WouldBlock))
}
