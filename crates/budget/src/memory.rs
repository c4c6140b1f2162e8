//! How much memory a command may use, and how much it does: its own, and that of the processes it has told us of.
//!
//! What is used is asked of the kernel, not counted: resident pages, those that a worker shares with us once. Asking takes a while, so an
//! answer is good for [`FRESH`]. Clones see the same.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// For so long an answer is not asked for again.
const FRESH: Duration = Duration::from_millis(20);
/// Above this part of what may be used, things have to go, in hundredths.
const TIGHT: u64 = 75;
/// Above this part, what nobody is at work on has to go.
const FILLING: u64 = 50;
/// Where the kernel does not say how much memory there is.
const UNKNOWN_MACHINE: u64 = 4 << 30;

/// What a command may use, and what it uses.
#[derive(Clone, Debug)]
pub struct Memory {
    limit: u64,
    watched: Arc<Mutex<Watched>>,
}

#[derive(Debug, Default)]
struct Watched {
    processes: BTreeSet<i32>,
    last: Option<(Instant, u64)>,
}

impl Default for Memory {
    /// Half of the machine.
    fn default() -> Memory {
        Memory::of(half_of_the_machine())
    }
}

impl Memory {
    /// So many bytes.
    pub fn of(limit: u64) -> Memory {
        Memory { limit, watched: Arc::default() }
    }

    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// Counts what this process uses as well, as long as it lives or until [`Memory::forget`].
    pub fn watch(&self, process: i32) {
        self.lock().processes.insert(process);
    }

    pub fn forget(&self, process: i32) {
        self.lock().processes.remove(&process);
    }

    /// Bytes in use.
    pub fn used(&self) -> u64 {
        let mut watched = self.lock();
        if let Some((at, used)) = watched.last
            && at.elapsed() < FRESH
        {
            return used;
        }
        let own = resident("self").map_or(0, |(resident, _)| resident);
        let mut used = own;
        watched.processes.retain(|process| {
            let told = resident(&process.to_string());
            used += told.map_or(0, |(resident, shared)| resident.saturating_sub(shared));
            told.is_some()
        });
        watched.last = Some((Instant::now(), used));
        used
    }

    /// Bytes that one more process may use: not quite all that are left, since what is used is asked for now and then only.
    pub fn room(&self) -> u64 {
        self.limit.saturating_sub(self.used()) / 8 * 7
    }

    /// Whether something has to go.
    pub fn is_tight(&self) -> bool {
        self.used() > self.limit / 100 * TIGHT
    }

    /// Whether what nobody is at work on has to go, so that those who are can go on.
    pub fn is_filling(&self) -> bool {
        self.used() > self.limit / 100 * FILLING
    }

    /// Gives what was freed back to the kernel, so that it counts as free here too.
    pub fn give_back(&self) {
        trim();
        self.lock().last = None;
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Watched> {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(target_env = "gnu")]
fn trim() {
    // SAFETY: takes no pointers; the allocator locks itself.
    unsafe { libc::malloc_trim(0) };
}

#[cfg(not(target_env = "gnu"))]
fn trim() {}

/// Bytes of a process that are in memory, and how many of these are files' or shared.
fn resident(process: &str) -> Option<(u64, u64)> {
    let told = std::fs::read_to_string(format!("/proc/{process}/statm")).ok()?;
    let mut pages = told.split(' ').skip(1).map(|word| word.parse::<u64>().ok());
    // SAFETY: a plain question.
    let page = u64::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(4096);
    Some((pages.next()?? * page, pages.next()?? * page))
}

/// Half of what this machine has, or of what the group of processes we are in, or this process, may have of it.
fn half_of_the_machine() -> u64 {
    let machine = std::fs::read_to_string("/proc/meminfo").ok().and_then(|told| {
        let line = told.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
        Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? << 10)
    });
    let group = std::fs::read_to_string("/sys/fs/cgroup/memory.max").ok().and_then(|told| told.trim().parse().ok());
    [machine.or(Some(UNKNOWN_MACHINE)), group, own_limit()].into_iter().flatten().min().unwrap_or(UNKNOWN_MACHINE) / 2
}

/// What this process may map (`ulimit -v`), if there is a limit.
fn own_limit() -> Option<u64> {
    let mut limit = libc::rlimit { rlim_cur: libc::RLIM_INFINITY, rlim_max: libc::RLIM_INFINITY };
    // SAFETY: fills in the limit.
    let told = unsafe { libc::getrlimit(libc::RLIMIT_AS, &mut limit) };
    (told == 0 && limit.rlim_cur != libc::RLIM_INFINITY).then_some(limit.rlim_cur)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_used_is_told_and_bounded() {
        let ample = Memory::default();
        assert!(ample.limit() > 64 << 20, "{}", ample.limit());
        assert!(ample.used() > 1 << 20 && !ample.is_tight());
        assert!(ample.room() > 0 && ample.room() < ample.limit());
        let tight = Memory::of(1 << 20);
        assert_eq!(tight.room(), 0);
        assert!(tight.clone().is_tight());
        let own = std::process::id() as i32;
        tight.watch(own);
        tight.give_back();
        let twice = tight.used();
        tight.forget(own);
        tight.give_back();
        assert!(twice >= tight.used());
        tight.watch(i32::MAX);
        assert!(tight.used() > 0, "a process that is gone uses nothing");
    }
}
