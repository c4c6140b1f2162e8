//! Values of an object whose type has no name → its bytes in memory.
//!
//! Pointers inside such an object are NULL.

use super::access::Node;
use covet_source::{TypeId, TypeKind, Types};

/// The memory of `elements` consecutive values of type `ty`.
pub fn bytes(types: &Types, ty: TypeId, node: Option<&Node>, elements: u64) -> Vec<u8> {
    let size = types.get(ty).size.unwrap_or(1);
    let mut memory = vec![0; (size * elements) as usize];
    if let Some(node) = node {
        for index in 0..elements {
            if let Some(node) = node.element(index) {
                write(types, ty, None, node, index * size * 8, &mut memory);
            }
        }
    }
    memory
}

/// `{ 1, 2, 0 }`
pub fn list(bytes: &[u8]) -> String {
    let used = bytes.iter().rposition(|&byte| byte != 0).map_or(1, |last| last + 1);
    let parts: Vec<String> = bytes.iter().take(used).map(u8::to_string).collect();
    format!("{{ {} }}", parts.join(", "))
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
