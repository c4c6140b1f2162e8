//! A small program for the tests of this crate.

use covet_sites::testing::{block, function, program};
use covet_sites::{BlockInfo, Callee, SiteMap};

/// A block with code on one line.
pub fn at_line(line: u32, successors: &[(u32, Option<u32>)]) -> BlockInfo {
    BlockInfo { lines: vec![line], ..block(successors, &[]) }
}

/// `f` (counters 0 to 2) calls the model `m` (9), which calls `g` (3 to 5), which calls something through a pointer; `h` (6 to 8) is called
/// by nobody. Each decides once, in its first block: to a block of its own, or past it.
pub fn small_program() -> SiteMap {
    let decides = |first: u32, line: u32| {
        let ways = [(1, Some(first + 1)), (2, Some(first + 2))];
        vec![at_line(line, &ways), at_line(line + 1, &[(2, None)]), at_line(line + 2, &[])]
    };
    let mut functions = vec![
        function(0, 0, decides(0, 2)),
        function(1, 3, decides(3, 12)),
        function(2, 6, decides(6, 22)),
        function(3, 9, vec![block(&[], &[1])]),
    ];
    functions[0].blocks[2].calls.push(Callee::Function(covet_sites::FunctionNumber(3)));
    functions[1].blocks[2].calls.push(Callee::Indirect);
    functions[3].is_model = true;
    program(functions, &[(0, 0, 1), (1, 0, 4), (2, 0, 7)])
}
