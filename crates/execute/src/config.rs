//! What to run and within which limits.

use covet_abi::check::Checks;
use std::path::PathBuf;
use std::time::Duration;

/// An instrumented executable.
#[derive(Clone, Debug)]
pub struct Executable {
    pub path: PathBuf,
}

/// How one process serves many runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// In the worker itself, which is put back to its first state after each run.
    Reset,
    /// In a child of the worker for each run.
    Fork,
    /// Reset, until a repeated input shows that something survives it.
    Auto,
}

/// The value of variables that an input does not name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum First {
    /// Their defaults.
    Zeros,
    /// Random, from the seed and the variable's name.
    Random,
}

#[derive(Clone, Debug)]
pub struct Config {
    pub mode: Mode,
    /// Wall time of one run.
    pub time_limit: Duration,
    /// Bytes of heap a run may hold.
    pub memory_limit: u64,
    /// Bytes of stack a run may use.
    pub stack_limit: u64,
    /// Bytes of any file a run may write.
    pub output_limit: u64,
    pub sandbox: bool,
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
    /// Sets bits of `Control::logs`.
    pub logs: u32,
    /// Checks whose violation is sought and ends a run.
    pub checks: Checks,
}

impl Config {
    /// Sensible limits, with `scratch` as the folder for workers' private folders.
    pub fn new(scratch: PathBuf) -> Config {
        Config {
            mode: Mode::Auto,
            time_limit: Duration::from_secs(2),
            memory_limit: 1 << 30,
            stack_limit: 8 << 20,
            output_limit: 16 << 20,
            sandbox: true,
            seed: 0,
            first: First::Zeros,
            scratch,
            arena: ArenaSizes::default(),
            check_every: 100,
            patience: Duration::ZERO,
            keep_output: false,
            logs: 1,
            checks: Checks::usual(),
        }
    }
}

/// Room in the shared file, in elements. Only what is used takes memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ArenaSizes {
    pub nodes: u64,
    pub tables: u64,
    pub entries: u64,
    pub variables: u64,
    pub names: u64,
    pub events: u64,
    pub lists: u64,
    pub steps: u64,
    pub values: u64,
    pub externals: u64,
}

impl Default for ArenaSizes {
    fn default() -> ArenaSizes {
        ArenaSizes {
            nodes: 1 << 22,
            tables: 1 << 16,
            entries: 1 << 22,
            variables: 1 << 18,
            names: 1 << 24,
            events: 1 << 21,
            lists: 1 << 21,
            steps: 1 << 18,
            values: 1 << 18,
            externals: 1 << 14,
        }
    }
}
