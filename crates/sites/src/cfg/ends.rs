//! Functions that never come back to their callers: every way through them ends the program, leaves by a jump, or goes on for ever.

use crate::{Callee, FunctionInfo, FunctionNumber, SiteMap};
use covet_abi::symbols;
use std::collections::BTreeSet;

/// What the C library has of them.
const LIBRARY: [&str; 14] = [
    "abort",
    "exit",
    "_exit",
    "_Exit",
    "quick_exit",
    "longjmp",
    "_longjmp",
    "siglongjmp",
    "__longjmp_chk",
    "__assert_fail",
    "pthread_exit",
    "err",
    "errx",
    "__stack_chk_fail",
];

/// Those of a program, library models included. A call through a pointer is taken to come back.
pub fn never_returning(map: &SiteMap) -> BTreeSet<FunctionNumber> {
    let mut found = BTreeSet::new();
    // One more may make others so: up the calls until nothing changes.
    loop {
        let before = found.len();
        for function in &map.functions {
            if !found.contains(&function.number) && !returns(function, map, &found) {
                found.insert(function.number);
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

fn returns(function: &FunctionInfo, map: &SiteMap, never: &BTreeSet<FunctionNumber>) -> bool {
    if function.blocks.is_empty() {
        return !is_known(&function.name);
    }
    let ends = |callee: &Callee| match callee {
        Callee::Function(number) => never.contains(number) || is_known(&map.functions[number.index()].name),
        Callee::External(name) => is_known(name),
        Callee::Indirect => false,
    };
    let (mut open, mut seen) = (vec![0], BTreeSet::from([0]));
    while let Some(block) = open.pop() {
        let info = &function.blocks[block as usize];
        if info.calls.iter().any(ends) {
            continue;
        }
        if info.successors.is_empty() {
            return true;
        }
        open.extend(info.successors.iter().map(|edge| edge.block).filter(|next| seen.insert(*next)));
    }
    false
}

fn is_known(name: &str) -> bool {
    LIBRARY.contains(&name.strip_prefix(symbols::LIBRARY).unwrap_or(name))
}
