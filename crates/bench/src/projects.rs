//! Whole projects: one command over every function, judged from outside: its budget, its memory, what llvm-cov says of the tests, and the
//! tests themselves as a person would build them.

use crate::Error;
use crate::command::{Observed, Place};
use crate::emitted::{self, Suite};
use crate::packages::{Fetched, Package};
use serde_json::Value as Json;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Clone, Debug)]
pub struct Config {
    /// The `covet` to be judged.
    pub covet: PathBuf,
    /// Where packages are kept.
    pub folder: PathBuf,
    pub scratch: PathBuf,
    /// Seconds for each project: the whole command.
    pub seconds: f64,
    /// Megabytes for all its processes together.
    pub memory: u64,
    /// At most so many functions of each project, spread evenly.
    pub sample: Option<usize>,
    pub jobs: u64,
    /// Compilers that the tests must pass with.
    pub compilers: Vec<String>,
}

/// What one project showed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    pub project: String,
    pub functions: usize,
    /// Explored without a failure of ours.
    pub driven: usize,
    /// Branches by llvm-cov, in percent: mean over the functions that have any.
    pub branches: f64,
    /// The same by our own count.
    pub own_branches: f64,
    pub seconds: f64,
    /// Most memory that all processes held at once, in bytes.
    pub peak: u64,
    pub suite: Suite,
    /// Functions that were not driven, with the reason.
    pub failures: Vec<(String, String)>,
    /// Every function.
    pub details: Vec<Detail>,
    /// What the command said was left out or cut.
    pub notes: Vec<String>,
}

/// What one function showed: its branches in percent, where it has any.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Detail {
    pub name: String,
    pub official: Option<f64>,
    pub own: Option<f64>,
    pub seconds: f64,
    /// Why its exploration ended.
    pub stopped: String,
}

/// Points between the two counts that ask for an explanation.
const FAR_APART: f64 = 20.0;

impl Detail {
    /// Whether the tests that were written cover much more or less than the runs that were explored.
    pub fn is_doubtful(&self) -> bool {
        self.official.unwrap_or(100.0) + FAR_APART < self.own.unwrap_or(0.0)
            || self.own.unwrap_or(100.0) + FAR_APART < self.official.unwrap_or(0.0)
    }
}

impl Row {
    pub fn driven_percent(&self) -> f64 {
        if self.functions == 0 { 100.0 } else { 100.0 * self.driven as f64 / self.functions as f64 }
    }
}

impl Config {
    /// Seconds in which the command must have ended.
    pub fn allowed(&self) -> f64 {
        self.seconds * 1.1 + 2.0
    }
}

/// Fetches `package` if need be, and measures.
pub fn measure(package: &Package, config: &Config) -> Result<Row, Error> {
    let Fetched { database, libraries } = package.fetch(&config.folder)?;
    let place = Place::new(&config.covet, &config.scratch, package.name)?;
    let text = |path: &PathBuf| path.to_string_lossy().into_owned();
    let (time, jobs, memory) = (config.seconds.to_string(), config.jobs.to_string(), config.memory.to_string());
    let mut arguments =
        vec!["cover".to_owned(), text(&database), "--json".to_owned(), "--out".to_owned(), text(&place.out())];
    for (option, value) in [("--time", time), ("--jobs", jobs), ("--memory", memory)] {
        arguments.extend([option.to_owned(), value]);
    }
    arguments.extend(config.sample.into_iter().flat_map(|sample| ["--sample".to_owned(), sample.to_string()]));
    arguments.push("--".to_owned());
    arguments.extend(libraries.iter().map(text));
    // What takes twice its time hangs.
    let observed = place.run(&arguments, Duration::from_secs_f64(config.allowed() * 2.0))?;
    if !matches!(observed.exit, Some(0 | 1)) {
        return Err(Error::Unexpected(format!("{}: {}", observed.end(), observed.last_words())));
    }
    let mut row = row(package.name, &observed);
    row.suite = emitted::judge(&place.out(), &config.compilers)?;
    Ok(row)
}

/// The figures of all functions.
fn row(project: &str, observed: &Observed) -> Row {
    let functions: Vec<&Json> = observed.summary["functions"].as_array().into_iter().flatten().collect();
    let mut row = Row {
        project: project.to_string(),
        functions: functions.len(),
        seconds: observed.seconds,
        peak: observed.peak,
        ..Row::default()
    };
    let notes = observed.summary["notes"].as_array().into_iter().flatten();
    row.notes.extend(notes.filter_map(|note| Some(note.as_str()?.lines().next()?.to_owned())));
    let (mut official, mut own) = (Vec::new(), Vec::new());
    for function in functions {
        let name = function["name"].as_str().unwrap_or_default().to_owned();
        match function["reason"].as_str() {
            Some(reason) => row.failures.push((name.clone(), reason.lines().next().unwrap_or_default().to_string())),
            None => row.driven += 1,
        }
        let measured = percent(&function["official"]["branches"]);
        let counted = percent(&function["branches"]);
        // Where nothing was measured nothing was covered, of what there is.
        let all = match (measured, counted) {
            (Some(measured), _) => Some(measured),
            (None, Some(_)) if function["official"].is_null() => Some(0.0),
            (None, _) => None,
        };
        official.extend(all);
        own.extend(counted);
        row.details.push(Detail {
            name,
            official: all,
            own: counted,
            seconds: function["seconds"].as_f64().unwrap_or(0.0),
            stopped: function["stopped"].as_str().unwrap_or("failed").to_owned(),
        });
    }
    row.branches = mean(&official);
    row.own_branches = mean(&own);
    row
}

/// None when there is nothing to cover.
fn percent(count: &Json) -> Option<f64> {
    let total = count["total"].as_u64().filter(|total| *total > 0)?;
    Some(100.0 * count["covered"].as_u64()? as f64 / total as f64)
}

fn mean(values: &[f64]) -> f64 {
    if values.is_empty() { 100.0 } else { values.iter().sum::<f64>() / values.len() as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn results_become_figures() {
        let count = |covered, total| json!({"covered": covered, "total": total});
        let summary = json!({"functions": [
            {"name": "a", "reason": null, "branches": count(4, 4), "official": {"branches": count(2, 4)}},
            {"name": "b", "reason": "broke\ndown", "branches": count(0, 2), "official": null},
            {"name": "c", "reason": null, "branches": count(0, 0), "official": {"branches": count(0, 0)}},
        ], "notes": ["first\nline"]});
        let row = row("p", &Observed { summary, ..Observed::default() });
        assert_eq!((row.functions, row.driven, row.branches, row.own_branches), (3, 2, 25.0, 50.0));
        assert_eq!(row.failures, [("b".to_string(), "broke".to_string())]);
        assert_eq!(row.notes, ["first"]);
        let doubtful: Vec<&str> =
            row.details.iter().filter(|detail| detail.is_doubtful()).map(|detail| detail.name.as_str()).collect();
        assert_eq!(doubtful, ["a"]);
    }
}
