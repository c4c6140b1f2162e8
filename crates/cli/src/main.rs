//! The command `covet`: arguments in, exit code out. The only crate that prints.

mod arguments;
mod commands;
mod failure;
mod interrupts;
mod log;
mod place;
mod view;

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
        eprintln!("note: interrupting will lose results: {error}");
    }
    let deadline = Deadline::on(&interrupt);
    let done = match &cli.command {
        Command::Cover(args) => commands::cover::perform(args, &settings, &deadline),
        Command::Run(args) => commands::run::perform(args, &settings, &deadline),
        Command::Replay(args) => commands::replay::perform(args, &deadline),
        Command::Show(args) => commands::show::perform(args, &settings, &deadline),
        Command::Bench(args) => commands::bench::perform(args, &deadline),
    };
    done.unwrap_or_else(|failure| failure::report(&failure))
}
