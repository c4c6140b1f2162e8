//! Programs that try to break what Covet promises → which promises held. Every command is judged from outside: its time, the memory of all
//! its processes, its words, what it left behind.

mod demands;
mod moments;
mod programs;

pub use programs::names;

use crate::Error;
use crate::command::{self, Observed, Place};
use covet_budget::Deadline;
use demands::Demands;
use programs::Subject;
use serde_json::Value as Json;
use std::path::PathBuf;
use std::time::Duration;

/// A command that takes so long hangs, whatever its budget.
const HANGS: Duration = Duration::from_secs(120);

#[derive(Clone, Debug)]
pub struct Config {
    /// The `covet` to be judged.
    pub covet: PathBuf,
    pub scratch: PathBuf,
    /// Only these programs; all when empty.
    pub names: Vec<String>,
    /// A few programs of each promise, and two moments instead of twenty.
    pub quick: bool,
}

/// What became of one program.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    pub promise: String,
    pub program: String,
    pub seconds: f64,
    /// Seconds that it may take, where it has a budget.
    pub allowed: Option<f64>,
    /// Most memory that all its processes held at once, in MiB.
    pub peak: u64,
    pub stopped: String,
    /// Branches covered, of all.
    pub branches: (u64, u64),
    pub tests: u64,
    /// Promises that did not hold.
    pub broken: Vec<String>,
}

/// Runs every program and tells each as it ends.
pub fn promises(config: &Config, deadline: &Deadline, mut told: impl FnMut(&Row)) -> Result<Vec<Row>, Error> {
    let mut rows = Vec::new();
    for subject in programs::chosen(config) {
        if deadline.is_over() {
            break;
        }
        let place = Place::new(&config.covet, &config.scratch, subject.name)?;
        let row = judge(&subject, &place)?;
        told(&row);
        rows.push(row);
    }
    for (name, signals) in moments::KINDS {
        if deadline.is_over() || !(config.names.is_empty() || config.names.iter().any(|one| one == name)) {
            continue;
        }
        let place = Place::new(&config.covet, &config.scratch, name)?;
        let row = moments::judge(name, signals, &place, if config.quick { 2 } else { 20 })?;
        told(&row);
        rows.push(row);
    }
    Ok(rows)
}

fn judge(subject: &Subject, place: &Place) -> Result<Row, Error> {
    let demands =
        Demands::of(&subject.text).map_err(|wrong| Error::Unexpected(format!("{}: {wrong}", subject.name)))?;
    let source = place.write(subject.name, &subject.text)?;
    let load = command::Load::of(demands.beside);
    let observed = place.run(&demands.arguments(&source, &place.out()), HANGS)?;
    drop(load);
    let mut row = row(&demands.promise, subject.name, &observed);
    row.allowed = demands.time.map(|seconds| seconds * 1.1 + 2.0);
    row.broken = always(&observed, row.allowed, place);
    row.broken.extend(demands.broken(&observed));
    Ok(row)
}

fn row(promise: &str, program: &str, observed: &Observed) -> Row {
    let totals = |name: &str| observed.summary.pointer(&format!("/totals/{name}")).and_then(Json::as_u64).unwrap_or(0);
    Row {
        promise: promise.to_owned(),
        program: program.to_owned(),
        seconds: observed.seconds,
        peak: observed.peak >> 20,
        stopped: observed.summary["stopped"].as_str().unwrap_or("-").to_owned(),
        branches: (totals("branches/covered"), totals("branches/total")),
        tests: totals("tests"),
        ..Row::default()
    }
}

/// Promises that every command keeps.
fn always(observed: &Observed, allowed: Option<f64>, place: &Place) -> Vec<String> {
    let mut broken = Vec::new();
    if let Some(allowed) = allowed.filter(|allowed| observed.seconds > *allowed) {
        broken.push(format!("took {:.1} s of {allowed:.1}", observed.seconds));
    }
    if !matches!(observed.exit, Some(0 | 1)) {
        broken.push(format!("ended with {}: {}", observed.end(), observed.last_words()));
        return broken;
    }
    if observed.summary["schema"].as_str() != Some("covet/summary/1") {
        broken.push("no summary".to_owned());
        return broken;
    }
    let said = observed.summary["seconds"].as_f64().unwrap_or(-1.0);
    if (said - observed.seconds).abs() > 0.5 + observed.seconds * 0.05 {
        broken.push(format!("says that it took {said:.1} s, took {:.1}", observed.seconds));
    }
    let tests = observed.summary["tests"].as_array().map_or(0, Vec::len);
    match place.stored_tests() {
        Ok(Some(stored)) if stored == tests => {}
        Ok(stored) => broken.push(format!("says {tests} tests, {stored:?} are stored")),
        Err(error) => broken.push(format!("the results cannot be read: {error}")),
    }
    broken.extend(place.left_behind());
    broken
}
