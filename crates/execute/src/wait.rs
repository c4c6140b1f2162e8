//! Waiting for a batch: progress, time-outs, and workers that die.
//!
//! A run that takes long is asked again and again whether it is over its time (a signal; the handler in the worker knows best
//! and ends the run). A worker that does not answer is killed. Invariant: a wait ends, whatever the program does.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use covet_abi::process::{LONGEST_RUN, LOOKS, LOOKS_ALONE, TIME_OUT_SIGNAL};
use covet_budget::Deadline;
use covet_launch::{End, Error, Running};

use crate::shared::Shared;

/// How long a worker may take to answer: a busy host may stop a whole processor of a virtual machine for longer than a second.
const GRACE: Duration = Duration::from_secs(2);
/// However busy the machine is: a run may take this many times its limit. (The worker ends it a little earlier.)
const MOST: u32 = LONGEST_RUN + 1;
const SHORTEST_LOOK: Duration = Duration::from_micros(500);
const LONGEST_LOOK: Duration = Duration::from_millis(10);

/// How a wait for a batch ended.
pub enum Waited {
    Replied,
    /// The worker is gone; `true` when we killed it because of its time.
    Died(End, bool),
    /// The deadline came, and the worker was killed.
    Cut,
}

/// What is awaited: the number of the request, how many runs it has, and the time for each and for all.
pub struct Awaited<'a> {
    pub request: u32,
    pub batch: u32,
    pub limit: Duration,
    pub deadline: &'a Deadline,
}

/// Waits until the batch is done or the worker is gone. Of what the pages say only the reply and the number of finished runs, which
/// can but grow, put off the end of the wait.
pub fn await_reply(worker: &mut Running, shared: &Shared, awaited: &Awaited<'_>) -> Result<Waited, Error> {
    let &Awaited { request, batch, limit, deadline } = awaited;
    let reply = shared.word(|control| &mut control.reply);
    let done = shared.word(|control| &mut control.done);
    let _asleep = Asleep::begin(shared);
    let mut look = SHORTEST_LOOK;
    let mut watch = Watch::new(0);
    loop {
        let now = reply.load(Ordering::SeqCst);
        if now == request {
            return Ok(Waited::Replied);
        }
        futex_wait(reply, now, look);
        look = (look * 2).min(LONGEST_LOOK);
        if reply.load(Ordering::Acquire) == request {
            return Ok(Waited::Replied);
        }
        if let Some(end) = worker.try_wait()? {
            return Ok(Waited::Died(end, false));
        }
        if deadline.is_over() {
            worker.end_now();
            return Ok(Waited::Cut);
        }
        let heartbeat = shared.word(|control| &mut control.heartbeat).load(Ordering::Acquire);
        match watch.look(done.load(Ordering::Acquire).min(batch), heartbeat, limit) {
            Verdict::Wait => {}
            Verdict::Ask => worker.signal(TIME_OUT_SIGNAL),
            Verdict::Kill => {
                worker.end_now();
                return Ok(Waited::Died(End::Killed(libc::SIGKILL), true));
            }
        }
    }
}

/// Looks for the reply until it is there or the time is up. After a while it gives way with every look: the worker may be on this very
/// core, waiting for it.
pub fn comes_soon(shared: &Shared, request: u32, patience: Duration) -> bool {
    let reply = shared.word(|control| &mut control.reply);
    let start = Instant::now();
    while start.elapsed() < patience {
        for _ in 0..LOOKS {
            if reply.load(Ordering::Acquire) == request {
                return true;
            }
            std::hint::spin_loop();
        }
        if start.elapsed() > Duration::from_nanos(LOOKS_ALONE) {
            std::thread::yield_now();
        }
    }
    false
}

/// While this lives, the worker wakes the engine with its reply.
struct Asleep<'a>(&'a AtomicU32);

impl<'a> Asleep<'a> {
    fn begin(shared: &'a Shared) -> Asleep<'a> {
        let flag = shared.word(|control| &mut control.engine_sleeps);
        flag.store(1, Ordering::SeqCst);
        Asleep(flag)
    }
}

impl Drop for Asleep<'_> {
    fn drop(&mut self) {
        self.0.store(0, Ordering::Release);
    }
}

enum Verdict {
    Wait,
    Ask,
    Kill,
}

/// The present run, as seen from outside.
struct Watch {
    done: u32,
    heartbeat: u32,
    since: Instant,
    asked: Option<Instant>,
    /// The first question that has not been answered.
    unanswered: Option<Instant>,
}

impl Watch {
    fn new(done: u32) -> Watch {
        Watch { done, heartbeat: 0, since: Instant::now(), asked: None, unanswered: None }
    }

    fn look(&mut self, done: u32, heartbeat: u32, limit: Duration) -> Verdict {
        if done > self.done {
            *self = Watch::new(done);
        }
        if heartbeat != self.heartbeat {
            (self.heartbeat, self.unanswered) = (heartbeat, None);
        }
        let elapsed = self.since.elapsed();
        let silent = self.unanswered.is_some_and(|first| first.elapsed() > GRACE);
        if elapsed > limit * MOST + GRACE || (elapsed > limit && silent) {
            return Verdict::Kill;
        }
        let due = match self.asked {
            None => elapsed > limit / 2,
            Some(last) => last.elapsed() > limit / 8,
        };
        if !due {
            return Verdict::Wait;
        }
        self.asked = Some(Instant::now());
        self.unanswered = self.unanswered.or(self.asked);
        Verdict::Ask
    }
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
