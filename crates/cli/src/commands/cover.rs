//! `covet cover`: functions become a small test suite.

use crate::arguments::CoverArgs;
use crate::commands::exploration;
use crate::failure::Failure;
use crate::place;
use crate::running::Running;
use covet_campaign::{Goals, Scope};
use covet_project::{Parts, Request, entries};
use covet_settings::Settings;
use std::process::ExitCode;

pub fn perform(args: &CoverArgs, settings: &Settings, running: &Running) -> Result<ExitCode, Failure> {
    let config = place::config(&running.deadline)?;
    let (sources, places) = entries::places(&config.directory, &args.sources);
    let request = Request {
        program: None,
        config: &config,
        sources: &sources,
        flags: &[&settings.flags[..], &args.flags].concat(),
        parts: Parts::Some,
        jobs: args.common.jobs as usize,
        settings,
        checks: args.common.checks(),
    };
    let prepared = exploration::prepared(&request, &args.common, running)?;
    let mut entries = entries::chosen(&prepared, &places, &args.functions, settings)?;
    if let Some(sample) = args.sample {
        entries = entries::sample(entries, sample as usize);
    }
    let goals = Goals { scope: Scope::Entry, criterion: args.criterion.into() };
    let exploration = exploration::Exploration {
        command: "cover",
        request: &request,
        prepared: &prepared,
        entries,
        goals,
        environment: covet_campaign::Environment::default(),
        input: &args.input,
        common: &args.common,
        hunt: None,
        since: None,
        running,
    };
    exploration.perform()
}
