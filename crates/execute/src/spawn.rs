//! Starting a worker process: private folder, descriptors, limits, sandbox, and waiting until it is ready.
//!
//! Folder of a worker: see `abi::process`. Invariant: the process dies with the engine, and so does all it has started.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::Stdio;
use std::sync::atomic::Ordering;
use std::time::Duration;

use covet_abi::process::{ERRORS, RUN_FOLDER, SHARED_FD};
use covet_budget::Deadline;
use covet_launch::{End, Program, Running};

use crate::config::{Config, Executable};
use crate::shared::Shared;
use crate::wait::futex_wait;
use crate::{Error, limits};

/// A program that takes longer to start is not going to.
const START_LIMIT: Duration = Duration::from_secs(20);

/// Of what a worker says before it is ready, so much is kept.
const ERRORS_LIMIT: usize = 64 << 10;

/// Starts a worker on the shared file and returns it ready, with what could not be protected.
pub fn spawn(
    program: &Executable,
    config: &Config,
    shared: &Shared,
    folder: &Path,
    deadline: &Deadline,
) -> Result<(Running, Vec<String>), Error> {
    let at_folder = |source| Error::Scratch { path: folder.to_path_buf(), source };
    let run = folder.join(RUN_FOLDER);
    fs::create_dir_all(&run).map_err(at_folder)?;
    let errors = File::create(folder.join(ERRORS)).map_err(at_folder)?;
    let number = shared.descriptor().as_raw_fd().to_string();
    let worker = Program {
        path: &program.path,
        arguments: Vec::new(),
        variables: vec![(OsStr::from_bytes(SHARED_FD.to_bytes()).to_owned(), number.into())],
        folder,
        home: &run,
        readable: &config.readable,
        keep: Some(shared.descriptor()),
        stdin: Stdio::null(),
        stdout: Stdio::null(),
        stderr: errors.into(),
        fixed_addresses: true,
        limits: limits::from_start(config, shared),
        confined: config.sandbox,
    };
    let mut worker = worker.start().map_err(Error::Spawn)?;
    if let Some(end) = await_ready(&mut worker, shared, &deadline.within(START_LIMIT))? {
        let message = first_of(&folder.join(ERRORS));
        let signal = if let Some(End::Killed(signal)) = end { Some(signal) } else { None };
        let status = end.map_or_else(|| "not in time".to_string(), describe);
        return Err(Error::NotReady { program: program.path.clone(), status, signal, message });
    }
    let mut warnings = std::mem::take(&mut worker.notes);
    let process = worker.process().unwrap_or_default();
    if let Err(error) = limits::once_ready(process, config) {
        warnings.push(format!("the worker's memory and file size cannot be limited: {error}"));
    }
    if fs::read_to_string(format!("/proc/{process}/personality")).is_ok_and(|text| !fixed_addresses(&text)) {
        warnings.push("addresses of the program are random here: pointer values differ between workers".to_string());
    }
    Ok((worker, warnings))
}

fn fixed_addresses(personality: &str) -> bool {
    u64::from_str_radix(personality.trim(), 16).is_ok_and(|bits| bits & libc::ADDR_NO_RANDOMIZE as u64 != 0)
}

/// Waits for `ready`. What became of the process when it ended instead; none of it when it took too long.
fn await_ready(worker: &mut Running, shared: &Shared, deadline: &Deadline) -> Result<Option<Option<End>>, Error> {
    let ready = shared.word(|control| &mut control.ready);
    while ready.load(Ordering::Acquire) == 0 {
        futex_wait(ready, 0, Duration::from_millis(2));
        if let Some(end) = worker.try_wait().map_err(Error::Spawn)? {
            return Ok(Some(Some(end)));
        }
        if deadline.is_over() {
            worker.end_now();
            return Ok(Some(None));
        }
    }
    Ok(None)
}

fn describe(end: End) -> String {
    match end {
        End::Exited(code) => format!("exit code {code}"),
        End::Killed(signal) => format!("signal {signal}"),
        End::Over(resource) => format!("too much {resource}"),
    }
}

/// The beginning of a file that the program can write to.
fn first_of(path: &Path) -> String {
    let bytes = fs::read(path).unwrap_or_default();
    String::from_utf8_lossy(&bytes[..bytes.len().min(ERRORS_LIMIT)]).trim().to_string()
}
