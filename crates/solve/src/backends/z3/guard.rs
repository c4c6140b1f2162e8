//! Checks run on a thread of their own, so that the caller gets away when Z3 does not stop in time.
//!
//! Z3 looks at its limits only now and then; while it turns a large formula into gates it does not look at all. At the time
//! limit the check is interrupted; if it still goes on, its thread is left behind with the context it works on, to end and
//! clean up by itself, and the next check gets a new one. While too many are left behind nothing is started.

use covet_budget::Deadline;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// How often the deadline is looked at: it may have moved to now.
const LOOK: Duration = Duration::from_millis(50);
/// Time for an interrupted check to stop.
const GRACE: Duration = Duration::from_millis(300);
/// Threads left behind at a time, by all solvers of the process: what one function left must not keep the next from asking.
const MAX_LEFT_BEHIND: usize = 3;
/// Formulas are deep, and Z3 recurses: address space only, until it is used.
const STACK: usize = 256 << 20;

static LEFT_BEHIND: AtomicUsize = AtomicUsize::new(0);

type Job = Box<dyn FnOnce() + Send>;

/// A thread that does one job after the other.
#[derive(Debug, Default)]
pub(crate) struct Guard {
    jobs: Option<Sender<Job>>,
}

impl Guard {
    /// What `job` gives and whether it was interrupted, or nothing when it goes on after the deadline even so.
    pub fn run<R: Send + 'static>(
        &mut self,
        deadline: &Deadline,
        interrupt: impl FnOnce(),
        job: impl FnOnce() -> R + Send + 'static,
    ) -> Option<(R, bool)> {
        if LEFT_BEHIND.load(Ordering::Relaxed) >= MAX_LEFT_BEHIND {
            return None;
        }
        let left = Arc::new(AtomicUsize::new(0));
        let (send, answer) = channel();
        let mine = Arc::clone(&left);
        let whole: Job = Box::new(move || {
            let _ = send.send(job());
            // The one who waited has gone: this thread was counted as left behind.
            if mine.load(Ordering::Acquire) > 0 {
                LEFT_BEHIND.fetch_sub(1, Ordering::Relaxed);
            }
        });
        if self.jobs.is_none() {
            self.jobs = start();
        }
        self.jobs.as_ref()?.send(whole).ok()?;
        let found = wait(&answer, deadline, interrupt);
        if found.is_none() {
            LEFT_BEHIND.fetch_add(1, Ordering::Relaxed);
            left.store(1, Ordering::Release);
            self.jobs = None;
        }
        found
    }
}

fn wait<R>(answer: &Receiver<R>, deadline: &Deadline, interrupt: impl FnOnce()) -> Option<(R, bool)> {
    while !deadline.is_over() {
        let look = deadline.left().map_or(LOOK, |left| left.min(LOOK));
        match answer.recv_timeout(look) {
            Ok(found) => return Some((found, false)),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return None,
        }
    }
    interrupt();
    answer.recv_timeout(GRACE).ok().map(|found| (found, true))
}

/// A new thread; it ends when the sender goes.
fn start() -> Option<Sender<Job>> {
    let (send, jobs) = channel::<Job>();
    let work = move || jobs.iter().for_each(|job| job());
    std::thread::Builder::new().name("smt".into()).stack_size(STACK).spawn(work).ok()?;
    Some(send)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    #[test]
    fn a_job_that_does_not_end_is_left_behind() {
        let mut guard = Guard::default();
        let within = |milliseconds| Deadline::default().within(Duration::from_millis(milliseconds));
        assert_eq!(guard.run(&within(60_000), || {}, || 7), Some((7, false)));
        let start = Instant::now();
        let endless = || std::thread::sleep(Duration::from_secs(5));
        assert_eq!(guard.run(&within(50), || {}, endless), None);
        assert!(start.elapsed() < Duration::from_secs(3));
        assert_eq!(guard.run(&within(60_000), || {}, || 8), Some((8, false)), "the next job has a thread of its own");
    }
}
