//! `covet run`: a whole program, from `main` or a fuzz harness.

use crate::args::RunArgs;
use crate::exploration::Job;
use crate::failure::Failure;
use crate::progress::Waiting;
use crate::{interrupts, place};
use covet_project::{Parts, Request, entries, names};
use covet_settings::Settings;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

pub fn perform(args: &RunArgs, settings: &Settings, interrupt: &AtomicBool) -> Result<ExitCode, Failure> {
    let waiting = Waiting::on("compiling and instrumenting", !args.common.quiet);
    let flags = [&settings.flags[..], &args.flags].concat();
    let jobs = args.common.jobs as usize;
    let config = place::config()?;
    let request = Request {
        config: &config,
        sources: &args.sources,
        flags: &flags,
        parts: Parts::All,
        jobs,
        settings,
        checks: args.common.checks(),
    };
    let prepared = interrupts::or_leave(interrupt, || covet_project::prepare(&request))?;
    drop(waiting);
    names::check(&prepared, &request)?;
    let entry = entries::program(&prepared)?;
    let job = Job {
        command: "run",
        sources: &args.sources,
        prepared: &prepared,
        entries: vec![entry],
        whole_program: true,
        surroundings: &args.surroundings,
        input: &args.input,
        common: &args.common,
        flags: &flags,
        settings,
        interrupt,
    };
    job.perform()
}
