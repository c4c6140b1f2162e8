//! Numbers of one build: dense, in the order of functions in the module and of instructions in a function, so that equal sources give
//! equal numbers. Each kind is a type of its own: a counter is no place in the list of sites.

use serde::{Deserialize, Serialize};
use std::fmt;

macro_rules! numbers {
    ($($(#[$about:meta])* $name:ident)*) => {$(
        $(#[$about])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub u32);

        impl $name {
            /// Its place in the list of its kind.
            pub const fn index(self) -> usize {
                self.0 as usize
            }

            /// The number of what stands at this place of the list.
            pub fn at(index: usize) -> $name {
                $name(u32::try_from(index).expect("a program has fewer than 2^32 of anything"))
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    )*};
}

numbers! {
    /// Number of a function in the program's function table and in [`crate::SiteMap::functions`].
    FunctionNumber
    /// Number of a site in [`crate::SiteMap::sites`]. A trace may name sites that are none (see `abi`), or lie.
    SiteNumber
    /// Index of a counter.
    Counter
    /// Number of a decision in [`crate::SiteMap::decisions`].
    DecisionNumber
    /// Number of a condition vector among those that a program counts.
    VectorNumber
}

/// The counter of an outcome, from the first of its site.
impl std::ops::Add<u32> for Counter {
    type Output = Counter;

    fn add(self, outcome: u32) -> Counter {
        Counter(self.0 + outcome)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_written_as_a_number() {
        let counters = vec![Counter(3), Counter(1) + 1];
        assert_eq!(serde_json::to_string(&counters).unwrap(), "[3,2]");
        assert_eq!(serde_json::from_str::<Vec<Counter>>("[3,2]").unwrap(), counters);
        assert_eq!(format!("{:>4}|{}", SiteNumber(7), FunctionNumber::at(12)), "   7|12");
    }
}
