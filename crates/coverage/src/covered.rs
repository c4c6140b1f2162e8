//! A set of counters: those that some run has bumped. Grows only; a dense bit set, since counters are dense numbers.

use covet_sites::Counter;

/// Counters that were not zero in at least one run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Covered {
    words: Vec<u64>,
    count: usize,
}

impl Covered {
    pub fn contains(&self, counter: Counter) -> bool {
        self.words.get(counter as usize / 64).is_some_and(|word| word >> (counter % 64) & 1 == 1)
    }

    /// Adds `counter`; true when it was not there.
    pub fn insert(&mut self, counter: Counter) -> bool {
        let at = counter as usize / 64;
        if at >= self.words.len() {
            self.words.resize(at + 1, 0);
        }
        let bit = 1 << (counter % 64);
        let is_new = self.words[at] & bit == 0;
        self.words[at] |= bit;
        self.count += usize::from(is_new);
        is_new
    }

    /// Adds every counter of a run and gives back those that were new, in the order given.
    pub fn merge(&mut self, counters: impl IntoIterator<Item = Counter>) -> Vec<Counter> {
        counters.into_iter().filter(|&counter| self.insert(counter)).collect()
    }

    pub fn len(&self) -> usize {
        self.count
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// All members, ascending.
    pub fn iter(&self) -> impl Iterator<Item = Counter> + '_ {
        self.words.iter().enumerate().flat_map(|(at, &word)| {
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| at as u32 * 64 + bit)
        })
    }
}

impl FromIterator<Counter> for Covered {
    fn from_iter<I: IntoIterator<Item = Counter>>(counters: I) -> Covered {
        let mut set = Covered::default();
        set.merge(counters);
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn merging_tells_what_was_new_and_iteration_ascends() {
        let mut set = Covered::default();
        assert_eq!(set.merge([70, 3, 70]), [70, 3]);
        assert_eq!(set.merge([3, 64]), [64]);
        assert!(set.contains(64) && !set.contains(65) && !set.contains(9999));
        assert_eq!(set.iter().collect::<Vec<_>>(), [3, 64, 70]);
        assert_eq!(set.len(), 3);
    }
}
