//! `covet run`: a whole program, from `main` or a fuzz harness.

use crate::arguments::RunArgs;
use crate::commands::exploration;
use crate::failure::Failure;
use crate::place;
use crate::running::Running;
use covet_campaign::{Goals, Scope};
use covet_project::{Parts, Request, entries};
use covet_settings::Settings;
use std::process::ExitCode;

pub fn perform(args: &RunArgs, settings: &Settings, running: &Running) -> Result<ExitCode, Failure> {
    let config = place::config(&running.deadline)?;
    let request = Request {
        program: args.program.as_deref(),
        config: &config,
        sources: &args.sources,
        flags: &[&settings.flags[..], &args.flags].concat(),
        parts: Parts::All,
        jobs: args.common.jobs as usize,
        settings,
        checks: args.common.checks(),
    };
    let prepared = exploration::prepared(&request, &args.common, running)?;
    let exploration = exploration::Exploration {
        command: "run",
        request: &request,
        prepared: &prepared,
        entries: vec![entries::program(&prepared)?],
        goals: Goals { scope: Scope::Program, ..Goals::default() },
        environment: args.environment.environment()?,
        input: &args.input,
        common: &args.common,
        hunt: None,
        since: None,
        running,
    };
    exploration.perform()
}
