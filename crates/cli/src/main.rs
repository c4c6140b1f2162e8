//! The command `covet`: arguments in, exit code out. The only crate that prints.

mod arguments;
mod commands;
mod failure;
mod interrupts;
mod log;
mod place;
mod running;
mod view;

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
        eprintln!("note: interrupting will lose results: {error}");
    }
    let running = Running::new(began, &interrupt, cli.command.seconds());
    let done = match &cli.command {
        Command::Cover(args) => commands::cover::perform(args, &settings, &running),
        Command::Run(args) => commands::run::perform(args, &settings, &running),
        Command::Replay(args) => commands::replay::perform(args, &running),
        Command::Show(args) => commands::show::perform(args, &settings, &running),
        Command::Bench(args) => commands::bench::perform(args, &running.deadline),
    };
    done.unwrap_or_else(|failure| failure::report_of(&failure, running.deadline.is_interrupted()))
}
