//! A C type at a place in memory becomes steps: one input variable per scalar leaf, fresh objects behind pointers.
//!
//! Leaves never overlap: of a union only the largest member is used. Whatever exceeds the [`Limits`] stays zero and is noted.

use crate::blueprint::{Blueprint, Item, Place};
use covet_abi::input::{Step, StepOp, ValueKind};
use covet_input::{Variable, Variables};
use covet_source::{Field, Function, Record, TypeId, TypeKind, Types};

/// How much memory an input may have.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Elements of an array behind a pointer to a scalar.
    pub elements: u64,
    /// Bytes behind a pointer to characters or `void`, before the terminating zero.
    pub bytes: u64,
    /// Pointers followed from an argument.
    pub depth: u32,
    /// Input variables in all.
    pub leaves: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { elements: 4, bytes: 8, depth: 3, leaves: 2048 }
    }
}

/// Functions that a function pointer may point at: their model and their number in the program.
pub(crate) type Callables<'a> = &'a [(&'a Function, u32)];

/// Lays out types. Items go to `items`, everything numbered comes from `blueprint`.
pub(crate) struct Layout<'a> {
    pub types: &'a Types,
    pub callables: Callables<'a>,
    pub limits: Limits,
    pub variables: &'a mut Variables,
    pub blueprint: &'a mut Blueprint,
}

impl Layout<'_> {
    /// Fills `place` with a value of type `ty` reached by `path`.
    pub fn value(&mut self, ty: TypeId, place: Place, path: &str, depth: u32, items: &mut Vec<Item>) {
        let types = self.types;
        let ty = types.completed(ty);
        let bits = types.get(ty).size.unwrap_or(0) * 8;
        match types.kind(ty) {
            TypeKind::Bool => {
                let id = self.leaf(place, 0, path, 8, ValueKind::Bool, items);
                items.extend(id.map(|id| Item::Step(at_most(id, 1))));
            }
            TypeKind::Char { signed } => {
                let kind = if *signed { ValueKind::Char } else { ValueKind::Byte };
                self.scalar(place, path, 8, kind, items);
            }
            TypeKind::Int { signed, .. } if (1..=128).contains(&bits) => {
                self.scalar(place, path, bits, integer_kind(*signed), items);
            }
            TypeKind::Int { .. } | TypeKind::Opaque => self.note(path, "its type is left at zero"),
            TypeKind::Float { width } => self.scalar(place, path, u64::from(*width), ValueKind::Float, items),
            TypeKind::Enum(of) => self.value(of.underlying, place, path, depth, items),
            TypeKind::Pointer { pointee, .. } => self.pointer(*pointee, None, place, path, depth, items),
            TypeKind::Array { element, count } => {
                self.elements(*element, count.unwrap_or(0), place, path, depth, items)
            }
            TypeKind::Vector { element, count } => self.elements(*element, *count, place, path, depth, items),
            TypeKind::Complex { element } => self.elements(*element, 2, place, path, depth, items),
            TypeKind::Record(record) => self.record(record, place, path, depth, items),
            TypeKind::Void | TypeKind::Function { .. } => {}
        }
    }

    /// A pointer: to a function of that type, to a fresh object, or NULL where nothing can be built. `count` is the number of
    /// elements when the program says it.
    pub fn pointer(
        &mut self,
        to: TypeId,
        count: Option<u64>,
        place: Place,
        path: &str,
        depth: u32,
        items: &mut Vec<Item>,
    ) {
        let to = self.types.completed(to);
        if let TypeKind::Function { .. } = self.types.kind(to) {
            return self.function_pointer(to, place, path, items);
        }
        let buildable = depth < self.limits.depth && self.blueprint.variables().len() < self.limits.leaves;
        let shape = if buildable { self.pointee(to, count) } else { None };
        let Some(object) = shape else { return };
        // `int a[4]` promises four elements: NULL is no choice there.
        let choice = count.is_none().then(|| self.blueprint.new_choice(self.variables, path));
        let target = self.blueprint.new_slot();
        let bytes = object.size * (object.elements + object.zeros);
        let mut contents = vec![Item::Step(Place::start_of(target).step(StepOp::Alloc, bytes.max(1), object.align))];
        if object.is_single {
            self.value(to, Place::start_of(target), &format!("(*{path})"), depth + 1, &mut contents);
        } else {
            for at in 0..object.elements {
                let inner = Place::start_of(target).plus(at * object.size);
                self.behind(to, inner, &format!("{path}[{at}]"), depth + 1, &mut contents);
            }
        }
        items.push(Item::Pointer {
            choice,
            place,
            path: path.to_string(),
            target,
            elements: object.elements,
            contents,
        });
    }

    /// The object a pointer to `to` gets; none where NULL is all we can do.
    fn pointee(&self, to: TypeId, count: Option<u64>) -> Option<Object> {
        let ty = self.types.get(to);
        let array = |elements, zeros| {
            Some(Object { size: ty.size.unwrap_or(1), align: ty.align.unwrap_or(1), elements, zeros, is_single: false })
        };
        match &ty.kind {
            TypeKind::Void => array(count.unwrap_or(self.limits.bytes), 1),
            TypeKind::Char { .. } | TypeKind::Int { width: 8, .. } => array(count.unwrap_or(self.limits.bytes), 1),
            TypeKind::Bool
            | TypeKind::Int { .. }
            | TypeKind::Float { .. }
            | TypeKind::Enum(_)
            | TypeKind::Complex { .. } => array(count.unwrap_or(self.limits.elements), 0),
            // A list of pointers ends with NULL by custom.
            TypeKind::Pointer { .. } => array(count.unwrap_or(1), 1),
            TypeKind::Record(_) | TypeKind::Array { .. } | TypeKind::Vector { .. } | TypeKind::Opaque => {
                ty.size?;
                match count {
                    Some(count) => array(count, 0),
                    None => Some(Object { is_single: true, ..array(1, 0)? }),
                }
            }
            TypeKind::Function { .. } => None,
        }
    }

    fn behind(&mut self, to: TypeId, place: Place, path: &str, depth: u32, items: &mut Vec<Item>) {
        if *self.types.kind(to) == TypeKind::Void {
            return self.scalar(place, path, 8, ValueKind::Unsigned, items);
        }
        self.value(to, place, path, depth, items);
    }

    fn function_pointer(&mut self, ty: TypeId, place: Place, path: &str, items: &mut Vec<Item>) {
        let TypeKind::Function { result, parameters, variadic } = self.types.kind(ty) else { return };
        let fits = |function: &Function| {
            function.result == *result
                && function.is_variadic == *variadic
                && function.parameters.iter().map(|parameter| parameter.ty).eq(parameters.iter().copied())
        };
        if let Some((function, number)) = self.callables.iter().find(|(function, _)| fits(function)) {
            let step = place.step(StepOp::Function, u64::from(*number), 0);
            items.push(Item::Function { step, path: path.to_string(), name: function.name.clone() });
        }
    }

    fn elements(&mut self, element: TypeId, count: u64, place: Place, path: &str, depth: u32, items: &mut Vec<Item>) {
        let size = self.types.get(element).size.unwrap_or(0);
        for at in 0..count {
            if self.blueprint.variables().len() >= self.limits.leaves {
                return self.note(path, "it is too large to be symbolic as a whole; the rest is zero");
            }
            self.value(element, place.plus(at * size), &format!("{path}[{at}]"), depth, items);
        }
    }

    fn record(&mut self, record: &Record, place: Place, path: &str, depth: u32, items: &mut Vec<Item>) {
        if record.is_union {
            let size = |field: &&Field| self.types.get(field.ty).size.unwrap_or(0);
            // The first of the largest members.
            let largest = record.fields.iter().rev().max_by_key(size);
            return largest.into_iter().for_each(|field| self.field(field, place, path, depth, items));
        }
        for field in &record.fields {
            self.field(field, place, path, depth, items);
        }
    }

    fn field(&mut self, field: &Field, place: Place, path: &str, depth: u32, items: &mut Vec<Item>) {
        let path = member_path(path, &field.name);
        let place = place.plus(field.offset_bits / 8);
        let Some(width) = field.bit_width else {
            return self.value(field.ty, place, &path, depth, items);
        };
        let kind = self.bit_field_kind(field.ty);
        if width > 0 && !field.name.is_empty() {
            self.leaf(place, field.offset_bits % 8, &path, u64::from(width), kind, items);
        }
    }

    fn bit_field_kind(&self, ty: TypeId) -> ValueKind {
        match self.types.kind(ty) {
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

    fn scalar(&mut self, place: Place, path: &str, bits: u64, kind: ValueKind, items: &mut Vec<Item>) {
        self.leaf(place, 0, path, bits, kind, items);
    }

    fn leaf(
        &mut self,
        place: Place,
        bit: u64,
        path: &str,
        bits: u64,
        kind: ValueKind,
        items: &mut Vec<Item>,
    ) -> Option<u64> {
        if self.blueprint.variables().len() >= self.limits.leaves {
            self.note(path, "the input has too many parts; it stays zero");
            return None;
        }
        let variable = Variable { name: path.to_string(), width: bits as u16, kind, default: 0 };
        let id = u64::from(self.blueprint.new_variable(self.variables, variable).0);
        items.push(Item::Step(place.step(StepOp::Variable, id, bit)));
        Some(id)
    }

    fn note(&mut self, path: &str, why: &str) {
        let note = format!("{path}: {why}");
        if self.blueprint.notes.len() < 20 && !self.blueprint.notes.contains(&note) {
            self.blueprint.notes.push(note);
        }
    }
}

/// Memory behind a pointer.
struct Object {
    size: u64,
    align: u64,
    elements: u64,
    /// Zeroed elements after them.
    zeros: u64,
    /// Written `p->field` rather than `p[0].field`.
    is_single: bool,
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

pub(crate) fn at_most(variable: u64, bound: u64) -> Step {
    Step { op: StepOp::AtMost as u32, slot: 0, offset: 0, a: variable, b: bound }
}

fn integer_kind(signed: bool) -> ValueKind {
    if signed { ValueKind::Signed } else { ValueKind::Unsigned }
}
