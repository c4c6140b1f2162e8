//! Where an input is: `arg.p->next->val`, `(*arg.m)[3]`, `global.cfg.mode`, `stdin[3]`, as a root and steps down from it.
//!
//! In shared memory, in records and in messages a path is its text, and two paths are the same when their texts are. Every text is a
//! path, because programs name inputs as they like; paths are in the order of their texts, so lists look the same everywhere.
//!
//! ```text
//! path      = root step*
//! root      = "arg." NAME | "global." NAME | "stub." NAME | "stdin" | "argv" | "file." ANYTHING | ANYTHING
//! member    = ".x"    what a pointer leads to: "->x"
//! index     = "[3]"   what a pointer leads to: "(*p)[3]"
//! call      = "()"    what a function made up for the pointer returned
//! repetition = "#2"   the second input of that name in a run
//! width     = "#w32.2" an input whose name was taken by another of a different width
//! choice    = "?"     whether a union is the pointer or the number
//! ```
//!
//! What a run chooses about an object, but C has no name for, is written like a member of the pointer: `.size`, `.more`, ...
//! Pointers have no members, so nothing else is written like that.

mod parse;

use covet_abi::input::REPETITION;
use std::borrow::Borrow;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// The access path of an input, or of an object or pointer in one.
#[derive(Clone, Debug)]
pub struct AccessPath {
    root: PathRoot,
    steps: Vec<PathStep>,
    text: String,
}

/// Where a path begins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PathRoot {
    /// A parameter by its name, or by its position when it has none.
    Argument(Arc<str>),
    Global(Arc<str>),
    /// What a stub of this function gives.
    Stub(Arc<str>),
    Stdin,
    Argv,
    /// A file by its name, which may hold anything.
    File(Arc<str>),
    /// What the source marks as input, under the name it gives.
    Marked(Arc<str>),
}

/// One step down.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PathStep {
    Member(Arc<str>),
    Index(u64),
    /// To what a pointer points at.
    Deref,
    /// To what a call through a function pointer returned.
    Call,
    /// The n-th of that name in a run, from 2.
    Repetition(u64),
    /// Not the first width that the name has.
    Width {
        bits: u64,
        clash: u64,
    },
    /// Which member of a union it is.
    Choice,
}

impl PathRoot {
    /// The parameter it is.
    pub fn as_argument(&self) -> Option<&str> {
        if let PathRoot::Argument(name) = self { Some(name) } else { None }
    }

    /// The global variable it is.
    pub fn as_global(&self) -> Option<&str> {
        if let PathRoot::Global(name) = self { Some(name) } else { None }
    }

    /// The file it is.
    pub fn as_file(&self) -> Option<&str> {
        if let PathRoot::File(name) = self { Some(name) } else { None }
    }
}

impl AccessPath {
    pub fn new(root: PathRoot) -> AccessPath {
        let text = root.to_string();
        AccessPath { root, steps: Vec::new(), text }
    }

    pub fn argument(name: &str) -> AccessPath {
        AccessPath::new(PathRoot::Argument(name.into()))
    }

    /// What a user calls `p->data`: a parameter, or a part of what it leads to.
    pub fn of_argument(said: &str) -> AccessPath {
        AccessPath::from(format!("arg.{said}").as_str())
    }

    pub fn global(name: &str) -> AccessPath {
        AccessPath::new(PathRoot::Global(name.into()))
    }

    pub fn file(name: &str) -> AccessPath {
        AccessPath::new(PathRoot::File(name.into()))
    }

    pub fn root(&self) -> &PathRoot {
        &self.root
    }

    pub fn steps(&self) -> &[PathStep] {
        &self.steps
    }

    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// A part of what is here.
    pub fn child(&self, step: PathStep) -> AccessPath {
        let mut path = self.clone();
        path.push(step);
        path
    }

    /// A member of the record here. Those of anonymous records belong to the record around them.
    pub fn member(&self, name: &str) -> AccessPath {
        if name.is_empty() { self.clone() } else { self.child(PathStep::Member(name.into())) }
    }

    pub fn index(&self, at: u64) -> AccessPath {
        self.child(PathStep::Index(at))
    }

    /// What the pointer here points at.
    pub fn deref(&self) -> AccessPath {
        self.child(PathStep::Deref)
    }

    /// What the function made up for the pointer here returns first.
    pub fn call(&self) -> AccessPath {
        self.child(PathStep::Call)
    }

    /// Which member the union here is.
    pub fn choice(&self) -> AccessPath {
        self.child(PathStep::Choice)
    }

    /// How many bytes the file here has.
    pub fn size(&self) -> AccessPath {
        self.member("size")
    }

    /// How many elements the array behind the pointer here has beyond its first.
    pub fn more(&self) -> AccessPath {
        self.member("more")
    }

    /// How many elements there are between the pointer here and the one to their end.
    pub fn length(&self) -> AccessPath {
        self.member("length")
    }

    /// Where the pointer here points in the array of another one.
    pub fn position(&self) -> AccessPath {
        self.member("at")
    }

    /// What this is a part of; none for a root.
    pub fn parent(&self) -> Option<AccessPath> {
        let (_, above) = self.steps.split_last()?;
        Some(AccessPath::new(self.root.clone()).joined(above))
    }

    /// The place `steps` below.
    pub fn joined(mut self, steps: &[PathStep]) -> AccessPath {
        steps.iter().for_each(|step| self.push(step.clone()));
        self
    }

    /// The steps that lead here from `above`; none when this is no part of it.
    pub fn below(&self, above: &AccessPath) -> Option<&[PathStep]> {
        if self.root != above.root {
            return None;
        }
        self.steps.strip_prefix(&above.steps[..])
    }

    /// The same part of `to` as this is of `from`; none when it is no part of that.
    pub fn moved(&self, from: &AccessPath, to: &AccessPath) -> Option<AccessPath> {
        let steps = self.below(from).filter(|steps| !steps.is_empty())?;
        Some(to.clone().joined(steps))
    }

    /// The one spelling of a place: what a pointer points at is its element 0, `arg.p[0].x` for `arg.p->x`. The text of such a path
    /// begins with that of every path above it.
    pub fn canonical(&self) -> AccessPath {
        let mut path = AccessPath::new(self.root.clone());
        for step in &self.steps {
            path.push(if *step == PathStep::Deref { PathStep::Index(0) } else { step.clone() });
        }
        path
    }

    fn push(&mut self, step: PathStep) {
        match &step {
            PathStep::Member(name) if self.steps.last() == Some(&PathStep::Deref) => {
                // `(*p)` becomes `p->x`.
                self.text.pop();
                self.text.drain(..2);
                self.text.extend(["->", name]);
            }
            PathStep::Member(name) => self.text.extend([".", name]),
            PathStep::Deref => self.text = format!("(*{})", self.text),
            PathStep::Index(at) => self.text += &format!("[{at}]"),
            PathStep::Call => self.text += "()",
            PathStep::Repetition(number) => self.text += &format!("{REPETITION}{number}"),
            PathStep::Width { bits, clash } => self.text += &format!("{REPETITION}w{bits}.{clash}"),
            PathStep::Choice => self.text.push('?'),
        }
        self.steps.push(step);
    }
}

impl fmt::Display for PathRoot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PathRoot::Argument(name) => write!(f, "arg.{name}"),
            PathRoot::Global(name) => write!(f, "global.{name}"),
            PathRoot::Stub(name) => write!(f, "stub.{name}"),
            PathRoot::Stdin => f.write_str("stdin"),
            PathRoot::Argv => f.write_str("argv"),
            PathRoot::File(name) => write!(f, "file.{name}"),
            PathRoot::Marked(name) => f.write_str(name),
        }
    }
}

impl fmt::Display for AccessPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl From<&str> for AccessPath {
    fn from(text: &str) -> AccessPath {
        let (root, steps) = parse::parse(text);
        AccessPath { root, steps, text: text.to_string() }
    }
}

impl From<AccessPath> for String {
    fn from(path: AccessPath) -> String {
        path.text
    }
}

impl Borrow<str> for AccessPath {
    fn borrow(&self) -> &str {
        &self.text
    }
}

impl PartialEq for AccessPath {
    fn eq(&self, other: &AccessPath) -> bool {
        self.text == other.text
    }
}

impl Eq for AccessPath {}

impl PartialOrd for AccessPath {
    fn partial_cmp(&self, other: &AccessPath) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for AccessPath {
    fn cmp(&self, other: &AccessPath) -> Ordering {
        self.text.cmp(&other.text)
    }
}

impl Hash for AccessPath {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}

#[cfg(test)]
mod tests;
