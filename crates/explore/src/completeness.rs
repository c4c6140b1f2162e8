//! Whether "no path is left" means that every path was tried: what was cut short on the way, by name and count.

use crate::report::{Figures, Stopped};
use covet_abi::event::Concretization;

impl Figures {
    /// What keeps an exploration from being complete, so far.
    pub(crate) fn shortfalls(&self) -> impl Iterator<Item = (&'static str, u64)> {
        // What is printed decides nothing.
        let of_use = |(reason, _): &(&&'static str, &u64)| **reason != Concretization::Output.text();
        let concretised: u64 = self.concretised.iter().filter(of_use).map(|(_, count)| *count).sum();
        let all = [
            ("cut", self.cut),
            ("truncated", self.truncated),
            ("bounded", self.bounded),
            ("abandoned", self.abandoned),
            ("concretised", concretised),
            ("unknown", self.unknown.values().sum()),
            ("divergences", self.divergences),
            ("timeouts", self.timeouts),
            ("lost", self.lost),
            ("depth", self.too_deep),
            ("memory", self.shed),
        ];
        all.into_iter().filter(|(_, count)| *count > 0)
    }

    /// Why an exploration stopped, its shortfalls considered; they are told where nothing else ended it.
    pub(crate) fn settle(&mut self, stopped: Stopped) -> Stopped {
        match stopped {
            Stopped::Exhausted | Stopped::Incomplete => {
                self.incomplete = self.shortfalls().collect();
                if self.incomplete.is_empty() { Stopped::Exhausted } else { Stopped::Incomplete }
            }
            Stopped::Covered | Stopped::Reached | Stopped::Time | Stopped::Iterations | Stopped::Interrupted => stopped,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn exhausted_is_said_when_nothing_was_cut_short() {
        let mut complete = Figures { executions: 9, ..Figures::default() };
        complete.concretised = BTreeMap::from([(Concretization::Output.text(), 3)]);
        assert_eq!(complete.settle(Stopped::Exhausted), Stopped::Exhausted);
        for (name, figures) in [
            ("cut", Figures { cut: 1, ..Figures::default() }),
            ("truncated", Figures { truncated: 1, ..Figures::default() }),
            ("bounded", Figures { bounded: 1, ..Figures::default() }),
            ("abandoned", Figures { abandoned: 1, ..Figures::default() }),
            ("timeouts", Figures { timeouts: 1, ..Figures::default() }),
            ("concretised", Figures { concretised: BTreeMap::from([("inline-asm", 1)]), ..Figures::default() }),
        ] {
            let mut figures = figures;
            assert_eq!(figures.settle(Stopped::Exhausted), Stopped::Incomplete);
            assert_eq!(figures.incomplete, BTreeMap::from([(name, 1)]));
            assert_eq!(figures.settle(Stopped::Covered), Stopped::Covered);
        }
    }
}
