//! A moment by which work must be over, and the interrupt that may end it earlier.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// When to stop. Clones see the same interrupt; a deadline made from another is never later than it.
#[derive(Clone, Debug, Default)]
pub struct Deadline {
    at: Option<Instant>,
    interrupt: Arc<AtomicBool>,
}

impl Deadline {
    /// No moment, but an interrupt.
    pub fn on(interrupt: &Arc<AtomicBool>) -> Deadline {
        Deadline { at: None, interrupt: Arc::clone(interrupt) }
    }

    /// This deadline, or `moment` if that is earlier.
    pub fn by(&self, moment: Instant) -> Deadline {
        let at = Some(self.at.map_or(moment, |at| at.min(moment)));
        Deadline { at, interrupt: Arc::clone(&self.interrupt) }
    }

    /// This deadline, or `time` from now if that is earlier.
    pub fn within(&self, time: Duration) -> Deadline {
        Instant::now().checked_add(time).map_or_else(|| self.clone(), |moment| self.by(moment))
    }

    /// This deadline, or the moment when so much of what is left has passed.
    pub fn part(&self, share: f64) -> Deadline {
        self.left().map_or_else(|| self.clone(), |left| self.within(left.mul_f64(share)))
    }

    /// The moment itself, where there is one.
    pub fn at(&self) -> Option<Instant> {
        self.at
    }

    /// How long there is still: nothing once interrupted, none where no moment was set.
    pub fn left(&self) -> Option<Duration> {
        if self.is_interrupted() {
            return Some(Duration::ZERO);
        }
        self.at.map(|at| at.saturating_duration_since(Instant::now()))
    }

    pub fn is_over(&self) -> bool {
        self.left().is_some_and(|left| left.is_zero())
    }

    pub fn is_interrupted(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_earliest_moment_and_the_interrupt_count() {
        let interrupt = Arc::new(AtomicBool::new(false));
        let whole = Deadline::on(&interrupt);
        assert_eq!((whole.left(), whole.is_over()), (None, false));
        let hour = whole.within(Duration::from_secs(3600));
        assert!(!hour.is_over());
        assert_eq!(hour.within(Duration::from_secs(7200)).at(), hour.at());
        assert!(hour.within(Duration::ZERO).is_over());
        assert!(hour.part(0.5).at() < hour.at() && whole.part(0.5).at().is_none());
        assert_eq!(whole.within(Duration::MAX).at(), None);
        interrupt.store(true, Ordering::Relaxed);
        assert!(whole.is_over() && hour.is_over() && hour.is_interrupted());
    }
}
