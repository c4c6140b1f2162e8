//! Runs → how much a function depends on the others: the published p(g|f).
//!
//! Of the runs that call f, p(g|f) is the part in which
//!
//! 1. g calls f, when the call graph has g before f;
//! 2. f calls g, when it has g behind f;
//! 3. one calls the other, when it has g both before and behind f;
//!
//! directly or through others, by the calls of that run.

use crate::{Calls, Graph};
use covet_sites::FunctionNumber;
use std::collections::BTreeMap;

/// What a function depends on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dependency {
    /// Runs that call the function.
    pub runs: u64,
    /// Runs in which another one calls it or is called by it, for all that could.
    pub together: BTreeMap<FunctionNumber, u64>,
}

impl Dependency {
    pub fn of(function: FunctionNumber, calls: &Calls) -> Dependency {
        let (before, behind) = (calls.graph.predecessors(function), calls.graph.successors(function));
        let mut dependency = Dependency::default();
        for other in before.union(&behind).filter(|other| **other != function) {
            dependency.together.insert(*other, 0);
        }
        for (run, times) in calls.runs_of(function) {
            dependency.runs += times;
            let run: &Graph = &run.graph;
            let (callers, callees) = (run.predecessors(function), run.successors(function));
            for (other, together) in &mut dependency.together {
                let calls_it = before.contains(other) && callers.contains(other);
                let is_called = behind.contains(other) && callees.contains(other);
                *together += if calls_it || is_called { times } else { 0 };
            }
        }
        dependency
    }

    /// p(g|f); none when no run calls f, so that nothing is known.
    pub fn on(&self, other: FunctionNumber) -> Option<f64> {
        let together = self.together.get(&other).copied().unwrap_or(0);
        (self.runs > 0).then(|| together as f64 / self.runs as f64)
    }

    /// Whether f depends on g: p(g|f) is no less than `tau`.
    pub fn is_high(&self, other: FunctionNumber, tau: f64) -> bool {
        self.on(other).is_some_and(|dependency| dependency >= tau)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calls::testing::{Figure1, calls};

    #[test]
    fn figure_3_as_published() {
        let Figure1 { calls, main, a1, a2, b, f, g, h } = Figure1::profiled();
        let dependency = Dependency::of(f, &calls);
        let on = |other| dependency.on(other).unwrap();
        assert_eq!(dependency.runs, 3);
        assert_eq!([main, b, g].map(on), [1.0; 3]);
        assert_eq!([a1, a2, h].map(on), [2.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0]);
        assert!(!dependency.is_high(a1, 0.7) && dependency.is_high(a1, 0.66));
        // Of h, which one run calls: all that lead to it there.
        let of_h = Dependency::of(h, &calls);
        assert_eq!((of_h.runs, of_h.on(a1), of_h.on(a2), of_h.on(g)), (1, Some(1.0), Some(0.0), Some(0.0)));
    }

    #[test]
    fn who_stands_on_both_sides_counts_once() {
        // 0 calls 1, and 1 and 2 call each other.
        let edges = [(0, 1), (1, 2), (2, 1)];
        let calls = calls(&edges, &[&[(0, 1)], &[(0, 1), (1, 2)], &[(0, 1), (1, 2), (2, 1)], &[(2, 1)]]);
        let dependency = Dependency::of(FunctionNumber(1), &calls);
        assert_eq!((dependency.runs, dependency.on(FunctionNumber(2))), (4, Some(0.75)));
        assert_eq!(dependency.on(FunctionNumber(0)), Some(0.75));
    }

    #[test]
    fn nothing_is_known_of_what_no_run_calls() {
        let calls = calls(&[(0, 1), (1, 2)], &[&[(0, 2)]]);
        assert_eq!(Dependency::of(FunctionNumber(1), &calls).on(FunctionNumber(0)), None);
    }
}
