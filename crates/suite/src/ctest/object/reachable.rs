//! What a test can name, in the file that it includes.

use covet_source::{TypeId, TypeKind, Types, spelling};
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
    /// The type as which a variable of another file can be declared here, where names of types and constants may mean nothing.
    pub fn spelling(&self, types: &Types, ty: TypeId) -> Option<(TypeId, String)> {
        let name = &types.get(ty).name;
        let spelled = || (self.sees(types, ty) && spelling::is_speakable(name)).then(|| (ty, name.clone()));
        match types.kind(ty) {
            TypeKind::Enum(values) => Some((values.underlying, types.get(values.underlying).name.clone())),
            TypeKind::Pointer { pointee, .. } if !self.can_name(types, *pointee) => Some((ty, "void *".to_string())),
            TypeKind::Array { element, .. } | TypeKind::Vector { element, .. } if !self.can_name(types, *element) => {
                None
            }
            TypeKind::Void
            | TypeKind::Bool
            | TypeKind::Int { .. }
            | TypeKind::Char { .. }
            | TypeKind::Float { .. }
            | TypeKind::Pointer { .. }
            | TypeKind::Array { .. }
            | TypeKind::Record(_)
            | TypeKind::Function { .. }
            | TypeKind::Vector { .. }
            | TypeKind::Complex { .. }
            | TypeKind::Opaque => spelled(),
        }
    }

    /// Whether the names in a type mean something here.
    fn can_name(&self, types: &Types, ty: TypeId) -> bool {
        match types.kind(ty) {
            TypeKind::Pointer { pointee: inner, .. }
            | TypeKind::Array { element: inner, .. }
            | TypeKind::Vector { element: inner, .. } => self.can_name(types, *inner),
            TypeKind::Record(_) => self.records.contains(&ty),
            // Only a look at each of its types could tell.
            TypeKind::Function { .. } | TypeKind::Enum(_) | TypeKind::Opaque => false,
            TypeKind::Void
            | TypeKind::Bool
            | TypeKind::Int { .. }
            | TypeKind::Char { .. }
            | TypeKind::Float { .. }
            | TypeKind::Complex { .. } => true,
        }
    }

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
