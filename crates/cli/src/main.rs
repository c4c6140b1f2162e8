//! The command `covet`: arguments in, exit code out. The only crate that prints.

#[macro_use]
mod view;

mod arguments;
mod commands;
mod failure;
mod interrupts;
mod log;
mod place;

use arguments::{Command, settle};
use covet_budget::Deadline;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

fn main() -> ExitCode {
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
    let deadline = Deadline::on(&interrupt);
    let done = match &cli.command {
        Command::Cover(args) => commands::cover::perform(args, &settings, &deadline),
        Command::Run(args) => commands::run::perform(args, &settings, &deadline),
        Command::Replay(args) => commands::replay::perform(args, &deadline),
        Command::Show(args) => commands::show::perform(args, &settings, &deadline),
        Command::Cache(args) => commands::cache::perform(args),
        Command::Bench(args) => commands::bench::perform(args, &deadline),
    };
    let code = done.unwrap_or_else(|failure| failure::report(&failure));
    match view::output::failure() {
        Some(message) => failure::report(&failure::Failure::Machine(message)),
        None => code,
    }
}
