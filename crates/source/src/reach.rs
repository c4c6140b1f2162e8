//! Which functions the code of one may get to, by the names that its text mentions.
//!
//! No part of `sites::cfg`: there is no program yet, so there are no calls, only names, and each unit means its own function by one. The graph is
//! unfolded as far as it is walked, nearest first, and no further than a limit.

use std::collections::{BTreeSet, VecDeque};

use crate::unit::{Function, Unit};

/// Functions looked through for one entry at most.
const MOST_FUNCTIONS: usize = 256;

/// The function that `unit` means by `name`: its own, or that of another file which is not static there.
pub(crate) fn find<'p>(units: &[&'p Unit], unit: usize, name: &str) -> Option<(usize, &'p Function)> {
    let with_body = |at: usize| units[at].function(name).filter(|function| function.has_body);
    let own = with_body(unit).map(|function| (unit, function));
    own.or_else(|| {
        let mut all = (0..units.len()).filter_map(|at| Some((at, with_body(at)?)));
        all.find(|(_, function)| !function.is_static)
    })
}

/// The function of a unit and those that it names, directly or not, nearest first, each with the number of its unit.
pub fn reachable<'p>(units: &[&'p Unit], unit: usize, function: &'p Function) -> Vec<(usize, &'p Function)> {
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    let mut waiting = VecDeque::from([(unit, function)]);
    while let Some((unit, function)) = waiting.pop_front() {
        if found.len() >= MOST_FUNCTIONS || !seen.insert((unit, function.name.as_str())) {
            continue;
        }
        found.push((unit, function));
        waiting.extend(function.mentions.iter().filter_map(|name| find(units, unit, name)));
    }
    found
}
