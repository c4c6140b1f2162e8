//! Real bugs that Debian packages carry patches for: `covet hunt` on the tree before the patch and on the one with it → which of them are
//! found, how far the alarm can be believed, and what is said of code that is right.
//!
//! The whole package is the project, so that callers are there; the functions that the patch changes are hunted, each for the same time. The
//! command is the real one and is judged from outside. What came out is kept, bug by bug and way by way.

mod hunted;
mod judged;
mod kept;
mod patches;
mod table;
mod text;
mod totals;
mod trees;
mod ways;

pub use hunted::{Hunted, Reached, Sighting};
pub use judged::{Instead, Judged, Wrong, judge};
pub use table::{Bug, Kind, bugs};
pub use text::{json, markdown, text};
pub use totals::{Totals, totals};
pub use ways::{ABLATIONS, OURS, PUBLISHED, Way};

use crate::Error;
use crate::command::Place;
use covet_budget::Deadline;
use kept::Kept;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use trees::{Pair, Trees};

#[derive(Clone, Debug)]
pub struct Config {
    /// The `covet` to be judged.
    pub covet: PathBuf,
    /// Where trees and results are kept.
    pub folder: PathBuf,
    /// Where lists of packages are kept.
    pub apt: PathBuf,
    /// Seconds for each function.
    pub seconds: f64,
    /// Bugs at a time.
    pub jobs: usize,
    /// Whether what is kept is hunted again.
    pub again: bool,
}

/// One bug in one way.
#[derive(Clone, Debug)]
pub struct Row {
    pub bug: Bug,
    pub way: Way,
    /// Why there is nothing to judge, where there is not.
    pub judged: Result<Judged, String>,
}

/// Hunts every bug in every way, several at a time; rows come in the order of `wanted`.
pub fn measure(wanted: &[(Bug, Way)], config: &Config, deadline: &Deadline, done: impl Fn(&Row) + Sync) -> Vec<Row> {
    let trees = Trees::new(&config.folder, &config.apt);
    let waiting: Mutex<VecDeque<usize>> = Mutex::new((0..wanted.len()).collect());
    let rows: Mutex<Vec<(usize, Row)>> = Mutex::new(Vec::new());
    let work = || {
        while let Some(at) = waiting.lock().unwrap_or_else(PoisonError::into_inner).pop_front() {
            if deadline.is_over() {
                return;
            }
            let (bug, way) = &wanted[at];
            let judged = one(bug, *way, &trees, config).map_err(|error| error.to_string());
            let row = Row { bug: bug.clone(), way: *way, judged };
            done(&row);
            rows.lock().unwrap_or_else(PoisonError::into_inner).push((at, row));
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..config.jobs.max(1) {
            scope.spawn(work);
        }
    });
    let mut rows = rows.into_inner().unwrap_or_else(PoisonError::into_inner);
    rows.sort_by_key(|(at, _)| *at);
    rows.into_iter().map(|(_, row)| row).collect()
}

/// What is kept, or both trees hunted.
fn one(bug: &Bug, way: Way, trees: &Trees, config: &Config) -> Result<Judged, Error> {
    let results = config.folder.join("results").join(format!("{:02}-{}-{}", bug.number, bug.package, way.name));
    if let Some(kept) = Kept::read(&results, config.seconds).filter(|_| !config.again) {
        return Ok(judge(bug, &kept.buggy, &kept.fixed));
    }
    let Pair { buggy, fixed } = trees.pair(bug)?;
    let hunt = |name: &str, tree: &Path| hunt(bug, way, tree, &results.join(name), config);
    let kept = Kept::new(bug, config.seconds, hunt("buggy", &buggy)?, hunt("fixed", &fixed)?);
    kept.write(&results)?;
    Ok(judge(bug, &kept.buggy, &kept.fixed))
}

/// A command that takes so many times what it was given for exploring hangs; compiling comes on top.
const PATIENCE: f64 = 5.0;
const COMPILING: f64 = 1800.0;

fn hunt(bug: &Bug, way: Way, tree: &Path, folder: &Path, config: &Config) -> Result<Hunted, Error> {
    let _ = std::fs::remove_dir_all(folder);
    // What was compiled once serves all ways and, where trees are shared, other bugs.
    let place = Place::around(&config.covet, folder, tree, &config.folder.join("cache"))?;
    let (out, each) = (place.out(), config.seconds.to_string());
    let mut arguments: Vec<String> =
        ["hunt", ".", "--json", "--show", "all", "--no-official"].map(str::to_owned).into();
    arguments.extend(["--out", &out.to_string_lossy(), "--time-each", &each].map(str::to_owned));
    for function in &bug.functions {
        arguments.extend(["--function".to_owned(), format!("{}:{function}", bug.file)]);
    }
    arguments.extend(way.options.iter().map(|option| (*option).to_owned()));
    arguments.push("--".to_owned());
    arguments.extend(bug.flags.iter().cloned());
    let limit = config.seconds * bug.functions.len() as f64 * PATIENCE + COMPILING;
    let observed = place.run(&arguments, Duration::from_secs_f64(limit))?;
    if observed.seconds > limit {
        return Err(Error::Unexpected(format!("it was ended after {limit:.0} s: {}", observed.last_words())));
    }
    if !matches!(observed.exit, Some(0 | 1)) {
        return Err(Error::Unexpected(format!("{}: {}", observed.end(), observed.last_words())));
    }
    Ok(hunted::hunted(&observed.summary, observed.seconds, tree))
}
