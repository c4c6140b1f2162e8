//! Graphs drawn at random, small enough for the definitions to be tried out word by word.

use super::*;
use crate::testing::{block, function, program};
use crate::{Callee, Counter, FunctionNumber, SiteMap};
use proptest::prelude::*;
use std::collections::BTreeSet;

type Edges = Vec<(usize, BlockNumber)>;

fn graphs() -> impl Strategy<Value = (usize, Edges)> {
    (1..8usize).prop_flat_map(|blocks| {
        let edge = (0..blocks, 0..blocks as BlockNumber);
        (Just(blocks), prop::collection::vec(edge, 0..16))
    })
}

fn flow(blocks: usize, edges: &Edges) -> FlowGraph {
    FlowGraph::from_edges(blocks, edges.iter().map(|&(from, to)| (from, to, None)))
}

/// What can be had from `starts`, in no or more steps, without setting foot in `closed`.
fn reach(edges: &[(usize, BlockNumber)], starts: &[BlockNumber], closed: Option<BlockNumber>) -> BTreeSet<BlockNumber> {
    let mut found: BTreeSet<_> = starts.iter().copied().filter(|start| Some(*start) != closed).collect();
    loop {
        let next = edges.iter().filter(|(from, _)| found.contains(&(*from as BlockNumber))).map(|(_, to)| *to);
        let more: Vec<_> = next.filter(|to| Some(*to) != closed && !found.contains(to)).collect();
        if more.is_empty() {
            return found;
        }
        found.extend(more);
    }
}

fn turned(edges: &Edges) -> Edges {
    edges.iter().map(|&(from, to)| (to as usize, from as BlockNumber)).collect()
}

/// Block `a` is on every way from `starts` to `b`, and there is one.
fn is_on_every_way(edges: &Edges, starts: &[BlockNumber], a: BlockNumber, b: BlockNumber) -> bool {
    reach(edges, starts, None).contains(&b) && !reach(edges, starts, Some(a)).contains(&b)
}

fn check_dominance(tree: &DominatorTree, blocks: usize, edges: &Edges, starts: &[BlockNumber]) {
    for b in 0..blocks as BlockNumber {
        let all: Vec<_> = (0..blocks as BlockNumber).filter(|a| is_on_every_way(edges, starts, *a, b)).collect();
        let mut told: Vec<_> = tree.of(b).collect();
        if let [itself, immediate, ..] = told[..] {
            assert_eq!((itself, Some(immediate)), (b, tree.immediate(b)));
            // Every other one is on every way to the immediate one.
            assert!(told[1..].iter().all(|above| is_on_every_way(edges, starts, *above, immediate)));
        }
        told.sort_unstable();
        assert_eq!(told, all, "block {b}");
        assert!((0..blocks as BlockNumber).all(|a| tree.dominates(a, b) == all.contains(&a)));
        assert_eq!(tree.contains(b), !all.is_empty());
    }
}

/// Every back edge's loop by the definition, joined by header.
fn loops_by_definition(blocks: usize, edges: &Edges) -> Vec<(BlockNumber, BTreeSet<BlockNumber>)> {
    let mut found: Vec<(BlockNumber, BTreeSet<BlockNumber>)> = vec![];
    for header in 0..blocks as BlockNumber {
        let ends: Vec<_> = edges.iter().filter(|(_, to)| *to == header).map(|(from, _)| *from as BlockNumber).collect();
        let is_back = |end: &BlockNumber| is_on_every_way(edges, &[0], header, *end);
        let ends: Vec<_> = ends.into_iter().filter(is_back).collect();
        if !ends.is_empty() {
            let mut body = reach(&turned(edges), &ends, Some(header));
            body.insert(header);
            body.retain(|block| reach(edges, &[0], None).contains(block));
            found.push((header, body));
        }
    }
    found
}

proptest! {
    #[test]
    fn dominators_are_on_every_way((blocks, edges) in graphs()) {
        check_dominance(&flow(blocks, &edges).dominators(), blocks, &edges, &[0]);
    }

    #[test]
    fn post_dominators_are_on_every_way_to_an_end((blocks, edges) in graphs()) {
        let is_end = |block: &BlockNumber| !edges.iter().any(|(from, _)| *from as BlockNumber == *block);
        let ends: Vec<_> = (0..blocks as BlockNumber).filter(is_end).collect();
        check_dominance(&flow(blocks, &edges).post_dominators(), blocks, &turned(&edges), &ends);
    }

    #[test]
    fn loops_are_natural_and_nested((blocks, edges) in graphs()) {
        let loops = flow(blocks, &edges).loops();
        let told: Vec<_> = loops.all.iter().map(|found| (found.header, found.body.clone())).collect();
        prop_assert_eq!(&told, &loops_by_definition(blocks, &edges));
        for found in &loops.all {
            let leaves = |&(from, to): &(usize, BlockNumber)| {
                found.body.contains(&(from as BlockNumber)) && !found.body.contains(&to)
            };
            let exits: BTreeSet<_> = edges.iter().copied().filter(leaves).map(|(from, to)| (from as BlockNumber, to)).collect();
            prop_assert_eq!(&found.exits, &exits.into_iter().collect::<Vec<_>>());
            let outer: Vec<_> = loops.all.iter().filter(|other| *other != found && other.body.is_superset(&found.body)).collect();
            let parent = found.parent.map(|at| &loops.all[at]);
            prop_assert_eq!(parent.map(|parent| parent.body.len()), outer.iter().map(|outer| outer.body.len()).min());
            // Whatever shares a block with it lies in it or around it.
            for other in loops.all.iter().filter(|other| !other.body.is_disjoint(&found.body)) {
                prop_assert!(other.body.is_subset(&found.body) || other.body.is_superset(&found.body));
            }
        }
        for block in 0..blocks as BlockNumber {
            let around: Vec<_> = loops.around(block).map(|found| found.header).collect();
            let holding: BTreeSet<_> = told.iter().filter(|(_, body)| body.contains(&block)).map(|(header, _)| *header).collect();
            prop_assert_eq!(around.iter().copied().collect::<BTreeSet<_>>(), holding);
        }
    }

    #[test]
    fn components_are_what_leads_both_ways((blocks, edges) in graphs()) {
        let graph = flow(blocks, &edges);
        let components = graph.components();
        let later = |at: usize| components[at + 1..].iter().flatten().copied().collect::<BTreeSet<_>>();
        for (at, component) in components.iter().enumerate() {
            for &block in component {
                let (after, before) = (reach(&edges, &[block], None), reach(&turned(&edges), &[block], None));
                prop_assert_eq!(component, &after.intersection(&before).copied().collect::<Vec<_>>());
                prop_assert!(after.is_disjoint(&later(at)), "what is listed later leads here, not the other way");
                let next: Vec<_> = edges.iter().filter(|(from, _)| *from as BlockNumber == block).map(|(_, to)| *to).collect();
                let comes_back = reach(&edges, &next, None).contains(&block);
                prop_assert_eq!(graph.cycle_around(block), comes_back.then(|| component.clone()));
            }
        }
    }

    #[test]
    fn distances_are_the_shortest(map in programs(), open in prop::collection::vec(1..COUNTERS, 1..4), inside in (0..3u32, 0..4u32)) {
        let graph = ProgramGraph::of(&map);
        let open: Vec<_> = open.into_iter().map(Counter).collect();
        let inner = Target::Block(FunctionNumber(inside.0), inside.1);
        let targets: Vec<_> = open.iter().copied().map(Target::Edge).chain([inner]).collect();
        let distances = graph.distances(targets);
        let expected = relaxed(&map, &open, inside);
        for counter in (0..COUNTERS).map(Counter) {
            let entered = edge_of(&map, counter).map(|(function, _, to)| expected[function][to]);
            prop_assert_eq!(graph.after(&distances, counter), entered.unwrap_or(FAR), "counter {}", counter);
        }
    }
}

const COUNTERS: u32 = 13;

/// Three functions of four blocks; two ways out of some blocks have counters, some blocks call.
fn programs() -> impl Strategy<Value = SiteMap> {
    let ways = (0..4u32, 0..4u32, 0..3u8);
    let one = (ways, prop::option::weighted(0.3, 0..3u32));
    prop::collection::vec(prop::collection::vec(one, 4), 3).prop_map(|functions| {
        let mut counter = 0;
        let mut block_of = |((left, right, kind), callee): ((u32, u32, u8), Option<u32>)| {
            let calls: Vec<_> = callee.into_iter().collect();
            match kind {
                0 => block(&[], &calls),
                1 => block(&[(left, None)], &calls),
                _ if counter + 2 < COUNTERS => {
                    counter += 2;
                    block(&[(left, Some(counter - 1)), (right, Some(counter))], &calls)
                }
                _ => block(&[(right, None)], &calls),
            }
        };
        let functions: Vec<_> =
            functions.into_iter().map(|blocks| blocks.into_iter().map(&mut block_of).collect::<Vec<_>>()).collect();
        program((0..).zip(functions).map(|(number, blocks)| function(number, 0, blocks)).collect(), &[])
    })
}

/// Function, block left and block entered.
fn edge_of(map: &SiteMap, counter: Counter) -> Option<(usize, usize, usize)> {
    map.functions.iter().enumerate().find_map(|(function, info)| {
        info.blocks.iter().enumerate().find_map(|(from, block)| {
            let edge = block.successors.iter().find(|edge| edge.counter == Some(counter))?;
            Some((function, from, edge.block as usize))
        })
    })
}

/// The distances by going over all steps until nothing gets nearer.
fn relaxed(map: &SiteMap, open: &[Counter], inside: (u32, u32)) -> Vec<Vec<Distance>> {
    let mut from: Vec<Vec<Distance>> = map.functions.iter().map(|function| vec![FAR; function.blocks.len()]).collect();
    for (function, block, _) in open.iter().filter_map(|counter| edge_of(map, *counter)) {
        from[function][block] = 1;
    }
    from[inside.0 as usize][inside.1 as usize] = 0;
    loop {
        let before = from.clone();
        for (number, function) in map.functions.iter().enumerate() {
            for (at, info) in function.blocks.iter().enumerate() {
                for edge in &info.successors {
                    let far = before[number][edge.block as usize].saturating_add(u32::from(edge.counter.is_some()));
                    from[number][at] = from[number][at].min(far);
                }
                for callee in &info.calls {
                    let Callee::Function(callee) = callee else { continue };
                    let callee = callee.index();
                    from[number][at] = from[number][at].min(before[callee][0].saturating_add(1));
                    for (end, _) in
                        map.functions[callee].blocks.iter().enumerate().filter(|(_, b)| b.successors.is_empty())
                    {
                        from[callee][end] = from[callee][end].min(before[number][at].saturating_add(2));
                    }
                }
            }
        }
        if from == before {
            return from;
        }
    }
}
