//! The type of a callback → which of its parameters is a buffer that it is to fill, and which say how large that is and how much it got.
//!
//! `int read(void *context, char *buffer, int size)`; `size_t read(void *buffer, size_t size, size_t count, void *context)`;
//! `int read(void *context, unsigned char *buffer, size_t size, size_t *got)`.

use crate::types::{TypeId, TypeKind, Types};

/// Parameters by their positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fill {
    pub buffer: usize,
    pub size: usize,
    /// How many of that size.
    pub times: Option<usize>,
    /// Where the number of bytes goes.
    pub got: Option<usize>,
}

/// What functions of this type are to fill, if anything.
pub fn fill_of(types: &Types, function: TypeId) -> Option<Fill> {
    let TypeKind::Function { parameters, .. } = types.kind(function) else { return None };
    let is_size = |at: usize| {
        let kind = parameters.get(at).map(|ty| types.kind(*ty));
        matches!(kind, Some(TypeKind::Int { width: 32 | 64, .. }))
    };
    let buffer = (0..parameters.len()).find(|&at| is_bytes(types, parameters[at]) && is_size(at + 1))?;
    let size = buffer + 1;
    let times = Some(size + 1).filter(|&at| is_size(at) && parameters[at] == parameters[size]);
    let after = times.unwrap_or(size) + 1;
    let got = (after..parameters.len()).find(|&at| leads_to_size(types, parameters[at]));
    Some(Fill { buffer, size, times, got })
}

/// A pointer to bytes that may be written.
fn is_bytes(types: &Types, ty: TypeId) -> bool {
    let TypeKind::Pointer { pointee, is_const: false } = types.kind(ty) else { return false };
    matches!(types.kind(*pointee), TypeKind::Void | TypeKind::Char { .. } | TypeKind::Int { width: 8, .. })
}

fn leads_to_size(types: &Types, ty: TypeId) -> bool {
    let TypeKind::Pointer { pointee, is_const: false } = types.kind(ty) else { return false };
    matches!(types.kind(*pointee), TypeKind::Int { width: 64, .. })
}

/// The general-purpose register that the parameter at a position comes in; none when it does not, or nothing can be said.
pub fn register_of(types: &Types, function: TypeId, position: usize) -> Option<u8> {
    const REGISTERS: usize = 6;
    let TypeKind::Function { parameters, .. } = types.kind(function) else { return None };
    let mut register = 0;
    for (at, parameter) in parameters.iter().enumerate() {
        let is_word = match types.kind(*parameter) {
            TypeKind::Bool
            | TypeKind::Char { .. }
            | TypeKind::Int { width: ..=64, .. }
            | TypeKind::Enum(_)
            | TypeKind::Pointer { .. } => true,
            TypeKind::Float { width: 32 | 64 } => false,
            TypeKind::Void
            | TypeKind::Int { .. }
            | TypeKind::Float { .. }
            | TypeKind::Array { .. }
            | TypeKind::Record(_)
            | TypeKind::Function { .. }
            | TypeKind::Vector { .. }
            | TypeKind::Complex { .. }
            | TypeKind::Opaque => return None,
        };
        if at == position {
            return (is_word && register < REGISTERS).then_some(register as u8);
        }
        register += usize::from(is_word);
    }
    None
}
