//! What a function depends on → what is tested with it: its extended unit, and the contexts it is called in.

use crate::{Calls, Contexts, Dependency, Graph, calling_contexts};
use covet_sites::FunctionNumber;
use std::collections::BTreeSet;

/// The function and all it calls on paths of relevant functions alone.
pub fn extended_unit(
    graph: &Graph,
    function: FunctionNumber,
    is_relevant: &dyn Fn(FunctionNumber) -> bool,
) -> BTreeSet<FunctionNumber> {
    let mut unit = BTreeSet::from([function]);
    let mut waiting = vec![function];
    while let Some(caller) = waiting.pop() {
        let callees = graph.callees(caller).filter(|callee| is_relevant(*callee));
        waiting.extend(callees.filter(|callee| unit.insert(*callee)));
    }
    unit
}

/// What unit and contexts of a function go by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// Runs that call it.
    Runs,
    /// No run does: everything that it calls, and whoever calls it directly.
    Source,
}

/// All that is asked about a function: whom it depends on, its extended unit and its calling contexts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relevance {
    pub basis: Basis,
    pub dependency: Dependency,
    pub unit: BTreeSet<FunctionNumber>,
    pub contexts: Contexts,
}

impl Relevance {
    pub fn of(function: FunctionNumber, calls: &Calls, tau: f64) -> Relevance {
        let dependency = Dependency::of(function, calls);
        let callers: BTreeSet<FunctionNumber> = calls.graph.callers(function).collect();
        let basis = if dependency.runs > 0 { Basis::Runs } else { Basis::Source };
        let is_high = |other| dependency.is_high(other, tau);
        let (unit, contexts) = match basis {
            Basis::Runs => {
                (extended_unit(&calls.graph, function, &is_high), calling_contexts(&calls.graph, function, &is_high))
            }
            Basis::Source => {
                let all = |_: FunctionNumber| true;
                let direct: Graph = callers.iter().map(|caller| (*caller, function)).collect();
                (extended_unit(&calls.graph, function, &all), calling_contexts(&direct, function, &all))
            }
        };
        Relevance { basis, dependency, unit, contexts }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calls::testing::{Figure1, calls};

    #[test]
    fn the_unit_of_figure_1_is_f_and_g() {
        let Figure1 { calls, b, f, g, h, .. } = Figure1::profiled();
        let relevance = Relevance::of(f, &calls, 0.7);
        assert_eq!(
            (relevance.basis, relevance.unit, relevance.contexts.all),
            (Basis::Runs, [f, g].into(), vec![vec![b, f]])
        );
        assert_eq!(Relevance::of(f, &calls, 0.3).unit, [f, g, h].into());
    }

    #[test]
    fn a_function_behind_one_that_is_left_out_is_left_out() {
        // 0 calls 1 in one of two runs, and 2 through 1 or 3 in both.
        let edges = [(0, 1), (1, 2), (0, 3), (3, 4)];
        let calls = calls(&edges, &[&[(0, 1), (1, 2), (0, 3), (3, 4)], &[(0, 3), (3, 4), (5, 0)]]);
        let relevance = Relevance::of(FunctionNumber(0), &calls, 0.7);
        assert_eq!(relevance.unit, [0, 3, 4].map(FunctionNumber).into());
        assert!(relevance.dependency.on(FunctionNumber(5)) == Some(0.5), "a call that only runs show is one, too");
    }

    #[test]
    fn who_was_never_called_has_all_it_calls_and_its_callers() {
        let calls = calls(&[(0, 1), (1, 2), (3, 1), (4, 3)], &[&[(4, 5)]]);
        let relevance = Relevance::of(FunctionNumber(1), &calls, 0.7);
        assert_eq!((relevance.basis, relevance.unit), (Basis::Source, [1, 2].map(FunctionNumber).into()));
        assert_eq!(relevance.contexts.all, [[0, 1], [3, 1]].map(|path| path.map(FunctionNumber).to_vec()));
    }
}
