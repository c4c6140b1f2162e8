//! Guessing that has long been in vain is done seldom, until it helps again.

/// After so many queries in vain, only one in [`RARELY`] is tried.
const PATIENCE: u32 = 32;
const RARELY: u32 = 8;

#[derive(Debug, Default)]
pub(crate) struct Seldom {
    /// Queries in a row that got no answer.
    vain: u32,
}

impl Seldom {
    /// Whether the next query should be tried.
    pub fn is_due(&mut self) -> bool {
        self.vain = self.vain.saturating_add(1);
        self.vain <= PATIENCE || self.vain.is_multiple_of(RARELY)
    }

    pub fn answered(&mut self) {
        self.vain = 0;
    }
}
