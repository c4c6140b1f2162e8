//! The command `covet`: arguments in, exit code out. The only crate that prints.

mod alarms;
mod args;
mod collect;
mod commands;
mod entries;
mod exploration;
mod explore_entry;
mod failure;
mod input_args;
mod lanes;
mod live;
mod loops;
mod memory;
mod missing;
mod native;
mod official;
mod prepare;
mod progress;
mod results;
mod sanitizers;
mod summary;
mod table;
mod typed;
mod values;
mod walk_args;

use args::{Cli, Command};
use clap::Parser;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let interrupt = Arc::new(AtomicBool::new(false));
    if let Err(error) = catch_interrupts(&interrupt) {
        eprintln!("note: interrupting will lose results: {error}");
    }
    let done = match &cli.command {
        Command::Cover(args) => commands::cover::perform(args, &interrupt),
        Command::Run(args) => commands::run::perform(args, &interrupt),
        Command::Replay(args) => commands::replay::perform(args),
        Command::Show(args) => commands::show::perform(args),
        Command::Bench(args) => commands::bench::perform(args, &interrupt),
    };
    done.unwrap_or_else(|failure| failure.report())
}

/// The first interrupt asks to stop and keep what there is; the second ends at once.
fn catch_interrupts(flag: &Arc<AtomicBool>) -> std::io::Result<()> {
    for signal in [libc::SIGINT, libc::SIGTERM] {
        signal_hook::flag::register_conditional_shutdown(signal, i32::from(failure::INTERRUPTED), Arc::clone(flag))?;
        signal_hook::flag::register(signal, Arc::clone(flag))?;
    }
    Ok(())
}
