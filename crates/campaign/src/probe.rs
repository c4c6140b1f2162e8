//! One run of one input, to look at: its events, its path condition, the values it used, how it ended.

use crate::executor::LiveExecutor;
use crate::explore::worker_config;
use crate::job::Job;
use crate::plan::{Plan, Stage};
use covet_budget::Memory;
use covet_execute::Run;
use covet_expr::Pool;
use covet_input::{Input, Variables};
use covet_path::PathCondition;
use covet_project::{Failure, Prepared};
use covet_scratch::Scratch;
use std::sync::{Arc, Mutex};

/// A run and what is needed to read it.
pub struct Probe<'a> {
    executor: LiveExecutor<'a>,
    pub variables: Variables,
    pub run: Run,
    _scratch: Scratch,
}

impl<'a> Probe<'a> {
    /// Runs the unit of `job` on the input that `chosen` makes of the variables. Variables marked in the source are known only after a
    /// first run: `chosen` is asked again then, and told so.
    pub fn run(
        prepared: &'a Prepared,
        job: &Job,
        chosen: impl Fn(&Variables, bool) -> Result<Input, Failure>,
    ) -> Result<Probe<'a>, Failure> {
        let entry = prepared.entry(&job.entry)?;
        let Plan { blueprint, mut variables } = Plan::of(prepared, entry, job, Stage::last(prepared, entry, job))?;
        let scratch = Scratch::new().map_err(Failure::machine)?;
        let config = worker_config(prepared, scratch.path(), job, &Memory::default(), 1);
        let blueprint = Arc::new(Mutex::new(blueprint));
        let mut executor = LiveExecutor::new(prepared, config, 1, blueprint, entry, job.is_whole);
        let first = chosen(&variables, false)?;
        let mut run = executor.run_raw(&mut variables, &first).map_err(Failure::tool)?;
        let again = chosen(&variables, true)?;
        if again != first {
            run = executor.run_raw(&mut variables, &again).map_err(Failure::tool)?;
        }
        Ok(Probe { executor, variables, run, _scratch: scratch })
    }

    pub fn path(&mut self, pool: &mut Pool) -> Result<PathCondition, Failure> {
        self.executor.path(pool, &self.variables, &self.run).map_err(Failure::tool)
    }
}
