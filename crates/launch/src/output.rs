//! What a process prints, read while it runs and never beyond a bound.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsRawFd, OwnedFd};

/// What is in a pipe now, up to `limit` bytes, without waiting for more.
pub fn drain(end: impl Into<OwnedFd>, limit: usize) -> io::Result<Vec<u8>> {
    let mut pipe = Pipe::new(Some(end))?;
    pipe.take(limit)?;
    Ok(pipe.bytes)
}

/// One pipe, being read.
pub struct Pipe {
    file: Option<File>,
    pub bytes: Vec<u8>,
    /// Whether more came than is kept.
    pub is_over: bool,
}

impl Pipe {
    pub fn new(end: Option<impl Into<OwnedFd>>) -> io::Result<Pipe> {
        let file = end.map(|end| File::from(end.into()));
        if let Some(file) = &file {
            // SAFETY: plain system calls on a descriptor we own.
            unsafe {
                let flags = libc::fcntl(file.as_raw_fd(), libc::F_GETFL);
                if libc::fcntl(file.as_raw_fd(), libc::F_SETFL, flags | libc::O_NONBLOCK) != 0 {
                    return Err(io::Error::last_os_error());
                }
            }
        }
        Ok(Pipe { file, bytes: Vec::new(), is_over: false })
    }

    /// What to wait on for more; none at its end.
    pub fn descriptor(&self) -> Option<i32> {
        self.file.as_ref().map(AsRawFd::as_raw_fd)
    }

    /// Takes what is there. What is beyond `limit` bytes is thrown away. Gives way after a while, so that a flood does not keep the
    /// reader from looking at the clock.
    pub fn take(&mut self, limit: usize) -> io::Result<()> {
        let mut chunk = [0; 1 << 16];
        for _ in 0..16 {
            let Some(file) = &mut self.file else { return Ok(()) };
            match file.read(&mut chunk) {
                Ok(0) => self.file = None,
                Ok(size) => {
                    let kept = size.min(limit.saturating_sub(self.bytes.len()));
                    self.bytes.extend_from_slice(&chunk[..kept]);
                    self.is_over |= kept < size;
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}
