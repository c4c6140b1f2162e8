//! `covet cover`: functions become a small test suite.

use crate::arguments::CoverArgs;
use crate::commands::exploration;
use crate::failure::Failure;
use crate::place;
use crate::running::Running;
use crate::view::progress::Waiting;
use covet_campaign::{Goals, Scope};
use covet_project::{Parts, Request, entries, names};
use covet_settings::Settings;
use std::process::ExitCode;

pub fn perform(args: &CoverArgs, settings: &Settings, running: &Running) -> Result<ExitCode, Failure> {
    let config = place::config(&running.deadline)?;
    let (sources, places) = entries::places(&config.directory, &args.sources);
    let waiting = Waiting::on("compiling and instrumenting", args.common.progress());
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
    let prepared = running.unkept("compiling", || covet_project::prepare(&request))?;
    drop(waiting);
    names::check(&prepared, &request)?;
    let mut entries = match places.is_empty() || !args.functions.is_empty() {
        true => entries::functions(&prepared, &args.functions, settings)?,
        false => Vec::new(),
    };
    for place in &places {
        entries.push(entries::around(&prepared, place)?);
    }
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
        running,
    };
    exploration.perform()
}
