//! What the walk costs code without floats: integer programs explored with the walk's tiers and without them.

use crate::Error;
use crate::ippc::PROGRAMS;
use serde_json::Value as Json;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};

const ITERATIONS: &str = "300";
const LIMIT: &str = "20";

/// Processor seconds of one program's exploration: other work on the machine does not count.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    pub program: &'static str,
    pub with: f64,
    pub without: f64,
    /// Seconds that went into the walk's tiers.
    pub in_walk: f64,
}

/// Explores each program `repeats` times in turn, with the walk and without; the quickest of each counts.
pub fn integers(covet: &Path, scratch: &Path, repeats: u64, interrupt: &AtomicBool) -> Result<Vec<Cost>, Error> {
    let mut costs = Vec::new();
    for program in PROGRAMS {
        let source = scratch.join(format!("integers-{}.c", program.name));
        std::fs::write(&source, program.source).map_err(Error::file(source.display()))?;
        let mut cost = Cost { program: program.name, with: f64::INFINITY, without: f64::INFINITY, in_walk: 0.0 };
        for _ in 0..repeats {
            if interrupt.load(Ordering::Relaxed) {
                return Ok(costs);
            }
            let (with, in_walk) = explore(covet, scratch, &source, program.function, &[])?;
            let (without, _) =
                explore(covet, scratch, &source, program.function, &["--solver-tiers=-walk,-long-walk"])?;
            if with < cost.with {
                (cost.with, cost.in_walk) = (with, in_walk);
            }
            cost.without = cost.without.min(without);
        }
        costs.push(cost);
    }
    Ok(costs)
}

/// Processor seconds of a run, and the seconds that its solver spent in the walk's tiers.
fn explore(covet: &Path, scratch: &Path, source: &Path, function: &str, options: &[&str]) -> Result<(f64, f64), Error> {
    let mut command = Command::new(covet);
    command.arg("cover").arg(source).args(["--function", function, "--seed", "1", "--first", "random"]);
    command.args(["--iterations", ITERATIONS, "--time", LIMIT, "--json", "--quiet", "--no-official"]).args(options);
    command.arg("--out").arg(scratch.join("integers-out"));
    let before = processor_seconds();
    let output = command
        .stdin(Stdio::null())
        .output()
        .map_err(|reason| Error::Missing { program: covet.display().to_string(), reason })?;
    let seconds = processor_seconds() - before;
    let summary: Json = serde_json::from_slice(&output.stdout).map_err(|_| {
        let said = String::from_utf8_lossy(&output.stderr);
        Error::Unexpected(format!("{function} gave no summary: {}", said.trim()))
    })?;
    let tiers = &summary["totals"]["solver"]["tiers"];
    let in_walk = ["walk", "long-walk"].iter().filter_map(|tier| tiers[tier]["seconds"].as_f64()).sum();
    Ok((seconds, in_walk))
}

/// Of all processes that were started here and have ended.
fn processor_seconds() -> f64 {
    // SAFETY: a plain structure of numbers, filled by the call.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_CHILDREN, &raw mut usage);
        usage
    };
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    seconds(usage.ru_utime) + seconds(usage.ru_stime)
}

/// Seconds with the walk for each second without it, over all programs.
pub fn ratio(costs: &[Cost]) -> f64 {
    costs.iter().map(|cost| cost.with).sum::<f64>() / costs.iter().map(|cost| cost.without).sum::<f64>()
}

/// The share of their time that integer programs spend in the walk.
pub fn share(costs: &[Cost]) -> f64 {
    // An empty sum of floats is a negative zero.
    let walked: f64 = costs.iter().map(|cost| cost.in_walk).sum();
    (walked / costs.iter().map(|cost| cost.with).sum::<f64>()).max(0.0)
}
