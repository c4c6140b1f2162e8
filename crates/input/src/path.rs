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
    root: Root,
    steps: Vec<Step>,
    text: String,
}

/// Where a path begins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Root {
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
pub enum Step {
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

impl AccessPath {
    pub fn new(root: Root) -> AccessPath {
        let text = root.to_string();
        AccessPath { root, steps: Vec::new(), text }
    }

    pub fn argument(name: &str) -> AccessPath {
        AccessPath::new(Root::Argument(name.into()))
    }

    /// What a user calls `p->data`: a parameter, or a part of what it leads to.
    pub fn of_argument(said: &str) -> AccessPath {
        AccessPath::from(format!("arg.{said}").as_str())
    }

    pub fn global(name: &str) -> AccessPath {
        AccessPath::new(Root::Global(name.into()))
    }

    pub fn file(name: &str) -> AccessPath {
        AccessPath::new(Root::File(name.into()))
    }

    pub fn root(&self) -> &Root {
        &self.root
    }

    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// A part of what is here.
    pub fn child(&self, step: Step) -> AccessPath {
        let mut path = self.clone();
        path.push(step);
        path
    }

    /// A member of the record here. Those of anonymous records belong to the record around them.
    pub fn member(&self, name: &str) -> AccessPath {
        if name.is_empty() { self.clone() } else { self.child(Step::Member(name.into())) }
    }

    pub fn index(&self, at: u64) -> AccessPath {
        self.child(Step::Index(at))
    }

    /// What the pointer here points at.
    pub fn deref(&self) -> AccessPath {
        self.child(Step::Deref)
    }

    /// What the function made up for the pointer here returns first.
    pub fn call(&self) -> AccessPath {
        self.child(Step::Call)
    }

    /// Which member the union here is.
    pub fn choice(&self) -> AccessPath {
        self.child(Step::Choice)
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
    pub fn joined(mut self, steps: &[Step]) -> AccessPath {
        steps.iter().for_each(|step| self.push(step.clone()));
        self
    }

    /// The steps that lead here from `above`; none when this is no part of it.
    pub fn below(&self, above: &AccessPath) -> Option<&[Step]> {
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
            path.push(if *step == Step::Deref { Step::Index(0) } else { step.clone() });
        }
        path
    }

    fn push(&mut self, step: Step) {
        match &step {
            Step::Member(name) if self.steps.last() == Some(&Step::Deref) => {
                // `(*p)` becomes `p->x`.
                self.text.pop();
                self.text.drain(..2);
                self.text.extend(["->", name]);
            }
            Step::Member(name) => self.text.extend([".", name]),
            Step::Deref => self.text = format!("(*{})", self.text),
            Step::Index(at) => self.text += &format!("[{at}]"),
            Step::Call => self.text += "()",
            Step::Repetition(number) => self.text += &format!("{REPETITION}{number}"),
            Step::Width { bits, clash } => self.text += &format!("{REPETITION}w{bits}.{clash}"),
            Step::Choice => self.text.push('?'),
        }
        self.steps.push(step);
    }
}

impl fmt::Display for Root {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Root::Argument(name) => write!(f, "arg.{name}"),
            Root::Global(name) => write!(f, "global.{name}"),
            Root::Stub(name) => write!(f, "stub.{name}"),
            Root::Stdin => f.write_str("stdin"),
            Root::Argv => f.write_str("argv"),
            Root::File(name) => write!(f, "file.{name}"),
            Root::Marked(name) => f.write_str(name),
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
