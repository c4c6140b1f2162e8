//! Which places of a test hold nothing but zeros, and need not be written.

use super::super::access::Node;
use super::{Builder, Place};
use covet_input::{AccessPath, Pointee};
use covet_source::TypeKind;

impl Builder<'_> {
    /// Whether the place holds zeros only: no value, and no pointer to anything.
    pub fn is_zero(&self, place: Place<'_>) -> bool {
        if self.has_pointer(place.path) {
            return false;
        }
        let Some(node) = place.node else { return true };
        let is_pointer = matches!(self.types.kind(place.ty), TypeKind::Pointer { .. });
        node.value.is_none_or(|value| value.bits == 0)
            && if is_pointer { node.extent() == 0 } else { self.parts_are_zero(place, node) }
    }

    fn parts_are_zero(&self, place: Place<'_>, node: &Node) -> bool {
        match self.types.kind(place.ty) {
            TypeKind::Array { element, .. } | TypeKind::Vector { element, .. } => (0..node.extent()).all(|index| {
                let path = place.path.index(index);
                self.is_zero(Place { ty: *element, node: node.element(index), path: &path, ..place })
            }),
            TypeKind::Record(record) => record.fields.iter().all(|field| {
                if field.name.is_empty() {
                    return self.parts_are_zero(Place { ty: field.ty, ..place }, node);
                }
                let path = place.path.member(&field.name);
                self.is_zero(Place { ty: field.ty, node: node.field(&field.name), path: &path, ..place })
            }),
            TypeKind::Complex { .. } => false,
            TypeKind::Void
            | TypeKind::Bool
            | TypeKind::Int { .. }
            | TypeKind::Char { .. }
            | TypeKind::Float { .. }
            | TypeKind::Enum(_)
            | TypeKind::Pointer { .. }
            | TypeKind::Function { .. }
            | TypeKind::Opaque => true,
        }
    }

    /// Whether this place, or one below it, is a pointer known to lead somewhere.
    pub fn has_pointer(&self, path: &AccessPath) -> bool {
        self.pointers_below(path).any(|(_, pointee)| *pointee != Pointee::Null)
    }
}
