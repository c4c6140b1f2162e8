//! A function under test → its unit: the functions that are explored with it. All others are symbolic stubs while it is.
//!
//! One build serves all units: every function has a stub beside it, and each run says which of them stand in (`abi::stubs`).

use super::UnitChoice;
use covet_compile::{Replaced, Units};
use covet_project::{Prepared, entries};
use covet_sites::cfg::CallGraph;
use covet_sites::{FunctionNumber, SiteMap};
use std::collections::BTreeSet;

/// The names of the functions that are stubs while each entry is explored, by its file and name. `extended` is the extended unit of a
/// function.
pub fn stubs(
    prepared: &Prepared,
    choice: UnitChoice,
    extended: &dyn Fn(FunctionNumber) -> BTreeSet<FunctionNumber>,
) -> Units {
    let map = &*prepared.map;
    let calls = CallGraph::of(map);
    let replaceable: BTreeSet<&str> = prepared.program.replacements.functions.iter().map(name_of).collect();
    let of_entry = |entry: entries::Entry<'_>| {
        let unit = match choice {
            UnitChoice::Sut => BTreeSet::from([entry.number]),
            UnitChoice::Distance(most) => within(map, &calls, entry.number, most),
            UnitChoice::Conbrio => extended(entry.number),
            UnitChoice::Auto => calls.reachable([entry.number]),
        };
        let own: BTreeSet<&str> = unit.iter().map(|number| map.functions[number.index()].name.as_str()).collect();
        let stubs = replaceable.iter().filter(|name| !own.contains(*name)).map(|name| name.to_string()).collect();
        ((entry.function.file.clone(), entry.function.name.clone()), stubs)
    };
    entries::all(prepared).map(of_entry).collect()
}

/// What a function gets to by so many calls by name at most, itself among them.
fn within(map: &SiteMap, calls: &CallGraph, function: FunctionNumber, most: u32) -> BTreeSet<FunctionNumber> {
    let is_users = |callee: &FunctionNumber| !map.functions[callee.index()].is_model;
    let (mut unit, mut edge) = (BTreeSet::from([function]), vec![function]);
    for _ in 0..most {
        let next: BTreeSet<FunctionNumber> = edge.iter().flat_map(|caller| calls.callees(*caller)).collect();
        edge = next.into_iter().filter(is_users).filter(|callee| unit.insert(*callee)).collect();
        if edge.is_empty() {
            break;
        }
    }
    unit
}

fn name_of(replaced: &Replaced) -> &str {
    &replaced.name
}

#[cfg(test)]
mod tests {
    use super::*;
    use covet_sites::testing::{block, function, program};

    #[test]
    fn calls_are_counted_from_the_function_and_circles_end() {
        let calling = |callees: &[u32]| vec![block(&[], callees)];
        let callees: [&[u32]; 5] = [&[1, 4], &[2], &[3], &[1], &[]];
        let functions = (0..).zip(callees).map(|(number, callees)| function(number, 0, calling(callees)));
        let map = program(functions.collect(), &[]);
        let calls = CallGraph::of(&map);
        let numbers = |most| -> Vec<u32> {
            within(&map, &calls, FunctionNumber(0), most).into_iter().map(|number| number.0).collect()
        };
        assert_eq!(numbers(0), [0]);
        assert_eq!(numbers(1), [0, 1, 4]);
        assert_eq!(numbers(2), [0, 1, 2, 4]);
        assert_eq!(numbers(99), [0, 1, 2, 3, 4]);
    }
}
