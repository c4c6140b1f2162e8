//! A scope is the part of the program whose coverage is counted: some of the user's functions, never the library
//! models. It answers how much is covered, which branch outcomes are still open, and what one run covers.

use crate::{Covered, executed_lines};
use covet_sites::{Counter, FunctionNumber, SiteInfo, SiteKind, SiteMap};
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

/// The functions whose coverage counts, with the counters of their branch outcomes.
#[derive(Clone, Debug)]
pub struct Scope {
    functions: Vec<FunctionNumber>,
    /// Ascending.
    branches: Vec<Counter>,
    /// The same, for looking one up.
    members: Covered,
}

impl Scope {
    /// The given functions; models among them are left out.
    pub fn of(map: &SiteMap, functions: impl IntoIterator<Item = FunctionNumber>) -> Scope {
        let is_counted = |number: &FunctionNumber| !map.functions[number.index()].is_model;
        let functions: BTreeSet<_> = functions.into_iter().filter(is_counted).collect();
        let sites = map.sites.iter().filter(|site| functions.contains(&site.function) && counts_branches(site.kind));
        let mut branches: Vec<_> = sites.flat_map(SiteInfo::counters).collect();
        branches.sort_unstable();
        branches.dedup();
        let members = branches.iter().copied().collect();
        Scope { functions: functions.into_iter().collect(), branches, members }
    }

    /// Every function of the user.
    pub fn whole_program(map: &SiteMap) -> Scope {
        Scope::of(map, map.functions.iter().map(|function| function.number))
    }

    pub fn functions(&self) -> &[FunctionNumber] {
        &self.functions
    }

    pub fn contains(&self, branch: Counter) -> bool {
        self.members.contains(branch)
    }

    /// Branch outcomes no run has taken yet, ascending.
    pub fn open<'a>(&'a self, covered: &'a Covered) -> impl Iterator<Item = Counter> + 'a {
        self.branches.iter().copied().filter(|&branch| !covered.contains(branch))
    }

    pub fn branches(&self, covered: &Covered) -> Count {
        let hit = self.branches.iter().filter(|&&branch| covered.contains(branch)).count();
        Count { covered: hit, total: self.branches.len() }
    }

    pub fn summary(&self, map: &SiteMap, covered: &Covered) -> Summary {
        // Two functions can share a line only through macros or one-line bodies; lines are counted per function then.
        let mut statements = Count::default();
        for &number in &self.functions {
            let lines = executed_lines(&map.functions[number.index()], covered);
            statements += Count { covered: lines.values().filter(|ran| **ran).count(), total: lines.len() };
        }
        Summary { statements, branches: self.branches(covered) }
    }
}

fn counts_branches(kind: SiteKind) -> bool {
    match kind {
        SiteKind::Branch | SiteKind::Condition | SiteKind::Switch => true,
        SiteKind::Decision | SiteKind::Indirect | SiteKind::Check => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use covet_sites::testing::{block, function, program};

    #[test]
    fn models_do_not_count() {
        let blocks = |line| vec![covet_sites::BlockInfo { lines: vec![line], ..block(&[], &[]) }];
        let mut functions: Vec<_> = (0..4).map(|number| function(number, number * 10, blocks(number + 1))).collect();
        functions[1].is_model = true;
        let map = program(functions, &[(0, 0, 1), (1, 0, 11), (2, 0, 21)]);
        let scope = Scope::of(&map, [0, 1, 2].map(FunctionNumber));
        let covered = Covered::from_iter([0, 1, 21].map(Counter));
        assert_eq!(scope.branches(&covered), Count { covered: 2, total: 4 });
        assert_eq!(scope.open(&covered).collect::<Vec<_>>(), [2, 22].map(Counter));
        assert_eq!(scope.summary(&map, &covered).statements, Count { covered: 1, total: 2 });
        assert!(!scope.contains(Counter(11)));
    }
}
