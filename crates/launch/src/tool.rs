//! Compilers, linkers, solvers: programs that we trust to do their work, but not to end.

use std::io;
use std::path::PathBuf;
use std::process::{ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::time::Duration;

use covet_budget::Deadline;

use crate::Error;
use crate::group::{Group, entry, poll};
use crate::output::Pipe;

/// How often an interrupt is looked for.
const LOOK: Duration = Duration::from_millis(20);

/// How a tool ended, and what it printed.
#[derive(Debug)]
pub struct Output {
    pub status: ExitStatus,
    pub stdout: Vec<u8>,
    /// Its beginning, up to the limit.
    pub stderr: Vec<u8>,
}

/// Runs a command to its end, without standard input. It and everything it has started are killed at the deadline, at an interrupt,
/// when the engine ends, and when it prints more than `limit` bytes to its standard output.
pub fn tool(mut command: Command, deadline: &Deadline, limit: usize) -> Result<Output, Error> {
    let program = PathBuf::from(command.get_program());
    if deadline.is_over() {
        return Err(Error::Cut { program });
    }
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut group = Group::start(command).map_err(|source| Error::starting(program.clone(), source))?;
    match watch(&mut group, deadline, limit) {
        Ok(End::Ended(output)) => Ok(output),
        Ok(End::Cut) => Err(Error::Cut { program }),
        Ok(End::TooMuch) => Err(Error::TooMuchOutput { program, limit }),
        Err(source) => Err(Error::Watch { program, source }),
    }
}

enum End {
    Ended(Output),
    Cut,
    TooMuch,
}

/// Reads until the process has ended; leaving early drops the group, which ends it.
fn watch(group: &mut Group, deadline: &Deadline, limit: usize) -> io::Result<End> {
    let mut stdout = Pipe::new(group.child.stdout.take())?;
    let mut stderr = Pipe::new(group.child.stderr.take())?;
    loop {
        let status = group.try_wait()?;
        stdout.take(limit)?;
        stderr.take(limit)?;
        if stdout.is_over {
            return Ok(End::TooMuch);
        }
        let mut entries: Vec<_> = [stdout.descriptor(), stderr.descriptor()].into_iter().flatten().map(entry).collect();
        match status {
            // All of the group is gone: what is in the pipes is all there will be, unless something left the group.
            Some(status) if entries.is_empty() || !has_more(&mut entries)? => {
                return Ok(End::Ended(Output { status, stdout: stdout.bytes, stderr: stderr.bytes }));
            }
            Some(_) | None => {}
        }
        if deadline.is_over() {
            return Ok(End::Cut);
        }
        if status.is_none() {
            entries.extend(group.descriptor().map(entry));
            let look = if group.descriptor().is_some() { LOOK } else { Duration::from_millis(1) };
            poll(&mut entries, deadline.left().map_or(look, |left| left.min(look)))?;
        }
    }
}

fn has_more(entries: &mut [libc::pollfd]) -> io::Result<bool> {
    poll(entries, Duration::ZERO)?;
    Ok(entries.iter().any(|entry| entry.revents & libc::POLLIN != 0))
}

/// A tool that answers questions for as long as it is wanted. Dropping it ends it and everything it has started.
#[derive(Debug)]
pub struct Kept {
    group: Group,
}

/// Starts a command with pipes to its standard input and output.
pub fn keep(mut command: Command) -> Result<Kept, Error> {
    let program = PathBuf::from(command.get_program());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let group = Group::start(command).map_err(|source| Error::starting(program, source))?;
    Ok(Kept { group })
}

impl Kept {
    /// Its standard input and output; to be taken once.
    pub fn pipes(&mut self) -> Option<(ChildStdin, ChildStdout)> {
        self.group.child.stdin.take().zip(self.group.child.stdout.take())
    }
}
