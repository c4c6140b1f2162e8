//! What the walk costs code without floats: integer programs explored with the walk's tiers and without them.

use super::Config;
use crate::Error;
use crate::ippc::PROGRAMS;
use crate::subject::Subject;
use covet_budget::Deadline;
use covet_campaign::{Budget, First};
use covet_project::Parts;
use covet_solve::TierSet;
use std::time::Duration;

const ITERATIONS: u64 = 300;
const LIMIT: Duration = Duration::from_secs(20);

/// Processor seconds of one program's exploration: other work on the machine does not count.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    pub program: &'static str,
    pub with: f64,
    pub without: f64,
    /// Seconds that went into the walk's tiers.
    pub in_walk: f64,
}

/// Explores each program some times in turn, with the walk and without; the quickest of each counts.
pub fn integers(config: &Config, deadline: &Deadline) -> Result<Vec<Cost>, Error> {
    let repeats = if config.quick { 1 } else { 3 };
    let mut costs = Vec::new();
    for program in PROGRAMS {
        let source = config.scratch.join(format!("integers-{}.c", program.name));
        std::fs::write(&source, program.source).map_err(Error::file(source.display()))?;
        let project = covet_project::Config::new(&config.scratch, &config.cache);
        let subject = Subject::prepare(&project, vec![source], Vec::new(), Parts::Some)?;
        let mut cost = Cost { program: program.name, with: f64::INFINITY, without: f64::INFINITY, in_walk: 0.0 };
        for _ in 0..repeats {
            if deadline.is_over() {
                return Ok(costs);
            }
            let (with, in_walk) = explore(&subject, program.function, None, deadline)?;
            let (without, _) = explore(&subject, program.function, "-walk,-long-walk".parse().ok(), deadline)?;
            if with < cost.with {
                (cost.with, cost.in_walk) = (with, in_walk);
            }
            cost.without = cost.without.min(without);
        }
        costs.push(cost);
    }
    Ok(costs)
}

/// Processor seconds of an exploration, and the seconds that its solver spent in the walk's tiers.
fn explore(
    subject: &Subject,
    function: &str,
    tiers: Option<TierSet>,
    deadline: &Deadline,
) -> Result<(f64, f64), Error> {
    let entries = subject.functions(&[function.to_owned()])?;
    let mut job = subject.job(entries[0]);
    (job.seed, job.config.first, job.config.solver.tiers) = (1, First::Random, tiers);
    job.budget = Budget { time: LIMIT, iterations: Some(ITERATIONS) };
    let before = processor_seconds();
    let outcome = subject.explore(&job, deadline)?;
    let seconds = processor_seconds() - before;
    let tiers = &outcome.function.counters.solver.tiers;
    let in_walk = ["walk", "long-walk"].iter().filter_map(|tier| tiers.get(*tier)).map(|tier| tier.seconds).sum();
    Ok((seconds, in_walk))
}

/// Of this process: engine and solver, where the walk is. Workers run the program, whatever solves.
fn processor_seconds() -> f64 {
    // SAFETY: a plain structure of numbers, filled by the call.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &raw mut usage);
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
