//! The length of the object that a fault is at: promised, believed, or a guess.
//!
//! A number beside a pointer that is named or used as its length is one: callers can be expected to mean it. Where nothing tells how many elements
//! there are, any number is a guess.

use super::{Assumed, Fault, FaultSort, Grounds, name};
use crate::blueprint::{Blueprint, Length, Object, Reading};
use crate::shape::Shape;
use covet_abi::placed;
use covet_input::{AccessPath, Input, PathRoot, Value, ValueKind, VarId, Variables};
use covet_source::{Parameter, Spot, TypeKind};

impl Blueprint<'_> {
    pub(super) fn lengths(&self, shape: &Shape, fault: &Fault<'_>, grounds: Option<&Grounds<'_>>, found: &mut Assumed) {
        let Some(object) = fault.address.and_then(|address| self.near(address)) else { return };
        // What was freed is gone, however long it was.
        if fault.sort == FaultSort::Sharing {
            return;
        }
        // An array that is no input has the length that it is declared with, and so has one inside of a structure.
        let is_elsewhere = grounds.is_some_and(|grounds| self.is_declared_array(shape, grounds));
        if object.is_promised || is_elsewhere {
            return;
        }
        let reading = fault.reading();
        let (path, count) = (shape.name_of(&object.path), object.elements(&reading));
        let path = name(path.as_str());
        match object.tail.as_ref().map_or(object.length, |tail| tail.length) {
            Length::Grown { most, .. } => {
                if !grounds.is_some_and(|grounds| is_text(object, grounds, self)) {
                    found.assume(format!("{path} points at no more than {most} elements"));
                }
            }
            Length::Fixed(_) => {
                found.assume(format!("{path} points at {count} element{}", if count == 1 { "" } else { "s" }));
            }
            Length::Input { variable, most, .. } | Length::Span { variable, most } => {
                let told = name(&shape.name(&fault.variables.get(variable).name));
                let said = reading.count(variable);
                let short = grounds.and_then(|grounds| contradiction(object, variable, fault, grounds));
                match (said > most, is_negative(fault, variable), short) {
                    (true, _, _) => found.assume(format!("{path} points at {most} elements, fewer than {told} says")),
                    (false, true, _) => {
                        found.assume(format!("{told} is negative, though it says how many elements {path} points at"));
                    }
                    (false, false, Some(call)) => {
                        found.assume(format!("{path} points at as many elements as {told} says, but {call}"));
                    }
                    (false, false, None) if grounds.is_some() => {
                        found.believe(format!("{told} says how many elements {path} points at"));
                    }
                    (false, false, None) => found.assume(format!("{path} points at as many elements as {told} says")),
                }
            }
        }
    }

    /// Whether an access at `address` is where an object ends only because it was not made as long as its length says: nothing in the program
    /// is wrong then.
    pub fn is_past_limits(&self, variables: &Variables, input: &Input, address: u64) -> bool {
        let Some(object) = self.near(address).filter(|object| address >= object.address) else { return false };
        match object.tail.as_ref().map_or(object.length, |tail| tail.length) {
            Length::Input { variable, most, .. } | Length::Span { variable, most } => {
                Reading { variables, input }.count(variable) > most
            }
            Length::Fixed(_) | Length::Grown { .. } => false,
        }
    }

    /// Whether an address is in an object of the input, or beside one.
    pub fn is_input(&self, address: u64) -> bool {
        self.near(address).is_some()
    }

    /// Whether what was followed is an array, not a pointer.
    fn is_declared_array(&self, shape: &Shape, grounds: &Grounds<'_>) -> bool {
        let Some((function, spot)) = grounds.followed else { return false };
        match spot {
            Spot::Member { record, field } => {
                let TypeKind::Record(of) = self.environment.types.kind(*record) else { return false };
                let mut own = of.fields.iter().filter(|own| own.name == *field);
                own.any(|own| matches!(self.environment.types.kind(own.ty), TypeKind::Array { count: Some(_), .. }))
            }
            Spot::Global(name) => {
                let is_own = |path: &AccessPath| path.steps().is_empty() && path.root().as_global() == Some(name);
                !shape.pointers.keys().any(is_own) && grounds.beliefs.filled(name).is_none()
            }
            Spot::Local(name) => {
                let is_parameter = function.parameters.iter().any(|parameter| parameter.name == *name);
                !is_parameter && !function.facts.stores.iter().any(|store| store.to == *spot)
            }
            Spot::Element(_) => false,
        }
    }

    /// The object that an address is in, or just behind, or just before: `p[n - 1]` of no elements.
    pub(super) fn near(&self, address: u64) -> Option<&Object> {
        let (start, bytes) = placed::block(address)?;
        let near = [Some(start), start.checked_sub(bytes), start.checked_add(bytes)];
        let at = |address: u64| self.objects.iter().find(|object| object.address == address);
        near.into_iter().flatten().find_map(at)
    }
}

fn is_negative(fault: &Fault<'_>, variable: VarId) -> bool {
    let known = fault.variables.get(variable);
    let value = Value { bits: fault.reading().value(variable), width: known.width, kind: known.kind };
    known.kind == ValueKind::Signed && value.signed() < 0
}

/// A text that is only read: behind the zero at its end there is nothing.
fn is_text(object: &Object, grounds: &Grounds<'_>, blueprint: &Blueprint<'_>) -> bool {
    let types = blueprint.environment.types;
    parameter(object, grounds).is_some_and(|(_, parameter)| {
        let is_const = matches!(types.kind(parameter.ty), TypeKind::Pointer { is_const: true, .. });
        object.has_open_end() && is_const && parameter.is_text
    })
}

/// A caller that passes an array of fewer elements than it says.
fn contradiction(object: &Object, variable: VarId, fault: &Fault<'_>, grounds: &Grounds<'_>) -> Option<String> {
    let (pointer, _) = parameter(object, grounds)?;
    let told = fault.variables.get(variable).name.strip_prefix("arg.")?;
    let count = grounds.function.parameters.iter().position(|parameter| parameter.name == told)?;
    grounds.beliefs.short(grounds.function, pointer, count)
}

/// The parameter that an object is behind.
fn parameter<'g>(object: &Object, grounds: &Grounds<'g>) -> Option<(usize, &'g Parameter)> {
    let PathRoot::Argument(name) = object.path.root() else { return None };
    let is_own = |parameter: &Parameter| parameter.name == **name && object.path.steps().is_empty();
    grounds.function.parameters.iter().enumerate().find(|(_, parameter)| is_own(parameter))
}
