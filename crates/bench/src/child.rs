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
    let mut peak = 0;
    loop {
        peak = peak.max(peak_memory(child.id()));
        let mut status = 0;
        let late = start.elapsed() > limit;
        // SAFETY: `process` is our child and is waited for nowhere else.
        let ended = unsafe {
            if late {
                libc::kill(-process, libc::SIGKILL);
            }
            libc::waitpid(process, &mut status, if late { 0 } else { libc::WNOHANG })
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
            return Ok(Ran { output, end, elapsed, peak });
        }
        std::thread::sleep(Duration::from_micros(500));
    }
}

/// Peak resident size of a running process in KiB; 0 when it is gone. (What `wait` tells counts the parent's size at the fork.)
pub fn peak_memory(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|text| text.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}
