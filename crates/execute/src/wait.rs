//! Waiting for a batch: progress, time-outs, and workers that die.
//!
//! A run that is over its time is asked to end (a signal whose handler in the worker ends the run); a worker that does not
//! react is killed. Invariant: a wait ends, whatever the program does.

use std::io;
use std::process::{Child, ExitStatus};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use crate::shared::Shared;

/// The runtime's time-out signal.
const TIME_OUT: i32 = 64;
/// How long a worker that was asked to end a run may take to do so.
const GRACE: Duration = Duration::from_millis(500);
const SHORTEST_LOOK: Duration = Duration::from_micros(500);
const LONGEST_LOOK: Duration = Duration::from_millis(10);

/// How a wait for a batch ended.
pub enum Waited {
    Replied,
    /// The worker is gone; `true` when we killed it because of its time.
    Died(ExitStatus, bool),
}

/// Waits until the batch is done or the worker is gone.
pub fn await_reply(child: &mut Child, shared: &Shared, limit: Duration) -> io::Result<Waited> {
    let group = child.id() as i32;
    let reply = shared.word(|control| &mut control.reply);
    let request = shared.word(|control| &mut control.request).load(Ordering::Acquire);
    let done = shared.word(|control| &mut control.done);
    let mut look = SHORTEST_LOOK;
    let mut seen = done.load(Ordering::Acquire);
    let mut since = Instant::now();
    let mut asked: Option<Instant> = None;
    loop {
        let now = reply.load(Ordering::Acquire);
        if now == request {
            return Ok(Waited::Replied);
        }
        futex_wait(reply, now, look);
        look = (look * 2).min(LONGEST_LOOK);
        if reply.load(Ordering::Acquire) == request {
            return Ok(Waited::Replied);
        }
        if let Some(status) = child.try_wait()? {
            return Ok(Waited::Died(status, false));
        }
        let progress = done.load(Ordering::Acquire);
        if progress != seen {
            (seen, since, asked) = (progress, Instant::now(), None);
        } else if asked.is_some_and(|asked| asked.elapsed() > GRACE) {
            kill_group(group, libc::SIGKILL);
            return Ok(Waited::Died(child.wait()?, true));
        } else if asked.is_none() && since.elapsed() > limit {
            kill_group(group, TIME_OUT);
            asked = Some(Instant::now());
        }
    }
}

/// Sends a signal to a process and all of its group.
pub fn kill_group(group: i32, signal: i32) {
    // SAFETY: a plain system call; the group is that of our own child.
    unsafe { libc::kill(-group, signal) };
}

/// Sleeps until the word is no longer `expected`, somebody wakes it, or the time is up.
pub fn futex_wait(word: &AtomicU32, expected: u32, most: Duration) {
    let time = libc::timespec { tv_sec: most.as_secs() as i64, tv_nsec: i64::from(most.subsec_nanos()) };
    // SAFETY: a word in shared memory.
    unsafe { libc::syscall(libc::SYS_futex, word.as_ptr(), libc::FUTEX_WAIT, expected, &raw const time) };
}

pub fn futex_wake(word: &AtomicU32) {
    // SAFETY: a word in shared memory.
    unsafe { libc::syscall(libc::SYS_futex, word.as_ptr(), libc::FUTEX_WAKE, i32::MAX) };
}
