//! Pointers into one array, known by name: `p, end`; `start, cursor, end`; `buf, buf_end`.
//!
//! The first of them gets the array, whose length is an input of its own; the others point into it, the last one behind its last
//! element. So `p < end` is a question about that length.

use super::{At, Layout, Member};
use crate::blueprint::{Candidate, Length, Object, ObjectNumber, Part};
use crate::environment::Start;
use covet_abi::input::ValueKind;
use covet_abi::plan::Place;
use covet_input::{AccessPath, VarId, Variable};
use covet_source::{TypeId, TypeKind, Types};

/// What a pointer is in such a group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    Begin,
    /// Somewhere in the array that the member at this position begins.
    Cursor(usize),
    End(usize),
}

/// A pointer into the object of another pointer.
#[derive(Clone, Debug)]
pub(crate) struct Inside {
    pub place: Place,
    pub path: AccessPath,
    pub object: ObjectNumber,
    /// The choice of the pointer that the array belongs to: 1 when it is there.
    pub choice: VarId,
    pub at: VarId,
    pub length: VarId,
}

/// Bits of the length of such an array.
const LENGTH_BITS: u16 = 8;

/// The role of the member at `position`, if it is in such a group.
pub(crate) fn role(types: &Types, members: &[Member<'_>], position: usize) -> Option<Role> {
    for end in 0..members.len() {
        let Some(begin) = begin_of(types, members, end) else { continue };
        if position == begin {
            return Some(Role::Begin);
        }
        if position == end {
            return Some(Role::End(begin));
        }
        if (begin..end).contains(&position) {
            return Some(Role::Cursor(begin));
        }
    }
    None
}

/// The member that begins the array whose end the member at `end` is.
fn begin_of(types: &Types, members: &[Member<'_>], end: usize) -> Option<usize> {
    const WORDS: [&str; 7] = ["end", "limit", "stop", "bound", "eob", "lim", "e"];
    // Without the name of the array they could mean many things.
    const WEAK: [&str; 2] = ["lim", "e"];
    let element = element(types, members[end].ty)?;
    let is_alike = |at: usize| self::element(types, members[at].ty) == Some(element);
    let name = members[end].name.to_lowercase();
    let named = |at: usize| {
        let own = members[at].name.to_lowercase();
        let rest = name.strip_prefix(&own).or_else(|| name.strip_suffix(&own)).unwrap_or("").trim_matches('_');
        !own.is_empty() && WORDS.contains(&rest)
    };
    if let Some(begin) = (0..end).rev().find(|&at| is_alike(at) && named(at)) {
        // Others between them are not meant.
        return (begin + 1 == end).then_some(begin).or_else(|| (begin + 1..end).all(is_alike).then_some(begin));
    }
    if !WORDS.contains(&name.as_str()) || WEAK.contains(&name.as_str()) {
        return None;
    }
    let first = (0..end).rev().take_while(|&at| is_alike(at)).last()?;
    // Of more than three it is not clear which belong together.
    (end - first <= 2).then_some(first)
}

/// The type of the elements behind a pointer to numbers, characters or bytes.
fn element(types: &Types, pointer: TypeId) -> Option<TypeId> {
    let TypeKind::Pointer { pointee, .. } = types.kind(pointer) else { return None };
    match types.kind(*pointee) {
        TypeKind::Void
        | TypeKind::Bool
        | TypeKind::Char { .. }
        | TypeKind::Int { .. }
        | TypeKind::Float { .. }
        | TypeKind::Enum(_) => Some(*pointee),
        TypeKind::Pointer { .. }
        | TypeKind::Array { .. }
        | TypeKind::Record(_)
        | TypeKind::Function { .. }
        | TypeKind::Vector { .. }
        | TypeKind::Complex { .. }
        | TypeKind::Opaque => None,
    }
}

impl Layout<'_, '_> {
    /// The length of the array that the pointer at `path` begins.
    pub fn span(&mut self, pointer: TypeId, path: &AccessPath) -> Length {
        let limits = self.blueprint.environment.limits;
        let size = element(self.types(), pointer).and_then(|ty| self.types().get(ty).size).unwrap_or(1);
        let first = if size == 1 { limits.bytes } else { limits.elements };
        let default = if limits.start == Start::Alloc { first as u32 } else { 0 };
        Length::Span { variable: self.length_variable(path.length(), default), most: (1 << LENGTH_BITS) - 1 }
    }

    fn length_variable(&mut self, path: AccessPath, default: u32) -> VarId {
        let variable = Variable { name: path.into(), width: LENGTH_BITS, kind: ValueKind::Growth, default };
        self.variables.intern(variable)
    }

    /// A pointer into the array that the pointer at `begin` of the same part begins. False when there is none.
    pub fn inside(&mut self, begin: &AccessPath, is_end: bool, at: At<'_>, part: &mut Part) -> bool {
        let Some(pointer) = part.pointers.iter().find(|pointer| pointer.path == *begin) else { return false };
        let (choice, Some(Candidate::Object(object))) = (pointer.choice, pointer.candidates.first().cloned()) else {
            return false;
        };
        let Object { length: Length::Span { variable: length, .. }, .. } = self.blueprint.objects[object.0] else {
            return false;
        };
        let own = if is_end { length } else { self.length_variable(at.path.position(), 0) };
        let path = at.path.clone();
        part.insides.push(Inside { place: at.place, path, object, choice, at: own, length });
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::parse;

    fn roles(source: &str) -> Vec<Option<Role>> {
        let (types, unit) = parse(source);
        let parameters = &unit.function("f").unwrap().parameters;
        let members: Vec<_> =
            parameters.iter().map(|p| Member { counted_by: None, ..Member::of_parameter(p) }).collect();
        (0..members.len()).map(|at| role(&types, &members, at)).collect()
    }

    #[test]
    fn groups_are_known_by_name() {
        use Role::{Begin, Cursor, End};
        assert_eq!(roles("void f(const char *p, const char *end, int *end2) {}"), [Some(Begin), Some(End(0)), None]);
        assert_eq!(roles("void f(char *buf, const char *buf_end) {}"), [Some(Begin), Some(End(0))]);
        let three = [Some(Begin), Some(Cursor(0)), Some(End(0))];
        assert_eq!(roles("void f(int *start, int *at, int *limit) {}"), three);
        assert_eq!(roles("struct n { struct n *next; }; void f(struct n *first, struct n *last) {}"), [None, None]);
        assert_eq!(roles("void f(char *to, const char *from) {}"), [None, None]);
        assert_eq!(roles("void f(char *s, char **end) {}"), [None, None]);
        assert_eq!(roles("void f(char *first, char *last, double *d, double *e) {}"), [None; 4]);
    }
}
