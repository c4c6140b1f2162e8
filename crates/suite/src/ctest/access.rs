//! Inputs by access path → one tree of values per test.
//!
//! What a pointer points at is its element 0, however the path is written. A path that is no place in memory, or that nobody asks for,
//! is told by [`Tree::unused`], so no input is dropped in silence.

use covet_input::{AccessPath, PathRoot, PathStep, Value};
use std::cell::Cell;
use std::collections::BTreeMap;

/// A place and all places below it that the input names.
#[derive(Debug, Default)]
pub struct Node {
    pub value: Option<Value>,
    fields: Vec<(String, Node)>,
    elements: BTreeMap<u64, Node>,
    used: Cell<bool>,
}

impl Node {
    /// The part of this place one step down, if the input names it or anything in it.
    pub fn field(&self, name: &str) -> Option<&Node> {
        self.fields.iter().find(|(known, _)| known == name).map(|(_, node)| node)
    }

    pub fn element(&self, index: u64) -> Option<&Node> {
        self.elements.get(&index)
    }

    /// One more than the highest element named.
    pub fn extent(&self) -> u64 {
        self.elements.last_key_value().map_or(0, |(index, _)| index + 1)
    }

    pub fn fields(&self) -> impl Iterator<Item = (&str, &Node)> {
        self.fields.iter().map(|(name, node)| (name.as_str(), node))
    }

    /// The value here; the place counts as printed.
    pub fn take(&self) -> Option<Value> {
        self.used.set(true);
        self.value
    }

    /// The bytes of the elements below `length`, zero where the input says nothing.
    pub fn bytes(&self, length: u64) -> Vec<u8> {
        (0..length).map(|index| self.element(index).and_then(Node::take).map_or(0, |value| value.bits as u8)).collect()
    }

    /// Whether there is nothing but zeros at and below this place; it counts as printed then.
    pub fn is_zero(&self) -> bool {
        let parts = || self.fields.iter().map(|(_, node)| node).chain(self.elements.values());
        let is_zero = self.value.is_none_or(|value| value.bits == 0) && parts().all(Node::is_zero);
        if is_zero {
            self.take_all();
        }
        is_zero
    }

    /// Everything at and below this place counts as printed.
    pub fn take_all(&self) {
        self.used.set(true);
        self.fields.iter().for_each(|(_, node)| node.take_all());
        self.elements.values().for_each(Node::take_all);
    }

    /// The place below this one; none when the steps lead to no place in memory.
    fn place(&mut self, steps: &[PathStep]) -> Option<&mut Node> {
        let Some((first, rest)) = steps.split_first() else { return Some(self) };
        let node = match first {
            PathStep::Deref => self.elements.entry(0).or_default(),
            PathStep::Index(index) => self.elements.entry(*index).or_default(),
            PathStep::Member(name) => {
                let at = self.fields.iter().position(|(known, _)| **known == **name).unwrap_or_else(|| {
                    self.fields.push((name.to_string(), Node::default()));
                    self.fields.len() - 1
                });
                &mut self.fields[at].1
            }
            PathStep::Call | PathStep::Repetition(_) | PathStep::Width { .. } | PathStep::Choice => return None,
        };
        node.place(rest)
    }

    fn unused(&self, path: &AccessPath, into: &mut Vec<(AccessPath, Value)>) {
        if let (Some(value), false) = (self.value, self.used.get()) {
            into.push((path.clone(), value));
        }
        self.fields.iter().for_each(|(name, node)| node.unused(&path.member(name), into));
        self.elements.iter().for_each(|(index, node)| node.unused(&path.index(*index), into));
    }
}

/// All inputs of a test that are not marks in the source.
#[derive(Debug, Default)]
pub struct Tree {
    /// In the order they are first named.
    roots: Vec<(PathRoot, Node)>,
    /// What is no place.
    left: Vec<(AccessPath, Value)>,
}

impl Tree {
    pub fn new(inputs: &[(AccessPath, Value)]) -> Tree {
        let mut tree = Tree::default();
        for (path, value) in inputs {
            match tree.place(path) {
                Some(node) => node.value = Some(*value),
                None => tree.left.push((path.clone(), *value)),
            }
        }
        tree
    }

    fn place(&mut self, path: &AccessPath) -> Option<&mut Node> {
        let is_place = match path.root() {
            PathRoot::Argument(_) | PathRoot::Global(_) => true,
            PathRoot::Stdin | PathRoot::Argv | PathRoot::File(_) => !path.steps().is_empty(),
            PathRoot::Stub(_) | PathRoot::Marked(_) => false,
        };
        if !is_place {
            return None;
        }
        let at = self.roots.iter().position(|(root, _)| root == path.root()).unwrap_or_else(|| {
            self.roots.push((path.root().clone(), Node::default()));
            self.roots.len() - 1
        });
        self.roots[at].1.place(path.steps())
    }

    /// The place of a root, if the input names it or anything in it.
    pub fn root(&self, root: &PathRoot) -> Option<&Node> {
        self.roots.iter().find(|(known, _)| known == root).map(|(_, node)| node)
    }

    pub fn argument(&self, name: &str) -> Option<&Node> {
        self.root(&PathRoot::Argument(name.into()))
    }

    pub fn has_arguments(&self) -> bool {
        self.roots.iter().any(|(root, _)| root.as_argument().is_some())
    }

    /// Globals by name.
    pub fn globals(&self) -> impl Iterator<Item = (&str, &Node)> {
        self.roots.iter().filter_map(|(root, node)| Some((root.as_global()?, node)))
    }

    /// Files by name.
    pub fn files(&self) -> impl Iterator<Item = (&str, &Node)> {
        self.roots.iter().filter_map(|(root, node)| Some((root.as_file()?, node)))
    }

    /// The inputs no one has printed.
    pub fn unused(&self) -> Vec<(AccessPath, Value)> {
        let mut left = self.left.clone();
        self.roots.iter().for_each(|(root, node)| node.unused(&AccessPath::new(root.clone()), &mut left));
        left
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use covet_input::ValueKind;

    #[test]
    fn what_is_not_printed_is_told() {
        let value = Value { bits: 1, width: 8, kind: ValueKind::Char };
        let inputs = ["arg.a", "arg.p->x", "arg.p[0].y", "arg.f()?", "file.in", "["].map(|path| (path.into(), value));
        let tree = Tree::new(&inputs);
        assert!(tree.argument("a").unwrap().take().is_some());
        assert_eq!(tree.argument("p").unwrap().element(0).unwrap().fields().count(), 2);
        let names: Vec<String> = tree.unused().into_iter().map(|(path, _)| path.to_string()).collect();
        assert_eq!(names, ["arg.f()?", "file.in", "[", "arg.p[0].x", "arg.p[0].y"]);
    }
}
