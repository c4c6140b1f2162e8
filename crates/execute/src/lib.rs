//! An instrumented program and inputs → runs: worker processes under limits and in a sandbox.
//!
//! A [`Worker`] is one process that runs the program again and again (or forks a child for each run), fed in batches through
//! shared memory. Invariant: whatever a run does, [`Worker::run`] comes back with exactly one [`Run`] for each input, in order;
//! crashes, time-outs and lost workers are outcomes, not errors.

mod calls;
mod config;
mod error;
mod limits;
mod pace;
mod patience;
mod result;
mod shared;
mod spawn;
mod stubs;
mod translate;
mod wait;
mod worker;

pub use calls::{Argument, Call};
pub use config::{ArenaSizes, Config, Executable, First, Mode};
pub use error::Error;
pub use pace::Pace;
pub use result::Run;
pub use stubs::StubSet;
pub use translate::RunInput;
pub use worker::{Demotion, Worker};
