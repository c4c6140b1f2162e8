//! Starting a worker process: private folder, descriptors, limits, sandbox, and waiting until it is ready.
//!
//! Folder of a worker: see `abi::process`. Invariant: the process is in a group of its own and dies with the engine.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use covet_abi::process::{ERRORS, RUN_FOLDER, SHARED_FD};

use crate::config::{Config, Executable};
use crate::sandbox::Sandbox;
use crate::shared::Shared;
use crate::wait::{futex_wait, kill_group};
use crate::{Error, limits};

/// A program that takes longer to start is not going to.
const START_LIMIT: Duration = Duration::from_secs(20);

/// Starts a worker on the shared file and returns it ready, with what could not be protected.
pub fn spawn(
    program: &Executable,
    config: &Config,
    shared: &Shared,
    folder: &Path,
) -> Result<(Child, Vec<String>), Error> {
    let at_folder = |source| Error::Scratch { path: folder.to_path_buf(), source };
    let run = folder.join(RUN_FOLDER);
    fs::create_dir_all(&run).map_err(at_folder)?;
    let errors = File::create(folder.join(ERRORS)).map_err(at_folder)?;
    let mut sandbox = if config.sandbox { Some(Sandbox::new(folder)?) } else { None };
    let mut warnings = sandbox.as_mut().map(|sandbox| std::mem::take(&mut sandbox.warnings)).unwrap_or_default();
    let at_program = |source| Error::Spawn { program: program.path.clone(), source };
    let executable = fs::canonicalize(&program.path).map_err(at_program)?;
    let descriptor = shared.descriptor();
    let mut command = Command::new(&executable);
    command
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .env("HOME", &run)
        .env("TMPDIR", &run)
        .env(OsStr::from_bytes(SHARED_FD.to_bytes()), descriptor.to_string())
        .current_dir(&run)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(errors);
    // SAFETY: only system calls between `fork` and `exec`; everything they need was made before.
    unsafe { command.pre_exec(move || become_worker(descriptor, sandbox.as_mut())) };
    let mut child = command.spawn().map_err(at_program)?;
    let pid = child.id() as i32;
    let ready = await_ready(&mut child, shared)?;
    if let Some(status) = ready {
        let message = fs::read_to_string(folder.join(ERRORS)).unwrap_or_default();
        let (program, signal, status) = (program.path.clone(), status.signal(), describe(status));
        return Err(Error::NotReady { program, status, signal, message: message.trim().to_string() });
    }
    if let Err(error) = limits::once_ready(pid, config) {
        warnings.push(format!("the worker's memory and file size cannot be limited: {error}"));
    }
    if fs::read_to_string(format!("/proc/{pid}/personality")).is_ok_and(|text| !fixed_addresses(&text)) {
        warnings.push("addresses of the program are random here: pointer values differ between workers".to_string());
    }
    Ok((child, warnings))
}

fn fixed_addresses(personality: &str) -> bool {
    u64::from_str_radix(personality.trim(), 16).is_ok_and(|bits| bits & libc::ADDR_NO_RANDOMIZE as u64 != 0)
}

fn become_worker(descriptor: i32, sandbox: Option<&mut Sandbox>) -> io::Result<()> {
    // SAFETY: plain system calls in the new process.
    unsafe {
        libc::setsid();
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        let now = libc::personality(0xffff_ffff);
        // Refused in some containers; the engine warns then.
        libc::personality((now | libc::ADDR_NO_RANDOMIZE) as libc::c_ulong);
        let flags = libc::fcntl(descriptor, libc::F_GETFD);
        if libc::fcntl(descriptor, libc::F_SETFD, flags & !libc::FD_CLOEXEC) != 0 {
            return Err(io::Error::last_os_error());
        }
    }
    limits::before_start()?;
    match sandbox {
        Some(sandbox) => sandbox.enter(),
        None => Ok(()),
    }
}

/// Waits for `ready`. The exit status when the process ended instead.
fn await_ready(child: &mut Child, shared: &Shared) -> Result<Option<ExitStatus>, Error> {
    let start = Instant::now();
    let ready = shared.word(|control| &mut control.ready);
    while ready.load(Ordering::Acquire) == 0 {
        futex_wait(ready, 0, Duration::from_millis(2));
        if let Some(status) = child.try_wait().map_err(Error::Watch)? {
            return Ok(Some(status));
        }
        if start.elapsed() > START_LIMIT {
            kill_group(child.id() as i32, libc::SIGKILL);
            return child.wait().map(Some).map_err(Error::Watch);
        }
    }
    Ok(None)
}

fn describe(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("exit code {code}"),
        (None, Some(signal)) => format!("signal {signal}"),
        (None, None) => "no status".to_string(),
    }
}
