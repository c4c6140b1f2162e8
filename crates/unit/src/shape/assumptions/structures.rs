//! What the members of structures keep, as all their writers seem to agree on, and an input breaks.

use super::values::signed;
use super::{Assumed, Fault, Grounds, name};
use crate::blueprint::{Blueprint, Candidate, Length, Object};
use crate::invariants::bounded;
use crate::shape::{Shape, Walk};
use covet_input::{AccessPath, PathRoot, PathStep, Value, ValueKind, VarId};
use covet_source::{Passes, Spot, TypeKind};
use std::collections::BTreeSet;

impl Blueprint<'_> {
    pub(super) fn structures(&self, shape: &Shape, fault: &Fault<'_>, grounds: &Grounds<'_>, found: &mut Assumed) {
        self.numbers(shape, fault, grounds, found);
        self.parameters(fault, grounds, found);
        self.arrays(fault, grounds, found);
        found.is_unchecked = self.is_unchecked(fault, grounds) || self.is_all_read(fault);
        found.is_data = self.is_data(fault);
        found.inside = self.inside(fault);
        found.is_by_number = self.is_by_number(fault);
    }

    /// Numbers of the function's own that no caller passes. A constant that is only asked about on the way may not be needed.
    fn parameters(&self, fault: &Fault<'_>, grounds: &Grounds<'_>, found: &mut Assumed) {
        let parameters = &grounds.function.parameters;
        for (id, path, value) in fault.inputs() {
            let is_number = matches!(value.kind, ValueKind::Signed | ValueKind::Unsigned | ValueKind::Bool);
            let own = path.root().as_argument().filter(|_| path.steps().is_empty());
            let position = own.and_then(|name| parameters.iter().position(|parameter| parameter.name == name));
            let Some(position) = position.filter(|_| is_number) else { continue };
            match grounds.beliefs.passes_only(grounds.function, position, signed(value)) {
                Some(Passes::Constants(_)) if !fault.is_about(id) => {}
                Some(Passes::Constants(kept) | Passes::Length(kept)) => {
                    found.assume(format!("{} is {value}, but {kept}", name(path.as_str())));
                }
                None => {}
            }
        }
    }

    /// Whether all that decides the fault is held by the program, from elsewhere, and kept within no bounds.
    fn is_unchecked(&self, fault: &Fault<'_>, grounds: &Grounds<'_>) -> bool {
        let mut deciding = fault.inputs().filter(|(id, _, _)| fault.is_about(*id)).peekable();
        let is_free = |(id, path, value): (VarId, AccessPath, Value)| {
            let is_number = matches!(value.kind, ValueKind::Signed | ValueKind::Unsigned);
            let spot = self.spot(&path).filter(|spot| matches!(spot, Spot::Member { .. }));
            let is_set = spot.is_some_and(|spot| grounds.beliefs.is_free(&spot, signed(value)));
            // How long something is, is up to those who made it.
            // The bytes of a buffer of the program's own are what was read into it.
            let is_byte = matches!(value.kind, ValueKind::Char | ValueKind::Byte);
            let is_element = matches!(path.steps().last(), Some(PathStep::Index(_)));
            let is_held = is_byte && is_element && path.root().as_global().is_some();
            is_held || is_number && is_set && !fault.is_tested(id) && !self.is_length(id)
        };
        deciding.peek().is_some() && deciding.all(is_free)
    }

    /// Numbers that decide the fault.
    fn numbers(&self, shape: &Shape, fault: &Fault<'_>, grounds: &Grounds<'_>, found: &mut Assumed) {
        for (id, path, value) in fault.inputs() {
            let is_number = matches!(value.kind, ValueKind::Signed | ValueKind::Unsigned | ValueKind::Bool);
            let Some(spot @ Spot::Member { .. }) = self.spot(&path) else { continue };
            if !is_number || !fault.is_about(id) || self.enums.contains_key(&id) {
                continue;
            }
            let told = name(&shape.name(path.as_str()));
            if let Some(broken) = self.beyond(&path, &spot, value, fault, grounds) {
                found.assume(format!("{told} is {value}, {broken}"));
            } else if !fault.is_tested(id) {
                match grounds.beliefs.range(&spot, signed(value)) {
                    Ok(Some(why)) => found.believe(format!("{told} may be {value}: {why}")),
                    Ok(None) => {}
                    Err(kept) => found.assume(format!("{told} is {value}, but {kept}")),
                }
            }
        }
    }

    /// How an index lies outside of what it is an index of.
    fn beyond(
        &self,
        path: &AccessPath,
        spot: &Spot,
        value: Value,
        fault: &Fault<'_>,
        grounds: &Grounds<'_>,
    ) -> Option<String> {
        let Spot::Member { record, field } = spot else { return None };
        let (pointer, count) = bounded(self.environment.types, grounds.beliefs, *record, field)?;
        let beside = path.parent()?.member(&count);
        let id = fault.variables.find(beside.as_str())?;
        let known = fault.variables.get(id);
        let most = signed(Value { bits: fault.reading().value(id), width: known.width, kind: known.kind });
        let is_outside = signed(value) > most || signed(value) < 0;
        is_outside
            .then(|| format!("outside of the {most} elements that {} says `{pointer}` has", name(beside.as_str())))
    }

    /// Pointers into one array that point into several.
    fn arrays(&self, fault: &Fault<'_>, grounds: &Grounds<'_>, found: &mut Assumed) {
        let mut walk = Walk::new(self, fault.variables, fault.given);
        walk.all();
        let object = |path: &AccessPath| {
            let (_, pointer) = walk.met.iter().find(|(met, _)| met == path)?;
            match pointer.target(&walk.reading)? {
                Candidate::Object(number) => Some(*number),
                Candidate::Function { .. }
                | Candidate::Mock(_)
                | Candidate::Allocator(_)
                | Candidate::Kept
                | Candidate::Scalar(_) => None,
            }
        };
        let near = fault.address.and_then(|address| self.near(address)).map(|object| object.address);
        for (path, pointer) in &walk.met {
            let Some(spot) = self.spot(path) else { continue };
            let Some((base, place)) = grounds.beliefs.base(&spot) else { continue };
            let Some(beside) = path.parent().map(|above| above.member(&base)) else { continue };
            let (Some(own), Some(whole)) = (object(path), object(&beside)) else { continue };
            // A node that is linked from two members is no array.
            if matches!(self.environment.types.kind(self.objects[own.0].ty), TypeKind::Record(_)) {
                continue;
            }
            let is_there = [own, whole].iter().any(|number| Some(self.objects[number.0].address) == near);
            if own != whole && (is_there || fault.depends_on(pointer.choice)) {
                let (path, beside) = (name(path.as_str()), name(beside.as_str()));
                found.assume(format!("{path} points into another array than {beside}, from which {place} sets it"));
            }
        }
    }

    /// Whether all that decides the fault is data: what is no argument and no variable of the program, a character, or an element. How many of them
    /// there are may decide with them.
    fn is_data(&self, fault: &Fault<'_>) -> bool {
        let decisive = fault.decisive();
        let deciding = fault.inputs().filter(|(id, _, _)| decisive.is_none_or(|decisive| decisive.contains(id)));
        let (lengths, others): (Vec<_>, Vec<_>) = deciding.partition(|(id, _, _)| self.is_length(*id));
        let is_free = |(_, path, value): &(VarId, AccessPath, Value)| {
            let is_element = matches!(path.steps().last(), Some(PathStep::Index(_)));
            self.is_read(path)
                || match value.kind {
                    // That something is there, and how much of it, is judged by itself.
                    ValueKind::Growth => true,
                    ValueKind::Pointer => value.bits != 0,
                    ValueKind::Function => false,
                    // An array of numbers is as often the program's own.
                    ValueKind::Signed | ValueKind::Unsigned => is_element && value.width <= 16,
                    ValueKind::Char | ValueKind::Byte | ValueKind::Float | ValueKind::Bool => is_element,
                }
        };
        others.iter().all(is_free) && (lengths.is_empty() || !others.is_empty())
    }

    /// Whether all that decides the fault comes from outside of the program.
    fn is_all_read(&self, fault: &Fault<'_>) -> bool {
        let Some(decisive) = fault.decisive() else { return false };
        let mut deciding = fault.inputs().filter(|(id, _, _)| decisive.contains(id)).peekable();
        let is_stub = |path: &AccessPath| matches!(path.root(), PathRoot::Stub(_));
        deciding.peek().is_some() && deciding.all(|(_, path, _)| self.is_read(&path) && !is_stub(&path))
    }

    /// Whether something comes from outside of the program: what the system gives, and what is in the file behind a stream.
    fn is_read(&self, path: &AccessPath) -> bool {
        let is_made_up = path.root().as_argument().or(path.root().as_global()).is_some();
        let is_inside = |stream: &Object| stream.is_stream && path.as_str().starts_with(stream.path.as_str());
        !is_made_up || self.objects.iter().any(is_inside)
    }

    /// Whether a number says how long an object is.
    fn is_length(&self, id: VarId) -> bool {
        self.objects.iter().any(|object| match object.tail.as_ref().map_or(object.length, |tail| tail.length) {
            Length::Input { variable, .. } | Length::Span { variable, .. } => variable == id,
            Length::Fixed(_) | Length::Grown { .. } => false,
        })
    }

    /// Whether a number that is an argument decides the fault, other than by how long something is.
    fn is_by_number(&self, fault: &Fault<'_>) -> bool {
        let decisive = fault.decisive();
        let mut deciding = fault.inputs().filter(|(id, _, _)| decisive.is_some_and(|decisive| decisive.contains(id)));
        deciding.any(|(id, path, value)| {
            let is_number = matches!(value.kind, ValueKind::Signed | ValueKind::Unsigned);
            is_number && path.root().as_argument().is_some() && path.steps().is_empty() && !self.is_length(id)
        })
    }

    /// The structures behind arguments and pointers of the program whose members decide the fault.
    fn inside(&self, fault: &Fault<'_>) -> Vec<String> {
        let decisive = fault.decisive();
        let deciding = fault.inputs().filter(|(id, _, _)| decisive.is_none_or(|decisive| decisive.contains(id)));
        // What a variable of the program points at was made up like what an argument does.
        let is_behind = |path: &AccessPath| path.steps().iter().any(|step| matches!(step, PathStep::Deref));
        let is_made_up = |path: &AccessPath| {
            path.root().as_argument().is_some() || path.root().as_global().is_some() && is_behind(path)
        };
        let made_up = deciding.filter(|(_, path, _)| is_made_up(path) && !self.is_read(path));
        let records = made_up.flat_map(|(_, path, _)| {
            let above = std::iter::successors(Some(path), AccessPath::parent);
            let record = |path: AccessPath| self.members.get(path.as_str()).map(|(record, _)| *record);
            above.filter_map(record).collect::<Vec<_>>()
        });
        let names: BTreeSet<String> = records.map(|record| self.environment.types.get(record).name.clone()).collect();
        names.into_iter().collect()
    }
}
