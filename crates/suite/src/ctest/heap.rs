//! Tests → the part of their program that stands before the library's heap: it counts blocks and refuses them, where a test asks for that.

use super::sources::Sources;
use covet_results::{CheckKind, Test};

/// The heap can be watched where it is the library's.
pub fn has_own_heap(sources: Sources<'_>) -> bool {
    let own = ["malloc", "free", "realloc", "calloc"];
    sources.units.iter().flat_map(|unit| &unit.functions).any(|f| f.has_body && own.contains(&f.symbol.as_str()))
}

/// What counts blocks and refuses them, where a test asks for that.
pub fn heap(sources: Sources<'_>, tests: &[&Test]) -> &'static str {
    let is_counted = |test: &&Test| {
        test.checks.iter().any(|check| check.how == CheckKind::Blocks)
            || test.inputs.iter().any(|(name, _)| covet_input::allocation(name).is_some())
    };
    if tests.iter().any(is_counted) && !has_own_heap(sources) { include_str!("c/heap.c") } else { "" }
}
