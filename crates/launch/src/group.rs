//! A process with all it starts: a session of its own that dies with the engine and can be ended as one.

use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus};
use std::time::Duration;

use crate::starter;

/// A running process, leader of its group. Dropping it ends all of it.
#[derive(Debug)]
pub struct Group {
    pub child: Child,
    /// Becomes readable when the process has ended; none on kernels that have no such thing.
    ended: Option<OwnedFd>,
    is_reaped: bool,
}

impl Group {
    pub fn start(mut command: Command) -> io::Result<Group> {
        let engine = std::process::id() as i32;
        // SAFETY: only system calls between `fork` and `exec`.
        unsafe { command.pre_exec(move || lead(engine)) };
        Group::of(starter::start(command, Vec::new())?)
    }

    /// Starts a program that leads its own session, ends with the engine by itself, and keeps these descriptors. Nothing has to be done before
    /// it is there, so the engine's memory, which may be large, need not be copied to start it.
    pub fn start_leader(command: Command, kept: Vec<i32>) -> io::Result<Group> {
        Group::of(starter::start(command, kept)?)
    }

    fn of(child: Child) -> io::Result<Group> {
        // SAFETY: the number is that of our own child, which is not reaped yet.
        let descriptor = unsafe { libc::syscall(libc::SYS_pidfd_open, child.id(), 0) } as i32;
        // SAFETY: a fresh descriptor, owned from here.
        let ended = (descriptor >= 0).then(|| unsafe { OwnedFd::from_raw_fd(descriptor) });
        Ok(Group { child, ended, is_reaped: false })
    }

    /// What to wait on for its end.
    pub fn descriptor(&self) -> Option<i32> {
        self.ended.as_ref().map(AsRawFd::as_raw_fd)
    }

    /// Its status once it has ended; then the rest of its group is ended too.
    pub fn try_wait(&mut self) -> io::Result<Option<ExitStatus>> {
        if !self.is_reaped && self.has_ended()? {
            // Before it is reaped, so that the number is still its own.
            self.signal(libc::SIGKILL);
            self.is_reaped = true;
        }
        if self.is_reaped { self.child.wait().map(Some) } else { Ok(None) }
    }

    fn has_ended(&self) -> io::Result<bool> {
        let how = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
        // SAFETY: a plain system call that fills in the structure; it stays zero where nothing has ended.
        unsafe {
            let mut seen: libc::siginfo_t = std::mem::zeroed();
            match libc::waitid(libc::P_PID, self.child.id(), &raw mut seen, how) {
                0 => Ok(seen.si_pid() != 0),
                _ => Err(io::Error::last_os_error()),
            }
        }
    }

    /// Sends a signal to the process and all of its group.
    pub fn signal(&self, signal: i32) {
        if !self.is_reaped {
            // SAFETY: a plain system call; the group is that of our own child, which is not reaped yet.
            // The process itself as well: it may not lead its session yet.
            unsafe {
                libc::kill(-(self.child.id() as i32), signal);
                if signal == libc::SIGKILL {
                    libc::kill(self.child.id() as i32, signal);
                }
            }
        }
    }

    /// Whether it has ended and was reaped.
    pub fn is_over(&self) -> bool {
        self.is_reaped
    }

    /// Asks the process alone to end, so that it can end others before.
    pub fn ask_to_end(&self) {
        if !self.is_reaped {
            // SAFETY: a plain system call; the process is our own child, which is not reaped yet.
            unsafe { libc::kill(self.child.id() as i32, libc::SIGTERM) };
        }
    }

    /// Ends all of it, now.
    pub fn end(&mut self) -> io::Result<ExitStatus> {
        self.signal(libc::SIGKILL);
        self.is_reaped = true;
        self.child.wait()
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if !self.is_reaped {
            // It was killed: this cannot hang, and there is nobody to tell.
            let _ = self.end();
        }
    }
}

/// In the new process: a session of its own, which ends with the engine.
fn lead(engine: i32) -> io::Result<()> {
    // SAFETY: plain system calls in the new process.
    unsafe {
        libc::setsid();
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        // The engine may have ended just before.
        if libc::getppid() != engine {
            libc::_exit(127);
        }
    }
    Ok(())
}

pub fn entry(descriptor: i32) -> libc::pollfd {
    libc::pollfd { fd: descriptor, events: libc::POLLIN, revents: 0 }
}

/// Waits until one of the descriptors has something, or the time is up.
pub fn poll(entries: &mut [libc::pollfd], most: Duration) -> io::Result<()> {
    let most = most.as_micros().div_ceil(1000).min(i32::MAX as u128) as i32;
    // SAFETY: a plain system call on a slice we own.
    let seen = unsafe { libc::poll(entries.as_mut_ptr(), entries.len() as libc::nfds_t, most) };
    match io::Error::last_os_error() {
        _ if seen >= 0 => Ok(()),
        error if error.kind() == io::ErrorKind::Interrupted => Ok(()),
        error => Err(error),
    }
}
