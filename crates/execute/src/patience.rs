//! How long engine and worker look out for each other before they sleep.
//!
//! Waking a sleeper takes longer than a short run, so on an idle core looking pays; on a busy machine it takes the time of the
//! one who is waited for. What the last waits were like decides.

use std::time::Duration;

/// Hand-overs without looking after a look in vain, at most.
const LONGEST_PAUSE: u32 = 256;

#[derive(Debug)]
pub struct Patience {
    most: Duration,
    /// Hand-overs still to go without looking, and how many it will be after the next look in vain.
    pause: u32,
    next_pause: u32,
}

impl Patience {
    pub fn new(most: Duration) -> Patience {
        Patience { most, pause: 0, next_pause: 1 }
    }

    /// The time to look during the next hand-over.
    pub fn now(&mut self) -> Duration {
        if self.pause > 0 {
            self.pause -= 1;
            return Duration::ZERO;
        }
        self.most
    }

    /// Whether the reply came while somebody looked.
    pub fn looked(&mut self, in_time: bool) {
        if in_time {
            self.next_pause = (self.next_pause / 2).max(1);
        } else {
            self.pause = self.next_pause;
            self.next_pause = (self.next_pause * 2).min(LONGEST_PAUSE);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_seldom_where_it_is_in_vain() {
        let mut patience = Patience::new(Duration::from_micros(100));
        let mut looks = 0;
        for _ in 0..1000 {
            if !patience.now().is_zero() {
                looks += 1;
                patience.looked(false);
            }
        }
        assert!(looks < 12, "{looks}");
        let mut looks = 0;
        for _ in 0..1000 {
            if !patience.now().is_zero() {
                looks += 1;
                patience.looked(true);
            }
        }
        assert!(looks > 700, "{looks}");
    }
}
