//! The calls of a program → who may have called a function: those that call it by name, and through pointers those that name it without
//! calling it or call what they are given.
//!
//! A function that cannot be entered on its own is looked through: who calls it counts in its place.

use covet_project::{HARNESS, Prepared, entries};
use covet_sites::cfg::CallGraph;
use covet_sites::{Callee, FunctionInfo, FunctionNumber, SiteMap};
use std::collections::{BTreeMap, BTreeSet};

/// Calls through pointers that are looked at for one function.
const MOST_THROUGH_POINTERS: usize = 8;

pub struct Callers {
    by_name: CallGraph,
    callers: BTreeMap<FunctionNumber, CallersOf>,
    /// Those that nobody in the program has to call: `main`, a harness, and what a library offers.
    outside: BTreeSet<FunctionNumber>,
    whole: BTreeSet<FunctionNumber>,
    /// Those alone who are asked about an alarm.
    asked: BTreeMap<usize, BTreeSet<FunctionNumber>>,
}

/// Who may call a function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallersOf {
    /// Those who do it by name first, each group ascending.
    pub functions: Vec<FunctionNumber>,
    /// Whether there may be others.
    pub is_open: bool,
}

impl Callers {
    /// `offered` are the names of functions that a library offers its users.
    pub fn of(prepared: &Prepared, offered: &BTreeSet<&str>) -> Callers {
        let map = &*prepared.map;
        let by_name = CallGraph::of(map);
        let enterable: BTreeSet<FunctionNumber> = entries::all(prepared).map(|entry| entry.number).collect();
        let pointed_at = named_otherwise(prepared, map, &by_name);
        let indirect = through_pointers(map, &enterable);
        let of = |callee: FunctionNumber| {
            let mut functions = enterable_callers(&by_name, map, &enterable, callee);
            let mut is_open = false;
            if let Some(namers) = pointed_at.get(&callee) {
                let near =
                    |number: &&FunctionNumber| map.functions[number.index()].unit == map.functions[callee.index()].unit;
                let (own, others): (Vec<&FunctionNumber>, Vec<&FunctionNumber>) = indirect.iter().partition(near);
                let candidates: Vec<FunctionNumber> = own.into_iter().chain(others).copied().collect();
                is_open = candidates.len() > MOST_THROUGH_POINTERS;
                let candidates = candidates.into_iter().take(MOST_THROUGH_POINTERS);
                functions.extend(namers.iter().copied().filter(|number| enterable.contains(number)).chain(candidates));
            }
            let mut known = BTreeSet::from([callee]);
            functions.retain(|caller| known.insert(*caller));
            CallersOf { functions, is_open }
        };
        let users = || map.functions.iter().filter(|function| !function.is_model);
        let callers = users().map(|function| (function.number, of(function.number))).collect();
        let is_whole = |function: &&FunctionInfo| matches!(function.name.as_str(), "main" | HARNESS);
        let whole: BTreeSet<FunctionNumber> = users().filter(is_whole).map(|function| function.number).collect();
        let is_offered = |function: &&FunctionInfo| !function.is_static && offered.contains(function.name.as_str());
        let offered = users().filter(is_offered).map(|function| function.number);
        let outside = whole.iter().copied().chain(offered).collect();
        Callers { by_name, callers, outside, whole, asked: BTreeMap::new() }
    }

    /// Nobody but these is asked about an alarm.
    pub fn narrow(&mut self, alarm: usize, to: BTreeSet<FunctionNumber>) {
        self.asked.insert(alarm, to);
    }

    /// Whether a caller is asked about an alarm.
    pub fn may_call(&self, caller: FunctionNumber, alarm: usize) -> bool {
        self.asked.get(&alarm).is_none_or(|asked| asked.contains(&caller))
    }

    /// Who may call `callee` so that an alarm comes of it.
    pub fn callers(&self, callee: FunctionNumber, alarm: usize) -> CallersOf {
        let mut of = self.callers.get(&callee).cloned().unwrap_or_default();
        of.functions.retain(|caller| self.may_call(*caller, alarm));
        of.is_open &= !self.asked.contains_key(&alarm);
        of
    }

    /// All that `caller` gets to by calls by name, itself among them.
    pub fn below(&self, caller: FunctionNumber) -> BTreeSet<FunctionNumber> {
        self.by_name.reachable([caller])
    }

    /// A whole program starts there.
    pub fn is_whole_program(&self, function: FunctionNumber) -> bool {
        self.whole.contains(&function)
    }

    /// Whoever uses the program or the library may call it.
    pub fn is_outside(&self, function: FunctionNumber) -> bool {
        self.outside.contains(&function)
    }
}

/// The functions that call `callee` by name, those that cannot be entered replaced by their own callers.
fn enterable_callers(
    calls: &CallGraph,
    map: &SiteMap,
    enterable: &BTreeSet<FunctionNumber>,
    callee: FunctionNumber,
) -> Vec<FunctionNumber> {
    let (mut found, mut waiting) = (BTreeSet::new(), vec![callee]);
    let mut seen = BTreeSet::from([callee]);
    while let Some(next) = waiting.pop() {
        for caller in calls.callers(next).into_iter().filter(|caller| !map.functions[caller.index()].is_model) {
            match enterable.contains(&caller) {
                true => drop(found.insert(caller)),
                false if seen.insert(caller) => waiting.push(caller),
                false => {}
            }
        }
    }
    found.into_iter().collect()
}

/// Functions whose address is taken, with those that take it in their bodies.
fn named_otherwise(
    prepared: &Prepared,
    map: &SiteMap,
    calls: &CallGraph,
) -> BTreeMap<FunctionNumber, BTreeSet<FunctionNumber>> {
    let mut by_name: BTreeMap<&str, Vec<&FunctionInfo>> = BTreeMap::new();
    for function in map.functions.iter().filter(|function| !function.is_model) {
        by_name.entry(&function.name).or_default().push(function);
    }
    let named = |name: &str| by_name.get(name).into_iter().flatten();
    let mut found: BTreeMap<FunctionNumber, BTreeSet<FunctionNumber>> = BTreeMap::new();
    for unit in &prepared.program.units {
        for name in unit.model.globals.iter().flat_map(|global| &global.mentions) {
            named(name).for_each(|function| _ = found.entry(function.number).or_default());
        }
        for function in unit.model.functions.iter().filter(|function| function.has_body) {
            let Some(namer) = named(&function.name).find(|info| info.line == function.line) else { continue };
            let called: BTreeSet<FunctionNumber> = calls.callees(namer.number).into_iter().collect();
            for other in function.mentions.iter().flat_map(|name| named(name)) {
                if !called.contains(&other.number) && other.number != namer.number {
                    found.entry(other.number).or_default().insert(namer.number);
                }
            }
        }
    }
    found
}

/// Functions that call what a pointer says, ascending.
fn through_pointers(map: &SiteMap, enterable: &BTreeSet<FunctionNumber>) -> Vec<FunctionNumber> {
    let calls_pointer = |function: &&FunctionInfo| {
        let mut calls = function.blocks.iter().flat_map(|block| &block.calls);
        calls.any(|callee| matches!(callee, Callee::Indirect))
    };
    let users = map.functions.iter().filter(|function| !function.is_model && enterable.contains(&function.number));
    users.filter(calls_pointer).map(|function| function.number).collect()
}

#[cfg(test)]
impl Callers {
    /// Calls by name as in `map`, all of them callers; these functions are outside, and these whole programs.
    pub fn by_hand(map: &SiteMap, outside: &[u32], whole: &[u32]) -> Callers {
        let by_name = CallGraph::of(map);
        let numbers = |list: &[u32]| list.iter().copied().map(FunctionNumber).collect::<BTreeSet<_>>();
        let of = |function: &FunctionInfo| {
            let mut functions = by_name.callers(function.number);
            functions.retain(|caller| *caller != function.number);
            (function.number, CallersOf { functions, is_open: false })
        };
        let callers = map.functions.iter().map(of).collect();
        let whole = numbers(whole);
        let outside = numbers(outside).union(&whole).copied().collect();
        Callers { by_name, callers, outside, whole, asked: BTreeMap::new() }
    }
}
