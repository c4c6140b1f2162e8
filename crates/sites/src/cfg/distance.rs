//! The whole program becomes distances: how many choices lie between a place and the nearest of some targets.
//!
//! A choice (an edge with a counter) costs one step, everything else nothing; entering a callee costs one step, leaving it
//! for a block that calls it two, since the call may not come from there. One search backwards from all targets at once,
//! so the cost is linear in the program.
//!
//! Explorations search again whenever coverage has grown, so this is hot: blocks of all functions in one row, the edges to each in another,
//! and a frontier of three buckets. (`petgraph::algo::dijkstra` keeps a heap and a hash map, for costs of any size.)

use super::BlockNumber;
use crate::{Callee, Counter, FunctionNumber, SiteMap};

/// Steps to the nearest target; [`FAR`] when none can be reached as far as direct calls show.
pub type Distance = u32;
pub const FAR: Distance = u32::MAX;

const CHOICE: Distance = 1;
const ENTER: Distance = 1;
const LEAVE: Distance = 2;

/// A block of the whole program, numbered densely.
type Node = u32;

/// Where to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Take the edge with this counter: one choice from the block that it leaves.
    Edge(Counter),
    /// Get into this block.
    Block(FunctionNumber, BlockNumber),
    /// Choose what happens in this block: one choice, once there.
    Within(FunctionNumber, BlockNumber),
}

/// The graph turned around, built once per program.
#[derive(Debug)]
pub struct ProgramGraph {
    /// First node of each function.
    starts: Vec<Node>,
    /// Nodes that lead to each node, and at what cost: those of node `n` from `first[n]` up to `first[n + 1]`.
    arriving: Vec<(Node, Distance)>,
    first: Vec<u32>,
    /// For each counter that is an edge: the node it leaves and the node it enters.
    edges: Vec<Option<(Node, Node)>>,
}

/// Distances to one set of targets.
#[derive(Debug, Clone, Default)]
pub struct Distances {
    from: Vec<Distance>,
}

impl ProgramGraph {
    pub fn of(map: &SiteMap) -> ProgramGraph {
        let mut starts = Vec::with_capacity(map.functions.len());
        let mut nodes: Node = 0;
        for function in &map.functions {
            starts.push(nodes);
            nodes += function.blocks.len() as Node;
        }
        let mut steps = Steps { map, starts: &starts, all: vec![], edges: vec![None; map.counters as usize] };
        map.functions.iter().for_each(|function| steps.add_function(function.number));
        let Steps { all, edges, .. } = steps;
        let (first, arriving) = grouped(&all, nodes as usize);
        ProgramGraph { starts, arriving, first, edges }
    }

    pub fn distances(&self, targets: impl IntoIterator<Item = Target>) -> Distances {
        let mut from = vec![FAR; self.first.len() - 1];
        let mut frontier = Frontier::default();
        let mut reach = |frontier: &mut Frontier, node: Node, distance: Distance| {
            if distance < from[node as usize] {
                from[node as usize] = distance;
                frontier.push(node, distance);
            }
            from[node as usize]
        };
        for target in targets {
            if let Some((node, distance)) = self.place(target) {
                reach(&mut frontier, node, distance);
            }
        }
        while let Some((node, distance)) = frontier.pop() {
            // It may have been reached on a shorter way since.
            if reach(&mut frontier, node, distance) == distance {
                for &(before, cost) in self.arriving(node) {
                    reach(&mut frontier, before, distance + cost);
                }
            }
        }
        Distances { from }
    }

    /// Steps to go after having taken the edge with this counter.
    pub fn after(&self, distances: &Distances, counter: Counter) -> Distance {
        let entered = self.edges.get(counter.index()).copied().flatten().map(|(_, enters)| enters);
        entered.and_then(|node| distances.from.get(node as usize).copied()).unwrap_or(FAR)
    }

    fn place(&self, target: Target) -> Option<(Node, Distance)> {
        let node = |function: FunctionNumber, block: BlockNumber| Some(self.starts.get(function.index())? + block);
        match target {
            Target::Edge(counter) => {
                let (leaves, _) = self.edges.get(counter.index()).copied().flatten()?;
                Some((leaves, CHOICE))
            }
            Target::Block(function, block) => Some((node(function, block)?, 0)),
            Target::Within(function, block) => Some((node(function, block)?, CHOICE)),
        }
    }

    fn arriving(&self, node: Node) -> &[(Node, Distance)] {
        &self.arriving[self.first[node as usize] as usize..self.first[node as usize + 1] as usize]
    }
}

/// One step of the program, backwards.
struct Step {
    to: Node,
    from: Node,
    cost: Distance,
}

/// The steps found so far.
struct Steps<'a> {
    map: &'a SiteMap,
    starts: &'a [Node],
    all: Vec<Step>,
    edges: Vec<Option<(Node, Node)>>,
}

impl Steps<'_> {
    fn add_function(&mut self, number: FunctionNumber) {
        let start = self.starts[number.index()];
        for (here, block) in (start..).zip(&self.map.functions[number.index()].blocks) {
            for edge in &block.successors {
                let there = start + edge.block;
                let cost = if edge.counter.is_some() { CHOICE } else { 0 };
                self.all.push(Step { to: there, from: here, cost });
                if let Some(slot) = edge.counter.and_then(|counter| self.edges.get_mut(counter.index())) {
                    *slot = Some((here, there));
                }
            }
            for callee in &block.calls {
                match callee {
                    Callee::Function(callee) => self.add_call(here, *callee),
                    Callee::Indirect | Callee::External(_) => {}
                }
            }
        }
    }

    fn add_call(&mut self, caller: Node, callee: FunctionNumber) {
        let entry = self.starts[callee.index()];
        let blocks = &self.map.functions[callee.index()].blocks;
        if blocks.is_empty() {
            return;
        }
        self.all.push(Step { to: entry, from: caller, cost: ENTER });
        let ends = (entry..).zip(blocks).filter(|(_, block)| block.successors.is_empty());
        self.all.extend(ends.map(|(end, _)| Step { to: caller, from: end, cost: LEAVE }));
    }
}

/// The steps by where they lead to: where those of each node begin, and all of them in a row.
fn grouped(steps: &[Step], nodes: usize) -> (Vec<u32>, Vec<(Node, Distance)>) {
    let mut first = vec![0; nodes + 1];
    steps.iter().for_each(|step| first[step.to as usize + 1] += 1);
    (0..nodes).for_each(|node| first[node + 1] += first[node]);
    let mut next = first.clone();
    let mut arriving = vec![(0, 0); steps.len()];
    for step in steps {
        let at = &mut next[step.to as usize];
        arriving[*at as usize] = (step.from, step.cost);
        *at += 1;
    }
    (first, arriving)
}

/// Nodes still to be looked at, nearest first. One step is short, so all of them lie within a few distances of each other.
#[derive(Default)]
struct Frontier {
    near: [Vec<Node>; LEAVE as usize + 1],
    distance: Distance,
}

impl Frontier {
    fn push(&mut self, node: Node, distance: Distance) {
        self.near[distance as usize % self.near.len()].push(node);
    }

    fn pop(&mut self) -> Option<(Node, Distance)> {
        for _ in 0..self.near.len() {
            if let Some(node) = self.near[self.distance as usize % self.near.len()].pop() {
                return Some((node, self.distance));
            }
            self.distance += 1;
        }
        None
    }
}
