//! How long each case took, kept from run to run in the target folder: the slowest start first and are listed at the end.

use crate::case::Case;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Duration;

/// So many of the slowest cases are listed.
const LISTED: usize = 10;

pub struct Times {
    /// Milliseconds by the name of the case, as of the last run that had it.
    before: BTreeMap<String, u64>,
    now: Mutex<BTreeMap<String, u64>>,
}

impl Times {
    /// Nothing is known where there is no file yet.
    pub fn load() -> Times {
        let text = std::fs::read_to_string(file()).unwrap_or_default();
        let entry = |line: &str| {
            let (milliseconds, name) = line.split_once(' ')?;
            Some((name.to_owned(), milliseconds.parse().ok()?))
        };
        Times { before: text.lines().filter_map(entry).collect(), now: Mutex::default() }
    }

    /// What a case took the last time. One that never ran here is taken for the slower the more it is expected to do.
    pub fn before(&self, case: &Case) -> u64 {
        self.before.get(&case.name).copied().unwrap_or_else(|| case.expected_iterations())
    }

    pub fn note(&self, name: &str, time: Duration) {
        let milliseconds = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        self.now.lock().unwrap().insert(name.to_owned(), milliseconds);
    }

    pub fn save(&self) {
        let mut all = self.before.clone();
        all.extend(self.now.lock().unwrap().clone());
        let text: String = all.iter().map(|(name, milliseconds)| format!("{milliseconds} {name}\n")).collect();
        // Only the order of the next run depends on it.
        let _ = std::fs::write(file(), text);
    }

    pub fn slowest(&self) -> String {
        let now = self.now.lock().unwrap();
        let mut all: Vec<(u64, &str)> = now.iter().map(|(name, milliseconds)| (*milliseconds, name.as_str())).collect();
        all.sort_unstable_by(|a, b| b.cmp(a));
        let sum: u64 = all.iter().map(|(milliseconds, _)| milliseconds).sum();
        let mut text = format!(
            "slowest of {} cases ({:.1} s in all, times of all in {}):\n",
            all.len(),
            seconds(sum),
            file().display()
        );
        for (milliseconds, name) in all.iter().take(LISTED) {
            let _ = writeln!(text, "  {:>6.1} s  {name}", seconds(*milliseconds));
        }
        text
    }
}

fn seconds(milliseconds: u64) -> f64 {
    milliseconds as f64 / 1e3
}

fn file() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cases.times")
}
