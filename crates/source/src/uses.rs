//! The body of a function → what it mentions, and the types it takes `void *` parameters for.

use std::collections::{BTreeMap, BTreeSet};

use crate::clang::{Cursor, CursorKind, Shape, Ty};
use crate::lower::lower;
use crate::types::{TypeId, TypeKind, Types};

/// What a body says.
#[derive(Default)]
pub struct Uses {
    /// Functions and file-scope variables named in it.
    pub mentions: BTreeSet<String>,
    /// The pointers that `void *` variables are converted to, by name; the first that leads to more than bytes.
    pub taken_for: BTreeMap<String, TypeId>,
}

/// Reads the body of the function at `cursor`.
pub fn of(cursor: Cursor<'_>, types: &mut Types) -> Uses {
    let mut uses = Uses::default();
    let mut waiting = vec![cursor];
    while let Some(cursor) = waiting.pop() {
        if cursor.kind() == CursorKind::Reference {
            let target = cursor.referenced();
            if target.has_linkage() {
                uses.mentions.insert(cursor.name());
            }
            continue;
        }
        let children = cursor.children();
        if is_typed_pointer(cursor.ty())
            && let Some(name) = void_variable(&children)
        {
            let taken = lower(types, cursor.ty());
            let known = uses.taken_for.entry(name).or_insert(taken);
            if leads_to_bytes(types, *known) {
                *known = taken;
            }
        }
        // In the order of the text: the last is taken first.
        waiting.extend(children.into_iter().rev());
    }
    uses
}

/// A pointer to anything but `void` and functions.
fn is_typed_pointer(ty: Ty<'_>) -> bool {
    let ty = ty.canonical();
    ty.shape() == Shape::Pointer
        && !matches!(ty.pointee().canonical().shape(), Shape::Void | Shape::Function | Shape::FunctionWithoutPrototype)
}

fn leads_to_bytes(types: &Types, pointer: TypeId) -> bool {
    let TypeKind::Pointer { pointee, .. } = types.kind(pointer) else { return true };
    types.get(*pointee).size.is_none_or(|size| size <= 1)
}

/// The variable of type `void *` that is the only thing below a conversion.
fn void_variable(children: &[Cursor<'_>]) -> Option<String> {
    // A cast names its type before its operand.
    let operand = *children.last()?;
    if operand.kind() == CursorKind::Reference {
        let ty = operand.ty().canonical();
        let is_void = ty.shape() == Shape::Pointer && ty.pointee().canonical().shape() == Shape::Void;
        return is_void.then(|| operand.name());
    }
    if operand.kind() != CursorKind::Wrapping {
        return None;
    }
    void_variable(&operand.children())
}
