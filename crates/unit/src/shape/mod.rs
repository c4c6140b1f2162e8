//! The shape of an input: what each of its pointers points at, by access path.
//!
//! An object is named by the first pointer that leads to it; later pointers to it are aliases. That may be another
//! pointer than the one it was made for, so names of inputs are translated too.

mod assumptions;
mod restore;

pub use assumptions::Fault;

use crate::blueprint::{Blueprint, Candidate, ObjectNumber, Part, Pointer, Reading};
use covet_abi::plan::ALLOCATORS;
use covet_input::{AccessPath, Input, Pointee, VarId, Variables};
use std::collections::{BTreeMap, VecDeque};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    pub pointers: BTreeMap<AccessPath, Pointee>,
    /// Objects that are reached by another path than the one they were made for, longest path first.
    renamed: Vec<(AccessPath, AccessPath)>,
}

impl Shape {
    /// The name of an input variable in a run of this shape.
    pub fn name(&self, variable: &str) -> String {
        // Most shapes rename nothing, and there are many variables to name.
        if self.renamed.is_empty() {
            return variable.to_string();
        }
        self.moved(&variable.into()).map_or_else(|| variable.to_string(), String::from)
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
        let mut walk = Walk::new(self, variables, input);
        walk.all();
        walk.shape.renamed.sort_by_key(|(from, _)| std::cmp::Reverse(from.steps().len()));
        walk.shape
    }
}

/// Goes through all pointers that an input has.
pub(crate) struct Walk<'w, 'a> {
    blueprint: &'w Blueprint<'a>,
    reading: Reading<'w>,
    shape: Shape,
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
            shape: Shape::default(),
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
                self.part(part, Some((&object.path, &name)), &mut names, &mut waiting);
            }
        }
        self.names = names;
    }

    fn part(
        &mut self,
        part: &'w Part,
        renamed: Option<(&AccessPath, &AccessPath)>,
        names: &mut BTreeMap<ObjectNumber, AccessPath>,
        waiting: &mut VecDeque<ObjectNumber>,
    ) {
        for &number in &part.fixed {
            let path = self.blueprint.objects[number.0].path.clone();
            let pointee = self.object(number, &path, names, waiting);
            self.shape.pointers.insert(path, pointee);
        }
        for pointer in &part.pointers {
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
