//! The command under way: when it began, when it must end, and what ends it when it does not end by itself.
//!
//! Whatever waits looks at the deadline. This is for what does not: a thread watches from outside and, some time after the deadline or an
//! interrupt, has told what there is and ends the process. Nothing in the command can keep it from that.

use crate::failure::{Failure, INTERRUPTED, WRONG_INPUT};
use covet_budget::Deadline;
use covet_results::Stopped;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How often the deadline is looked at.
const LOOK: Duration = Duration::from_millis(20);
/// For work that leaves nothing to keep to end by itself, so that it can clear up.
const CLEARING_UP: Duration = Duration::from_millis(400);
/// From an interrupt to the end, when there is something to keep.
const KEEPING: Duration = Duration::from_millis(1500);
/// Past the time: a tenth of it, and this.
const PAST: Duration = Duration::from_millis(700);
/// For telling what there is, after an interrupt and when the time is up.
const TELLING: Duration = Duration::from_millis(400);
const TELLING_ALL: Duration = Duration::from_millis(1100);

pub struct Running {
    pub began: Instant,
    pub deadline: Deadline,
    state: Arc<Mutex<State>>,
}

/// What is told at the end of a command that had to be ended; none when there is nothing to tell.
type LastWords = Box<dyn FnOnce(Stopped) -> Option<ExitCode> + Send>;

enum State {
    /// Not watched.
    Free,
    /// Nothing is found yet that could be kept.
    Unkept(&'static str),
    Keeping(LastWords),
}

impl Running {
    /// A command that began then, may be interrupted by this flag, and takes so many seconds at most.
    pub fn new(began: Instant, interrupt: &Arc<AtomicBool>, seconds: Option<f64>) -> Running {
        let end = seconds.and_then(|time| began.checked_add(Duration::try_from_secs_f64(time).ok()?));
        let deadline = Deadline::on(interrupt);
        let deadline = end.map_or_else(|| deadline.clone(), |end| deadline.by(end));
        let running = Running { began, deadline, state: Arc::new(Mutex::new(State::Free)) };
        running.watch();
        running
    }

    /// Does `work`, which leaves nothing to keep (compiling, generating code).
    pub fn unkept<T>(&self, what: &'static str, work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
        let done = self.watched(State::Unkept(what), work);
        // Tools that were stopped fail in their own ways; the reason is this one.
        if self.deadline.is_over() { done.map_err(|_| Failure::Cut(time_was_up(what))) } else { done }
    }

    /// Does `work`; if it does not end in time, these words are the last.
    pub fn keeping<T>(
        &self,
        words: impl FnOnce(Stopped) -> Option<ExitCode> + Send + 'static,
        work: impl FnOnce() -> T,
    ) -> T {
        self.watched(State::Keeping(Box::new(words)), work)
    }

    fn watched<T>(&self, state: State, work: impl FnOnce() -> T) -> T {
        *lock(&self.state) = state;
        let done = work();
        *lock(&self.state) = State::Free;
        done
    }

    /// The thread ends with the process. Where it cannot be had, everything else still keeps to the deadline.
    fn watch(&self) {
        let (deadline, began, state) = (self.deadline.clone(), self.began, Arc::clone(&self.state));
        let _ = std::thread::Builder::new().name("watch".into()).spawn(move || {
            let mut interrupted = None;
            loop {
                std::thread::sleep(LOOK);
                if deadline.is_interrupted() {
                    interrupted.get_or_insert_with(Instant::now);
                }
                let state = lock(&state);
                if let Some(stopped) = must_end(&state, &deadline, began, interrupted) {
                    leave(state, stopped);
                }
            }
        });
    }
}

/// Why the command must be ended now, if so.
fn must_end(state: &State, deadline: &Deadline, began: Instant, interrupted: Option<Instant>) -> Option<Stopped> {
    let past = deadline.at().and_then(|end| Instant::now().checked_duration_since(end));
    let (after_interrupt, after_end) = match state {
        State::Free => return None,
        State::Unkept(_) => (CLEARING_UP, CLEARING_UP),
        State::Keeping(_) => {
            let whole = deadline.at().map_or(Duration::ZERO, |end| end.saturating_duration_since(began));
            (KEEPING, whole / 10 + PAST)
        }
    };
    if interrupted.is_some_and(|since| since.elapsed() >= after_interrupt) {
        return Some(Stopped::Interrupted);
    }
    past.is_some_and(|past| past >= after_end).then_some(Stopped::Time)
}

/// Ends the process, the last words said. The lock is kept: whatever the command does now, it is too late.
fn leave(mut state: MutexGuard<'_, State>, stopped: Stopped) -> ! {
    let is_interrupted = stopped == Stopped::Interrupted;
    let nothing = if is_interrupted { INTERRUPTED } else { WRONG_INPUT };
    let code = match std::mem::replace(&mut *state, State::Free) {
        State::Free => nothing,
        State::Unkept(what) => {
            match is_interrupted {
                true => tell!("interrupted: nothing was written"),
                false => tell!("error: {}", time_was_up(what)),
            }
            nothing
        }
        State::Keeping(words) => {
            let (send, said) = channel();
            // On a thread of its own: this one must get away.
            let _ = std::thread::Builder::new().spawn(move || send.send(words(stopped)));
            let said = said.recv_timeout(if is_interrupted { TELLING } else { TELLING_ALL }).ok().flatten();
            match said {
                Some(code) if code == ExitCode::SUCCESS => 0,
                Some(_) if is_interrupted => INTERRUPTED,
                Some(_) => crate::failure::FOUND,
                None => nothing,
            }
        }
    };
    covet_scratch::remove_all();
    // SAFETY: ends the process. Other threads are in the middle of things: none of what `exit` does may run under them.
    unsafe { libc::_exit(i32::from(code)) }
}

fn time_was_up(what: &str) -> String {
    format!("nothing was explored: the time was up while {what}; give it more with --time")
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_ended_only_when_it_had_its_chance() {
        let began = Instant::now().checked_sub(Duration::from_secs(100)).unwrap();
        let deadline = |seconds| Deadline::default().by(began + Duration::from_secs(seconds));
        let keeping = State::Keeping(Box::new(|_| None));
        let ends = |state: &State, seconds| must_end(state, &deadline(seconds), began, None);
        assert_eq!(ends(&keeping, 200), None);
        // 95 s, a tenth of it, and some: 105.2 s.
        assert_eq!(ends(&keeping, 95), None);
        assert_eq!(ends(&keeping, 89), Some(Stopped::Time));
        assert_eq!(ends(&State::Unkept("compiling"), 99), Some(Stopped::Time));
        assert_eq!(ends(&State::Free, 1), None);
        let long_ago = Instant::now().checked_sub(KEEPING);
        assert_eq!(must_end(&keeping, &deadline(200), began, long_ago), Some(Stopped::Interrupted));
        assert_eq!(must_end(&keeping, &deadline(200), began, Some(Instant::now())), None);
    }

    #[test]
    fn work_that_ends_is_left_alone() {
        let running = Running::new(Instant::now(), &Arc::new(AtomicBool::new(false)), Some(0.01));
        assert!(matches!(running.unkept("testing", || Ok(7)), Ok(7)));
        assert_eq!(running.keeping(|_| None, || 8), 8);
    }
}
