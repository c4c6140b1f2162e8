//! How much of something: so many of so many, and the two figures that a report tells of some functions.

use crate::Covered;
use crate::goal::{counts_branches, lines_of};
use covet_sites::{FunctionNumber, SiteMap};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// So many of so many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Count {
    pub covered: usize,
    pub total: usize,
}

impl Count {
    pub fn percent(self) -> f64 {
        if self.total == 0 { 100.0 } else { 100.0 * self.covered as f64 / self.total as f64 }
    }

    pub fn is_full(self) -> bool {
        self.covered == self.total
    }

    /// Counts how many are covered.
    pub fn of(are_covered: impl IntoIterator<Item = bool>) -> Count {
        let one = |is_covered| Count { covered: usize::from(is_covered), total: 1 };
        are_covered.into_iter().map(one).sum()
    }
}

impl std::ops::AddAssign for Count {
    fn add_assign(&mut self, other: Count) {
        self.covered += other.covered;
        self.total += other.total;
    }
}

impl std::iter::Sum for Count {
    fn sum<I: Iterator<Item = Count>>(counts: I) -> Count {
        counts.fold(Count::default(), |mut sum, next| {
            sum += next;
            sum
        })
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    pub statements: Count,
    pub branches: Count,
}

impl Summary {
    /// What of these functions is covered; library models among them do not count.
    pub fn of(map: &SiteMap, functions: impl IntoIterator<Item = FunctionNumber>, covered: &Covered) -> Summary {
        let is_users = |number: &FunctionNumber| !map.functions[number.index()].is_model;
        let functions: BTreeSet<_> = functions.into_iter().filter(is_users).collect();
        // Two functions can share a line only through macros or one-line bodies; lines are counted per function then.
        let lines = functions.iter().flat_map(|number| lines_of(&map.functions[number.index()]).into_values());
        let sites = map.sites.iter().filter(|site| functions.contains(&site.function) && counts_branches(site.kind));
        let outcomes: BTreeSet<_> = sites.flat_map(|site| site.counters()).collect();
        Summary {
            statements: Count::of(lines.map(|line| line.counters.iter().any(|counter| covered.contains(*counter)))),
            branches: Count::of(outcomes.into_iter().map(|counter| covered.contains(counter))),
        }
    }

    /// What of the whole program of the user is covered.
    pub fn whole_program(map: &SiteMap, covered: &Covered) -> Summary {
        Summary::of(map, map.functions.iter().map(|function| function.number), covered)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::small_program;
    use covet_sites::Counter;

    #[test]
    fn models_do_not_count() {
        let map = small_program();
        let covered = [0, 1, 3, 5, 9].map(Counter).into_iter().collect();
        let one = Summary::of(&map, [FunctionNumber(0), FunctionNumber(3)], &covered);
        assert_eq!((one.statements, one.branches), (Count { covered: 3, total: 3 }, Count { covered: 1, total: 2 }));
        let all = Summary::whole_program(&map, &covered);
        assert_eq!((all.statements, all.branches), (Count { covered: 5, total: 9 }, Count { covered: 2, total: 6 }));
    }
}
