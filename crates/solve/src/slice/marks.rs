//! Marks on numbered things, cleared all at once by counting up.

#[derive(Clone, Debug, Default)]
pub(crate) struct Marks {
    stamps: Vec<u32>,
    now: u32,
}

impl Marks {
    pub fn clear(&mut self) {
        if self.now == u32::MAX {
            self.stamps.fill(0);
            self.now = 0;
        }
        self.now += 1;
    }

    /// Marks `at`; true when it was not marked before.
    pub fn mark(&mut self, at: usize) -> bool {
        if self.stamps.len() <= at {
            self.stamps.resize(at + 1, 0);
        }
        std::mem::replace(&mut self.stamps[at], self.now) != self.now
    }

    pub fn is_marked(&self, at: usize) -> bool {
        self.stamps.get(at).is_some_and(|stamp| *stamp == self.now)
    }
}
