//! Which alarms are told.

use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Args, Debug, Clone, Default)]
pub struct ToldArgs {
    /// Alarms to show besides those that are confirmed or likely: `latent` ones too, which rest on an assumption, or `all`, with those that
    /// were refuted. The exit code counts the same as ever. Example: `--show latent`
    #[arg(long, value_enum, value_name = "latent|all")]
    pub show: Option<Show>,
    /// Alarms that are known: they are neither shown nor counted for the exit code, and those that are gone are named. FILE was written by
    /// `--write-baseline` or `--json`, or is a results folder. Example: `--baseline covet-baseline.txt`
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Write the alarms that are found, those of the baseline included, to FILE for the next `--baseline`.
    #[arg(long, value_name = "FILE")]
    pub write_baseline: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Show {
    Latent,
    All,
}
