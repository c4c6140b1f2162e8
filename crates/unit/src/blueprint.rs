//! The blueprint of an entry's inputs: steps in order, some of them behind a pointer choice.
//!
//! Slots are numbered from 1 and every slot is allocated before it is written or pointed at, whatever the choices.

use covet_abi::input::{NULL_SLOT, Step, StepOp, ValueKind};
use covet_input::{Input, VarId, Variable, Variables};
use std::collections::BTreeMap;

/// What a pointer input points at, for the record of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pointee {
    Null,
    Object { elements: u64 },
    Function(String),
}

/// Everything needed to build the inputs of an entry.
#[derive(Clone, Debug, Default)]
pub struct Blueprint {
    pub(crate) items: Vec<Item>,
    /// Pointers that may be NULL or an object, in the order they were met.
    choices: Vec<VarId>,
    /// Input variables in the order of their steps.
    variables: Vec<VarId>,
    slots: u32,
    /// Inputs that were left at zero, with why.
    pub notes: Vec<String>,
}

#[derive(Clone, Debug)]
pub(crate) enum Item {
    Step(Step),
    /// A pointer at `place` that points at `target` once `contents` are built; or NULL, if there is a choice and it says so.
    Pointer {
        choice: Option<VarId>,
        place: Place,
        path: String,
        target: u32,
        elements: u64,
        contents: Vec<Item>,
    },
    /// A pointer to a function; no choice.
    Function {
        step: Step,
        path: String,
        name: String,
    },
}

/// An address inside an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub slot: u32,
    pub offset: u64,
}

impl Place {
    pub fn start_of(slot: u32) -> Place {
        Place { slot, offset: 0 }
    }

    pub fn plus(self, bytes: u64) -> Place {
        Place { slot: self.slot, offset: self.offset + bytes }
    }

    pub(crate) fn step(self, op: StepOp, a: u64, b: u64) -> Step {
        Step { op: op as u32, slot: self.slot, offset: self.offset, a, b }
    }
}

/// The value of a choice that makes the pointer NULL.
const CHOOSE_NULL: u128 = 0;

impl Blueprint {
    /// The steps that build `input`.
    pub fn steps(&self, input: &Input) -> Vec<Step> {
        let mut steps = Vec::new();
        flatten(&self.items, input, &mut steps);
        steps
    }

    /// The variables of `input` that the program itself sees: all but the pointer choices.
    pub fn values(&self, input: &Input) -> Input {
        let mut values = input.clone();
        values.values.retain(|id, _| !self.choices.contains(id));
        values
    }

    /// What each pointer points at under `input`, by access path.
    pub fn pointers(&self, input: &Input) -> BTreeMap<String, Pointee> {
        let mut pointers = BTreeMap::new();
        point(&self.items, input, &mut pointers);
        pointers
    }

    /// Inputs worth running first: the given one, then it with each single pointer NULL.
    pub fn seeds(&self, first: &Input) -> Vec<Input> {
        let with_null = |&choice: &VarId| {
            let mut seed = first.clone();
            seed.set(choice, CHOOSE_NULL);
            seed
        };
        std::iter::once(first.clone()).chain(self.choices.iter().map(with_null)).collect()
    }

    /// Every variable a plan of this blueprint may mark, in order.
    pub fn variables(&self) -> &[VarId] {
        &self.variables
    }

    pub(crate) fn new_slot(&mut self) -> u32 {
        self.slots += 1;
        self.slots
    }

    pub(crate) fn new_variable(&mut self, variables: &mut Variables, variable: Variable) -> VarId {
        let id = variables.intern(variable);
        self.variables.push(id);
        id
    }

    pub(crate) fn new_choice(&mut self, variables: &mut Variables, path: &str) -> VarId {
        let variable = Variable { name: path.to_string(), width: 1, kind: ValueKind::Pointer, default: 1 };
        let id = variables.intern(variable);
        self.choices.push(id);
        id
    }
}

fn flatten(items: &[Item], input: &Input, steps: &mut Vec<Step>) {
    for item in items {
        match item {
            Item::Step(step) | Item::Function { step, .. } => steps.push(*step),
            Item::Pointer { choice, place, .. } if is_null(input, *choice) => {
                steps.push(place.step(StepOp::Pointer, NULL_SLOT, 0));
            }
            Item::Pointer { place, target, contents, .. } => {
                flatten(contents, input, steps);
                steps.push(place.step(StepOp::Pointer, u64::from(*target), 0));
            }
        }
    }
}

fn point(items: &[Item], input: &Input, pointers: &mut BTreeMap<String, Pointee>) {
    for item in items {
        match item {
            Item::Step(_) => {}
            Item::Function { path, name, .. } => {
                pointers.insert(path.clone(), Pointee::Function(name.clone()));
            }
            Item::Pointer { choice, path, .. } if is_null(input, *choice) => {
                pointers.insert(path.clone(), Pointee::Null);
            }
            Item::Pointer { path, elements, contents, .. } => {
                pointers.insert(path.clone(), Pointee::Object { elements: *elements });
                point(contents, input, pointers);
            }
        }
    }
}

fn is_null(input: &Input, choice: Option<VarId>) -> bool {
    choice.is_some_and(|choice| input.get(choice) == Some(CHOOSE_NULL))
}
