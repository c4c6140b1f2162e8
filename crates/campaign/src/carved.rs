//! States that calls were seen to begin in → inputs to begin with, and to know again: what such a state has is no guess.

use crate::job::Job;
use covet_input::{AccessPath, Input, Pointee, ValueKind, VarId, Variables};
use covet_project::Prepared;
use covet_unit::{Blueprint, Shape};
use std::collections::BTreeMap;

/// What a job's states are as inputs.
#[derive(Default)]
pub struct Carved(Vec<State>);

struct State {
    input: Input,
    pointers: BTreeMap<AccessPath, Pointee>,
    /// It is all that the call had: what it shows is no guess.
    is_exact: bool,
}

/// The states of a job, as inputs of this blueprint.
pub fn inputs(prepared: &Prepared, job: &Job, blueprint: &mut Blueprint<'_>, variables: &mut Variables) -> Carved {
    let mut carved = Vec::new();
    for state in &job.states {
        let address_of = |number: u32| {
            let name = &prepared.map.globals.get(number as usize)?.name;
            state.globals.iter().find(|global| global.name == *name).map(|global| global.address)
        };
        let Some((input, is_exact)) = blueprint.carved(variables, state, &address_of) else { continue };
        let pointers = blueprint.shape(variables, &input).pointers;
        if !carved.iter().any(|known: &State| known.input == input) {
            carved.push(State { input, pointers, is_exact });
        }
    }
    Carved(carved)
}

/// Choices and lengths of what pointers point at are told by the shape.
fn is_choice(variables: &Variables, id: VarId) -> bool {
    matches!(variables.get(id).kind, ValueKind::Pointer | ValueKind::Function | ValueKind::Growth)
}

impl Carved {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn inputs(&self) -> impl Iterator<Item = Input> {
        self.0.iter().map(|state| state.input.clone())
    }

    /// Whether a run was one of the states in everything but data: the pointers it looked at, and numbers, which may be lengths, tags or
    /// states, are the same; bytes and characters may be others.
    pub fn has(&self, variables: &Variables, seen: &Shape, used: &Input, initial: &BTreeMap<VarId, u128>) -> bool {
        let is_data = |id: VarId| variables.get(id).width <= 8;
        self.0.iter().filter(|state| state.is_exact).any(|state| {
            let is_same = |(id, value): (VarId, u128)| match (state.input.get(id), initial.get(&id)) {
                (Some(known), _) => known == value || is_data(id),
                (None, first) => first.is_none_or(|first| *first == value),
            };
            seen.pointers.iter().all(|(path, pointee)| state.pointers.get(path) == Some(pointee))
                && used.iter().filter(|(id, _)| !is_choice(variables, *id)).all(is_same)
        })
    }
}
