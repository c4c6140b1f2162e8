//! The real parties of an exploration: worker processes as the executor, the layered solver behind its small trait.

use covet_abi::event::Reason;
use covet_abi::shared::{FLAG_ARENA_FULL, FLAG_EVENTS_FULL};
use covet_execute::{Run, RunInput, Worker};
use covet_explore::{Answer, Execution, Executor, Question};
use covet_expr::Pool;
use covet_input::{Input, Variables};
use covet_path::{Arena, Importer, PathCondition, TraceError};
use covet_sites::SiteMap;
use covet_unit::Blueprint;
use std::collections::BTreeMap;
use std::time::Duration;

/// Runs one entry of the program in a worker.
pub struct LiveExecutor {
    pub worker: Worker,
    importer: Importer,
    blueprint: Blueprint,
    entry: u32,
    cases: Vec<Vec<u64>>,
    /// Traces that could not be read.
    pub unreadable: Vec<String>,
}

impl LiveExecutor {
    pub fn new(worker: Worker, blueprint: Blueprint, entry: u32, map: &SiteMap) -> LiveExecutor {
        let cases = map.sites.iter().map(|site| site.cases.clone()).collect();
        LiveExecutor { worker, importer: Importer::new(), blueprint, entry, cases, unreadable: Vec::new() }
    }

    /// Runs one input and keeps the raw events, for people who want to see them.
    pub fn run_raw(&mut self, variables: &mut Variables, input: &Input) -> Result<Run, covet_execute::Error> {
        let request = self.request(input);
        let mut runs = self.worker.run(variables, &[request])?;
        Ok(runs.swap_remove(0))
    }

    /// The path condition of a run just made.
    pub fn path(&mut self, pool: &mut Pool, variables: &Variables, run: &Run) -> Result<PathCondition, TraceError> {
        let arena = Arena {
            nodes: self.worker.nodes(),
            tables: self.worker.tables(),
            entries: self.worker.entries(),
            variables: self.worker.variable_map(),
            epoch: self.worker.epoch(),
        };
        PathCondition::of(pool, variables, &mut self.importer, &arena, &run.events, self.cases.as_slice())
    }

    pub fn cases(&self) -> &[Vec<u64>] {
        &self.cases
    }

    fn request(&self, input: &Input) -> RunInput {
        RunInput { entry: self.entry, steps: self.blueprint.steps(input), values: self.blueprint.values(input) }
    }

    fn execution(&mut self, pool: &mut Pool, variables: &Variables, run: Run) -> Execution {
        let (path, is_readable) = match self.path(pool, variables, &run) {
            Ok(path) => (path, true),
            Err(error) => {
                self.unreadable.push(error.to_string());
                (PathCondition::from_conditions(Vec::new()), false)
            }
        };
        let mut covered: Vec<u32> = run.covered.iter().map(|(counter, _)| *counter).collect();
        covered.sort_unstable();
        Execution {
            concretised: concretised(&run),
            is_truncated: !is_readable || run.flags & (FLAG_ARENA_FULL | FLAG_EVENTS_FULL) != 0,
            path,
            covered,
            input: run.input,
            order: run.order,
            outcome: run.outcome,
            code: run.code,
            returned: run.returned,
            fault: run.fault,
            frames: run.frames,
            elapsed: Duration::from_nanos(run.nanoseconds),
        }
    }
}

impl Executor for LiveExecutor {
    fn run(
        &mut self,
        pool: &mut Pool,
        variables: &mut Variables,
        inputs: &[Input],
    ) -> Result<Vec<Execution>, Box<dyn std::error::Error + Send + Sync>> {
        let requests: Vec<RunInput> = inputs.iter().map(|input| self.request(input)).collect();
        let runs = self.worker.run(variables, &requests)?;
        Ok(runs.into_iter().map(|run| self.execution(pool, variables, run)).collect())
    }
}

fn concretised(run: &Run) -> BTreeMap<&'static str, u64> {
    let counted = |(number, count): (usize, &u32)| {
        let reason = Reason::from_u16(number as u16)?;
        (*count > 0).then_some((reason.text(), u64::from(*count)))
    };
    run.concretised.iter().enumerate().filter_map(counted).collect()
}

/// The layered solver.
pub struct LiveSolver {
    pub solver: covet_solve::Solver,
}

impl LiveSolver {
    pub fn new(config: covet_solve::Config) -> LiveSolver {
        LiveSolver { solver: covet_solve::Solver::new(config) }
    }
}

impl covet_explore::Solver for &mut LiveSolver {
    fn solve(&mut self, pool: &Pool, question: Question<'_>) -> Answer {
        let Question { prefix, soft, goal, base } = question;
        let reply = self.solver.solve(pool, &covet_solve::Query { prefix, soft, goal, base });
        match reply.answer {
            covet_solve::Answer::Sat(input) => Answer::Sat { input, speculative: reply.dropped_soft },
            covet_solve::Answer::Unsat => Answer::Unsat,
            covet_solve::Answer::Unknown(_) => Answer::Unknown,
        }
    }
}
