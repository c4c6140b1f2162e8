//! Who calls whom, as far as it is known: a graph of functions, to be asked both ways.

use covet_sites::{Callee, FunctionNumber, SiteMap};
use std::collections::{BTreeMap, BTreeSet};

/// A call graph. Functions without calls need not be in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    callees: BTreeMap<FunctionNumber, BTreeSet<FunctionNumber>>,
    callers: BTreeMap<FunctionNumber, BTreeSet<FunctionNumber>>,
}

impl Graph {
    /// The direct calls among the user's functions.
    pub fn of(map: &SiteMap) -> Graph {
        let is_users = |number: FunctionNumber| map.functions.get(number.index()).is_some_and(|info| !info.is_model);
        let mut graph = Graph::default();
        for function in map.functions.iter().filter(|function| !function.is_model) {
            for callee in function.blocks.iter().flat_map(|block| &block.calls) {
                match callee {
                    Callee::Function(callee) if is_users(*callee) => graph.add(function.number, *callee),
                    Callee::Function(_) | Callee::Indirect | Callee::External(_) => {}
                }
            }
        }
        graph
    }

    pub fn add(&mut self, caller: FunctionNumber, callee: FunctionNumber) {
        self.callees.entry(caller).or_default().insert(callee);
        self.callers.entry(callee).or_default().insert(caller);
    }

    /// What `function` calls itself, ascending.
    pub fn callees(&self, function: FunctionNumber) -> impl Iterator<Item = FunctionNumber> {
        self.callees.get(&function).into_iter().flatten().copied()
    }

    /// Who calls `function` itself, ascending.
    pub fn callers(&self, function: FunctionNumber) -> impl Iterator<Item = FunctionNumber> {
        self.callers.get(&function).into_iter().flatten().copied()
    }

    /// What `function` calls, directly or through others; itself only when a call leads back.
    pub fn successors(&self, function: FunctionNumber) -> BTreeSet<FunctionNumber> {
        reached(&self.callees, function)
    }

    /// Who calls `function`, directly or through others.
    pub fn predecessors(&self, function: FunctionNumber) -> BTreeSet<FunctionNumber> {
        reached(&self.callers, function)
    }
}

impl Extend<(FunctionNumber, FunctionNumber)> for Graph {
    fn extend<T: IntoIterator<Item = (FunctionNumber, FunctionNumber)>>(&mut self, calls: T) {
        calls.into_iter().for_each(|(caller, callee)| self.add(caller, callee));
    }
}

impl FromIterator<(FunctionNumber, FunctionNumber)> for Graph {
    fn from_iter<T: IntoIterator<Item = (FunctionNumber, FunctionNumber)>>(calls: T) -> Graph {
        let mut graph = Graph::default();
        graph.extend(calls);
        graph
    }
}

fn reached(
    next: &BTreeMap<FunctionNumber, BTreeSet<FunctionNumber>>,
    start: FunctionNumber,
) -> BTreeSet<FunctionNumber> {
    let mut found = BTreeSet::new();
    let mut waiting = vec![start];
    while let Some(function) = waiting.pop() {
        let steps = next.get(&function).into_iter().flatten().copied();
        waiting.extend(steps.filter(|step| found.insert(*step)));
    }
    found
}
