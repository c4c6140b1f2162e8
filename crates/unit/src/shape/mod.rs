//! The shape of an input: what each of its pointers points at, by access path.
//!
//! An object is named by the first pointer that leads to it; later pointers to it are aliases. That may be another
//! pointer than the one it was made for, so names of inputs are translated too.
//!
//! The shape of a run leaves out what the run never looked at: pointers that were not read, and what is in objects that were not
//! touched. Such an object is there all the same, all zeros, when a pointer to it was read.

mod assumptions;
mod carve;
mod restore;

pub use assumptions::{Assumed, Fault, FaultSort, Grounds, Matter};

use crate::blueprint::{Blueprint, Candidate, Object, ObjectNumber, Part, Pointer, Reading};
use covet_abi::plan::ALLOCATORS;
use covet_abi::plan::{Place, Step};
use covet_input::{AccessPath, Input, Pointee, Touched, VarId, Variables};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    pub pointers: BTreeMap<AccessPath, Pointee>,
    /// Objects that are reached by another path than the one they were made for, longest path first.
    renamed: Vec<(AccessPath, AccessPath)>,
    /// Variables at places that the run never looked at.
    unseen: BTreeSet<VarId>,
}

/// What a run looked at of its input objects.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'t> {
    pub touched: &'t Touched,
    /// Others than the program's own code may have looked at the objects that it has pointers to, though hardly any further.
    pub by_others: bool,
}

const EVERYTHING: Seen<'static> = Seen { touched: &Touched::All, by_others: false };

impl Shape {
    /// The name of an input variable in a run of this shape.
    pub fn name(&self, variable: &str) -> String {
        // Most shapes rename nothing, and there are many variables to name.
        if self.renamed.is_empty() {
            return variable.to_string();
        }
        self.moved(&variable.into()).map_or_else(|| variable.to_string(), String::from)
    }

    /// Whether the run looked at the place of this variable.
    pub fn has_seen(&self, variable: VarId) -> bool {
        !self.unseen.contains(&variable)
    }

    /// The path by which the object made for the pointer at `path` is reached.
    pub(crate) fn name_of(&self, path: &AccessPath) -> AccessPath {
        let renamed = self.renamed.iter().find(|(from, _)| from == path).map(|(_, to)| to.clone());
        renamed.or_else(|| self.moved(path)).unwrap_or_else(|| path.clone())
    }

    fn moved(&self, path: &AccessPath) -> Option<AccessPath> {
        self.renamed.iter().find_map(|(from, to)| path.moved(from, to))
    }
}

impl Blueprint<'_> {
    /// The shape of an input that has been built before.
    pub fn shape(&self, variables: &Variables, input: &Input) -> Shape {
        self.shape_seen(variables, input, EVERYTHING)
    }

    /// The same without what a run on it has not seen.
    pub fn shape_seen(&self, variables: &Variables, input: &Input, seen: Seen<'_>) -> Shape {
        let mut walk = Walk::new(self, variables, input);
        walk.seen = seen;
        walk.all();
        walk.shape.renamed.sort_by_key(|(from, _)| std::cmp::Reverse(from.steps().len()));
        let steps = self.objects.iter().flat_map(|object| &object.parts).flat_map(|part| &part.steps);
        let placed: BTreeSet<VarId> = steps.filter_map(Step::stored).map(VarId).collect();
        walk.shape.unseen = &placed - &walk.looked_at;
        walk.shape
    }
}

/// Goes through all pointers that an input has.
pub(crate) struct Walk<'w, 'a> {
    blueprint: &'w Blueprint<'a>,
    reading: Reading<'w>,
    seen: Seen<'w>,
    shape: Shape,
    /// Variables in objects, at places that were looked at.
    looked_at: BTreeSet<VarId>,
    /// The pointers and their paths, the names of the objects they lead to, and where pointers into others are.
    pub met: Vec<(AccessPath, &'w Pointer)>,
    pub names: BTreeMap<ObjectNumber, AccessPath>,
    pub cursors: Vec<(AccessPath, VarId)>,
}

impl<'w, 'a> Walk<'w, 'a> {
    pub fn new(blueprint: &'w Blueprint<'a>, variables: &'w Variables, input: &'w Input) -> Walk<'w, 'a> {
        Walk {
            blueprint,
            reading: Reading { variables, input },
            seen: EVERYTHING,
            shape: Shape::default(),
            looked_at: BTreeSet::new(),
            met: Vec::new(),
            names: BTreeMap::new(),
            cursors: Vec::new(),
        }
    }

    pub fn all(&mut self) {
        let blueprint = self.blueprint;
        let mut names: BTreeMap<ObjectNumber, AccessPath> = BTreeMap::new();
        let mut waiting = VecDeque::new();
        self.part(&blueprint.root, None, &mut names, &mut waiting);
        for part in blueprint.extra_parts(&self.reading) {
            self.part(part, None, &mut names, &mut waiting);
        }
        while let Some(number) = waiting.pop_front() {
            let object = &blueprint.objects[number.0];
            let (count, more) = (object.elements(&self.reading), object.more(&self.reading));
            let name = names[&number].clone();
            if name != object.path {
                self.shape.renamed.push((object.path.clone(), name.clone()));
            }
            for part in object.parts_of(count, more) {
                self.look_at(part, object);
                self.part(part, Some((object, &name)), &mut names, &mut waiting);
            }
        }
        self.names = names;
    }

    /// Keeps in mind which variables of a part the run has seen.
    fn look_at(&mut self, part: &Part, object: &Object) {
        for step in &part.steps {
            let (Step::Variable { at, variable, .. }
            | Step::Keep { at, variable, .. }
            | Step::Reached { at, variable, .. }) = step
            else {
                continue;
            };
            let id = VarId(*variable);
            // Those of bit-fields may begin anywhere in their first byte.
            let bytes = u64::from(self.reading.variables.get(id).width).div_ceil(8) + 1;
            if self.seen.by_others || self.has_seen(object, *at, bytes) {
                self.looked_at.insert(id);
            }
        }
    }

    fn has_seen(&self, object: &Object, at: Place, bytes: u64) -> bool {
        at.slot != object.slot || self.seen.touched.has(object.address + at.offset, bytes)
    }

    fn part(
        &mut self,
        part: &'w Part,
        inside: Option<(&Object, &AccessPath)>,
        names: &mut BTreeMap<ObjectNumber, AccessPath>,
        waiting: &mut VecDeque<ObjectNumber>,
    ) {
        let renamed = inside.map(|(object, name)| (&object.path, name));
        let is_seen = |walk: &Walk<'_, '_>, at: Place| inside.is_none_or(|(object, _)| walk.has_seen(object, at, 8));
        for &number in &part.fixed {
            let path = self.blueprint.objects[number.0].path.clone();
            let pointee = self.object(number, &path, names, waiting);
            self.shape.pointers.insert(path, pointee);
        }
        for pointer in &part.pointers {
            if !is_seen(self, pointer.place) {
                continue;
            }
            let path = renamed.and_then(|(from, to)| pointer.path.moved(from, to)).unwrap_or(pointer.path.clone());
            let pointee = match pointer.target(&self.reading) {
                Some(Candidate::Scalar(_) | Candidate::Kept) => continue,
                None => Pointee::Null,
                Some(Candidate::Function { name, .. }) => Pointee::Function(name.clone()),
                Some(Candidate::Allocator(number)) => Pointee::Function(ALLOCATORS[*number].to_string()),
                Some(Candidate::Mock(_)) => Pointee::Mock,
                Some(Candidate::Object(number)) => self.object(*number, &path, names, waiting),
            };
            self.met.push((path.clone(), pointer));
            self.shape.pointers.insert(path, pointee);
        }
        for inside in &part.insides {
            if !is_seen(self, inside.place) {
                continue;
            }
            let path = renamed.and_then(|(from, to)| inside.path.moved(from, to)).unwrap_or(inside.path.clone());
            self.cursors.push((path.clone(), inside.at));
            let of = names.get(&inside.object).filter(|_| self.reading.value(inside.choice) == 1);
            let at = self.reading.value(inside.at) as u64;
            let pointee = of.map_or(Pointee::Null, |of| Pointee::Inside { of: of.clone(), at });
            self.shape.pointers.insert(path, pointee);
        }
    }

    fn object(
        &self,
        number: ObjectNumber,
        path: &AccessPath,
        names: &mut BTreeMap<ObjectNumber, AccessPath>,
        waiting: &mut VecDeque<ObjectNumber>,
    ) -> Pointee {
        if let Some(first) = names.get(&number) {
            return Pointee::Alias(first.clone());
        }
        names.insert(number, path.clone());
        waiting.push_back(number);
        let object = &self.blueprint.objects[number.0];
        if object.is_stream {
            return Pointee::Stream;
        }
        Pointee::Object { elements: object.elements(&self.reading), more: object.more(&self.reading) }
    }
}
