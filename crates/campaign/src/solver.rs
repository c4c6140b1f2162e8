//! The layered solver as an exploration sees it: each question gets a share of the time that is left.

use crate::job::{Job, SolverConfig};
use covet_budget::Deadline;
use covet_expr::Pool;
use covet_expr::query::{Answer, Query};
use std::time::Duration;

/// The layered solver.
pub struct LiveSolver {
    pub solver: covet_solve::Solver,
    /// When the exploration should be over.
    pub deadline: Deadline,
    /// The longest a question may take, in milliseconds.
    longest: u32,
    /// What it is given however little is left.
    least: u32,
}

/// The least a question is given, in milliseconds, however little time is left.
const LEAST: u32 = 100;
const LEAST_OF_MANY: u32 = 20;
/// The most, as a share of the whole time: one that is not answered must leave some for others.
const SHARE: u32 = 10;
/// The same where there is much else to ask: one place that is sought can be come to in many ways, and a run that begins with an example has
/// hundreds of decisions.
const SHARE_OF_MANY: u32 = 200;
/// Most jobs need less than their share, so there is more than that for the others.
const UNFAIR: u32 = 4;

impl LiveSolver {
    /// For one job, whose fair share of the time is `fair`.
    pub fn new(job: &Job, fair: Duration) -> LiveSolver {
        let (config, time) = (config(job), job.budget.time.min(fair.saturating_mul(UNFAIR)));
        let has_many = !job.sought.is_empty() || !job.environment.seeds.is_empty();
        let part = if has_many { SHARE_OF_MANY } else { SHARE };
        let share = (time / part).as_millis().try_into().unwrap_or(u32::MAX);
        let least = if has_many { LEAST_OF_MANY } else { LEAST };
        let longest = config.timeout_ms.min(share);
        LiveSolver { solver: covet_solve::Solver::new(config), deadline: Deadline::default(), longest, least }
    }
}

fn config(job: &Job) -> covet_solve::Config {
    let SolverConfig { mode, tiers, smt_command, cross_check, walk } = &job.config.solver;
    covet_solve::Config {
        mode: *mode,
        tiers: tiers.unwrap_or(mode.usual_tiers()),
        smt_command: smt_command.clone(),
        cross_check: *cross_check,
        seed: job.seed as u32,
        walk: *walk,
        ..covet_solve::Config::default()
    }
}

impl covet_explore::Solver for &mut LiveSolver {
    fn solve(&mut self, pool: &Pool, query: &Query<'_>) -> Answer {
        let left = self.deadline.left().map_or(u32::MAX, |left| left.as_millis().try_into().unwrap_or(u32::MAX));
        self.solver.config.timeout_ms = self.longest.min(left).max(self.least);
        self.solver.config.deadline = self.deadline.clone();
        self.solver.solve(pool, query)
    }

    fn forget(&mut self) {
        self.solver.forget();
    }

    fn efforts(&self) -> u64 {
        self.solver.statistics.smt_calls
    }
}
