//! Covered counters become executed source lines.
//!
//! A block ran when the edge counter on a way into it was bumped, or when it follows a block that ran over an edge that
//! has no choice. A line is executed when any block holding it ran. (A block that leaves half-way, through `exit` or a
//! crash, counts as wholly executed, as line coverage by regions does too.)

use crate::Covered;
use covet_sites::FunctionInfo;
use std::collections::BTreeMap;

/// Every line of `function` that holds code, with whether some run executed it.
pub fn executed_lines(function: &FunctionInfo, covered: &Covered) -> BTreeMap<u32, bool> {
    let ran = executed_blocks(function, covered);
    let mut lines = BTreeMap::new();
    for (block, ran) in function.blocks.iter().zip(ran) {
        for &line in &block.lines {
            *lines.entry(line).or_insert(false) |= ran;
        }
    }
    lines
}

fn executed_blocks(function: &FunctionInfo, covered: &Covered) -> Vec<bool> {
    let mut ran = vec![false; function.blocks.len()];
    let mut todo = Vec::new();
    if covered.contains(function.counter_start) {
        todo.push(0);
    }
    for block in &function.blocks {
        todo.extend(
            block.successors.iter().filter(|edge| edge.counter.is_some_and(|c| covered.contains(c))).map(|e| e.block),
        );
    }
    while let Some(block) = todo.pop() {
        let at = block as usize;
        if at < ran.len() && !std::mem::replace(&mut ran[at], true) {
            let onward = function.blocks[at].successors.iter().filter(|edge| edge.counter.is_none());
            todo.extend(onward.map(|edge| edge.block));
        }
    }
    ran
}

#[cfg(test)]
mod tests {
    use super::*;
    use covet_sites::testing::{block, function};
    use covet_sites::{BlockInfo, Counter};

    #[test]
    fn a_block_runs_by_its_edge_counter_or_by_falling_through() {
        let at = |line, successors: &[_]| BlockInfo { lines: vec![line], ..block(successors, &[]) };
        let blocks = vec![at(2, &[(1, Some(1)), (2, Some(2))]), at(3, &[(3, None)]), at(4, &[(3, None)]), at(5, &[])];
        let function = function(0, 0, blocks);
        let lines = executed_lines(&function, &Covered::from_iter([0, 2].map(Counter)));
        assert_eq!(lines, BTreeMap::from([(2, true), (3, false), (4, true), (5, true)]));
        assert!(executed_lines(&function, &Covered::default()).values().all(|ran| !ran));
    }
}
