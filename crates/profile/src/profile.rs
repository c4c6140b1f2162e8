//! What is kept of runs: who called whom in each, and over all of them how often each function was called, with what.
//!
//! Functions are named by ids and stand in the order in which they were first seen; runs name them by their places. Runs that
//! called the same are one run, so many times.

use crate::State;
use covet_sites::FunctionId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What was seen of a program.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Profile {
    pub(crate) functions: Vec<FunctionProfile>,
    pub(crate) places: BTreeMap<FunctionId, u32>,
    /// With how often each was made.
    pub(crate) runs: BTreeMap<Run, u64>,
    /// Runs that were made, but are not kept: there were too many different ones.
    pub(crate) runs_left_out: u64,
}

/// The calls of one run. Functions are places in [`Profile::functions`].
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Run {
    /// Functions that nobody of the program called: `main`, handlers of signals.
    pub roots: Vec<u32>,
    /// Caller and callee, ascending.
    pub edges: Vec<(u32, u32)>,
}

/// What was seen of a function.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FunctionProfile {
    pub id: FunctionId,
    pub calls: u64,
    /// As many as it has parameters; none where they could not be told.
    #[serde(default)]
    pub arguments: Vec<Argument>,
    #[serde(default)]
    pub pairings: Vec<Pairing>,
    /// A few states that calls of it began in.
    #[serde(default)]
    pub states: Vec<State>,
}

/// What was seen of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Argument {
    Number(Numbers),
    Pointer(Pointers),
    /// A float, a structure.
    Other,
}

/// The range of an integer, as a signed and as an unsigned one: which it is the type says.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Numbers {
    pub least: i64,
    pub most: i64,
    pub least_unsigned: u64,
    pub most_unsigned: u64,
}

/// How often a pointer was NULL, and the least and most bytes it had before it when that was known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Pointers {
    pub times: u64,
    pub null: u64,
    /// Times that the object was known which it pointed into.
    pub known: u64,
    pub least_bytes: u64,
    pub most_bytes: u64,
}

/// A pointer and a number that were given together: how many bytes of the object there were for each one that the number counts.
/// A length in elements of `s` bytes never has fewer than `s`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pairing {
    /// Places of the pointer and the number among the parameters.
    pub pointer: u32,
    pub number: u32,
    /// Times that both were there, the number above 0 and the object known.
    pub times: u64,
    /// Bytes for each, rounded down.
    pub least_each: u64,
    pub most_each: u64,
}

impl Profile {
    pub fn functions(&self) -> &[FunctionProfile] {
        &self.functions
    }

    pub fn function(&self, id: &FunctionId) -> Option<&FunctionProfile> {
        self.places.get(id).map(|place| &self.functions[*place as usize])
    }

    /// The different runs, each with how often it was made.
    pub fn runs(&self) -> impl Iterator<Item = (&Run, u64)> {
        self.runs.iter().map(|(run, times)| (run, *times))
    }

    /// How many runs were seen.
    pub fn run_count(&self) -> u64 {
        self.runs.values().sum::<u64>() + self.runs_left_out
    }

    pub fn is_empty(&self) -> bool {
        self.functions.is_empty()
    }

    /// The place of a function; one that is new gets the next.
    pub(crate) fn place(&mut self, id: &FunctionId) -> u32 {
        if let Some(place) = self.places.get(id) {
            return *place;
        }
        let place = self.functions.len() as u32;
        self.places.insert(id.clone(), place);
        self.functions.push(FunctionProfile::new(id.clone()));
        place
    }

    /// Adds one run by its calls; nobody is the caller of a root.
    pub fn add_run<'i>(&mut self, calls: impl IntoIterator<Item = (Option<&'i FunctionId>, &'i FunctionId)>) {
        let mut run = Run::default();
        for (caller, callee) in calls {
            let callee = self.place(callee);
            self.functions[callee as usize].calls += 1;
            match caller.map(|caller| self.place(caller)) {
                Some(caller) => run.edges.push((caller, callee)),
                None => run.roots.push(callee),
            }
        }
        run.settle();
        self.keep_run(run, 1);
    }
}

impl FunctionProfile {
    pub fn new(id: FunctionId) -> FunctionProfile {
        FunctionProfile { id, calls: 0, arguments: Vec::new(), pairings: Vec::new(), states: Vec::new() }
    }
}

impl Run {
    /// Everything once, in order.
    pub(crate) fn settle(&mut self) {
        self.roots.sort_unstable();
        self.roots.dedup();
        self.edges.sort_unstable();
        self.edges.dedup();
    }

    /// The functions that were called.
    pub fn called(&self) -> impl Iterator<Item = u32> {
        self.roots.iter().copied().chain(self.edges.iter().map(|(_, callee)| *callee))
    }
}
