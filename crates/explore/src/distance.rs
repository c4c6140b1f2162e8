//! Distances over the interprocedural control-flow graph: how many choices lie between a place in the program and the
//! nearest branch outcome no run has taken.
//!
//! A choice (an edge with a counter) costs one step, everything else nothing; entering a callee costs one step, leaving it
//! for a block that calls it two, since the call may not come from there. One search backwards from all open outcomes at once,
//! so the cost is linear in the program, and it is only repeated when coverage has grown.

use covet_coverage::{Covered, Scope};
use covet_sites::{Callee, Counter, FunctionNumber, SiteMap};

/// Steps to the nearest open outcome; [`FAR`] when none can be reached as far as direct calls show.
pub type Distance = u32;
pub const FAR: Distance = u32::MAX;

const CHOICE: Distance = 1;
const ENTER: Distance = 1;
const LEAVE: Distance = 2;

/// A block of the whole program, numbered densely.
type Node = u32;

/// The graph turned around, built once per program.
#[derive(Debug)]
pub struct Graph {
    /// First node of each function.
    starts: Vec<Node>,
    /// For each node: nodes that lead here, and at what cost.
    arriving: Vec<Vec<(Node, Distance)>>,
    /// For each counter that is an edge: the node it leaves and the node it enters.
    edges: Vec<Option<(Node, Node)>>,
}

/// Distances for one state of coverage.
#[derive(Debug, Clone, Default)]
pub struct Distances {
    from: Vec<Distance>,
}

impl Graph {
    pub fn new(map: &SiteMap) -> Graph {
        let mut starts = Vec::with_capacity(map.functions.len());
        let mut nodes = 0;
        for function in &map.functions {
            starts.push(nodes);
            nodes += function.blocks.len() as Node;
        }
        let mut graph =
            Graph { starts, arriving: vec![Vec::new(); nodes as usize], edges: vec![None; map.counters as usize] };
        for function in &map.functions {
            graph.add_function(map, function.number);
        }
        graph
    }

    /// Distances to the outcomes of `scope` that are not `covered`.
    pub fn distances(&self, scope: &Scope, covered: &Covered) -> Distances {
        let mut from = vec![FAR; self.arriving.len()];
        let mut frontier = Frontier::default();
        let mut reach = |frontier: &mut Frontier, node: Node, distance: Distance| {
            if distance < from[node as usize] {
                from[node as usize] = distance;
                frontier.push(node, distance);
            }
            from[node as usize]
        };
        for counter in scope.open(covered) {
            // Standing in the block that ends in an open outcome is one choice away from it.
            if let Some((leaves, _)) = self.edges.get(counter.index()).copied().flatten() {
                reach(&mut frontier, leaves, CHOICE);
            }
        }
        while let Some((node, distance)) = frontier.pop() {
            // It may have been reached on a shorter way since.
            if reach(&mut frontier, node, distance) == distance {
                for &(before, cost) in &self.arriving[node as usize] {
                    reach(&mut frontier, before, distance + cost);
                }
            }
        }
        Distances { from }
    }

    /// Steps to go after having taken the outcome with this counter: 0 when it is itself open.
    pub fn after(&self, distances: &Distances, scope: &Scope, covered: &Covered, counter: Counter) -> Distance {
        if scope.contains(counter) && !covered.contains(counter) {
            return 0;
        }
        let entered = self.edges.get(counter.index()).copied().flatten().map(|(_, enters)| enters);
        entered.and_then(|node| distances.from.get(node as usize).copied()).unwrap_or(FAR)
    }

    fn add_function(&mut self, map: &SiteMap, number: FunctionNumber) {
        let start = self.starts[number.index()];
        for (at, block) in map.functions[number.index()].blocks.iter().enumerate() {
            let here = start + at as Node;
            for edge in &block.successors {
                let there = start + edge.block;
                let cost = if edge.counter.is_some() { CHOICE } else { 0 };
                self.arriving[there as usize].push((here, cost));
                if let Some(slot) = edge.counter.and_then(|counter| self.edges.get_mut(counter.index())) {
                    *slot = Some((here, there));
                }
            }
            for callee in &block.calls {
                match callee {
                    Callee::Function(callee) => self.add_call(map, here, *callee),
                    Callee::Indirect | Callee::External(_) => {}
                }
            }
        }
    }

    fn add_call(&mut self, map: &SiteMap, caller: Node, callee: FunctionNumber) {
        let entry = self.starts[callee.index()];
        let blocks = &map.functions[callee.index()].blocks;
        if blocks.is_empty() {
            return;
        }
        self.arriving[entry as usize].push((caller, ENTER));
        for (at, _) in blocks.iter().enumerate().filter(|(_, block)| block.successors.is_empty()) {
            self.arriving[caller as usize].push((entry + at as Node, LEAVE));
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{block, function, site_map};

    /// `f`: 0 -(c1)-> 1 calls g -> 3; 0 -(c2)-> 2 -(c3)-> 3, 2 -(c4)-> 4. `g`: 0 -(c6)-> 1, 0 -(c7)-> 2.
    fn program() -> SiteMap {
        let f = function(
            0,
            0,
            vec![
                block(&[(1, Some(1)), (2, Some(2))], &[]),
                block(&[(3, None)], &[1]),
                block(&[(3, Some(3)), (4, Some(4))], &[]),
                block(&[], &[]),
                block(&[], &[]),
            ],
        );
        let g = function(1, 5, vec![block(&[(1, Some(6)), (2, Some(7))], &[]), block(&[], &[]), block(&[], &[])]);
        site_map(vec![f, g], &[(0, 0, 1), (0, 2, 3), (1, 0, 6)])
    }

    #[test]
    fn open_outcomes_attract_through_calls_and_choices() {
        let map = program();
        let graph = Graph::new(&map);
        let scope = Scope::whole_program(&map);
        let covered = Covered::from_iter([0, 1, 2, 3, 5, 6].map(Counter));
        let distances = graph.distances(&scope, &covered);
        let after = |counter| graph.after(&distances, &scope, &covered, Counter(counter));
        assert_eq!(after(4), 0, "open itself");
        assert_eq!(after(7), 0);
        assert_eq!(after(2), 1, "one choice from outcome 4");
        assert_eq!(after(1), 2, "into g, then the choice");
        assert_eq!(after(3), FAR, "the end of f, which nobody calls");
        assert_eq!(after(6), 4, "back to the caller (2), into g again (1), then the choice");
    }
}
