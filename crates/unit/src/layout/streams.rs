//! A pointer to `FILE` becomes an open stream over a file of symbolic bytes: `PATH[0]`, ..., as many as `PATH.size` says.

use super::{Layout, at_most};
use crate::blueprint::{ObjectNumber, Part};
use covet_abi::input::ValueKind;
use covet_abi::plan::{Place, Step};
use covet_input::Variable;
use covet_source::{TypeId, TypeKind, Types};

/// Whether a type is the C library's `FILE`.
pub(crate) fn is_stream(types: &Types, ty: TypeId) -> bool {
    matches!(types.kind(ty), TypeKind::Record(_)) && types.get(ty).name == "struct _IO_FILE"
}

impl Layout<'_, '_> {
    /// Lays out the file behind a stream.
    pub fn stream(&mut self, number: ObjectNumber) {
        let object = &self.blueprint.objects[number.0];
        if !object.parts.is_empty() {
            return;
        }
        let (path, address) = (object.path.clone(), object.address);
        let limits = self.blueprint.environment.limits;
        let capacity = limits.stream.max(1);
        let mut part = Part::default();
        if let Some(contents) = self.blueprint.new_address(capacity) {
            let place = Place::start_of(self.blueprint.new_slot());
            let slot = place.slot;
            part.steps.push(Step::Place { slot, address: contents, bytes: capacity, is_open: false });
            for at in 0..capacity {
                let variable = Variable { name: path.index(at).into(), width: 8, kind: ValueKind::Byte, default: 0 };
                let id = self.blueprint.new_variable(self.variables, variable);
                part.steps.push(Step::Variable { at: place.plus(at), variable: id.0, bit: 0 });
            }
            let (name, kind) = (path.size().into(), ValueKind::Unsigned);
            let default = limits.bytes.min(capacity) as u32;
            let size = self.blueprint.new_variable(self.variables, Variable { name, width: 32, kind, default });
            part.steps.push(at_most(size, capacity));
            part.steps.push(Step::Stream { address, slot, bytes: capacity, length: Some(size.0) });
        }
        self.blueprint.objects[number.0].parts.push(part);
    }
}
