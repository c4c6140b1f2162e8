//! A line inside a loop becomes the line where the loop begins: where in an endless loop a run was stopped is chance, which loop it
//! was is not.

use covet_sites::FunctionInfo;
use std::collections::BTreeSet;

/// The first line of the (outermost) loop of `function` around `line`; none when no loop holds that line.
pub fn loop_line(function: &FunctionInfo, line: u32) -> Option<u32> {
    let holds = |at: &usize| function.blocks[*at].lines.contains(&line);
    (0..function.blocks.len()).filter(holds).find_map(|at| {
        let around = loop_around(function, at)?;
        around.iter().flat_map(|block| &function.blocks[*block].lines).copied().filter(|line| *line > 0).min()
    })
}

/// Blocks that lie on a cycle through block `at`.
fn loop_around(function: &FunctionInfo, at: usize) -> Option<BTreeSet<usize>> {
    let after = reachable(function, at);
    if !after.contains(&at) {
        return None;
    }
    Some(after.into_iter().filter(|block| reachable(function, *block).contains(&at)).collect())
}

/// Blocks that control can get to from block `at` in one step or more.
fn reachable(function: &FunctionInfo, at: usize) -> BTreeSet<usize> {
    let mut seen = BTreeSet::new();
    let mut todo = vec![at];
    while let Some(block) = todo.pop() {
        let next = function.blocks[block].successors.iter().map(|edge| edge.block as usize);
        todo.extend(next.filter(|next| *next < function.blocks.len() && seen.insert(*next)));
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::*;
    use covet_sites::{BlockInfo, Counter, Edge, FunctionNumber};

    #[test]
    fn every_line_of_a_loop_leads_to_its_first() {
        let block = |lines: &[u32], next: &[u32]| BlockInfo {
            lines: lines.to_vec(),
            successors: next.iter().map(|block| Edge { block: *block, counter: None }).collect(),
            calls: vec![],
        };
        let function = FunctionInfo {
            number: FunctionNumber(0),
            name: "f".into(),
            symbol: "f".into(),
            file: "f.c".into(),
            unit: "f.c".into(),
            line: 1,
            is_static: false,
            has_driver: true,
            is_model: false,
            counter_start: Counter(0),
            counter_len: 1,
            blocks: vec![
                block(&[2], &[1]),
                block(&[3], &[2, 4]),
                block(&[4], &[3]),
                block(&[5], &[1]),
                block(&[6], &[]),
            ],
        };
        assert_eq!([2, 3, 4, 5, 6].map(|line| loop_line(&function, line)), [None, Some(3), Some(3), Some(3), None]);
    }
}
