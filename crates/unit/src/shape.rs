//! The shape of an input: what each of its pointers points at, by access path.
//!
//! An object is named by the first pointer that leads to it; later pointers to it are aliases. That may be another
//! pointer than the one it was made for, so names of inputs are translated too.

use crate::blueprint::{Blueprint, Candidate, ObjectNumber, Part, Pointer, Reading};
use covet_abi::plan::ALLOCATORS;
use covet_input::{Input, VarId, Variables};
use std::collections::{BTreeMap, VecDeque};

/// What a pointer input points at, for the record of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pointee {
    Null,
    Object {
        elements: u64,
        /// Zeroed elements after them, or the elements of a flexible array member.
        more: u64,
    },
    /// The object that the pointer with this path points at.
    Alias(String),
    /// Element number `at` of the object that the pointer `of` points at, or just behind its last.
    Inside {
        of: String,
        at: u64,
    },
    Function(String),
    /// An open stream: the file's bytes are `PATH[0]`, ..., as many as `PATH.size` says.
    Stream,
    /// A function made up for this pointer: its calls return `PATH()`, `PATH()#2`, ...
    Stub,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    pub pointers: BTreeMap<String, Pointee>,
    /// Objects that are reached by another path than the one they were made for, longest path first.
    renamed: Vec<(String, String)>,
}

impl Shape {
    /// The name of an input variable in a run of this shape.
    pub fn name(&self, variable: &str) -> String {
        let renamed = self.renamed.iter().find_map(|(from, to)| moved(variable, from, to));
        renamed.unwrap_or_else(|| variable.to_string())
    }
}

impl Shape {
    /// The path by which the object made for the pointer at `path` is reached.
    pub(crate) fn name_of(&self, path: &str) -> String {
        let renamed = self.renamed.iter().find(|(from, _)| from == path);
        renamed.map_or_else(|| self.name(path), |(_, to)| to.clone())
    }
}

impl Blueprint<'_> {
    /// The shape of an input that has been built before.
    pub fn shape(&self, variables: &Variables, input: &Input) -> Shape {
        let mut walk = Walk::new(self, variables, input);
        walk.all();
        walk.shape.renamed.sort_by_key(|(from, _)| std::cmp::Reverse(from.len()));
        walk.shape
    }
}

/// Goes through all pointers that an input has.
pub(crate) struct Walk<'w, 'a> {
    blueprint: &'w Blueprint<'a>,
    reading: Reading<'w>,
    shape: Shape,
    /// The pointers and their paths, the names of the objects they lead to, and where pointers into others are.
    pub met: Vec<(String, &'w Pointer)>,
    pub names: BTreeMap<ObjectNumber, String>,
    pub cursors: Vec<(String, VarId)>,
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
        let mut names: BTreeMap<ObjectNumber, String> = BTreeMap::new();
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
        renamed: Option<(&str, &str)>,
        names: &mut BTreeMap<ObjectNumber, String>,
        waiting: &mut VecDeque<ObjectNumber>,
    ) {
        for &number in &part.fixed {
            let path = self.blueprint.objects[number.0].path.clone();
            let pointee = self.object(number, &path, names, waiting);
            self.shape.pointers.insert(path, pointee);
        }
        for pointer in &part.pointers {
            let path = renamed.and_then(|(from, to)| moved(&pointer.path, from, to)).unwrap_or(pointer.path.clone());
            let pointee = match pointer.target(&self.reading) {
                Some(Candidate::Scalar(_) | Candidate::Kept) => continue,
                None => Pointee::Null,
                Some(Candidate::Function { name, .. }) => Pointee::Function(name.clone()),
                Some(Candidate::Allocator(number)) => Pointee::Function(ALLOCATORS[*number].to_string()),
                Some(Candidate::Stub(_)) => Pointee::Stub,
                Some(Candidate::Object(number)) => self.object(*number, &path, names, waiting),
            };
            self.met.push((path.clone(), pointer));
            self.shape.pointers.insert(path, pointee);
        }
        for inside in &part.insides {
            let path = renamed.and_then(|(from, to)| moved(&inside.path, from, to)).unwrap_or(inside.path.clone());
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
        path: &str,
        names: &mut BTreeMap<ObjectNumber, String>,
        waiting: &mut VecDeque<ObjectNumber>,
    ) -> Pointee {
        if let Some(first) = names.get(&number) {
            return Pointee::Alias(first.clone());
        }
        names.insert(number, path.to_string());
        waiting.push_back(number);
        let object = &self.blueprint.objects[number.0];
        if object.is_stream {
            return Pointee::Stream;
        }
        Pointee::Object { elements: object.elements(&self.reading), more: object.more(&self.reading) }
    }
}

/// `name` with the path `from` at its start replaced; none when it does not start with it.
fn moved(name: &str, from: &str, to: &str) -> Option<String> {
    let stars = name.len() - name.trim_start_matches("(*").len();
    let rest = name[stars..].strip_prefix(from.trim_start_matches("(*"))?;
    // Both are spelled with as many stars as the path has.
    let own = from.len() - from.trim_start_matches("(*").len();
    let opened = "(*".repeat((stars.checked_sub(own)?) / 2);
    rest.starts_with(['-', '[', ')', '.', '(']).then(|| format!("{opened}{to}{rest}"))
}

#[cfg(test)]
mod tests {
    use super::moved;

    #[test]
    fn paths_are_replaced_as_a_whole() {
        assert_eq!(moved("arg.a->x", "arg.a", "arg.b").as_deref(), Some("arg.b->x"));
        assert_eq!(moved("(*arg.a)[2]", "arg.a", "arg.b->c").as_deref(), Some("(*arg.b->c)[2]"));
        assert_eq!(moved("arg.ab->x", "arg.a", "arg.b"), None);
        assert_eq!(moved("(*(*arg.m)[1])[2]", "(*arg.m)[1]", "arg.q").as_deref(), Some("(*arg.q)[2]"));
    }
}
