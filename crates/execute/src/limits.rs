//! Limits of a worker: those of all its processes from the start, and of the process itself once it is ready.
//!
//! Invariant: limits that would get in the way of the worker's own set-up (address space, file size) come after it.

use std::io;

use covet_abi::process::DESCRIPTOR_LIMIT;
use covet_launch::Limits;

use crate::config::Config;
use crate::shared::Shared;

/// Beyond what the worker has mapped when ready, it may map this much more, whatever the heap limit.
const SLACK: u64 = 256 << 20;

/// Threads and processes of a worker.
const TASKS: u64 = 256;
/// Bytes of tracking for each byte of the program's own, at most.
const TRACKING: u64 = 4;

/// From the start on. Memory is that of the worker and of one child, each with the shared pages.
pub fn from_start(config: &Config, shared: &Shared) -> Limits {
    Limits {
        memory: (2 * (config.memory_limit.saturating_mul(TRACKING) + shared.size() + SLACK)).min(config.process_limit),
        tasks: TASKS,
        scratch: config.output_limit.saturating_mul(8),
        file: 0,
        descriptors: DESCRIPTOR_LIMIT,
    }
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
