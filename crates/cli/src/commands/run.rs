//! `covet run`: a whole program, from `main` or a fuzz harness.

use crate::arguments::RunArgs;
use crate::commands::exploration;
use crate::failure::Failure;
use crate::view::progress::Waiting;
use crate::{interrupts, place};
use covet_budget::Deadline;
use covet_campaign::{Goals, Scope};
use covet_project::{Parts, Request, entries, names};
use covet_settings::Settings;
use std::process::ExitCode;

pub fn perform(args: &RunArgs, settings: &Settings, deadline: &Deadline) -> Result<ExitCode, Failure> {
    let waiting = Waiting::on("compiling and instrumenting", !args.common.quiet);
    let config = place::config()?;
    let request = Request {
        config: &config,
        sources: &args.sources,
        flags: &[&settings.flags[..], &args.flags].concat(),
        parts: Parts::All,
        jobs: args.common.jobs as usize,
        settings,
        checks: args.common.checks(),
    };
    let prepared = interrupts::or_leave(deadline, || covet_project::prepare(&request))?;
    drop(waiting);
    names::check(&prepared, &request)?;
    let exploration = exploration::Exploration {
        command: "run",
        request: &request,
        prepared: &prepared,
        entries: vec![entries::program(&prepared)?],
        goals: Goals { scope: Scope::Program, ..Goals::default() },
        environment: args.environment.environment(),
        input: &args.input,
        common: &args.common,
        deadline,
    };
    exploration.perform()
}
