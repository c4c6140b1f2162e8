//! Values of an object whose type has no name here → its bytes in memory, and the pointers to be set in it.

use super::super::access::Node;
use super::{Builder, Place, Room, flexible_member};
use covet_input::AccessPath;
use covet_source::{Record, TypeId, TypeKind, Types};

/// Consecutive values of one type, with zeroed ones or the elements of a flexible member behind them.
#[derive(Clone, Copy)]
pub struct Object {
    pub element: TypeId,
    pub elements: u64,
    pub more: u64,
}

/// A pointer in such an object.
pub struct Pointer<'t> {
    /// In bytes from the start of the object.
    pub offset: u64,
    pub ty: TypeId,
    pub written: &'t str,
    /// The field it is, or the array of pointers that it is in.
    pub record: TypeId,
    pub field: &'t str,
    pub node: Option<&'t Node>,
    pub path: AccessPath,
}

impl Object {
    fn size(self, types: &Types) -> u64 {
        types.get(self.element).size.unwrap_or(1)
    }

    /// Its memory, pointers left NULL.
    pub fn bytes(self, types: &Types, node: Option<&Node>) -> Vec<u8> {
        let size = self.size(types);
        let length = match flexible_member(types, self.element) {
            Some(tail) => {
                let TypeKind::Array { element, .. } = types.kind(tail.ty) else { unreachable!() };
                size.max(tail.offset_bits / 8 + self.more * types.get(*element).size.unwrap_or(0))
            }
            None => size * (self.elements + self.more),
        };
        let mut memory = vec![0; length as usize];
        for index in 0..self.elements {
            if let Some(node) = node.and_then(|node| node.element(index)) {
                write(types, self.element, None, node, index * size * 8, &mut memory);
            }
        }
        memory
    }

    /// The pointers in it, in order.
    pub fn pointers<'t>(self, types: &'t Types, path: &AccessPath, node: Option<&'t Node>) -> Vec<Pointer<'t>> {
        let mut found = Vec::new();
        for index in 0..self.elements {
            let first = Pointer {
                offset: index * self.size(types),
                ty: self.element,
                written: &types.get(self.element).name,
                record: self.element,
                field: "",
                node: node.and_then(|node| node.element(index)),
                path: path.index(index),
            };
            collect(types, first, &mut found);
        }
        found
    }
}

/// `{ 1, 2, 0 }`
fn list(bytes: &[u8]) -> String {
    let used = bytes.iter().rposition(|&byte| byte != 0).map_or(1, |last| last + 1);
    let parts: Vec<String> = bytes.iter().take(used).map(u8::to_string).collect();
    format!("{{ {} }}", parts.join(", "))
}

fn collect<'t>(types: &'t Types, place: Pointer<'t>, found: &mut Vec<Pointer<'t>>) {
    match types.kind(place.ty) {
        TypeKind::Pointer { .. } => found.push(place),
        TypeKind::Record(record) => members(types, &place, record, found),
        TypeKind::Array { element, count: Some(count) } => {
            for index in 0..*count {
                let part = Pointer {
                    offset: place.offset + index * types.get(*element).size.unwrap_or(0),
                    ty: *element,
                    written: &types.get(*element).name,
                    node: place.node.and_then(|node| node.element(index)),
                    path: place.path.index(index),
                    ..place
                };
                collect(types, part, found);
            }
        }
        TypeKind::Array { .. }
        | TypeKind::Void
        | TypeKind::Bool
        | TypeKind::Int { .. }
        | TypeKind::Char { .. }
        | TypeKind::Float { .. }
        | TypeKind::Enum(_)
        | TypeKind::Function { .. }
        | TypeKind::Vector { .. }
        | TypeKind::Complex { .. }
        | TypeKind::Opaque => {}
    }
}

fn members<'t>(types: &'t Types, place: &Pointer<'t>, record: &'t Record, found: &mut Vec<Pointer<'t>>) {
    for field in &record.fields {
        let is_anonymous = field.name.is_empty();
        let part = Pointer {
            offset: place.offset + field.offset_bits / 8,
            ty: field.ty,
            // The name that the programmer wrote may not be known here either.
            written: &types.get(field.ty).name,
            record: place.ty,
            field: &field.name,
            node: if is_anonymous { place.node } else { place.node.and_then(|node| node.field(&field.name)) },
            path: place.path.member(&field.name),
        };
        collect(types, part, found);
    }
}

fn write(types: &Types, ty: TypeId, bit_width: Option<u32>, node: &Node, at: u64, memory: &mut [u8]) {
    let size = types.get(ty).size.unwrap_or(0);
    match types.kind(ty) {
        TypeKind::Array { element, .. } | TypeKind::Vector { element, .. } | TypeKind::Complex { element } => {
            let step = types.get(*element).size.unwrap_or(0) * 8;
            for index in 0..node.extent() {
                if let Some(node) = node.element(index) {
                    write(types, *element, None, node, at + index * step, memory);
                }
            }
        }
        TypeKind::Record(record) => {
            for field in &record.fields {
                if field.name.is_empty() {
                    write(types, field.ty, None, node, at + field.offset_bits, memory);
                } else if let Some(node) = node.field(&field.name) {
                    write(types, field.ty, field.bit_width, node, at + field.offset_bits, memory);
                }
            }
        }
        TypeKind::Pointer { .. } | TypeKind::Function { .. } | TypeKind::Void => {}
        TypeKind::Bool
        | TypeKind::Int { .. }
        | TypeKind::Char { .. }
        | TypeKind::Float { .. }
        | TypeKind::Enum(_)
        | TypeKind::Opaque => {
            let width = bit_width.map_or(size * 8, u64::from).min(128);
            if let Some(value) = node.take() {
                (0..width).for_each(|bit| set_bit(memory, at + bit, value.bits >> bit & 1 == 1));
            }
        }
    }
}

fn set_bit(memory: &mut [u8], at: u64, on: bool) {
    if let Some(byte) = memory.get_mut((at / 8) as usize) {
        let mask = 1 << (at % 8);
        *byte = if on { *byte | mask } else { *byte & !mask };
    }
}

impl Builder<'_> {
    /// `unsigned char p_value[8] = { ... };` for what has no name here, the pointers in it set one by one.
    pub(super) fn raw_object(&mut self, name: &str, place: Place<'_>, element: TypeId, room: Room) {
        let storage = self.name(&format!("{name}_value"));
        let object = Object { element, elements: room.elements, more: room.zeros };
        let bytes = object.bytes(self.types, place.node);
        let value = self.data.initializer(list(&bytes));
        self.lines.push(format!("unsigned char {storage}[{}] = {value};", bytes.len()));
        self.lines.push(format!("void *{name} = covtest_object({storage}, sizeof {storage});"));
        self.finished.insert(place.path.clone(), name.to_string());
        self.watch(name, None, 1, format!("sizeof {storage}"));
        for pointer in object.pointers(self.types, place.path, place.node) {
            let expression = format!("*(void **)((char *){name} + {})", pointer.offset);
            let declared = Place {
                ty: pointer.ty,
                written: pointer.written,
                bit_width: None,
                is_inferred: false,
                node: pointer.node,
                path: &pointer.path,
                expression: &expression,
            };
            let part = self.as_taken(declared, self.pointee_types.member(pointer.record, pointer.field));
            if !self.is_zero(part) {
                let value = self.initializer(part);
                self.lines.push(format!("{expression} = (void *){value};"));
            }
        }
    }
}
