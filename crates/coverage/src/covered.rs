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
        self.words.get(counter.index() / 64).is_some_and(|word| word >> (counter.index() % 64) & 1 == 1)
    }

    /// Adds `counter`; true when it was not there.
    pub fn insert(&mut self, counter: Counter) -> bool {
        let at = counter.index() / 64;
        if at >= self.words.len() {
            self.words.resize(at + 1, 0);
        }
        let bit = 1 << (counter.index() % 64);
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
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| Counter::at(at * 64 + bit))
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
        assert_eq!(set.merge([70, 3, 70].map(Counter)), [70, 3].map(Counter));
        assert_eq!(set.merge([3, 64].map(Counter)), [Counter(64)]);
        assert!(set.contains(Counter(64)) && !set.contains(Counter(65)) && !set.contains(Counter(9999)));
        assert_eq!(set.iter().collect::<Vec<_>>(), [3, 64, 70].map(Counter));
        assert_eq!(set.len(), 3);
    }
}
