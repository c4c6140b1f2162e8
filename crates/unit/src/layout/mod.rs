//! A C type at a place in memory becomes steps: one input variable per scalar leaf, a choice per pointer.
//!
//! Leaves never overlap: of a union only the largest member is used. Whatever exceeds the limits stays zero and is noted.

mod given;
mod lengths;
mod spans;
mod streams;
mod targets;

pub(crate) use lengths::{Count, Member, is_used, length_of};
pub(crate) use spans::{Inside, Role, role};

use crate::blueprint::{Blueprint, Length, ObjectNumber, Part};
use crate::environment::Start;
use covet_abi::input::ValueKind;
use covet_abi::plan::{Place, Step};
use covet_input::{AccessPath, VarId, Variable, Variables};
use covet_source::{Field, Record, TypeId, TypeKind, Types};
use std::collections::BTreeSet;

/// Lays out types. What is numbered comes from the blueprint.
pub(crate) struct Layout<'l, 'a> {
    pub blueprint: &'l mut Blueprint<'a>,
    pub variables: &'l mut Variables,
}

/// Bytes and elements of an object whose length is input at most.
const LARGEST_OBJECT: u64 = 1 << 20;
const MOST_ELEMENTS: u64 = 1 << 16;
/// Characters that a text may grow to as the program looks at it; those behind them are what somebody arranges.
pub(crate) const LONGEST_TEXT: u64 = 64;

/// A value to lay out.
#[derive(Clone, Copy)]
pub(crate) struct At<'p> {
    pub place: Place,
    pub path: &'p AccessPath,
    /// The object it is in; none for arguments and globals.
    pub inside: Option<ObjectNumber>,
    /// How many elements a pointer here points at, when something beside it says so.
    pub length: Option<Length>,
    pub kept: Kept<'p>,
}

/// Whose value a place has at first.
#[derive(Clone, Copy)]
pub(crate) enum Kept<'p> {
    /// The input's.
    No,
    /// The program's own.
    First,
    /// The program's own, in a variable that nobody asked to be input: only members that the code names may become others, and
    /// what the program initialised to point at data stays. A hook may be another one: setting it is what it is there for.
    Careful { is_initialised: bool, members: &'p BTreeSet<String> },
}

impl Kept<'_> {
    fn is_own(self) -> bool {
        match self {
            Kept::No => false,
            Kept::First | Kept::Careful { .. } => true,
        }
    }

    fn is_careful(self) -> bool {
        matches!(self, Kept::Careful { .. })
    }

    /// Pointers to data and tables that are as the program has made them.
    fn is_steady(self) -> bool {
        matches!(self, Kept::Careful { is_initialised: true, .. })
    }

    /// Whether a member is left alone: the code does not name it.
    fn leaves_alone(self, member: &str) -> bool {
        matches!(self, Kept::Careful { members, .. } if !member.is_empty() && !members.contains(member))
    }
}

/// Inputs that the state of the program may have where nobody asked for them, and elements of one array.
const MOST_HELD: usize = 256;
const MOST_HELD_ELEMENTS: u64 = 16;

impl<'p> At<'p> {
    pub fn moved(self, bytes: u64, path: &'p AccessPath) -> At<'p> {
        At { place: self.place.plus(bytes), path, inside: self.inside, length: None, kept: self.kept }
    }
}

impl<'a> Layout<'_, 'a> {
    pub fn types(&self) -> &'a Types {
        self.blueprint.environment.types
    }

    /// Lays out the elements of an object up to `count`, and `more` of its tail if it has one.
    pub fn lay_out(&mut self, number: ObjectNumber, count: u64, more: u64) {
        let object = &self.blueprint.objects[number.0];
        if object.is_stream {
            return self.stream(number);
        }
        let (slot, size, ty, path, is_single) =
            (object.slot, object.size, object.ty, object.path.clone(), object.is_single);
        let wanted = count + u64::from(object.has_open_end());
        let symbolic = wanted.min(self.blueprint.environment.limits.symbolic_elements);
        for at in object.parts.len() as u64..symbolic {
            let place = Place::start_of(slot).plus(at * size);
            let path = if is_single { path.deref() } else { path.index(at) };
            let mut part = Part::default();
            if self.reached(
                number,
                at,
                At { place, path: &path, inside: Some(number), length: None, kept: Kept::No },
                &mut part,
            ) {
                self.blueprint.objects[number.0].parts.push(part);
                continue;
            }
            self.behind(ty, At { place, path: &path, inside: Some(number), length: None, kept: Kept::No }, &mut part);
            self.blueprint.objects[number.0].parts.push(part);
        }
        if symbolic < count {
            let address = self.blueprint.objects[number.0].address;
            self.blueprint.ends.add(address + symbolic * size, (count - symbolic) * size);
            self.note(&path, "it is too large to be symbolic as a whole; the rest is zero");
        }
        let Some(tail) = self.blueprint.objects[number.0].tail.clone() else { return };
        for at in self.blueprint.objects[number.0].parts.len() as u64 - 1..more {
            let place = Place::start_of(slot).plus(tail.offset + at * tail.size);
            let mut part = Part::default();
            if at < self.blueprint.environment.limits.symbolic_elements {
                let path = tail.path.index(at);
                self.value(
                    tail.ty,
                    At { place, path: &path, inside: Some(number), length: None, kept: Kept::No },
                    &mut part,
                );
            }
            self.blueprint.objects[number.0].parts.push(part);
        }
    }

    /// Lays out an element of a text beyond its first ones: it is there when the text is that long. False for other elements.
    fn reached(&mut self, number: ObjectNumber, index: u64, at: At<'_>, part: &mut Part) -> bool {
        let object = &self.blueprint.objects[number.0];
        let Length::Grown { first, most, .. } = object.length else { return false };
        if !object.has_open_end() || index < first {
            return false;
        }
        if index < most.min(LONGEST_TEXT.max(first)) {
            let kind = match self.types().kind(object.ty) {
                TypeKind::Char { signed: true } => ValueKind::Char,
                TypeKind::Int { signed, .. } => integer_kind(*signed),
                _ => ValueKind::Byte,
            };
            let variable = Variable { name: at.path.to_string(), width: 8, kind, default: 0 };
            let id = self.blueprint.new_variable(self.variables, variable);
            part.steps.push(Step::Reached { at: at.place, variable: id.0, beyond: index - first });
        }
        true
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
            TypeKind::Int { .. } | TypeKind::Opaque => {
                self.end(at, bits / 8);
                self.note(at.path, "its type is left at zero");
            }
            TypeKind::Float { width } => {
                self.leaf(at, 0, u64::from(*width), ValueKind::Float, part);
            }
            TypeKind::Enum(of) => {
                self.value(of.underlying, at, part);
                let id = self.variables.find(at.path.as_str());
                self.blueprint.enums.extend(id.map(|id| (id, ty)));
            }
            TypeKind::Pointer { pointee, .. } => self.pointer(*pointee, at, part),
            TypeKind::Array { element, count } => self.elements(*element, count.unwrap_or(0), at, part),
            TypeKind::Vector { element, count } => self.elements(*element, *count, at, part),
            TypeKind::Complex { element } => self.elements(*element, 2, at, part),
            TypeKind::Record(record) => self.record(ty, record, at, part),
            TypeKind::Void | TypeKind::Function { .. } => {}
        }
    }

    /// How many elements of an array are input: less in a large object, so that there is something left of its last members.
    fn symbolic_elements(&self, at: At<'_>) -> u64 {
        let limits = self.blueprint.environment.limits;
        let Some(object) = at.inside else { return limits.symbolic_elements };
        let ty = self.blueprint.objects[object.0].ty;
        let fits = |count: &u64| leaves(self.types(), ty, *count) <= limits.leaves as u64 / 4;
        let fewer = std::iter::successors(Some(limits.symbolic_elements), |count| (*count > 4).then_some(count / 4));
        fewer.take_while(|count| *count > 0).find(fits).unwrap_or(4.min(limits.symbolic_elements))
    }

    fn elements(&mut self, element: TypeId, count: u64, at: At<'_>, part: &mut Part) {
        let size = self.types().get(element).size.unwrap_or(0);
        let symbolic = match at.kept {
            Kept::Careful { is_initialised, .. } if is_initialised && count > MOST_HELD_ELEMENTS => 0,
            Kept::Careful { .. } => count.min(MOST_HELD_ELEMENTS),
            Kept::No | Kept::First => count.min(self.symbolic_elements(at)),
        };
        for index in 0..symbolic {
            let path = at.path.index(index);
            self.value(element, at.moved(index * size, &path), part);
        }
        if symbolic < count && !at.kept.is_careful() {
            self.blueprint.unbuilt.insert(at.path.clone());
            self.end(at.moved(symbolic * size, at.path), (count - symbolic) * size);
            self.note(at.path, "it is too large to be symbolic as a whole; the rest is zero");
        }
    }

    fn record(&mut self, ty: TypeId, record: &Record, at: At<'_>, part: &mut Part) {
        if record.is_union {
            self.blueprint.unions.insert(at.path.to_string());
            let types = self.types();
            if let Some((pointer, scalar)) = pointer_or_scalar(types, record) {
                if at.kept.is_steady() {
                    return;
                }
                return self.pointer_or_scalar(ty, pointer, scalar, at, part);
            }
            let size = |field: &&Field| types.get(field.ty).size.unwrap_or(0);
            // The first of the largest members.
            let largest = record.fields.iter().rev().max_by_key(size);
            return largest.into_iter().for_each(|field| self.field(ty, field, at, part));
        }
        let types = self.types();
        let members: Vec<Member<'_>> = record.fields.iter().map(Member::of_field).collect();
        for (number, field) in record.fields.iter().enumerate() {
            // A global keeps what the program gave it: the parts of it do not move together.
            match role(types, &members, number).filter(|_| !at.kept.is_own()) {
                Some(Role::Begin) => {
                    let length = Some(self.span(field.ty, &at.path.member(&field.name)));
                    self.field(ty, field, At { length, ..at }, part);
                    continue;
                }
                Some(role @ (Role::Cursor(begin) | Role::End(begin))) => {
                    let begin = at.path.member(&record.fields[begin].name);
                    let path = at.path.member(&field.name);
                    let place = at.moved(field.offset_bits / 8, &path);
                    if self.inside(&begin, matches!(role, Role::End(_)), place, part) {
                        self.blueprint.members.insert(path.to_string(), (ty, field.name.clone()));
                        continue;
                    }
                }
                None => {}
            }
            let count = length_of(types, &members, number).map(|count| (&record.fields[count.at], count.is_believed));
            let count = count.filter(|(count, _)| count.bit_width.is_none() && !at.kept.leaves_alone(&count.name));
            let length = count.map(|(count, is_believed)| {
                let length = self.length(field.ty, count.ty, &at.path.member(&count.name), at.kept);
                // What a variable of the program's own starts with says nothing about memory that is made up for it.
                if is_believed && !at.kept.is_own() { length } else { length.guessed() }
            });
            self.field(ty, field, At { length, ..at }, part);
        }
    }

    /// A union of a pointer and a number: one more thing the pointer may be is that number.
    fn pointer_or_scalar(&mut self, ty: TypeId, pointer: &Field, scalar: &Field, at: At<'_>, part: &mut Part) {
        let before = part.pointers.len();
        self.field(ty, pointer, at, part);
        let path = at.path.member(&scalar.name);
        let mut own = Part::default();
        self.value(scalar.ty, at.moved(0, &path), &mut own);
        let variable = own.steps.iter().find_map(Step::stored).map(VarId);
        match (part.pointers.get_mut(before), variable) {
            (Some(pointer), Some(variable)) => self.add_scalar(pointer, variable),
            (None, _) => part.steps.extend(own.steps),
            (Some(_), None) => {}
        }
    }

    /// The length of what a pointer of type `pointer` points at, as the integer of type `count` at `path` has it.
    pub fn length(&mut self, pointer: TypeId, count: TypeId, path: &AccessPath, kept: Kept<'_>) -> Length {
        let types = self.types();
        let limits = self.blueprint.environment.limits;
        let (mut size, mut first) = (1, limits.elements);
        if let TypeKind::Pointer { pointee, .. } | TypeKind::Array { element: pointee, .. } = types.kind(pointer) {
            size = types.get(types.completed(*pointee)).size.unwrap_or(1).max(1);
            first = if size == 1 { limits.bytes } else { limits.elements };
        }
        let is_signed = matches!(types.kind(count), TypeKind::Int { signed: true, .. });
        let width = types.get(count).size.unwrap_or(8) as u16 * 8;
        let is_told = limits.start == Start::Alloc && !kept.is_careful();
        let default = if is_told { first as u32 } else { 0 };
        let variable = Variable { name: path.to_string(), width, kind: integer_kind(is_signed), default };
        // Registered before the integer itself is laid out, which then finds it.
        let variable = self.variables.intern(variable);
        Length::Input { variable, least: 0, most: (LARGEST_OBJECT / size).clamp(1, MOST_ELEMENTS) }
    }

    fn field(&mut self, record: TypeId, field: &Field, at: At<'_>, part: &mut Part) {
        if at.kept.leaves_alone(&field.name) {
            return;
        }
        let path = at.path.member(&field.name);
        let at = At { length: at.length, ..at.moved(field.offset_bits / 8, &path) };
        if !field.name.is_empty() {
            self.blueprint.members.insert(path.to_string(), (record, field.name.clone()));
        }
        let Some(width) = field.bit_width else {
            let pointee_types = &self.blueprint.environment.pointee_types;
            let inferred = pointee_types.member(record, &field.name).filter(|_| at.length.is_none());
            return self.value(inferred.unwrap_or(field.ty), at, part);
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

    pub fn leaf(&mut self, at: At<'_>, bit: u64, bits: u64, kind: ValueKind, part: &mut Part) -> Option<VarId> {
        if at.kept.is_careful() && self.variables.held().len() >= MOST_HELD {
            return None;
        }
        if part.steps.len() >= self.blueprint.environment.limits.leaves {
            self.end(at, bits.div_ceil(8));
            self.note_last(at.path);
            return None;
        }
        let variable = Variable { name: at.path.to_string(), width: bits as u16, kind, default: 0 };
        let id = self.blueprint.new_variable(self.variables, variable);
        // One that says how much memory there is has a value already.
        let is_kept = at.kept.is_own() && self.variables.get(id).default == 0;
        if at.kept.is_careful() {
            self.variables.hold(id);
        }
        let (at, variable, bit) = (at.place, id.0, bit as u8);
        part.steps.push(match is_kept {
            true => Step::Keep { at, variable, bit },
            false => Step::Variable { at, variable, bit },
        });
        Some(id)
    }

    /// The pointer stays NULL, whatever it may be in a program.
    fn leave_out(&mut self, at: At<'_>) {
        self.blueprint.unbuilt.insert(at.path.clone());
        self.end(at, 8);
    }

    /// These bytes stay zero, whatever they may be in a program.
    fn end(&mut self, at: At<'_>, bytes: u64) {
        let inside = at.inside.map(|number| &self.blueprint.objects[number.0]);
        match inside.filter(|object| object.slot == at.place.slot).map(|object| object.address + at.place.offset) {
            Some(address) => self.blueprint.ends.add(address, bytes),
            None => self.blueprint.ends.add_anywhere(),
        }
    }

    /// There is no room for what is at `path`, and what follows.
    fn note_last(&mut self, path: &AccessPath) {
        const WHY: &str = "the input has too many parts; this and the next ones stay zero";
        if !self.blueprint.notes.last().is_some_and(|note| note.ends_with(WHY)) {
            self.note(path, WHY);
        }
    }

    /// A note for people: two examples of each kind are enough for them.
    pub fn note(&mut self, path: &AccessPath, why: &str) {
        let note = format!("{path}: {why}");
        let notes = &mut self.blueprint.notes;
        if notes.contains(&note) {
            return;
        }
        match notes.iter().filter(|note| note.ends_with(why)).count() {
            0 | 1 => notes.push(note),
            2 => notes.push(format!("and others: {why}")),
            _ => {}
        }
    }
}

/// Variables that a value of this type has when `most` elements of each array are input.
fn leaves(types: &Types, ty: TypeId, most: u64) -> u64 {
    match types.kind(ty) {
        TypeKind::Array { element, count } => {
            count.unwrap_or(0).min(most).saturating_mul(leaves(types, *element, most))
        }
        TypeKind::Vector { element, count } => (*count).min(most).saturating_mul(leaves(types, *element, most)),
        TypeKind::Record(record) => {
            let parts = record.fields.iter().map(|field| leaves(types, field.ty, most));
            if record.is_union { parts.max().unwrap_or(0) } else { parts.fold(0, u64::saturating_add) }
        }
        TypeKind::Complex { .. } => 2,
        TypeKind::Void | TypeKind::Function { .. } | TypeKind::Opaque => 0,
        TypeKind::Bool
        | TypeKind::Int { .. }
        | TypeKind::Char { .. }
        | TypeKind::Float { .. }
        | TypeKind::Enum(_)
        | TypeKind::Pointer { .. } => 1,
    }
}

/// The first pointer of a union and the first of its largest numbers, if it has both and is no larger than they are.
fn pointer_or_scalar<'r>(types: &Types, record: &'r Record) -> Option<(&'r Field, &'r Field)> {
    let is_pointer = |field: &&Field| matches!(types.kind(field.ty), TypeKind::Pointer { .. });
    let is_scalar = |field: &&Field| {
        field.bit_width.is_none()
            && !field.name.is_empty()
            && matches!(
                types.kind(field.ty),
                TypeKind::Int { .. } | TypeKind::Char { .. } | TypeKind::Enum(_) | TypeKind::Float { width: 32 | 64 }
            )
    };
    let size = |field: &Field| types.get(field.ty).size.unwrap_or(0);
    if record.fields.iter().any(|field| size(field) > 8) {
        return None;
    }
    let pointer = record.fields.iter().find(is_pointer)?;
    let scalar = record.fields.iter().rev().filter(is_scalar).max_by_key(|field| size(field))?;
    Some((pointer, scalar))
}

pub(crate) fn at_most(variable: VarId, bound: u64) -> Step {
    Step::AtMost { variable: variable.0, most: bound }
}

fn integer_kind(signed: bool) -> ValueKind {
    if signed { ValueKind::Signed } else { ValueKind::Unsigned }
}
