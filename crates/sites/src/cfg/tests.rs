//! Graphs by hand: a nest of loops, calls in a circle, the way to open outcomes through calls and choices.

use super::*;
use crate::testing::{block, function, program};
use crate::{BlockInfo, Callee, Counter, FunctionNumber, SiteMap};
use std::collections::BTreeSet;

/// `0 -> 1 -> (2 -> (3 -> 2 | 4) , 4 -> 1 | 5)`: a loop in a loop, and the way out.
fn nest() -> FlowGraph {
    let edges = [(0, 1), (1, 2), (2, 3), (3, 2), (3, 4), (4, 1), (4, 5)];
    FlowGraph::from_edges(6, edges.map(|(from, to)| (from, to, None)))
}

#[test]
fn a_loop_in_a_loop() {
    let loops = nest().loops();
    let outer = Loop { header: 1, body: BTreeSet::from([1, 2, 3, 4]), exits: vec![(4, 5)], parent: None };
    let inner = Loop { header: 2, body: BTreeSet::from([2, 3]), exits: vec![(3, 4)], parent: Some(0) };
    assert_eq!(loops.all, [outer, inner]);
    assert_eq!(loops.around(3).map(|found| found.header).collect::<Vec<_>>(), [2, 1]);
    assert_eq!((loops.innermost(4), loops.innermost(5)), (Some(0), None));
    assert_eq!(nest().post_dominators().of(1).collect::<Vec<_>>(), [1, 2, 3, 4, 5]);
}

#[test]
fn a_cycle_with_two_entries_is_a_component_but_no_loop() {
    let edges = [(0, 1), (0, 2), (1, 2), (2, 1)];
    let flow = FlowGraph::from_edges(3, edges.map(|(from, to)| (from, to, None)));
    assert!(flow.loops().all.is_empty());
    assert_eq!(flow.cycle_around(1), Some(vec![1, 2]));
    assert!(!flow.post_dominators().contains(0), "nothing ends");
}

/// Nothing leads to block 2, which leads into both loops: `0 <-> 1` and `3 <-> 4`.
#[test]
fn code_that_nothing_leads_to_is_in_no_loop() {
    let edges = [(0, 3), (2, 1), (2, 4), (3, 4), (4, 3), (0, 1), (1, 0)];
    let loops = FlowGraph::from_edges(5, edges.map(|(from, to)| (from, to, None))).loops();
    let bodies: Vec<_> = loops.all.iter().map(|found| found.body.clone()).collect();
    assert_eq!(bodies, [BTreeSet::from([0, 1]), BTreeSet::from([3, 4])]);
    assert_eq!(loops.innermost(2), None);
}

#[test]
fn every_line_of_a_loop_leads_to_its_first() {
    let at = |line: u32, next: &[u32]| BlockInfo {
        lines: vec![line],
        ..block(&next.iter().map(|block| (*block, None)).collect::<Vec<_>>(), &[])
    };
    let blocks = vec![at(2, &[1]), at(3, &[2, 4]), at(4, &[3]), at(5, &[1]), at(6, &[])];
    let function = function(0, 0, blocks);
    assert_eq!([2, 3, 4, 5, 6].map(|line| loop_line(&function, line)), [None, Some(3), Some(3), Some(3), None]);
}

#[test]
fn calls_lead_through_other_functions_and_around() {
    let calling = |callees: &[u32]| vec![block(&[], callees)];
    let mut functions = vec![
        function(0, 0, calling(&[1])),
        function(1, 0, calling(&[2, 2])),
        function(2, 0, calling(&[1])),
        function(3, 0, calling(&[])),
    ];
    functions[0].blocks[0].calls.extend([Callee::Indirect, Callee::External("puts".into())]);
    functions[1].is_model = true;
    let map = program(functions, &[]);
    let calls = CallGraph::of(&map);
    let reachable = |from: &[u32]| -> Vec<u32> {
        calls.reachable(from.iter().copied().map(FunctionNumber)).into_iter().map(|number| number.0).collect()
    };
    assert_eq!(reachable(&[0]), [0, 1, 2]);
    assert_eq!(reachable(&[3, 2]), [1, 2, 3]);
    assert_eq!(
        reachable_from(&map, &[FunctionNumber(0)]),
        [0, 2].map(FunctionNumber),
        "models do not count but are walked through"
    );
    assert_eq!(
        calls.components(),
        [&[1, 2][..], &[0], &[3]].map(|numbers| numbers.iter().copied().map(FunctionNumber).collect::<Vec<_>>())
    );
}

/// `f`: 0 -(c1)-> 1 calls g -> 3; 0 -(c2)-> 2 -(c3)-> 3, 2 -(c4)-> 4. `g`: 0 -(c6)-> 1, 0 -(c7)-> 2.
fn two_functions() -> SiteMap {
    let f = vec![
        block(&[(1, Some(1)), (2, Some(2))], &[]),
        block(&[(3, None)], &[1]),
        block(&[(3, Some(3)), (4, Some(4))], &[]),
        block(&[], &[]),
        block(&[], &[]),
    ];
    let g = vec![block(&[(1, Some(6)), (2, Some(7))], &[]), block(&[], &[]), block(&[], &[])];
    program(vec![function(0, 0, f), function(1, 5, g)], &[])
}

#[test]
fn targets_attract_through_calls_and_choices() {
    let graph = ProgramGraph::of(&two_functions());
    let distances = graph.distances([4, 7].map(|counter| Target::Edge(Counter(counter))));
    let after = |counter| graph.after(&distances, Counter(counter));
    assert_eq!(after(2), 1, "one choice from edge 4");
    assert_eq!(after(1), 2, "into g, then the choice");
    assert_eq!(after(3), FAR, "the end of f, which nobody calls");
    assert_eq!(after(6), 4, "back to the caller (2), into g again (1), then the choice");
    let distances = graph.distances([Target::Block(FunctionNumber(1), 0)]);
    assert_eq!([1, 2, 7].map(|counter| graph.after(&distances, Counter(counter))), [1, FAR, 3]);
    let distances = graph.distances([Target::Within(FunctionNumber(1), 0)]);
    assert_eq!(graph.after(&distances, Counter(1)), 2, "into g, then the choice there");
}

/// `f0` returns on one way; `f1` calls the library's `exit` on both; `f2` calls `f1`; `f3` goes on for ever.
#[test]
fn who_ends_the_program_on_every_way_never_returns() {
    let ending = |next: &[(u32, Option<u32>)]| BlockInfo {
        calls: vec![Callee::External("__covet_libc_exit".into())],
        ..block(next, &[])
    };
    let functions = vec![
        function(0, 0, vec![block(&[(1, None), (2, None)], &[]), ending(&[]), block(&[], &[])]),
        function(1, 0, vec![block(&[(1, None), (2, None)], &[]), ending(&[]), ending(&[])]),
        function(2, 0, vec![block(&[], &[1])]),
        function(3, 0, vec![block(&[(0, None)], &[])]),
    ];
    let numbers: Vec<u32> = never_returning(&program(functions, &[])).into_iter().map(|number| number.0).collect();
    assert_eq!(numbers, [1, 2, 3]);
}
