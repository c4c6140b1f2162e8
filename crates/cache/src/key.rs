//! Everything that goes into a result → a name for it.

/// Names a result by everything that went into it.
pub struct Key(blake3::Hasher);

impl Key {
    pub fn new(purpose: &str) -> Key {
        Key(blake3::Hasher::new()).with(purpose.as_bytes())
    }

    /// Adds one ingredient. Each is preceded by its length, so that ingredients cannot run into each other.
    pub fn with(mut self, part: &[u8]) -> Key {
        self.0.update(&(part.len() as u64).to_le_bytes());
        self.0.update(part);
        self
    }

    pub fn with_all<T: AsRef<[u8]>>(self, parts: impl IntoIterator<Item = T>) -> Key {
        parts.into_iter().fold(self, |key, part| key.with(part.as_ref()))
    }

    pub fn name(&self) -> String {
        self.0.finalize().to_hex()[..40].to_owned()
    }
}
