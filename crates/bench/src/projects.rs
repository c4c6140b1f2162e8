//! Whole projects: every function attempted, and what llvm-cov says of the tests.

use crate::packages::{Fetched, Package};
use crate::subject::{Subject, Together};
use crate::{Error, child};
use covet_budget::Deadline;
use covet_coverage::Count;
use covet_project::Parts;
use covet_results::FunctionResult;
use std::path::PathBuf;
use std::time::{Duration, Instant};

#[derive(Clone, Debug)]
pub struct Config {
    /// What was compiled before.
    pub cache: PathBuf,
    /// Where packages are kept.
    pub folder: PathBuf,
    pub scratch: PathBuf,
    /// Seconds for each function.
    pub seconds: f64,
    /// At most so many functions of each project, spread evenly.
    pub sample: Option<usize>,
    pub jobs: u64,
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
    /// Largest resident size of Covet in KiB.
    pub peak: u64,
    /// Functions that were not driven, with the reason.
    pub failures: Vec<(String, String)>,
    /// Every function.
    pub details: Vec<Detail>,
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

/// Fetches `package` if need be, and measures.
pub fn measure(package: &Package, config: &Config, deadline: &Deadline) -> Result<Row, Error> {
    let Fetched { database, libraries } = package.fetch(&config.folder)?;
    let out = config.scratch.join(package.name);
    let began = Instant::now();
    child::forget_peak();
    let flags = libraries.iter().map(|library| library.to_string_lossy().into_owned()).collect();
    let project = covet_project::Config::new(&config.folder, &config.cache);
    let subject = Subject::prepare(&project, vec![database], flags, Parts::Some)?;
    let mut entries = subject.functions(&[])?;
    if let Some(sample) = config.sample {
        entries = covet_project::entries::sample(entries, sample);
    }
    let job = |entry| {
        let mut job = subject.job(entry);
        job.inputs.all_globals = true;
        job.budget.time = Duration::from_secs_f64(config.seconds);
        job
    };
    let jobs = entries.into_iter().map(job).collect();
    let how = Together { time: None, threads: config.jobs as usize, out: &out, official: true };
    let record = subject.campaign(jobs, how, deadline)?;
    let mut row = row(package.name, &record.functions);
    row.seconds = began.elapsed().as_secs_f64();
    row.peak = child::peak_memory(std::process::id());
    Ok(row)
}

/// The figures of all functions.
fn row(project: &str, functions: &[FunctionResult]) -> Row {
    let mut row = Row { project: project.to_string(), functions: functions.len(), ..Row::default() };
    let (mut official, mut own) = (Vec::new(), Vec::new());
    for function in functions {
        let name = function.name.clone();
        match &function.failure {
            Some(reason) => row.failures.push((name.clone(), reason.lines().next().unwrap_or_default().to_string())),
            None => row.driven += 1,
        }
        let measured = function.counters.official.as_ref().and_then(|official| percent(official.branches));
        let counted = percent(function.counters.branches);
        // Where nothing was measured nothing was covered, of what there is.
        let all = match (measured, counted) {
            (Some(measured), _) => Some(measured),
            (None, Some(_)) if function.counters.official.is_none() => Some(0.0),
            (None, _) => None,
        };
        official.extend(all);
        own.extend(counted);
        row.details.push(Detail {
            name,
            official: all,
            own: counted,
            seconds: function.seconds,
            stopped: function.stopped.map_or("failed", |stopped| stopped.text()).to_string(),
        });
    }
    row.branches = mean(&official);
    row.own_branches = mean(&own);
    row
}

/// None when there is nothing to cover.
fn percent(count: Count) -> Option<f64> {
    (count.total > 0).then(|| count.percent())
}

fn mean(values: &[f64]) -> f64 {
    if values.is_empty() { 100.0 } else { values.iter().sum::<f64>() / values.len() as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use covet_results::{Counters, Official};

    #[test]
    fn results_become_figures() {
        let count = |covered, total| Count { covered, total };
        let function = |name: &str, failure: Option<&str>, branches, official: Option<Count>| FunctionResult {
            name: name.into(),
            failure: failure.map(str::to_string),
            counters: Counters {
                branches,
                official: official.map(|branches| Official { branches, ..Official::default() }),
                ..Counters::default()
            },
            ..FunctionResult::default()
        };
        let functions = [
            function("a", None, count(4, 4), Some(count(2, 4))),
            function("b", Some("broke\ndown"), count(0, 2), None),
            function("c", None, count(0, 0), Some(count(0, 0))),
        ];
        let row = row("p", &functions);
        assert_eq!((row.functions, row.driven, row.branches, row.own_branches), (3, 2, 25.0, 50.0));
        assert_eq!(row.failures, [("b".to_string(), "broke".to_string())]);
        let doubtful: Vec<&str> =
            row.details.iter().filter(|detail| detail.is_doubtful()).map(|detail| detail.name.as_str()).collect();
        assert_eq!(doubtful, ["a"]);
    }
}
