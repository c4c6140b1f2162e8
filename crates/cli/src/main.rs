//! The command `covet`: arguments in, exit code out. The only crate that prints.

#[macro_use]
mod view;

mod arguments;
mod commands;
mod failure;
mod interrupts;
mod log;
mod place;
mod running;

use arguments::{Command, settle};
use running::Running;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

fn main() -> ExitCode {
    let began = Instant::now();
    log::start();
    let arguments: Vec<_> = std::env::args_os().collect();
    let (cli, settings) = match settle::settle(&arguments) {
        Ok(settled) => settled,
        Err(failure) => return failure::report(&failure),
    };
    let interrupt = Arc::new(AtomicBool::new(false));
    if let Err(error) = interrupts::catch(&interrupt) {
        tell!("note: interrupting will lose results: {error}");
    }
    let running = Running::new(began, &interrupt, cli.command.seconds());
    let done = match &cli.command {
        Command::Cover(args) => commands::cover::perform(args, &settings, &running),
        Command::Run(args) => commands::run::perform(args, &settings, &running),
        Command::Hunt(args) => commands::hunt::perform(args, &settings, &running),
        Command::Profile(args) => commands::profile::perform(args, &running),
        Command::ProfileCompiler(args) => commands::profile::compiler::perform(args, &running),
        Command::Replay(args) => commands::replay::perform(args, &running),
        Command::Show(args) => commands::show::perform(args, &settings, &running),
        Command::Bench(args) => commands::bench::perform(args, &running.deadline),
        Command::Cache(args) => commands::cache::perform(args),
    };
    let is_interrupted = running.deadline.is_interrupted();
    let code = done.unwrap_or_else(|failure| failure::report_of(&failure, is_interrupted));
    match view::output::failure() {
        Some(message) => failure::report(&failure::Failure::Machine(message)),
        None => code,
    }
}
