//! Small site maps by hand, for tests.

use crate::{BlockInfo, Callee, Counter, Edge, FunctionInfo, FunctionNumber, SiteInfo, SiteKind, SiteMap, SiteNumber};

/// A block by where control goes next, with the counter on the way, and what it calls.
pub fn block(successors: &[(u32, Option<u32>)], calls: &[u32]) -> BlockInfo {
    BlockInfo {
        lines: vec![],
        successors: successors.iter().map(|&(block, counter)| Edge { block, counter: counter.map(Counter) }).collect(),
        calls: calls.iter().map(|&callee| Callee::Function(FunctionNumber(callee))).collect(),
    }
}

pub fn function(number: u32, counter_start: u32, blocks: Vec<BlockInfo>) -> FunctionInfo {
    FunctionInfo {
        number: FunctionNumber(number),
        name: format!("f{number}"),
        symbol: format!("f{number}"),
        file: "f.c".into(),
        unit: "f.c".into(),
        line: 1,
        is_static: false,
        has_driver: true,
        is_model: false,
        counter_start: Counter(counter_start),
        counter_len: 0,
        blocks,
    }
}

/// Branch sites as `(function, block, first counter)`.
pub fn program(functions: Vec<FunctionInfo>, branches: &[(u32, u32, u32)]) -> SiteMap {
    let sites = branches.iter().enumerate().map(|(number, &(function, block, counter))| SiteInfo {
        number: SiteNumber::at(number),
        function: FunctionNumber(function),
        kind: SiteKind::Branch,
        file: "f.c".into(),
        line: number as u32 + 1,
        column: 1,
        counter: Counter(counter),
        outcomes: 2,
        cases: vec![],
        block,
    });
    SiteMap { functions, sites: sites.collect(), counters: 64, ..SiteMap::default() }
}
