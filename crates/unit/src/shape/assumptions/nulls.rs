//! Which NULL pointers a fault depends on, and why one may believe that they are possible.

use super::{Assumed, Fault, FaultSort, Grounds, NAMED, name};
use crate::blueprint::{Blueprint, Candidate, Length, Pointer};
use crate::shape::{Shape, Walk};
use covet_input::{AccessPath, PathRoot, PathStep, Pointee, ValueKind, VarId};
use covet_source::{Given, Parameter, Spot, TypeKind};

impl Blueprint<'_> {
    /// Every pointer that is NULL, whether it matters or not.
    pub(super) fn all_nulls(&self, shape: &Shape, fault: &Fault<'_>, found: &mut Assumed) {
        let all = shape.pointers.iter().filter(|(_, pointee)| **pointee == Pointee::Null);
        let names: Vec<&str> = all.map(|(path, _)| path.as_str()).take(NAMED).collect();
        if fault.sort == FaultSort::Null && !names.is_empty() {
            found.assume(format!("NULL is possible for {}", names.join(", ")));
        }
    }

    pub(super) fn nulls(&self, shape: &Shape, fault: &Fault<'_>, grounds: &Grounds<'_>, found: &mut Assumed) {
        let mut walk = Walk::new(self, fault.variables, fault.given);
        walk.all();
        for (path, pointer) in &walk.met {
            if pointer.target(&walk.reading).is_some() || !fault.depends_on(pointer.choice) {
                continue;
            }
            let is_decisive = fault.is_about(pointer.choice);
            if let Some(count) = self.counted(path, pointer, fault, grounds) {
                let (path, count) = (name(path.as_str()), name(&shape.name(&count)));
                found.assume(format!("{path} is NULL, though {count} says that something is there"));
                continue;
            }
            match self.why_null(path, pointer, fault, grounds) {
                Some(why) if is_decisive => found.believe(format!("{} may be NULL: {why}", name(path.as_str()))),
                Some(_) => {}
                None => found.assume(format!("{} is NULL, which nothing in the program suggests", name(path.as_str()))),
            }
        }
        let is_pointer = |id: &VarId| fault.variables.get(*id).kind == ValueKind::Pointer;
        let is_plain = fault.matter.is_some_and(|matter| !matter.decisive.iter().any(is_pointer));
        if fault.sort == FaultSort::Null && is_plain {
            self.plain_null(shape, fault, grounds, found);
        }
    }

    /// The number that says how many elements a pointer points at, if it is not zero and the function does not ask for NULL all the same.
    fn counted(
        &self,
        path: &AccessPath,
        pointer: &Pointer,
        fault: &Fault<'_>,
        grounds: &Grounds<'_>,
    ) -> Option<String> {
        let own = path.root().as_argument().filter(|_| path.steps().is_empty());
        let asks = own.and_then(|own| grounds.beliefs.variable(grounds.function, &Spot::Local(own.to_owned())));
        if asks.is_some() || fault.is_tested(pointer.choice) {
            return None;
        }
        let mut counts = pointer.candidates.iter().filter_map(|candidate| match candidate {
            Candidate::Object(number) => match self.objects[number.0].length {
                // What is only guessed to be a length is at least one.
                Length::Input { variable, least: 0, .. } => Some(variable),
                Length::Input { .. } | Length::Fixed(_) | Length::Span { .. } | Length::Grown { .. } => None,
            },
            Candidate::Function { .. }
            | Candidate::Mock(_)
            | Candidate::Allocator(_)
            | Candidate::Kept
            | Candidate::Scalar(_) => None,
        });
        let count = counts.find(|count| fault.reading().count(*count) > 0)?;
        Some(fault.variables.get(count).name.to_string())
    }

    /// Why a pointer of the input may be NULL.
    fn why_null(
        &self,
        path: &AccessPath,
        pointer: &Pointer,
        fault: &Fault<'_>,
        grounds: &Grounds<'_>,
    ) -> Option<String> {
        if grounds.nonnull.contains(path) {
            return None;
        }
        if grounds.nullable.contains(path) {
            return Some("covet.toml says so".into());
        }
        let declared =
            |parameter: &&Parameter| path.steps().is_empty() && path.root().as_argument() == Some(&parameter.name);
        match grounds.function.parameters.iter().find(declared).and_then(|parameter| parameter.nullable) {
            Some(false) => return None,
            Some(true) => return Some("its declaration says so".into()),
            None => {}
        }
        // What an assertion asks for is what callers are to keep.
        let tested = fault.matter.and_then(|matter| matter.tested.get(&pointer.choice));
        let tested = tested.filter(|_| fault.sort != FaultSort::GivenUp).map(|place| format!("{place} tests it"));
        let there = || {
            let (function, spot) = grounds.followed.filter(|_| fault.is_about(pointer.choice))?;
            // What was handed in under another name is another pointer.
            let is_kept = |name: &str| {
                let is_set = function.facts.stores.iter().any(|store| store.to == *spot);
                function.parameters.iter().any(|parameter| parameter.name == name) && !is_set
            };
            let is_other = match spot {
                Spot::Local(name) if function.name == grounds.function.name && is_kept(name) => {
                    !path.steps().is_empty() || path.root().as_argument() != Some(name)
                }
                _ => false,
            };
            if is_other {
                return None;
            }
            let expected = || grounds.beliefs.expected(function, spot);
            grounds.beliefs.variable(function, spot).or_else(expected)
        };
        tested.or_else(there).or_else(|| match self.spot(path)? {
            Spot::Local(parameter) => grounds.beliefs.parameter(grounds.function, &parameter),
            Spot::Element(whole) if matches!(*whole, Spot::Local(_)) => {
                grounds.beliefs.variable(grounds.function, &Spot::Element(whole))
            }
            spot => grounds.beliefs.lasting(&spot),
        })
    }

    /// What the source calls the place of an input.
    pub(super) fn spot(&self, path: &AccessPath) -> Option<Spot> {
        if let Some((record, field)) = self.members.get(path.as_str()) {
            return Some(Spot::Member { record: *record, field: field.clone() });
        }
        match (path.steps().last(), path.root()) {
            (None, PathRoot::Argument(name)) => Some(Spot::Local(name.to_string())),
            (None, PathRoot::Global(name)) => Some(Spot::Global(name.to_string())),
            (Some(PathStep::Index(_) | PathStep::Deref), _) => {
                Some(Spot::Element(Box::new(self.spot(&path.parent()?)?)))
            }
            _ => None,
        }
    }

    /// NULL that no input has chosen: what could not be built, what a made-up function gave, or what the program has not set yet.
    fn plain_null(&self, shape: &Shape, fault: &Fault<'_>, grounds: &Grounds<'_>, found: &mut Assumed) {
        let is_null_giver = |path: &AccessPath| {
            let pointers = self.parts().flat_map(|part| &part.pointers);
            pointers.filter(|pointer| pointer.path == *path).any(|pointer| {
                pointer.candidates.iter().any(
                    |candidate| matches!(candidate, Candidate::Mock(number) if self.mocks[*number].result.is_none()),
                )
            })
        };
        let mocks = shape.pointers.iter().filter(|(_, pointee)| **pointee == Pointee::Mock);
        for (path, _) in mocks.filter(|(path, _)| is_null_giver(path)).take(NAMED) {
            found.assume(format!("a made-up function behind {} gives NULL", name(path.as_str())));
        }
        let Some((function, spot)) = grounds.followed else {
            self.unbuilt.iter().take(1).for_each(|path| found.assume(unbuilt(path)));
            if found.assumptions.is_empty() && found.reasons.is_empty() {
                self.not_set_yet(fault, grounds, found);
            }
            return;
        };
        let mut spots = vec![spot.clone()];
        // A variable has what was stored in it.
        spots.extend(function.facts.stores.iter().filter(|store| store.to == *spot).filter_map(|store| {
            match &store.value {
                Given::From(from) | Given::Inside(from) => Some(from.clone()),
                _ => None,
            }
        }));
        // A parameter has what calls hand over.
        if let Spot::Local(name) = spot {
            spots.extend(grounds.beliefs.handed(function, name));
        }
        for spot in &spots {
            if let Some(path) = self.unbuilt.iter().find(|path| self.is_at(path, spot)) {
                found.assume(unbuilt(path));
            }
            if let Spot::Member { field, .. } = spot
                && found.assumptions.is_empty()
            {
                match grounds.beliefs.lasting(spot) {
                    Some(why) => found.believe(format!("`{field}` may be NULL: {why}")),
                    None => found.assume(format!("`{field}` is NULL, which nothing in the program suggests")),
                }
            }
            if let Spot::Global(global) = spot
                && let Some(setter) = grounds.beliefs.filled(global)
            {
                match grounds.beliefs.lasting(spot) {
                    Some(why) => found.believe(format!("`{global}` may be NULL: {why}")),
                    None => found.assume(format!("`{global}` is NULL, as it is before {setter}")),
                }
            }
        }
    }

    /// Where the text does not tell what is followed (in a macro): a pointer that the function names, and that the program sets before it comes here, is
    /// NULL.
    fn not_set_yet(&self, fault: &Fault<'_>, grounds: &Grounds<'_>, found: &mut Assumed) {
        let is_there = fault.active.first() == Some(&grounds.function.name);
        let is_pointer = |name: &&String| {
            let ty = grounds.beliefs.type_of_global(name);
            ty.is_some_and(|ty| matches!(self.environment.types.kind(ty), TypeKind::Pointer { .. }))
        };
        let mut named = grounds.function.mentions.iter().filter(|_| is_there).filter(is_pointer);
        if let Some((name, setter)) = named.find_map(|name| Some((name, grounds.beliefs.filled(name)?))) {
            found.assume(format!("`{name}` is NULL, as it is before {setter}"));
        }
    }

    /// Whether the pointer at `path`, or one of an array there, is what a spot means.
    fn is_at(&self, path: &AccessPath, spot: &Spot) -> bool {
        let own = self.spot(path);
        let is_element = matches!(spot, Spot::Element(whole) if own.as_ref() == Some(&**whole));
        is_element || own.as_ref() == Some(spot)
    }
}

fn unbuilt(path: &AccessPath) -> String {
    format!("{} is NULL, because nothing more was built there", name(path.as_str()))
}
