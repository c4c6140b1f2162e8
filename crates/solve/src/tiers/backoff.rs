//! Back-off: guessing that has long been in vain is done rarely, until it helps again.

/// After so many queries in vain, only one in [`RARELY`] is tried.
const PATIENCE: u32 = 32;
const RARELY: u32 = 8;

#[derive(Debug, Default)]
pub(crate) struct Backoff {
    /// Queries in a row that got no answer.
    misses: u32,
}

impl Backoff {
    /// Whether the next query should be tried.
    pub fn is_due(&mut self) -> bool {
        self.misses = self.misses.saturating_add(1);
        self.misses <= PATIENCE || self.misses.is_multiple_of(RARELY)
    }

    pub fn answered(&mut self) {
        self.misses = 0;
    }
}
