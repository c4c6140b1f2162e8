//! Objects that several pointers share, and functions that were made up or picked for function pointers.

use super::{Assumed, Fault, FaultSort, Grounds, NAMED, name};
use crate::blueprint::{Blueprint, Candidate};
use crate::shape::{Shape, Walk};
use covet_input::{AccessPath, PathStep, Pointee};
use covet_source::TypeKind;
use std::collections::BTreeSet;

impl Blueprint<'_> {
    pub(super) fn sharing(&self, shape: &Shape, fault: &Fault<'_>, found: &mut Assumed) {
        let mut walk = Walk::new(self, fault.variables, fault.given);
        walk.all();
        // What is asked of an object may be asked of it by another name.
        let faulty = fault.address.and_then(|address| self.near(address)).map(|object| shape.name_of(&object.path));
        let matters = |path: &AccessPath, other: &AccessPath| {
            let mut own = walk.met.iter().filter(|(met, _)| met == path);
            fault.sort == FaultSort::Sharing
                || faulty.as_ref() == Some(other)
                || own.any(|(_, pointer)| fault.depends_on(pointer.choice))
        };
        let aliases = shape.pointers.iter().filter_map(|(path, pointee)| match pointee {
            Pointee::Alias(other) => Some((path, other)),
            _ => None,
        });
        for (path, other) in aliases.filter(|(path, other)| matters(path, other)).take(NAMED) {
            found.assume(format!("{} and {} point at the same object", name(path.as_str()), name(other.as_str())));
        }
    }

    pub(super) fn callbacks(
        &self,
        shape: &Shape,
        fault: &Fault<'_>,
        grounds: Option<&Grounds<'_>>,
        found: &mut Assumed,
    ) {
        let called = self.made_up_calls(fault);
        let is_made_up = |path: &AccessPath, pointee: &Pointee| {
            *pointee == Pointee::Mock && (fault.matter.is_none() || grounds.is_none() || called.contains(path.as_str()))
        };
        let made_up: Vec<String> = shape
            .pointers
            .iter()
            .filter(|(path, pointee)| is_made_up(path, pointee))
            .map(|(path, _)| name(path.as_str()))
            .take(NAMED)
            .collect();
        if !made_up.is_empty() {
            found.assume(format!("a made-up function is called through {}", made_up.join(", ")));
        }
        for (path, pointee) in &shape.pointers {
            if let Pointee::Function(function) = pointee
                && fault.active.contains(function)
                && self.takes_pointers(function)
            {
                found.assume(format!("{} is `{function}`, which is given data that was made up", name(path.as_str())));
            }
        }
    }

    /// Function pointers whose made-up results the fault depends on; what they were asked to read into a buffer is data like any other.
    fn made_up_calls(&self, fault: &Fault<'_>) -> BTreeSet<String> {
        let mut called = BTreeSet::new();
        for (_, path, _) in fault.inputs() {
            let Some(at) = path.steps().iter().position(|step| *step == PathStep::Call) else { continue };
            let pointer = AccessPath::new(path.root().clone()).joined(&path.steps()[..at]);
            if !self.is_reader(&pointer) {
                called.insert(pointer.as_str().to_owned());
            }
        }
        called
    }

    /// Whether the function made up for a pointer fills buffers.
    fn is_reader(&self, path: &AccessPath) -> bool {
        let pointers = self.parts().flat_map(|part| &part.pointers).filter(|pointer| pointer.path == *path);
        let mut candidates = pointers.flat_map(|pointer| &pointer.candidates);
        candidates.any(|candidate| matches!(candidate, Candidate::Mock(number) if self.mocks[*number].fill.is_some()))
    }

    fn takes_pointers(&self, name: &str) -> bool {
        let types = self.environment.types;
        let mut functions = self.environment.callables.iter().filter(|(function, _)| function.name == name);
        functions.any(|(function, _)| {
            function.parameters.iter().any(|parameter| matches!(types.kind(parameter.ty), TypeKind::Pointer { .. }))
        })
    }
}
