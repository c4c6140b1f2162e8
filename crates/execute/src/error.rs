//! Our own failures. What a run does is never one of them.

use std::io;
use std::path::PathBuf;

#[derive(thiserror::Error, Debug)]
pub enum Error {
    #[error("cannot use the scratch folder {path}: {source}; choose another one")]
    Scratch { path: PathBuf, source: io::Error },
    #[error("cannot make shared memory ({what}): {source}; is /dev/shm or memory exhausted?")]
    Shared { what: &'static str, source: io::Error },
    #[error("{0}; was it built for this machine, and may it be executed?")]
    Spawn(covet_launch::Error),
    #[error("{program} ended before it was ready ({status}): {message}")]
    NotReady { program: PathBuf, status: String, signal: Option<i32>, message: String },
    #[error("one input has {steps} steps and {values} values, more than a run can have; make fewer bytes symbolic")]
    TooLarge { steps: usize, values: usize },
    #[error("the worker is lost: {0}")]
    Watch(covet_launch::Error),
}
