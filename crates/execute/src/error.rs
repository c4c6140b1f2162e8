//! Our own failures. What a run does is never one of them.

use std::io;
use std::path::PathBuf;

#[derive(thiserror::Error, Debug)]
pub enum Error {
    #[error("cannot use the scratch folder {path}: {source}; choose another one")]
    Scratch { path: PathBuf, source: io::Error },
    #[error("cannot make shared memory ({what}): {source}; is /dev/shm or memory exhausted?")]
    Shared { what: &'static str, source: io::Error },
    #[error("cannot start {program}: {source}; was it built for this machine, and may it be executed?")]
    Spawn { program: PathBuf, source: io::Error },
    #[error("{program} ended before it was ready ({status}): {message}")]
    NotReady { program: PathBuf, status: String, signal: Option<i32>, message: String },
    #[error("the sandbox cannot be set up: {0}; without it (no sandbox) runs could touch your files")]
    Sandbox(String),
    #[error("one input has {steps} steps and {values} values, more than a run can have; make fewer bytes symbolic")]
    TooLarge { steps: usize, values: usize },
    #[error("cannot watch the worker: {0}")]
    Watch(io::Error),
}
