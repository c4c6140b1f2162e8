//! The functions of a program become a graph of direct calls, library models in between included.

use crate::{Callee, FunctionNumber, SiteMap};
use petgraph::Direction;
use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::{Dfs, Walker};
use std::collections::BTreeSet;

#[derive(Clone, Debug)]
pub struct CallGraph {
    graph: DiGraph<(), ()>,
}

impl CallGraph {
    pub fn of(map: &SiteMap) -> CallGraph {
        let mut graph = DiGraph::new();
        map.functions.iter().for_each(|_| _ = graph.add_node(()));
        for function in &map.functions {
            let calls: BTreeSet<_> = function.blocks.iter().flat_map(|block| &block.calls).filter_map(direct).collect();
            for callee in calls {
                graph.add_edge(node(function.number), node(callee), ());
            }
        }
        CallGraph { graph }
    }

    /// `roots` and every function that they call, directly or not.
    pub fn reachable(&self, roots: impl IntoIterator<Item = FunctionNumber>) -> BTreeSet<FunctionNumber> {
        let mut search = Dfs::empty(&self.graph);
        search.stack.extend(roots.into_iter().map(node));
        search.iter(&self.graph).map(number).collect()
    }

    /// Those that call a function by name, ascending.
    pub fn callers(&self, callee: FunctionNumber) -> Vec<FunctionNumber> {
        self.next(callee, Direction::Incoming)
    }

    /// Those that a function calls by name, ascending.
    pub fn callees(&self, caller: FunctionNumber) -> Vec<FunctionNumber> {
        self.next(caller, Direction::Outgoing)
    }

    fn next(&self, function: FunctionNumber, direction: Direction) -> Vec<FunctionNumber> {
        let mut found: Vec<_> = self.graph.neighbors_directed(node(function), direction).map(number).collect();
        found.sort_unstable();
        found
    }

    /// Functions that call each other in a circle stand together, each group ascending; who is called stands before who calls.
    pub fn components(&self) -> Vec<Vec<FunctionNumber>> {
        let sorted = |component: Vec<NodeIndex>| {
            let mut functions: Vec<_> = component.into_iter().map(number).collect();
            functions.sort_unstable();
            functions
        };
        tarjan_scc(&self.graph).into_iter().map(sorted).collect()
    }
}

/// `roots` and every function of the user that they can reach, ascending.
pub fn reachable_from(map: &SiteMap, roots: &[FunctionNumber]) -> Vec<FunctionNumber> {
    let reachable = CallGraph::of(map).reachable(roots.iter().copied());
    reachable.into_iter().filter(|number| !map.functions[number.index()].is_model).collect()
}

fn direct(callee: &Callee) -> Option<FunctionNumber> {
    match callee {
        Callee::Function(number) => Some(*number),
        Callee::Indirect | Callee::External(_) => None,
    }
}

fn node(function: FunctionNumber) -> NodeIndex {
    NodeIndex::from(function.0)
}

fn number(node: NodeIndex) -> FunctionNumber {
    FunctionNumber::at(node.index())
}
