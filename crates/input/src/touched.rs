//! Which parts of its input objects a run has looked at or written, by their addresses.

use covet_abi::input::Used;
use std::collections::BTreeSet;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Touched {
    /// Nobody knows: everything counts.
    All,
    /// These granules of [`Used::GRANULE`] bytes.
    Granules(BTreeSet<u64>),
}

impl Default for Touched {
    fn default() -> Touched {
        Touched::Granules(BTreeSet::new())
    }
}

impl Touched {
    /// The bytes around this address were touched; around 0, others that are not told.
    pub fn add(&mut self, address: u64) {
        match self {
            Touched::All => {}
            Touched::Granules(_) if address == 0 => *self = Touched::All,
            Touched::Granules(granules) => drop(granules.insert(address / Used::GRANULE)),
        }
    }

    /// Whether one of these bytes was touched.
    pub fn has(&self, address: u64, bytes: u64) -> bool {
        let (first, last) = (address / Used::GRANULE, (address + bytes.max(1) - 1) / Used::GRANULE);
        match self {
            Touched::All => true,
            Touched::Granules(granules) => granules.range(first..=last).next().is_some(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_within_a_granule_are_touched_together() {
        let mut touched = Touched::default();
        touched.add(0x1008);
        assert!(touched.has(0x100f, 1) && touched.has(0x1000, 9) && !touched.has(0x1000, 8) && !touched.has(0x1010, 4));
        touched.add(0);
        assert_eq!(touched, Touched::All);
        assert!(touched.has(0x5000, 1));
    }
}
