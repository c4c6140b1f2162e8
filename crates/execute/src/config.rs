//! What to run and within which limits.

use covet_abi::check::Checks;
pub use covet_abi::shared::{ArenaSizes, First};
use covet_budget::{Deadline, Memory};
use std::path::PathBuf;
use std::time::Duration;

/// An instrumented executable.
#[derive(Clone, Debug)]
pub struct Executable {
    pub path: PathBuf,
}

/// How one process serves many runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub enum Mode {
    /// In the worker itself, which is put back to its first state after each run.
    Reset,
    /// In a child of the worker for each run.
    Fork,
    /// Reset, until a repeated input shows that something survives it.
    Auto,
}

#[derive(Clone, Debug)]
pub struct Config {
    pub mode: Mode,
    /// Wall time of one run.
    pub time_limit: Duration,
    /// Bytes of heap a run may hold.
    pub memory_limit: u64,
    /// Bytes of memory that a worker may hold, tracking and all.
    pub process_limit: u64,
    /// Bytes of stack a run may use.
    pub stack_limit: u64,
    /// Bytes of any file a run may write.
    pub output_limit: u64,
    pub sandbox: bool,
    /// What a run may read besides the system's folders: where its libraries are.
    pub readable: Vec<PathBuf>,
    /// Beyond this nothing is waited for.
    pub deadline: Deadline,
    pub seed: u64,
    pub first: First,
    /// Workers make their own folders in here.
    pub scratch: PathBuf,
    pub arena: ArenaSizes,
    /// In [`Mode::Auto`]: the first input and each that has this many before it is run twice.
    pub check_every: u32,
    /// How long engine and worker look out for each other before they sleep: zero where they would take each other's time.
    pub patience: Duration,
    /// Keeps what a run prints; see [`crate::Worker::output`].
    pub keep_output: bool,
    /// Checks whose violation is sought and ends a run.
    pub checks: Checks,
    /// Counts what workers use.
    pub memory: Memory,
}

impl Config {
    /// Sensible limits, with `scratch` as the folder for workers' private folders.
    pub fn new(scratch: PathBuf) -> Config {
        Config {
            mode: Mode::Auto,
            time_limit: Duration::from_secs(2),
            memory_limit: 1 << 30,
            process_limit: u64::MAX,
            stack_limit: 8 << 20,
            output_limit: 16 << 20,
            sandbox: true,
            readable: Vec::new(),
            deadline: Deadline::default(),
            seed: 0,
            first: First::Zeros,
            scratch,
            arena: ArenaSizes::default(),
            check_every: 100,
            patience: Duration::ZERO,
            keep_output: false,
            checks: Checks::usual(),
            memory: Memory::default(),
        }
    }
}
