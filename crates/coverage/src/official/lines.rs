//! Regions of a function become counts of lines, as llvm-cov's own report has them. (Its export tells lines by file, not by function.)
//!
//! Regions nest. From each place where one begins or ends to the next such place the innermost region counts. A line counts as executed as
//! often as the most of: what holds where it begins, and the regions that begin on it. Text between regions (a gap: the blank behind
//! `else`) says something only about lines that nothing begins on.

use super::export::{EXPANSION, Function, GAP, Place, Region, SKIPPED};
use crate::Count;
use std::collections::BTreeSet;

/// Lines with code in the body of `function`, and those executed.
pub(super) fn lines(function: &Function) -> Count {
    let regions = body(function);
    let stretches = stretches(&regions);
    let Some((first, last)) = stretches.first().zip(stretches.last()) else { return Count::default() };
    let mut count = Count::default();
    let mut at: usize = 0;
    for line in first.start.0..=last.start.0 {
        let before = at.checked_sub(1).map(|at| stretches[at]);
        let own = stretches[at..].iter().take_while(|stretch| stretch.start.0 == line).count();
        if let Some(executions) = executions(before, &stretches[at..at + own]) {
            count += Count { covered: usize::from(executions > 0), total: 1 };
        }
        at += own;
    }
    count
}

/// The regions in the file of the body: the one that is not expanded anywhere. Outer ones first.
fn body(function: &Function) -> Vec<Region> {
    let is_expanded = |file: u32| function.regions.iter().any(|of| of.kind == EXPANSION && of.expanded == file);
    let Some(file) = (0..function.filenames.len() as u32).find(|file| !is_expanded(*file)) else { return vec![] };
    let mut regions: Vec<Region> = function.regions.iter().copied().filter(|region| region.file == file).collect();
    regions.sort_by_key(|region| (region.start, std::cmp::Reverse(region.end), region.kind));
    // The same text twice, as a macro within a macro has it.
    regions.dedup_by(|again, first| {
        let is_same = (again.start, again.end) == (first.start, first.end);
        if is_same && again.kind == first.kind {
            first.count += again.count;
        }
        is_same
    });
    regions
}

/// Text from a place on, up to the next stretch.
#[derive(Clone, Copy)]
struct Stretch {
    start: Place,
    /// None: no code, or code that is not compiled.
    count: Option<u64>,
    /// A region begins here that is no gap.
    is_entry: bool,
}

/// Regions come outer ones first. An empty one (`va_end(list)` leaves such) begins what is around it once more; the last of all begins
/// nothing, as llvm has it, and takes its line along unless something else begins there.
fn stretches(regions: &[Region]) -> Vec<Stretch> {
    let places: BTreeSet<Place> = regions.iter().flat_map(|region| [region.start, region.end]).collect();
    let mut coming = regions.iter().peekable();
    let mut around: Vec<&Region> = Vec::new();
    let mut stretches = Vec::new();
    for start in places {
        around.retain(|region| region.end > start);
        let mut has_empty = false;
        while let Some(region) = coming.next_if(|region| region.start <= start) {
            has_empty |= region.end == start;
            around.extend((region.end > start).then_some(region));
        }
        let inner = around.last();
        let count = inner.filter(|region| region.kind != SKIPPED).map(|region| region.count);
        let is_nothing = has_empty && coming.peek().is_none();
        stretches.extend(is_nothing.then_some(Stretch { start, count: None, is_entry: true }));
        let begins = has_empty || inner.is_some_and(|region| region.start == start && region.kind != GAP);
        stretches.push(Stretch { start, count, is_entry: begins && !is_nothing });
    }
    stretches
}

/// How often a line was executed: what holds where it begins, and the stretches that begin on it. None: there is no code on it.
fn executions(before: Option<Stretch>, own: &[Stretch]) -> Option<u64> {
    let entries = own.iter().filter(|stretch| stretch.is_entry).filter_map(|stretch| stretch.count);
    let most = entries.max();
    let begins_skipped = own.first().is_some_and(|first| first.is_entry && first.count.is_none());
    let held = before.and_then(|before| before.count);
    match (most, held) {
        (None, None) => None,
        (None, Some(_)) if begins_skipped => None,
        (most, held) => most.max(held),
    }
}
