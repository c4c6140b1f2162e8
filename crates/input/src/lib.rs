//! Inputs by name: the registry of input variables and one run's assignment to them.
//!
//! A [`VarId`] is engine-wide: workers number variables in their own order, `execute` translates. Iteration is always by
//! id or by name, never by hash, so nothing depends on chance.

use std::collections::{BTreeSet, HashMap};

pub use covet_abi::input::ValueKind;
pub use covet_abi::plan::ALLOCATORS;

mod input;
mod path;
mod pointee;
mod text;
mod touched;
mod value;

pub use input::Input;
pub use path::{AccessPath, PathRoot, PathStep};
pub use pointee::{NoPointee, Pointee};
pub use touched::Touched;
pub use value::Value;

/// What the input is called that says whether the first allocation of a run fails; behind it, a hyphen and the number of another.
const ALLOCATION: &str = "os.allocation";

/// The number of the allocation that an input decides about.
pub fn allocation(name: &str) -> Option<u32> {
    match name.strip_prefix(ALLOCATION)? {
        "" => Some(1),
        rest => rest.strip_prefix('-')?.parse().ok(),
    }
}

/// An input variable, engine-wide.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct VarId(pub u32);

/// What is known of an input variable. Its name is the text of its [`AccessPath`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    pub name: String,
    /// Bits, 1 to 128.
    pub width: u16,
    pub kind: ValueKind,
    /// Value in an input that does not name it.
    pub default: u32,
}

/// The registry: each name once.
#[derive(Clone, Default, Debug)]
pub struct Variables {
    all: Vec<Variable>,
    by_name: HashMap<String, VarId>,
    held: BTreeSet<VarId>,
    /// What those that are held start with, once a run has shown it.
    first: Input,
}

impl Variables {
    /// Says that a variable is part of the program's own state: it may change to get somewhere, but not to break something.
    pub fn hold(&mut self, id: VarId) {
        self.held.insert(id);
    }

    pub fn held(&self) -> &BTreeSet<VarId> {
        &self.held
    }

    /// Learns what is held at first from the first run's input, as it used it.
    pub fn begin(&mut self, used: &Input) {
        self.first = self.held.iter().filter_map(|id| Some((*id, used.get(*id)?))).collect();
    }

    /// What the variables that are held start with.
    pub fn first(&self) -> &Input {
        &self.first
    }

    /// The id of `variable.name`, registering it on first sight. A later registration under the same name keeps the first.
    pub fn intern(&mut self, variable: Variable) -> VarId {
        if let Some(&id) = self.by_name.get(&variable.name) {
            return id;
        }
        let id = VarId(self.all.len() as u32);
        self.by_name.insert(variable.name.clone(), id);
        self.all.push(variable);
        id
    }

    pub fn find(&self, name: &str) -> Option<VarId> {
        self.by_name.get(name).copied()
    }

    pub fn get(&self, id: VarId) -> &Variable {
        &self.all[id.0 as usize]
    }

    pub fn len(&self) -> usize {
        self.all.len()
    }

    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = (VarId, &Variable)> {
        self.all.iter().enumerate().map(|(i, v)| (VarId(i as u32), v))
    }
}
