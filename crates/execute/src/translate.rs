//! Engine-wide variables ↔ the worker's table, and inputs → requests in shared memory.
//!
//! Invariant: `map[worker index]` is the engine's id of that variable, for every variable in the table.

use std::collections::BTreeMap;

use covet_abi::input::{Assignment, ValueKind, Variable as Record};
use covet_abi::logs::Logs;
use covet_abi::plan::Step;
use covet_abi::shared::{InputBounds, RunRequest};
use covet_input::{Input, VarId, Variable, Variables};
use covet_sites::FunctionNumber;

use crate::Error;
use crate::config::First;
use crate::shared::Shared;
use crate::stubs::StubSet;

/// One input: which entry, how to build its arguments, and values. Variables in steps are engine-wide ids.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RunInput {
    pub entry: FunctionNumber,
    pub steps: Vec<Step>,
    pub values: Input,
    /// The functions that are replaced by their stubs.
    pub stubs: StubSet,
    /// What is logged besides the path.
    pub logs: Logs,
    /// How long it may go on asking for inputs.
    pub bounds: InputBounds,
}

/// The two numberings of variables.
#[derive(Default)]
pub struct Translation {
    to_engine: Vec<VarId>,
    to_worker: BTreeMap<VarId, u32>,
}

impl Translation {
    pub fn map(&self) -> &[VarId] {
        &self.to_engine
    }

    /// The engine's id of a variable of the worker.
    pub fn engine_id(&self, index: u32) -> Option<VarId> {
        self.to_engine.get(index as usize).copied()
    }

    /// The worker's table no longer knows anything.
    pub fn forget(&mut self) {
        *self = Translation::default();
    }

    /// Takes over what the worker has added to its table.
    pub fn catch_up(&mut self, shared: &Shared, variables: &mut Variables) {
        let known = self.to_engine.len();
        for (index, record) in shared.variables().iter().enumerate().skip(known) {
            // A copy first: a thread of the program may write there still.
            let name = String::from_utf8_lossy(shared.name(record)).into_owned();
            let kind = ValueKind::from_u8(record.kind).unwrap_or(ValueKind::Unsigned);
            let id =
                variables.intern(Variable { name, width: record.width.clamp(1, 128), kind, default: record.default });
            self.to_engine.push(id);
            self.to_worker.entry(id).or_insert(index as u32);
        }
    }

    /// The worker's number of an engine variable, added to its table when new. `None` when the table is full.
    fn worker_index(&mut self, shared: &mut Shared, variables: &Variables, id: VarId) -> Option<u32> {
        if let Some(index) = self.to_worker.get(&id) {
            return Some(*index);
        }
        let variable = variables.get(id);
        let (width, kind, default) = (variable.width, variable.kind as u8, variable.default);
        let record = Record { name_at: 0, name_len: 0, width, kind, pad: 0, default };
        let index = shared.add_variable(record, variable.name.as_bytes())?;
        self.to_engine.push(id);
        self.to_worker.insert(id, index);
        Some(index)
    }
}

/// Writes requests one after the other into the shared pages.
pub struct Filling<'a> {
    pub shared: &'a mut Shared,
    pub translation: &'a mut Translation,
    pub variables: &'a Variables,
    pub first: First,
    pub seed: u64,
    pub count: usize,
    pub steps: usize,
    pub values: usize,
    pub stubs: usize,
}

impl Filling<'_> {
    /// Adds a request. False when it does not fit into this batch any more.
    pub fn add(&mut self, input: &RunInput) -> Result<bool, Error> {
        let bounds = self.unset_bounds(input);
        let (steps, values) = (input.steps.len(), input.values.len() + bounds.len());
        let (step_room, value_room) = (self.shared.steps().len(), self.shared.values().len());
        let (stubs, stub_room) = (input.stubs.words(), self.shared.stubs().len());
        let too_large = Error::TooLarge { steps, values };
        if steps > step_room || values > value_room || stubs.len() > stub_room {
            return Err(too_large);
        }
        if self.steps + steps > step_room
            || self.values + values > value_room
            || self.stubs + stubs.len() > stub_room
            || self.count == self.shared.requests().len()
        {
            return Ok(false);
        }
        let request = RunRequest {
            entry: input.entry.0,
            logs: input.logs,
            steps_at: self.steps as u32,
            steps_len: steps as u32,
            values_at: self.values as u32,
            values_len: values as u32,
            stubs_at: self.stubs as u32,
            stubs_len: stubs.len() as u32,
            bounds: input.bounds,
        };
        self.shared.stubs()[self.stubs..][..stubs.len()].copy_from_slice(stubs);
        self.stubs += stubs.len();
        for step in &input.steps {
            let renumbered = step.with_variables(|variable| self.index(VarId(variable)));
            let Some(step) = renumbered else { return Err(too_large) };
            self.shared.steps()[self.steps] = step.pack();
            self.steps += 1;
        }
        for (id, bits) in bounds.into_iter().chain(input.values.iter()) {
            let Some(variable) = self.index(id) else { return Err(too_large) };
            self.shared.values()[self.values] = Assignment::new(variable, bits);
            self.values += 1;
        }
        self.shared.requests()[self.count] = request;
        self.count += 1;
        Ok(true)
    }

    fn index(&mut self, id: VarId) -> Option<u32> {
        self.translation.worker_index(self.shared, self.variables, id)
    }

    /// Random first values of variables that the plan bounds: within their bounds, or the run would say nothing.
    fn unset_bounds(&self, input: &RunInput) -> BTreeMap<VarId, u128> {
        let mut values = BTreeMap::new();
        if self.first == First::Zeros {
            return values;
        }
        for step in &input.steps {
            let Step::AtMost { variable, most } = *step else { continue };
            let id = VarId(variable);
            if input.values.get(id).is_none() {
                let random = name_hash(&self.variables.get(id).name, self.seed);
                values.insert(id, u128::from(random) % (u128::from(most) + 1));
            }
        }
        values
    }
}

/// A number that depends on every byte of a name and on the seed.
fn name_hash(name: &str, seed: u64) -> u64 {
    let mut hash = seed ^ 0x9e37_79b9_7f4a_7c15;
    for byte in name.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0xd6e8_feb8_6659_fd93);
        hash ^= hash >> 32;
    }
    hash
}
