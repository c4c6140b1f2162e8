//! A flow graph becomes its natural loops: an edge back to a block that dominates it makes a loop, edges back to one block make one loop.
//!
//! A cycle that is entered at several places (`goto` into a loop) has no header, so it is no loop here; it is a component of the graph all
//! the same ([`FlowGraph::cycle_around`]). Code that nothing leads to is in no loop, wherever it leads.

use super::{BlockNumber, DominatorTree, FlowGraph};
use crate::FunctionInfo;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// Where it is entered.
    pub header: BlockNumber,
    /// Its blocks, the header and inner loops included.
    pub body: BTreeSet<BlockNumber>,
    /// Edges that lead out of it: from the block, to the block.
    pub exits: Vec<(BlockNumber, BlockNumber)>,
    /// Position of the smallest loop around it.
    pub parent: Option<usize>,
}

/// The loops of a function, by header ascending.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Loops {
    pub all: Vec<Loop>,
}

impl Loops {
    pub(super) fn of(flow: &FlowGraph) -> Loops {
        let dominators = flow.dominators();
        let mut ends: BTreeMap<BlockNumber, Vec<BlockNumber>> = BTreeMap::new();
        for block in flow.blocks() {
            for (header, _) in flow.successors(block).filter(|(next, _)| dominators.dominates(*next, block)) {
                ends.entry(header).or_default().push(block);
            }
        }
        let natural = |(header, ends)| {
            let body = body(flow, &dominators, header, ends);
            Loop { header, exits: exits(flow, &body), body, parent: None }
        };
        let mut all: Vec<Loop> = ends.into_iter().map(natural).collect();
        let parents: Vec<_> = (0..all.len()).map(|at| parent(&all, at)).collect();
        all.iter_mut().zip(parents).for_each(|(inner, parent)| inner.parent = parent);
        Loops { all }
    }

    /// Position of the innermost loop that holds `block`.
    pub fn innermost(&self, block: BlockNumber) -> Option<usize> {
        smallest(&self.all, |around| around.body.contains(&block))
    }

    /// The loops that hold `block`, innermost first.
    pub fn around(&self, block: BlockNumber) -> impl Iterator<Item = &Loop> {
        std::iter::successors(self.innermost(block), |at| self.all[*at].parent).map(|at| &self.all[at])
    }
}

/// All from which an end can be had without passing the header. (The header dominates them, but for code that nothing leads to.)
fn body(
    flow: &FlowGraph,
    dominators: &DominatorTree,
    header: BlockNumber,
    ends: Vec<BlockNumber>,
) -> BTreeSet<BlockNumber> {
    let mut body = BTreeSet::from([header]);
    let mut todo = ends;
    while let Some(block) = todo.pop() {
        if body.insert(block) {
            todo.extend(flow.predecessors(block).filter(|before| dominators.contains(*before)));
        }
    }
    body
}

fn exits(flow: &FlowGraph, body: &BTreeSet<BlockNumber>) -> Vec<(BlockNumber, BlockNumber)> {
    let leaving = |from: BlockNumber| flow.successors(from).map(move |(to, _)| (from, to));
    let mut exits: Vec<_> =
        body.iter().flat_map(|block| leaving(*block)).filter(|(_, to)| !body.contains(to)).collect();
    exits.sort_unstable();
    exits.dedup();
    exits
}

/// Two loops lie in each other or have nothing in common.
fn parent(all: &[Loop], at: usize) -> Option<usize> {
    smallest(all, |other| other.header != all[at].header && other.body.contains(&all[at].header))
}

fn smallest(all: &[Loop], is_wanted: impl Fn(&Loop) -> bool) -> Option<usize> {
    (0..all.len()).filter(|at| is_wanted(&all[*at])).min_by_key(|at| all[*at].body.len())
}

/// The first line of the outermost cycle around `line`; none when control never comes back to that line. Where in an endless loop a
/// run was stopped is chance, which loop it was is not.
pub fn loop_line(function: &FunctionInfo, line: u32) -> Option<u32> {
    let flow = FlowGraph::of(function);
    let lines = |block: BlockNumber| &function.blocks[block as usize].lines;
    flow.blocks().filter(|block| lines(*block).contains(&line)).find_map(|block| {
        let around = flow.cycle_around(block)?;
        around.into_iter().flat_map(lines).copied().filter(|line| *line > 0).min()
    })
}
