//! `covet run`: a whole program, from `main` or a fuzz harness.

use crate::args::RunArgs;
use crate::exploration::Job;
use crate::failure::Failure;
use crate::prepare::Parts;
use crate::progress::Waiting;
use crate::{entries, prepare};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

pub fn perform(args: &RunArgs, interrupt: &AtomicBool) -> Result<ExitCode, Failure> {
    let waiting = Waiting::on("compiling and instrumenting", !args.common.quiet);
    let prepared = prepare::prepare(&args.sources, &args.flags, Parts::All, args.common.jobs as usize)?;
    drop(waiting);
    let entry = entries::program(&prepared)?;
    let job = Job {
        command: "run",
        prepared: &prepared,
        entries: vec![entry],
        whole_program: true,
        surroundings: &args.surroundings,
        input: &args.input,
        common: &args.common,
        flags: &args.flags,
        interrupt,
    };
    job.perform()
}
