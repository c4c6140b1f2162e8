//! A wall around compilers: they read what they like and write where they are told to, whatever the flags and the text they are given.

use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use crate::files;

/// Lets the command write below these folders only, and connect to nobody. Nothing where the kernel has no Landlock: flags that write
/// elsewhere are then kept away by the list of those that are taken.
pub fn wall(command: &mut Command, writable: &[&Path]) {
    if let Ok(Some(rules)) = files::for_writing(writable) {
        // SAFETY: only system calls between `fork` and `exec`.
        unsafe { command.pre_exec(move || enter(&rules)) };
    }
}

fn enter(rules: &OwnedFd) -> std::io::Result<()> {
    // SAFETY: plain system calls in the new process.
    let done = unsafe {
        libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
            && libc::syscall(libc::SYS_landlock_restrict_self, rules.as_raw_fd(), 0) == 0
    };
    if done { Ok(()) } else { Err(std::io::Error::last_os_error()) }
}
