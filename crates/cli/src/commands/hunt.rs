//! `covet hunt`: all functions of a project become alarms, each with what there is to be said for it.

use crate::arguments::hunt::HuntArgs;
use crate::commands::exploration;
use crate::failure::Failure;
use crate::place;
use crate::running::Running;
use covet_campaign::{Goals, Scope, since};
use covet_project::{Changes, Config, Parts, Request, entries};
use covet_settings::Settings;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

pub fn perform(args: &HuntArgs, settings: &Settings, running: &Running) -> Result<ExitCode, Failure> {
    let config = place::config(&running.deadline)?;
    let (sources, places) = entries::places(&config.directory, &args.sources);
    let hunt = args.hunt();
    let settings = &Settings { stubs_beside_all: hunt.is_published(), ..settings.clone() };
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
    let since = args.since.as_ref().map(|revision| changes(revision, &config, &sources)).transpose()?;
    if let Some(changes) = &since {
        let touched = since::touched(&prepared.map, changes);
        entries.retain(|entry| touched.contains(&entry.number));
        if entries.is_empty() {
            tell!("note: no function has changed since {}", changes.revision);
        }
    }
    let exploration = exploration::Exploration {
        command: "hunt",
        request: &request,
        prepared: &prepared,
        entries,
        goals: Goals { scope: Scope::Entry, ..Goals::default() },
        environment: covet_campaign::Environment::default(),
        input: &args.input,
        common: &args.common,
        hunt: Some(hunt),
        since: since.as_ref(),
        running,
    };
    exploration.perform()
}

/// What has changed in the repository that the sources are in.
fn changes(revision: &str, config: &Config, sources: &[PathBuf]) -> Result<Changes, Failure> {
    let first = sources.first().map_or(config.directory.clone(), |source| config.directory.join(source));
    let folder = if first.is_dir() { first.as_path() } else { first.parent().unwrap_or(Path::new("/")) };
    Changes::since(folder, revision, config.toolchain.deadline())
}
