//! What a test can name, in the file that it includes.

use covet_source::{TypeId, TypeKind, Types};
use std::collections::BTreeSet;

/// What a test can name, and how.
pub struct Reachable<'a> {
    /// Records whose definitions it sees.
    pub records: &'a BTreeSet<TypeId>,
    /// Declared or defined in the included file.
    pub here: BTreeSet<&'a str>,
    /// Defined in another file, and not static.
    pub elsewhere: BTreeSet<&'a str>,
}

impl Reachable<'_> {
    /// Whether a variable of this type can be declared.
    pub fn sees(&self, types: &Types, ty: TypeId) -> bool {
        match types.kind(ty) {
            TypeKind::Record(_) => self.records.contains(&ty),
            TypeKind::Array { element, .. } | TypeKind::Vector { element, .. } => self.sees(types, *element),
            TypeKind::Void
            | TypeKind::Bool
            | TypeKind::Int { .. }
            | TypeKind::Char { .. }
            | TypeKind::Float { .. }
            | TypeKind::Enum(_)
            | TypeKind::Pointer { .. }
            | TypeKind::Function { .. }
            | TypeKind::Complex { .. }
            | TypeKind::Opaque => true,
        }
    }
}
