//! A function's blocks become a graph: edges as control may go, each with the counter bumped on the way.

use super::{DominatorTree, Loops};
use crate::{Counter, FunctionInfo};
use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::{Dfs, EdgeFiltered, EdgeRef};

/// Position of a block in [`FunctionInfo::blocks`]; 0 is the entry.
pub type BlockNumber = u32;

/// The blocks of one function.
#[derive(Clone, Debug)]
pub struct FlowGraph {
    pub(super) graph: DiGraph<(), Option<Counter>>,
}

impl FlowGraph {
    pub fn of(function: &FunctionInfo) -> FlowGraph {
        let successors = |block: usize| function.blocks[block].successors.iter().map(|edge| (edge.block, edge.counter));
        let edges = (0..function.blocks.len()).flat_map(|from| successors(from).map(move |(to, via)| (from, to, via)));
        FlowGraph::from_edges(function.blocks.len(), edges)
    }

    /// Edges to blocks that are not there are left out: a map may have been read from anywhere.
    pub(super) fn from_edges(
        blocks: usize,
        edges: impl IntoIterator<Item = (usize, BlockNumber, Option<Counter>)>,
    ) -> FlowGraph {
        let mut graph = DiGraph::new();
        (0..blocks).for_each(|_| _ = graph.add_node(()));
        for (from, to, counter) in edges {
            if (to as usize) < blocks {
                graph.add_edge(NodeIndex::new(from), NodeIndex::from(to), counter);
            }
        }
        FlowGraph { graph }
    }

    pub fn blocks(&self) -> impl Iterator<Item = BlockNumber> + use<> {
        0..self.graph.node_count() as BlockNumber
    }

    pub fn successors(&self, block: BlockNumber) -> impl Iterator<Item = (BlockNumber, Option<Counter>)> + '_ {
        self.graph.edges(NodeIndex::from(block)).map(|edge| (number(edge.target()), *edge.weight()))
    }

    pub fn predecessors(&self, block: BlockNumber) -> impl Iterator<Item = BlockNumber> + '_ {
        self.graph.neighbors_directed(NodeIndex::from(block), petgraph::Incoming).map(number)
    }

    /// `block` and all that must follow it: what edges without a counter lead to.
    pub fn without_choice(&self, block: BlockNumber) -> impl Iterator<Item = BlockNumber> + '_ {
        let graph = EdgeFiltered::from_fn(&self.graph, |edge| edge.weight().is_none());
        let mut search = Dfs::new(&graph, NodeIndex::from(block));
        std::iter::from_fn(move || search.next(&graph).map(number))
    }

    /// Who comes before whom on every way from the entry.
    pub fn dominators(&self) -> DominatorTree {
        DominatorTree::from_entry(self)
    }

    /// Who comes after whom on every way to an end of the function.
    pub fn post_dominators(&self) -> DominatorTree {
        DominatorTree::from_ends(self)
    }

    pub fn loops(&self) -> Loops {
        Loops::of(self)
    }

    /// The strongly connected components, each ascending; those that control comes to later stand before.
    pub fn components(&self) -> Vec<Vec<BlockNumber>> {
        let sorted = |component: Vec<NodeIndex>| {
            let mut blocks: Vec<_> = component.into_iter().map(number).collect();
            blocks.sort_unstable();
            blocks
        };
        tarjan_scc(&self.graph).into_iter().map(sorted).collect()
    }

    /// Blocks on a cycle with `block`, ascending; none when control never comes back to it.
    pub fn cycle_around(&self, block: BlockNumber) -> Option<Vec<BlockNumber>> {
        let component = self.components().into_iter().find(|component| component.contains(&block))?;
        let is_cycle = component.len() > 1 || self.successors(block).any(|(next, _)| next == block);
        is_cycle.then_some(component)
    }
}

pub(super) fn number(node: NodeIndex) -> BlockNumber {
    node.index() as BlockNumber
}
