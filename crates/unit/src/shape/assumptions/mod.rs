//! What an input takes for granted that the program does not promise: lengths, targets, functions, results and states that were made up; and what
//! makes one believe the rest.
//!
//! Only what a fault depends on counts: variables of the condition that was violated, and of the decisions on the way there.

mod lengths;
mod nulls;
mod objects;
mod structures;
mod values;

use super::Shape;
use crate::blueprint::{Blueprint, Reading};
use crate::entry::Variadic;
use covet_input::{AccessPath, Input, Value, VarId, Variables};
use covet_source::{Beliefs, Function, Spot};
use std::collections::{BTreeMap, BTreeSet};

/// Guesses of one sort named at most.
const NAMED: usize = 4;

/// A run that went wrong, and where.
#[derive(Clone, Copy)]
pub struct Fault<'a> {
    pub variables: &'a Variables,
    /// Its input as it was given.
    pub given: &'a Input,
    /// Its input as it was used, and the order of use.
    pub used: &'a Input,
    pub order: &'a [VarId],
    /// What the program's own variables start with.
    pub initial: &'a BTreeMap<VarId, u128>,
    /// The address that could not be used; none when the run did not end at one.
    pub address: Option<u64>,
    pub sort: FaultSort,
    /// What it depends on; none when that is not known.
    pub matter: Option<&'a Matter>,
    /// The functions that were active, innermost first.
    pub active: &'a [String],
}

/// What kind of fault it is, as far as guesses are concerned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FaultSort {
    /// A pointer was NULL.
    Null,
    /// The program itself gave up: a failed assertion, `abort`.
    GivenUp,
    /// It matters which objects are the same: an object was used or freed after it was gone, or nothing came to an end.
    Sharing,
    Other,
}

/// The input variables that a fault depends on.
#[derive(Clone, Debug, Default)]
pub struct Matter {
    /// Those of the condition that was violated.
    pub decisive: BTreeSet<VarId>,
    /// Those of the decisions on the way.
    pub on_the_way: BTreeSet<VarId>,
    /// Those of the last decision of the program's own code.
    pub last: BTreeSet<VarId>,
    /// Where the program's own code decided by them first.
    pub tested: BTreeMap<VarId, String>,
}

/// What is known of the program besides the types: reasons to believe.
#[derive(Clone, Copy)]
pub struct Grounds<'a> {
    pub beliefs: &'a Beliefs<'a>,
    /// The function that was entered.
    pub function: &'a Function,
    /// The pointer that was followed where the run ended, and the function that did.
    pub followed: Option<(&'a Function, &'a Spot)>,
    /// What the user says may be NULL, and may not.
    pub nullable: &'a [AccessPath],
    pub nonnull: &'a [AccessPath],
    /// Whether structures are taken to keep what all their writers keep.
    pub has_invariants: bool,
}

/// The guesses that a fault depends on, and the reasons for what is no guess, in words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assumed {
    pub assumptions: Vec<String>,
    pub reasons: Vec<String>,
    /// What decides the fault is data that the program has from elsewhere and checks nowhere: callers have no part in it.
    pub is_unchecked: bool,
    /// It depends on variables of the program that have other values than at the start.
    pub needs_state: bool,
    /// It depends on nothing but data: characters, elements of arrays, what was read. Callers hand these on as they get them.
    pub is_data: bool,
    /// The program ends itself there, by a function that is made for it.
    pub is_deliberate: bool,
    /// A number that is an argument decides it.
    pub is_by_number: bool,
    /// The structures behind arguments whose members decide it.
    pub inside: Vec<String>,
}

impl Assumed {
    fn assume(&mut self, text: String) {
        if !self.assumptions.contains(&text) {
            self.assumptions.push(text);
        }
    }

    fn believe(&mut self, text: String) {
        if !self.reasons.contains(&text) {
            self.reasons.push(text);
        }
    }
}

impl Fault<'_> {
    /// The program's own variables that do not have the values they start with.
    pub fn changed(&self) -> impl Iterator<Item = VarId> {
        let is_changed = |(id, initial): (&VarId, &u128)| self.used.get(*id).is_some_and(|value| value != *initial);
        self.initial.iter().filter(move |known| is_changed(*known)).map(|(id, _)| *id)
    }

    /// Whether the fault depends on a variable.
    fn depends_on(&self, id: VarId) -> bool {
        self.matter.is_none_or(|matter| matter.decisive.contains(&id) || matter.on_the_way.contains(&id))
    }

    /// The variables that the condition which was violated is about. Where the program made the mistake with numbers that are no input any more, the last
    /// decision tells by what they became so.
    fn decisive(&self) -> Option<&BTreeSet<VarId>> {
        let sets = self.matter.map(|matter| [&matter.decisive, &matter.last]);
        sets.into_iter().flatten().find(|variables| !variables.is_empty())
    }

    /// Whether the condition that was violated is about a variable.
    fn is_about(&self, id: VarId) -> bool {
        self.matter.is_some_and(|matter| matter.decisive.contains(&id))
    }

    fn is_tested(&self, id: VarId) -> bool {
        self.asked_at(id).is_some()
    }

    /// Where the program's own code decided by a variable on the way.
    fn asked_at(&self, id: VarId) -> Option<&str> {
        self.matter.and_then(|matter| matter.tested.get(&id)).map(String::as_str)
    }

    fn value(&self, id: VarId) -> Option<Value> {
        let variable = self.variables.get(id);
        Some(Value { bits: self.used.get(id)?, width: variable.width, kind: variable.kind })
    }

    /// The inputs used that the fault depends on, with their places.
    fn inputs(&self) -> impl Iterator<Item = (VarId, AccessPath, Value)> {
        let named = |id: &VarId| Some((*id, AccessPath::from(self.variables.get(*id).name.as_str()), self.value(*id)?));
        self.order.iter().filter(|id| self.depends_on(**id)).filter_map(named)
    }

    fn reading(&self) -> Reading<'_> {
        Reading { variables: self.variables, input: self.given }
    }
}

impl Blueprint<'_> {
    /// Whether what an entry is given may be of other types than it reads: then a fault says little.
    pub fn is_mistyped(&self) -> bool {
        self.variadic.as_ref().is_some_and(Variadic::is_guessed)
    }

    /// The guesses about the input that a fault depends on. Without grounds, all that is made up is a guess.
    pub fn assumed(&self, shape: &Shape, fault: &Fault<'_>, grounds: Option<&Grounds<'_>>) -> Assumed {
        let mut found = Assumed::default();
        self.lengths(shape, fault, grounds, &mut found);
        match grounds {
            Some(grounds) => self.nulls(shape, fault, grounds, &mut found),
            None => self.all_nulls(shape, fault, &mut found),
        }
        self.sharing(shape, fault, &mut found);
        refusals(fault, grounds, &mut found);
        self.callbacks(shape, fault, grounds, &mut found);
        self.values(shape, fault, grounds, &mut found);
        if let Some(grounds) = grounds.filter(|grounds| grounds.has_invariants) {
            self.structures(shape, fault, grounds, &mut found);
        }
        found.assumptions.extend(self.variadic.as_ref().map(|variadic| variadic.assumption().to_string()));
        found
    }
}

/// Memory that has run out is a guess where the program hardly ever asks for that; that it gives up then is its way to deal with it.
fn refusals(fault: &Fault<'_>, grounds: Option<&Grounds<'_>>, found: &mut Assumed) {
    let mut failed = fault.inputs().filter(|(_, _, value)| value.bits != 0);
    let Some(number) = failed.find_map(|(_, path, _)| covet_input::allocation(path.as_str())) else { return };
    let (checked, all) = grounds.map_or((0, 1), |grounds| grounds.beliefs.checked_allocations());
    let rest = format!("allocation {number} of the run fails; {checked} of {all} in the program are checked");
    match 2 * checked >= all && fault.sort != FaultSort::GivenUp {
        true => found.believe(rest),
        false => found.assume(rest),
    }
}

/// A name as the source has it: `p->next` for `arg.p->next`.
fn name(path: &str) -> String {
    format!("`{}`", path.strip_prefix("arg.").or_else(|| path.strip_prefix("global.")).unwrap_or(path))
}
