//! What an interrupt does: the first asks to stop and keep what there is, the second ends at once. While there is nothing to keep
//! yet, the first ends at once too.

use crate::failure::INTERRUPTED;
use covet_budget::Deadline;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Has `flag` set by the first interrupt.
pub fn catch(flag: &Arc<AtomicBool>) -> std::io::Result<()> {
    for signal in [libc::SIGINT, libc::SIGTERM] {
        signal_hook::flag::register_conditional_shutdown(signal, i32::from(INTERRUPTED), Arc::clone(flag))?;
        signal_hook::flag::register(signal, Arc::clone(flag))?;
    }
    Ok(())
}

/// Does `work`, which nobody can interrupt from inside (compiling, generating code) and which leaves nothing to keep: an interrupt
/// ends the process.
pub fn or_leave<T>(deadline: &Deadline, work: impl FnOnce() -> T) -> T {
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let watcher = scope.spawn(|| {
            while !done.load(Ordering::Acquire) {
                if deadline.is_interrupted() {
                    leave();
                }
                std::thread::park_timeout(Duration::from_millis(50));
            }
        });
        // Also when the work panics: the scope waits for the watcher.
        let _end = End { done: &done, watcher: watcher.thread().clone() };
        work()
    })
}

struct End<'a> {
    done: &'a AtomicBool,
    watcher: std::thread::Thread,
}

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.done.store(true, Ordering::Release);
        self.watcher.unpark();
    }
}

/// Other threads are in the middle of things: none of what `exit` does may run under them.
fn leave() -> ! {
    eprintln!("interrupted: nothing was written");
    // SAFETY: ends the process.
    unsafe { libc::_exit(i32::from(INTERRUPTED)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_that_is_not_interrupted_is_done_at_once() {
        assert_eq!(or_leave(&Deadline::default(), || 7), 7);
        let panicked = std::panic::catch_unwind(|| or_leave(&Deadline::default(), || panic!("as it may")));
        assert!(panicked.is_err());
    }
}
