//! The functions that are replaced by their stubs in a run, as a set of the stubs' numbers.

use covet_abi::stubs;

/// A set of stubs. Sets are equal when they hold the same stubs.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct StubSet {
    /// The last word is not 0.
    words: Vec<u64>,
}

impl StubSet {
    pub fn insert(&mut self, number: u32) {
        let (word, bit) = stubs::bit_of(number);
        self.words.resize(self.words.len().max(word + 1), 0);
        self.words[word] |= bit;
    }

    pub fn contains(&self, number: u32) -> bool {
        stubs::contains(&self.words, number)
    }

    pub(crate) fn words(&self) -> &[u64] {
        &self.words
    }
}

impl FromIterator<u32> for StubSet {
    fn from_iter<I: IntoIterator<Item = u32>>(numbers: I) -> StubSet {
        let mut set = StubSet::default();
        numbers.into_iter().for_each(|number| set.insert(number));
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holds_what_was_put_in() {
        let set: StubSet = [200, 3].into_iter().collect();
        assert!((0..300).all(|number| set.contains(number) == (number == 3 || number == 200)));
        assert_eq!(set, [3, 200, 3].into_iter().collect());
    }
}
