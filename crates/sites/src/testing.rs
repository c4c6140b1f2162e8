//! Small site maps by hand, for tests.

use crate::{BlockInfo, Callee, Counter, Edge, FunctionInfo, FunctionNumber, SiteInfo, SiteKind, SiteMap};

/// A block by where control goes next, with the counter on the way, and what it calls.
pub fn block(successors: &[(u32, Option<Counter>)], calls: &[FunctionNumber]) -> BlockInfo {
    BlockInfo {
        lines: vec![],
        successors: successors.iter().map(|&(block, counter)| Edge { block, counter }).collect(),
        calls: calls.iter().map(|&callee| Callee::Function(callee)).collect(),
    }
}

pub fn function(number: FunctionNumber, counter_start: Counter, blocks: Vec<BlockInfo>) -> FunctionInfo {
    FunctionInfo {
        number,
        name: format!("f{number}"),
        symbol: format!("f{number}"),
        file: "f.c".into(),
        line: 1,
        has_driver: true,
        is_model: false,
        counter_start,
        counter_len: 0,
        blocks,
    }
}

/// Branch sites as `(function, block, first counter)`.
pub fn program(functions: Vec<FunctionInfo>, branches: &[(FunctionNumber, u32, Counter)]) -> SiteMap {
    let sites = branches.iter().enumerate().map(|(number, &(function, block, counter))| SiteInfo {
        number: number as u32,
        function,
        kind: SiteKind::Branch,
        file: "f.c".into(),
        line: number as u32 + 1,
        column: 1,
        counter,
        outcomes: 2,
        cases: vec![],
        block,
    });
    SiteMap { functions, sites: sites.collect(), counters: 64, ..SiteMap::default() }
}
