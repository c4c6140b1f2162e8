//! What the walk costs code without floats: integer programs explored with the walk's tiers and without them.

use crate::Error;
use serde_json::Value as Json;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};

/// Those of `covet bench ippc`: name, function, text.
macro_rules! programs {
    ($($name:literal $function:literal),* $(,)?) => {
        &[$(($name, $function, include_str!(concat!("../../../../benchmarks/ippc/", $name, ".c")))),*]
    };
}

const PROGRAMS: &[(&str, &str, &str)] = programs! {
    "gcd" "gcd", "bsort" "bsort", "sqrt" "square_root", "prime" "prime", "factor" "factor", "replace" "replace", "tokens" "tokens",
    "search" "search",
};

const ITERATIONS: &str = "300";
const LIMIT: &str = "20";

/// Seconds of one program's exploration.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    pub program: &'static str,
    pub with: f64,
    pub without: f64,
}

/// Explores each program `repeats` times in turn, with the walk and without; the quickest of each counts.
pub fn integers(covet: &Path, scratch: &Path, repeats: u64, interrupt: &AtomicBool) -> Result<Vec<Cost>, Error> {
    let mut costs = Vec::new();
    for (program, function, text) in PROGRAMS {
        let source = scratch.join(format!("integers-{program}.c"));
        std::fs::write(&source, text).map_err(Error::file(source.display()))?;
        let mut cost = Cost { program, with: f64::INFINITY, without: f64::INFINITY };
        for _ in 0..repeats {
            if interrupt.load(Ordering::Relaxed) {
                return Ok(costs);
            }
            cost.with = cost.with.min(seconds(covet, scratch, &source, function, &[])?);
            let off = ["--solver-tiers=-walk,-long-walk"];
            cost.without = cost.without.min(seconds(covet, scratch, &source, function, &off)?);
        }
        costs.push(cost);
    }
    Ok(costs)
}

fn seconds(covet: &Path, scratch: &Path, source: &Path, function: &str, options: &[&str]) -> Result<f64, Error> {
    let mut command = Command::new(covet);
    command.arg("cover").arg(source).args(["--function", function, "--seed", "1", "--first", "random"]);
    command.args(["--iterations", ITERATIONS, "--time", LIMIT, "--json", "--quiet", "--no-official"]).args(options);
    command.arg("--out").arg(scratch.join("integers-out"));
    let output = command
        .stdin(Stdio::null())
        .output()
        .map_err(|reason| Error::Missing { program: covet.display().to_string(), reason })?;
    let summary: Option<Json> = serde_json::from_slice(&output.stdout).ok();
    let seconds = summary.and_then(|summary| summary["functions"][0]["seconds"].as_f64());
    seconds.ok_or_else(|| {
        Error::Unexpected(format!("{function} gave no summary: {}", String::from_utf8_lossy(&output.stderr).trim()))
    })
}

/// Seconds with the walk for each second without it, over all programs.
pub fn ratio(costs: &[Cost]) -> f64 {
    costs.iter().map(|cost| cost.with).sum::<f64>() / costs.iter().map(|cost| cost.without).sum::<f64>()
}
