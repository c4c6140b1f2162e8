//! The parts of an object that a call has changed, by the names they have in C: the rest is to stay as it was.

use super::memory::Region;

/// Parts that are told; when there are more, nothing is said of the rest.
const MOST: usize = 8;

#[derive(Default)]
pub struct Changed {
    /// Offset, size, and the words that leave it out.
    parts: Vec<(u64, u64, String)>,
}

impl Changed {
    /// What can be named by an expression.
    pub fn value(&mut self, offset: u64, size: u64, place: &str) {
        self.parts.push((offset, size, format!("BUT({place})")));
    }

    /// So many bytes from `start` on, which `pointer` points before.
    pub fn bytes(&mut self, offset: u64, size: u64, pointer: &str, start: u64) {
        self.parts.push((offset, size, format!("BUT_BYTES({pointer}, {start}, {size})")));
    }

    /// What leaves these parts out of an object, if they are all that has changed of it in both runs, and not all there is.
    pub fn exceptions(&self, runs: [&Region; 2]) -> Option<String> {
        let is_left_out =
            |at: usize| self.parts.iter().any(|(from, size, _)| (*from..from + size).contains(&(at as u64)));
        let holds = |region: &Region| {
            let before = region.before.as_deref().unwrap_or_default();
            let is_whole = [before.len(), region.bytes.len()] == [region.size as usize; 2];
            is_whole && (0..before.len()).all(|at| before[at] == region.bytes[at] || is_left_out(at))
        };
        let rest = (0..runs[0].size as usize).any(|at| !is_left_out(at));
        let is_told = rest && self.parts.len() <= MOST && runs.into_iter().all(holds);
        is_told.then(|| self.parts.iter().map(|(_, _, words)| format!(", {words}")).collect())
    }
}
