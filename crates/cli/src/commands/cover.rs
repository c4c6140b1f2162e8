//! `covet cover`: functions become a small test suite.

use crate::args::{CoverArgs, SurroundingsArgs};
use crate::exploration::Job;
use crate::failure::Failure;
use crate::progress::Waiting;
use crate::{interrupts, place};
use covet_project::{Parts, Request, entries, names};
use covet_settings::Settings;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

pub fn perform(args: &CoverArgs, settings: &Settings, interrupt: &AtomicBool) -> Result<ExitCode, Failure> {
    let config = place::config()?;
    let (sources, places) = entries::places(&config.directory, &args.sources);
    let waiting = Waiting::on("compiling and instrumenting", !args.common.quiet);
    let flags = [&settings.flags[..], &args.flags].concat();
    let jobs = args.common.jobs as usize;
    let request = Request {
        config: &config,
        sources: &sources,
        flags: &flags,
        parts: Parts::Some,
        jobs,
        settings,
        checks: args.common.checks(),
    };
    let prepared = interrupts::or_leave(interrupt, || covet_project::prepare(&request))?;
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
    let surroundings = SurroundingsArgs { size: 64, ..SurroundingsArgs::default() };
    let job = Job {
        command: "cover",
        sources: &sources,
        prepared: &prepared,
        entries,
        whole_program: false,
        surroundings: &surroundings,
        input: &args.input,
        common: &args.common,
        flags: &flags,
        settings,
        interrupt,
    };
    job.perform()
}
