//! What `covet show` can be told.

use crate::arguments::EnvironmentArgs;
use crate::arguments::input::InputArgs;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Args, Debug)]
pub struct ShowArgs {
    #[arg(value_enum, value_name = "STAGE")]
    pub stage: Stage,
    /// C files, folders, or a compile_commands.json.
    #[arg(required = true, value_name = "SOURCE")]
    pub sources: Vec<PathBuf>,
    /// The function to run (default: `main`, a fuzz harness, or the only function).
    #[arg(long, value_name = "F")]
    pub function: Option<String>,
    /// A value of the input, by name. May be repeated.
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub values: Vec<String>,
    /// For `query`: which condition to flip, from 1 (default: the last).
    #[arg(long, value_name = "N")]
    pub flip: Option<usize>,
    /// For `unit`: a call profile that `covet profile` has recorded. May be repeated.
    #[arg(long = "profile", value_name = "P")]
    pub profiles: Vec<PathBuf>,
    /// For `unit`: dependency from which on a function belongs to the extended unit or the calling context.
    #[arg(long, value_name = "P", default_value_t = covet_campaign::TAU)]
    pub tau: f64,
    /// For `query`: the SMT-LIB script alone, without an answer.
    #[arg(long)]
    pub smt2: bool,
    /// For `interface`: what is exported, as `--exports` of `covet hunt` takes it.
    #[arg(long, value_name = "FILE")]
    pub exports: Option<PathBuf>,
    #[command(flatten)]
    pub environment: EnvironmentArgs,
    #[command(flatten)]
    pub input: InputArgs,
    /// Run the program without the sandbox.
    #[arg(long)]
    pub no_sandbox: bool,
    /// Flags for clang.
    #[arg(last = true, value_name = "CLANG-FLAGS")]
    pub flags: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Stage {
    /// The linked program before instrumentation.
    Bitcode,
    /// Branches, switches and checks with their numbers and lines.
    Sites,
    /// What one run recorded, event by event.
    Trace,
    /// The path condition of one run.
    Path,
    /// The question put to the solver for one flip, as SMT-LIB, and its answer.
    Query,
    /// The input of one run, variable by variable.
    Input,
    /// What the members of structures keep, with the evidence.
    Invariants,
    /// Whom a function depends on, its extended unit and its calling contexts.
    Unit,
    /// What the sources export, and how it can be called from outside.
    Interface,
}
