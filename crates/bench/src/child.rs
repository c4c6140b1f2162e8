//! Runs a plain or an instrumented program as a child: output, end, time and peak memory.

use crate::Error;
use std::fs::File;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// What a child did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ran {
    pub output: Vec<u8>,
    pub end: End,
    pub elapsed: Duration,
    /// Largest resident size in KiB.
    pub peak: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Exited(i32),
    Signalled(i32),
    TimedOut,
}

/// Starts `program` in `folder` without input and waits at most `limit`.
pub fn run(program: &Path, folder: &Path, limit: Duration) -> Result<Ran, Error> {
    let path = folder.join("output");
    let output = File::create(&path).map_err(Error::file(path.display()))?;
    let start = Instant::now();
    let child = Command::new(program)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(output)
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()
        .map_err(|reason| Error::Missing { program: program.display().to_string(), reason })?;
    let process = child.id() as libc::pid_t;
    loop {
        let mut status = 0;
        // SAFETY: plain data, filled in by the call.
        let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
        let late = start.elapsed() > limit;
        // SAFETY: `process` is our child and is waited for nowhere else.
        let ended = unsafe {
            if late {
                libc::kill(-process, libc::SIGKILL);
            }
            libc::wait4(process, &mut status, if late { 0 } else { libc::WNOHANG }, &mut usage)
        };
        if ended == process {
            let status = ExitStatus::from_raw(status);
            let end = match (late, status.code(), status.signal()) {
                (true, ..) => End::TimedOut,
                (_, Some(code), _) => End::Exited(code),
                (_, None, signal) => End::Signalled(signal.unwrap_or(0)),
            };
            let elapsed = start.elapsed();
            let output = std::fs::read(&path).map_err(Error::file(path.display()))?;
            return Ok(Ran { output, end, elapsed, peak: usage.ru_maxrss as u64 });
        }
        std::thread::sleep(Duration::from_micros(500));
    }
}
