//! Where made-up memory ends: what the limits of a blueprint have left empty → whether a run has come to such a place.
//!
//! A run that has looked there was shown less than a program may have, so paths that begin there were not tried. Invariant: ranges do
//! not overlap.

use covet_abi::input::Used;
use covet_input::Touched;
use std::collections::BTreeMap;

#[derive(Clone, Debug, Default)]
pub(crate) struct Ends {
    /// First addresses, and those behind the last.
    ranges: BTreeMap<u64, u64>,
    /// Something is missing that has no address of its own (an argument): whether it was looked at is not known.
    is_anywhere: bool,
}

impl Ends {
    /// Nothing was built in these bytes.
    pub fn add(&mut self, address: u64, bytes: u64) {
        let (mut start, mut end) = (address, address + bytes.max(1));
        let before = self.ranges.range(..=start).next_back().filter(|(_, end)| **end >= start);
        if let Some((first, last)) = before.map(|(first, last)| (*first, *last)) {
            (start, end) = (first, end.max(last));
        }
        while let Some((first, last)) = self.ranges.range(start..=end).next().map(|(first, last)| (*first, *last)) {
            self.ranges.remove(&first);
            end = end.max(last);
        }
        self.ranges.insert(start, end);
    }

    pub fn add_anywhere(&mut self) {
        self.is_anywhere = true;
    }

    /// Whether a run that has touched this was at an end.
    pub fn is_met(&self, touched: &Touched) -> bool {
        let is_end = |granule: &u64| {
            let start = granule * Used::GRANULE;
            let last = self.ranges.range(..start + Used::GRANULE).next_back();
            last.is_some_and(|(_, end)| *end > start)
        };
        self.is_anywhere
            || match touched {
                Touched::All => !self.ranges.is_empty(),
                Touched::Granules(granules) => !self.ranges.is_empty() && granules.iter().any(is_end),
            }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn touched(addresses: &[u64]) -> Touched {
        let mut touched = Touched::default();
        addresses.iter().for_each(|address| touched.add(*address));
        touched
    }

    #[test]
    fn a_run_meets_the_ends_that_it_has_touched() {
        let mut ends = Ends::default();
        assert!(!ends.is_met(&Touched::All));
        ends.add(0x1000, 64);
        ends.add(0x1010, 8);
        ends.add(0x2000, 8);
        ends.add(0x1ff0, 0x20);
        assert!(
            ends.is_met(&touched(&[0x1038])) && ends.is_met(&touched(&[0x10, 0x2008])) && ends.is_met(&Touched::All)
        );
        assert!(!ends.is_met(&touched(&[0xff8, 0x1040, 0x2010, 0x1fe8])));
        assert_eq!(ends.ranges, BTreeMap::from([(0x1000, 0x1040), (0x1ff0, 0x2010)]));
        ends.add_anywhere();
        assert!(ends.is_met(&touched(&[])));
    }
}
