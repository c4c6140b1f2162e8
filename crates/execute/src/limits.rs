//! Limits of a worker process, set from outside: before it starts and once it is ready.
//!
//! Invariant: limits that would get in the way of the worker's own set-up (address space, file size) come after it.

use std::io;

use covet_abi::process::DESCRIPTOR_LIMIT;

use crate::config::Config;

/// Beyond what the worker has mapped when ready, it may map this much more, whatever the heap limit.
const SLACK: u64 = 256 << 20;

/// To be called in the new process before it becomes the program.
pub fn before_start() -> io::Result<()> {
    set(0, libc::RLIMIT_CORE, 0)?;
    set(0, libc::RLIMIT_NOFILE, DESCRIPTOR_LIMIT)
}

/// To be called by the engine once the worker is ready.
pub fn once_ready(pid: i32, config: &Config) -> io::Result<()> {
    set(pid, libc::RLIMIT_FSIZE, config.output_limit)?;
    // The reserved mappings are huge and count; what matters is what comes on top.
    let mapped = std::fs::read_to_string(format!("/proc/{pid}/statm"))?;
    let pages: u64 = mapped.split(' ').next().and_then(|word| word.parse().ok()).unwrap_or(u64::MAX / 8192);
    set(pid, libc::RLIMIT_AS, pages * 4096 + config.memory_limit + SLACK)
}

fn set(pid: i32, which: libc::__rlimit_resource_t, value: u64) -> io::Result<()> {
    let limit = libc::rlimit { rlim_cur: value, rlim_max: value };
    // SAFETY: a plain system call.
    let done = unsafe { libc::prlimit(pid, which, &limit, std::ptr::null_mut()) };
    if done == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}
