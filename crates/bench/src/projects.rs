//! `covet cover` on whole projects: every function attempted, and what llvm-cov says of the tests.

use crate::Error;
use crate::packages::{Fetched, Package};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

#[derive(Clone, Debug)]
pub struct Config {
    /// The program under measurement.
    pub covet: PathBuf,
    /// Where packages are kept.
    pub cache: PathBuf,
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
pub fn measure(package: &Package, config: &Config) -> Result<Row, Error> {
    let Fetched { database, libraries } = package.fetch(&config.cache)?;
    let out = config.scratch.join(package.name);
    let summary = out.with_extension("json");
    let file = std::fs::File::create(&summary).map_err(Error::file(summary.display()))?;
    let began = Instant::now();
    let mut command = Command::new(&config.covet);
    command.arg("cover").arg(&database).args(["--symbolic-globals", "--json", "--quiet", "--out"]).arg(&out);
    command.arg("--time-each").arg(config.seconds.to_string()).arg("--jobs").arg(config.jobs.to_string());
    if let Some(sample) = config.sample {
        command.arg("--sample").arg(sample.to_string());
    }
    command.arg("--").args(&libraries);
    let (ended_well, peak, complaint) = run(command.stdout(file), &out.with_extension("log"))?;
    if !ended_well {
        return Err(Error::Unexpected(format!("{}: covet failed:\n{complaint}", package.name)));
    }
    let text = std::fs::read_to_string(&summary).map_err(Error::file(summary.display()))?;
    let object: Value = serde_json::from_str(&text)
        .map_err(|error| Error::Unexpected(format!("{}: no summary: {error}", package.name)))?;
    let mut row = row(package.name, &object);
    row.seconds = began.elapsed().as_secs_f64();
    row.peak = peak;
    Ok(row)
}

/// Runs `command`: whether it ended with 0 or 1, its peak memory in KiB, and what it complained of.
fn run(command: &mut Command, log: &Path) -> Result<(bool, u64, String), Error> {
    let errors = std::fs::File::create(log).map_err(Error::file(log.display()))?;
    let program = command.get_program().to_string_lossy().into_owned();
    let mut child = command
        .stdin(Stdio::null())
        .stderr(errors)
        .spawn()
        .map_err(|reason| Error::Missing { program: program.clone(), reason })?;
    let mut peak = 0;
    let status = loop {
        peak = peak.max(crate::child::peak_memory(child.id()));
        match child.try_wait().map_err(Error::file(&program))? {
            Some(status) => break status,
            None => std::thread::sleep(std::time::Duration::from_millis(100)),
        }
    };
    let complaint = std::fs::read_to_string(log).unwrap_or_default();
    Ok((matches!(status.code(), Some(0 | 1)), peak, complaint))
}

/// The figures of a summary.
fn row(project: &str, summary: &Value) -> Row {
    let none = Vec::new();
    let functions = summary["functions"].as_array().unwrap_or(&none);
    let mut row = Row { project: project.to_string(), functions: functions.len(), ..Row::default() };
    let (mut official, mut own) = (Vec::new(), Vec::new());
    for function in functions {
        let name = function["name"].as_str().unwrap_or("?").to_string();
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
            stopped: function["stopped"].as_str().unwrap_or("failed").to_string(),
        });
    }
    row.branches = mean(&official);
    row.own_branches = mean(&own);
    row
}

/// None when there is nothing to cover.
fn percent(count: &Value) -> Option<f64> {
    let (covered, total) = (count["covered"].as_f64()?, count["total"].as_f64()?);
    (total > 0.0).then(|| 100.0 * covered / total)
}

fn mean(values: &[f64]) -> f64 {
    if values.is_empty() { 100.0 } else { values.iter().sum::<f64>() / values.len() as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_summary_becomes_figures() {
        let count = |covered: u64, total: u64| json!({"covered": covered, "total": total});
        let summary = json!({"functions": [
            {"name": "a", "reason": null, "branches": count(4, 4), "official": {"branches": count(2, 4)}, "seconds": 1.5},
            {"name": "b", "reason": "broke\ndown", "branches": count(0, 2), "official": null, "seconds": 0.1},
            {"name": "c", "reason": null, "branches": count(0, 0), "official": {"branches": count(0, 0)}, "seconds": 0.1},
        ]});
        let row = row("p", &summary);
        assert_eq!((row.functions, row.driven, row.branches, row.own_branches), (3, 2, 25.0, 50.0));
        assert_eq!(row.failures, [("b".to_string(), "broke".to_string())]);
        let doubtful: Vec<&str> =
            row.details.iter().filter(|detail| detail.is_doubtful()).map(|detail| detail.name.as_str()).collect();
        assert_eq!(doubtful, ["a"]);
    }
}
