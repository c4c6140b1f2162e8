//! What an input takes for granted that the program does not promise: lengths, targets, functions, results and states that were made up.

use super::Shape;
use crate::blueprint::{Blueprint, Length, Reading};
use crate::entry::Variadic;
use covet_abi::placed;
use covet_input::{AccessPath, Input, PathRoot, Pointee, Value, ValueKind, VarId, Variables};
use std::collections::BTreeMap;

/// Guesses of one sort named at most.
const NAMED: usize = 4;
/// No memory is as large as that: a number of this size is no length that a caller could mean.
const NO_LENGTH: u128 = 1 << 40;

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
    /// Whether a pointer was NULL.
    pub is_null: bool,
}

impl Fault<'_> {
    /// The program's own variables that do not have the values they start with.
    pub fn changed(&self) -> impl Iterator<Item = VarId> {
        let is_changed = |(id, initial): (&VarId, &u128)| self.used.get(*id).is_some_and(|value| value != *initial);
        self.initial.iter().filter(move |known| is_changed(*known)).map(|(id, _)| *id)
    }

    fn value(&self, id: VarId) -> Option<Value> {
        let variable = self.variables.get(id);
        Some(Value { bits: self.used.get(id)?, width: variable.width, kind: variable.kind })
    }

    /// The inputs used, with their places.
    fn inputs(&self) -> impl Iterator<Item = (AccessPath, Value)> {
        let named = |id: &VarId| Some((AccessPath::from(self.variables.get(*id).name.as_str()), self.value(*id)?));
        self.order.iter().filter_map(named)
    }
}

impl Blueprint<'_> {
    /// Whether what an entry is given may be of other types than it reads: then a fault says little.
    pub fn is_mistyped(&self) -> bool {
        self.variadic.as_ref().is_some_and(Variadic::is_guessed)
    }

    /// The guesses about the input that a fault depends on, in words.
    pub fn assumptions(&self, shape: &Shape, fault: &Fault<'_>) -> Vec<String> {
        let named = |wanted: fn(&Pointee) -> bool| -> Vec<&str> {
            let all = shape.pointers.iter().filter(|(_, pointee)| wanted(pointee));
            all.map(|(path, _)| path.as_str()).take(NAMED).collect()
        };
        let mut found = Vec::new();
        if let Some(address) = fault.address {
            let reading = Reading { variables: fault.variables, input: fault.given };
            found.extend(self.length_near(&reading, shape, address));
        }
        if fault.is_null {
            let null = named(|pointee| *pointee == Pointee::Null);
            if !null.is_empty() {
                found.push(format!("NULL is possible for {}", null.join(", ")));
            }
        }
        for (path, pointee) in &shape.pointers {
            if let Pointee::Alias(other) = pointee
                && found.len() < NAMED
            {
                found.push(format!("{path} and {other} may point at the same object"));
            }
        }
        let mocked = named(|pointee| *pointee == Pointee::Mock);
        if !mocked.is_empty() {
            found.push(format!("a made-up function is called through {}", mocked.join(", ")));
        }
        found.extend(huge(shape, fault));
        found.extend(self.variadic.as_ref().map(|variadic| variadic.assumption().to_string()));
        found.extend(made_up_results(fault));
        found.extend(states(fault));
        found
    }

    /// The guessed length of the object that an address is in, or just behind.
    fn length_near(&self, reading: &Reading<'_>, shape: &Shape, address: u64) -> Option<String> {
        let (start, bytes) = placed::block(address)?;
        let before = start.checked_sub(bytes);
        let object = self.objects.iter().find(|object| object.address == start || Some(object.address) == before)?;
        if object.is_promised {
            return None;
        }
        let (path, count) = (shape.name_of(&object.path), object.elements(reading));
        Some(match object.length {
            Length::Grown { most, .. } => format!("{path} points at no more than {most} elements"),
            Length::Fixed(_) => format!("{path} points at {count} element{}", if count == 1 { "" } else { "s" }),
            Length::Input { variable, most, .. } | Length::Span { variable, most } => {
                let name = shape.name(&reading.variables.get(variable).name);
                if reading.count(variable) > most {
                    format!("{path} points at {most} elements, fewer than {name} says")
                } else {
                    format!("{path} points at as many elements as {name} says")
                }
            }
        })
    }
}

/// Sizes that no caller could mean.
fn huge(shape: &Shape, fault: &Fault<'_>) -> Option<String> {
    let is_huge = |(_, value): &(AccessPath, Value)| {
        value.kind == ValueKind::Unsigned && value.width == 64 && value.bits >= NO_LENGTH
    };
    let told = |(path, value): (AccessPath, Value)| format!("{} can be {}", shape.name(path.as_str()), value.bits);
    let all: Vec<String> = fault.inputs().filter(is_huge).take(NAMED).map(told).collect();
    (!all.is_empty()).then(|| all.join(", "))
}

/// Functions that are not there, whose results were made up.
fn made_up_results(fault: &Fault<'_>) -> Option<String> {
    let mut names: Vec<String> = Vec::new();
    for (path, _) in fault.inputs() {
        if let PathRoot::Stub(name) = path.root()
            && !names.iter().any(|known| **known == **name)
        {
            names.push(name.to_string());
        }
    }
    names.truncate(NAMED);
    (!names.is_empty()).then(|| format!("what {} gives is made up", names.join(", ")))
}

/// The program's own variables that have other values than it starts with.
fn states(fault: &Fault<'_>) -> Option<String> {
    let told = |id: VarId| {
        let variable = fault.variables.get(id);
        let value = |bits| Value { bits, width: variable.width, kind: variable.kind };
        let is_choice = variable.kind == ValueKind::Function || variable.kind == ValueKind::Pointer;
        match (is_choice, fault.used.get(id), fault.initial.get(&id)) {
            (false, Some(now), Some(first)) => {
                format!("{} is {}, {} at the start", variable.name, value(now), value(*first))
            }
            _ => format!("{} is not what it is at the start", variable.name),
        }
    };
    let mut all: Vec<String> = fault.changed().take(NAMED).map(told).collect();
    let more = fault.changed().count().saturating_sub(NAMED);
    if more > 0 {
        all.push(format!("and {more} more"));
    }
    (!all.is_empty()).then(|| all.join(", "))
}
