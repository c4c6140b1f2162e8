//! A flow graph becomes a tree of dominators, from the entry or, turned around, from the ends.
//!
//! From the entry: block `a` dominates `b` when every way from the entry to `b` leads through `a`. From the ends: `a` post-dominates `b`
//! when every way from `b` to an end of the function leads through `a`. An end is a block without successors. What has no such way (code that
//! nothing leads to; a loop that nothing leads out of) is not in the tree.

use super::flow::number;
use super::{BlockNumber, FlowGraph};
use petgraph::algo::dominators::simple_fast;
use petgraph::graph::NodeIndex;
use petgraph::visit::Reversed;

/// Which blocks all ways lead through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DominatorTree {
    parents: Vec<Parent>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Parent {
    Block(BlockNumber),
    /// Every way starts here; or, from several ends, nothing but itself is on all of them.
    Root,
    /// No way leads here.
    Outside,
}

impl DominatorTree {
    pub(super) fn from_entry(flow: &FlowGraph) -> DominatorTree {
        if flow.graph.node_count() == 0 {
            return DominatorTree { parents: vec![] };
        }
        let entry = NodeIndex::new(0);
        let found = simple_fast(&flow.graph, entry);
        let parent = |block| match found.immediate_dominator(NodeIndex::from(block)) {
            Some(dominator) => Parent::Block(number(dominator)),
            None if block == number(entry) => Parent::Root,
            None => Parent::Outside,
        };
        DominatorTree { parents: flow.blocks().map(parent).collect() }
    }

    pub(super) fn from_ends(flow: &FlowGraph) -> DominatorTree {
        let mut graph = flow.graph.clone();
        // One end behind all ends.
        let last = graph.add_node(());
        for end in flow.blocks().filter(|block| flow.successors(*block).next().is_none()) {
            graph.add_edge(NodeIndex::from(end), last, None);
        }
        let found = simple_fast(Reversed(&graph), last);
        let parent = |block| match found.immediate_dominator(NodeIndex::from(block)) {
            Some(dominator) if dominator == last => Parent::Root,
            Some(dominator) => Parent::Block(number(dominator)),
            None => Parent::Outside,
        };
        DominatorTree { parents: flow.blocks().map(parent).collect() }
    }

    /// The nearest other block that all ways lead through.
    pub fn immediate(&self, block: BlockNumber) -> Option<BlockNumber> {
        match self.parents.get(block as usize)? {
            Parent::Block(parent) => Some(*parent),
            Parent::Root | Parent::Outside => None,
        }
    }

    /// Whether any way leads here.
    pub fn contains(&self, block: BlockNumber) -> bool {
        self.parents.get(block as usize).is_some_and(|parent| *parent != Parent::Outside)
    }

    /// The block itself and all that dominate it, nearest first; nothing when it is not in the tree.
    pub fn of(&self, block: BlockNumber) -> impl Iterator<Item = BlockNumber> + '_ {
        let first = self.contains(block).then_some(block);
        std::iter::successors(first, |block| self.immediate(*block))
    }

    pub fn dominates(&self, dominator: BlockNumber, block: BlockNumber) -> bool {
        self.of(block).any(|above| above == dominator)
    }
}
