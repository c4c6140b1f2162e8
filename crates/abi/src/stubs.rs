//! Which functions are replaced by their stubs in a run: a bitmap of the request, by the numbers that `compile` gave the stubs.
//!
//! A function with a stub beside it begins with a look at its switch, a byte of [`crate::sites::Program::switches`]. Who wants which
//! stub is the engine's affair: the worker sets every switch as the request says before the run begins, so one program serves all.

const BITS: u32 = u64::BITS;

/// Words of a bitmap for stubs of numbers below `count`.
pub const fn words_for(count: u32) -> usize {
    count.div_ceil(BITS) as usize
}

/// The word and the bit of a stub.
pub const fn bit_of(number: u32) -> (usize, u64) {
    ((number / BITS) as usize, 1 << (number % BITS))
}

/// Whether a bitmap has the bit of a stub; one beyond its words it has not.
pub fn contains(words: &[u64], number: u32) -> bool {
    let (word, bit) = bit_of(number);
    words.get(word).is_some_and(|word| word & bit != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_stub_has_a_bit_of_its_own() {
        let mut words = [0; 3];
        for number in [0, 1, 63, 64, 130, 191] {
            assert!(!contains(&words, number));
            let (word, bit) = bit_of(number);
            words[word] |= bit;
            assert!(contains(&words, number));
            assert!(words_for(number) <= word + 1 && words_for(number + 1) == word + 1);
        }
        assert_eq!(words.iter().map(|word| word.count_ones()).sum::<u32>(), 6);
        assert!(!contains(&words, 192) && words_for(0) == 0);
    }
}
