//! A C type at a place in memory becomes steps: one input variable per scalar leaf, a choice per pointer.
//!
//! Leaves never overlap: of a union only the largest member is used. Whatever exceeds the limits stays zero and is noted.

use crate::blueprint::{Blueprint, ObjectNumber, Part, Place};
use covet_abi::input::{Step, StepOp, ValueKind};
use covet_input::{VarId, Variable, Variables};
use covet_source::{Field, Record, TypeId, TypeKind, Types};

/// Lays out types. What is numbered comes from the blueprint.
pub(crate) struct Layout<'l, 'a> {
    pub blueprint: &'l mut Blueprint<'a>,
    pub variables: &'l mut Variables,
}

/// A value to lay out.
#[derive(Clone, Copy)]
pub(crate) struct At<'p> {
    pub place: Place,
    pub path: &'p str,
    /// The object it is in; none for arguments and globals.
    pub inside: Option<ObjectNumber>,
}

impl<'p> At<'p> {
    pub fn moved(self, bytes: u64, path: &'p str) -> At<'p> {
        At { place: self.place.plus(bytes), path, ..self }
    }
}

impl<'a> Layout<'_, 'a> {
    pub fn types(&self) -> &'a Types {
        self.blueprint.around.types
    }

    /// Lays out the elements of an object up to `count`.
    pub fn lay_out(&mut self, number: ObjectNumber, count: u64) {
        let object = &self.blueprint.objects[number.0];
        let (slot, size, ty, path, is_single) =
            (object.slot, object.size, object.ty, object.path.clone(), object.is_single);
        let symbolic = count.min(self.blueprint.around.limits.symbolic_elements);
        for at in object.parts.len() as u64..symbolic {
            let place = Place::start_of(slot).plus(at * size);
            let path = if is_single { format!("(*{path})") } else { format!("{path}[{at}]") };
            let mut part = Part::default();
            self.behind(ty, At { place, path: &path, inside: Some(number) }, &mut part);
            self.blueprint.objects[number.0].parts.push(part);
        }
        if symbolic < count {
            self.note(&path, "it is too large to be symbolic as a whole; the rest is zero");
        }
    }

    /// What a pointer points at: `void` is bytes.
    fn behind(&mut self, ty: TypeId, at: At<'_>, part: &mut Part) {
        if *self.types().kind(ty) == TypeKind::Void {
            self.leaf(at, 0, 8, ValueKind::Byte, part);
            return;
        }
        self.value(ty, at, part);
    }

    /// Fills a place with a value of type `ty`.
    pub fn value(&mut self, ty: TypeId, at: At<'_>, part: &mut Part) {
        let types = self.types();
        let ty = types.completed(ty);
        let bits = types.get(ty).size.unwrap_or(0) * 8;
        match types.kind(ty) {
            TypeKind::Bool => {
                let id = self.leaf(at, 0, 8, ValueKind::Bool, part);
                part.steps.extend(id.map(|id| at_most(id, 1)));
            }
            TypeKind::Char { signed } => {
                self.leaf(at, 0, 8, if *signed { ValueKind::Char } else { ValueKind::Byte }, part);
            }
            TypeKind::Int { signed, .. } if (1..=128).contains(&bits) => {
                self.leaf(at, 0, bits, integer_kind(*signed), part);
            }
            TypeKind::Int { .. } | TypeKind::Opaque => self.note(at.path, "its type is left at zero"),
            TypeKind::Float { width } => {
                self.leaf(at, 0, u64::from(*width), ValueKind::Float, part);
            }
            TypeKind::Enum(of) => self.value(of.underlying, at, part),
            TypeKind::Pointer { pointee, .. } => self.pointer(*pointee, at, part),
            TypeKind::Array { element, count } => self.elements(*element, count.unwrap_or(0), at, part),
            TypeKind::Vector { element, count } => self.elements(*element, *count, at, part),
            TypeKind::Complex { element } => self.elements(*element, 2, at, part),
            TypeKind::Record(record) => self.record(record, at, part),
            TypeKind::Void | TypeKind::Function { .. } => {}
        }
    }

    fn elements(&mut self, element: TypeId, count: u64, at: At<'_>, part: &mut Part) {
        let size = self.types().get(element).size.unwrap_or(0);
        let symbolic = count.min(self.blueprint.around.limits.symbolic_elements);
        for index in 0..symbolic {
            let path = format!("{}[{index}]", at.path);
            self.value(element, at.moved(index * size, &path), part);
        }
        if symbolic < count {
            self.note(at.path, "it is too large to be symbolic as a whole; the rest is zero");
        }
    }

    fn record(&mut self, record: &Record, at: At<'_>, part: &mut Part) {
        if record.is_union {
            let types = self.types();
            let size = |field: &&Field| types.get(field.ty).size.unwrap_or(0);
            // The first of the largest members.
            let largest = record.fields.iter().rev().max_by_key(size);
            return largest.into_iter().for_each(|field| self.field(field, at, part));
        }
        for field in &record.fields {
            self.field(field, at, part);
        }
    }

    fn field(&mut self, field: &Field, at: At<'_>, part: &mut Part) {
        let path = member_path(at.path, &field.name);
        let at = at.moved(field.offset_bits / 8, &path);
        let Some(width) = field.bit_width else {
            return self.value(field.ty, at, part);
        };
        let kind = self.bit_field_kind(field.ty);
        if width > 0 && !field.name.is_empty() {
            self.leaf(at, field.offset_bits % 8, u64::from(width), kind, part);
        }
    }

    fn bit_field_kind(&self, ty: TypeId) -> ValueKind {
        match self.types().kind(ty) {
            TypeKind::Bool => ValueKind::Bool,
            TypeKind::Int { signed, .. } | TypeKind::Char { signed } => integer_kind(*signed),
            TypeKind::Enum(of) => self.bit_field_kind(of.underlying),
            TypeKind::Void
            | TypeKind::Float { .. }
            | TypeKind::Pointer { .. }
            | TypeKind::Array { .. }
            | TypeKind::Record(_)
            | TypeKind::Function { .. }
            | TypeKind::Vector { .. }
            | TypeKind::Complex { .. }
            | TypeKind::Opaque => ValueKind::Unsigned,
        }
    }

    fn leaf(&mut self, at: At<'_>, bit: u64, bits: u64, kind: ValueKind, part: &mut Part) -> Option<VarId> {
        if part.steps.len() >= self.blueprint.around.limits.leaves {
            self.note(at.path, "the input has too many parts; it stays zero");
            return None;
        }
        let variable = Variable { name: at.path.to_string(), width: bits as u16, kind, default: 0 };
        let id = self.blueprint.new_variable(self.variables, variable);
        part.steps.push(at.place.step(StepOp::Variable, u64::from(id.0), bit));
        Some(id)
    }

    pub fn note(&mut self, path: &str, why: &str) {
        let note = format!("{path}: {why}");
        if self.blueprint.notes.len() < 20 && !self.blueprint.notes.contains(&note) {
            self.blueprint.notes.push(note);
        }
    }
}

/// `p->f` for what is behind a pointer, `s.f` otherwise; members of anonymous records belong to the record around them.
fn member_path(path: &str, field: &str) -> String {
    if field.is_empty() {
        return path.to_string();
    }
    match path.strip_prefix("(*").and_then(|rest| rest.strip_suffix(')')) {
        Some(pointer) => format!("{pointer}->{field}"),
        None => format!("{path}.{field}"),
    }
}

pub(crate) fn at_most(variable: VarId, bound: u64) -> Step {
    Step { op: StepOp::AtMost as u32, slot: 0, offset: 0, a: u64::from(variable.0), b: bound }
}

fn integer_kind(signed: bool) -> ValueKind {
    if signed { ValueKind::Signed } else { ValueKind::Unsigned }
}
