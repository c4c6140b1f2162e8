//! The body of a function → what it mentions, and the types it takes pointers and variable arguments for.

use std::collections::BTreeSet;

use crate::clang::{Cursor, CursorKind, Shape, Ty};
use crate::counts::Counts;
use crate::facts::Facts;
use crate::letters;
use crate::lower::lower;
use crate::passed;
use crate::types::{TypeId, TypeKind, Types};
use crate::unit::{Conversion, HandedOn, Origin, Passed};

/// What a body says.
#[derive(Default)]
pub struct Uses {
    /// Functions and file-scope variables named in it.
    pub mentions: BTreeSet<String>,
    /// Members of records named in it.
    pub members: BTreeSet<String>,
    /// Sizes of the arrays of characters named in it, and of what it allocates where that is always as much.
    pub rooms: BTreeSet<u64>,
    pub conversions: Vec<Conversion>,
    pub handed_on: Vec<HandedOn>,
    /// Which variables and fields are used as lengths of which.
    pub counts: Counts,
    /// Variables whose characters are tested for zero, or that are given to functions which do that.
    pub texts: BTreeSet<String>,
    /// Variables whose pointees it writes to.
    pub written: BTreeSet<String>,
    /// Arrays that it passes to others.
    pub passed: Vec<Passed>,
    /// What `va_arg` reads, in the order of the text.
    pub va_arg_types: Vec<TypeId>,
    /// What its switches do at characters.
    pub cases: Vec<letters::Case>,
    pub facts: Facts,
}

/// Reads the body of the function at `cursor`.
pub fn of(cursor: Cursor<'_>, types: &mut Types) -> Uses {
    let mut uses = Uses::default();
    let mut waiting = vec![cursor];
    while let Some(cursor) = waiting.pop() {
        let children = cursor.children();
        uses.counts.look_at(cursor, &children, types);
        uses.facts.look_at(cursor, &children, types);
        uses.rooms.extend(room(cursor));
        match cursor.kind() {
            CursorKind::Reference => {
                if cursor.referenced().has_linkage() {
                    uses.mentions.insert(cursor.name());
                }
            }
            CursorKind::Wrapping | CursorKind::Cast => uses.conversions.extend(conversion(cursor, types)),
            CursorKind::Call => {
                let handed_on = handed_on(cursor, types);
                uses.texts.extend(handed_on.iter().filter_map(given_as_text));
                uses.written.extend(handed_on.iter().filter_map(given_to_write));
                uses.handed_on.extend(handed_on);
                uses.passed.extend(passed::of(cursor));
                uses.rooms.extend(allocated(cursor));
            }
            CursorKind::Assignment | CursorKind::Change => {
                uses.written.extend(children.first().and_then(|target| tested(*target)));
            }
            CursorKind::Switch => uses.cases.extend(letters::of(cursor, types)),
            CursorKind::Member => drop(uses.members.insert(cursor.name())),
            CursorKind::Test => uses.texts.extend(children.iter().filter_map(|child| tested(*child))),
            CursorKind::Union
            | CursorKind::EnumConstant
            | CursorKind::Function
            | CursorKind::Variable
            | CursorKind::Subscript
            | CursorKind::Comparison
            | CursorKind::Sum
            | CursorKind::Difference
            | CursorKind::Dereference
            | CursorKind::AddressOf
            | CursorKind::Return
            | CursorKind::Text
            | CursorKind::Case
            | CursorKind::Other => {}
        }
        if is_va_arg(cursor, &children) {
            uses.va_arg_types.push(lower(types, cursor.ty()));
        }
        // In the order of the text: the last is taken first.
        waiting.extend(children.into_iter().rev());
    }
    uses.facts.settle();
    uses
}

/// Functions and file-scope variables named below `cursor`.
pub fn mentioned(cursor: Cursor<'_>) -> BTreeSet<String> {
    let mut mentions = BTreeSet::new();
    let mut waiting = vec![cursor];
    while let Some(cursor) = waiting.pop() {
        if cursor.kind() == CursorKind::Reference && cursor.referenced().has_linkage() {
            mentions.insert(cursor.name());
        }
        waiting.extend(cursor.children());
    }
    mentions
}

/// A conversion of a pointer whose type tells little, or something else, into one that leads to more than bytes.
fn conversion(cursor: Cursor<'_>, types: &mut Types) -> Option<Conversion> {
    if !is_typed_pointer(cursor.ty()) {
        return None;
    }
    let (from, source) = origin(cursor, types)?;
    let to = lower(types, cursor.ty());
    let pointee = |types: &Types, pointer| match types.kind(pointer) {
        TypeKind::Pointer { pointee, .. } => Some(*pointee),
        _ => None,
    };
    let (old, new) = (pointee(types, source)?, pointee(types, to)?);
    let leads_further = match (types.kind(old), types.kind(new)) {
        (TypeKind::Void, _) => types.get(new).size.is_some_and(|size| size > 1),
        (TypeKind::Record(_), TypeKind::Record(_)) => old != new,
        _ => false,
    };
    leads_further.then_some(Conversion { from, old, to })
}

/// The size of the array of characters that an expression names.
fn room(cursor: Cursor<'_>) -> Option<u64> {
    if !matches!(cursor.kind(), CursorKind::Reference | CursorKind::Member) {
        return None;
    }
    let array = cursor.ty().canonical();
    let is_room = array.shape() == Shape::ConstantArray && array.element().size() == Some(1);
    array.count().filter(|_| is_room)
}

/// What a call that gives a pointer back may allocate: the number that it is given, where that is always the same.
fn allocated(call: Cursor<'_>) -> Option<u64> {
    let gives_memory = matches!(call.ty().canonical().shape(), Shape::Pointer);
    let [size] = call.arguments()[..] else { return None };
    let bytes = if gives_memory { size.number()? } else { return None };
    u64::try_from(bytes).ok().filter(|bytes| SIZES.contains(bytes))
}

/// Numbers that are sizes of texts rather than anything else.
const SIZES: std::ops::RangeInclusive<u64> = 16..=1 << 16;

/// Pointers that a call is given as they are.
fn handed_on(call: Cursor<'_>, types: &mut Types) -> Vec<HandedOn> {
    let callee = call.name();
    let given = call.arguments().into_iter().enumerate();
    let named = given.filter_map(|(argument, value)| {
        let (from, _) = origin(value, types)?;
        Some(HandedOn { from, callee: callee.clone(), argument })
    });
    named.collect()
}

/// `va_arg(list, type)`: an expression of that type which wraps nothing but a list.
pub(crate) fn is_va_arg(cursor: Cursor<'_>, children: &[Cursor<'_>]) -> bool {
    let is_list = |ty: Ty<'_>| ty.canonical().spelling().contains(VA_LIST);
    let [.., list] = children else { return false };
    cursor.kind() == CursorKind::Wrapping && is_list(list.ty()) && !is_list(cursor.ty())
}

/// The record behind `va_list`.
pub(crate) const VA_LIST: &str = "__va_list_tag";

/// A pointer to anything but `void` and functions.
fn is_typed_pointer(ty: Ty<'_>) -> bool {
    let ty = ty.canonical();
    ty.shape() == Shape::Pointer
        && !matches!(ty.pointee().canonical().shape(), Shape::Void | Shape::Function | Shape::FunctionWithoutPrototype)
}

/// The pointer variable or member that is the only thing below conversions, and its type.
fn origin(cursor: Cursor<'_>, types: &mut Types) -> Option<(Origin, TypeId)> {
    match cursor.kind() {
        // A cast names its type before its operand.
        CursorKind::Wrapping | CursorKind::Cast => origin(*cursor.children().last()?, types),
        CursorKind::Reference if is_pointer(cursor) => {
            Some((Origin::Variable(cursor.name()), lower(types, cursor.ty())))
        }
        CursorKind::Member if is_pointer(cursor) => {
            let record = lower(types, cursor.referenced().parent().ty());
            Some((Origin::Member { record, field: cursor.name() }, lower(types, cursor.ty())))
        }
        CursorKind::Reference
        | CursorKind::Member
        | CursorKind::Union
        | CursorKind::EnumConstant
        | CursorKind::Function
        | CursorKind::Variable
        | CursorKind::Call
        | CursorKind::Subscript
        | CursorKind::Comparison
        | CursorKind::Sum
        | CursorKind::Difference
        | CursorKind::Dereference
        | CursorKind::AddressOf
        | CursorKind::Assignment
        | CursorKind::Change
        | CursorKind::Return
        | CursorKind::Text
        | CursorKind::Test
        | CursorKind::Switch
        | CursorKind::Case
        | CursorKind::Other => None,
    }
}

/// Functions of the library that read a text to its end, and which of their arguments that is.
const READERS: [(&str, &[usize]); 24] = [
    ("strlen", &[0]),
    ("strcmp", &[0, 1]),
    ("strcasecmp", &[0, 1]),
    ("strcoll", &[0, 1]),
    ("strcpy", &[1]),
    ("strcat", &[0, 1]),
    ("strncat", &[0]),
    ("strlcpy", &[1]),
    ("strchr", &[0]),
    ("strrchr", &[0]),
    ("strstr", &[0, 1]),
    ("strspn", &[0, 1]),
    ("strcspn", &[0, 1]),
    ("strpbrk", &[0, 1]),
    ("strdup", &[0]),
    ("strtok", &[1]),
    ("puts", &[0]),
    ("fputs", &[0]),
    ("atoi", &[0]),
    ("atol", &[0]),
    ("atof", &[0]),
    ("strtol", &[0]),
    ("strtoul", &[0]),
    ("fopen", &[0, 1]),
];

fn given_as_text(handed: &HandedOn) -> Option<String> {
    let Origin::Variable(name) = &handed.from else { return None };
    let read = READERS.iter().any(|(reader, at)| *reader == handed.callee && at.contains(&handed.argument));
    read.then(|| name.clone())
}

fn given_to_write(handed: &HandedOn) -> Option<String> {
    let Origin::Variable(name) = &handed.from else { return None };
    let writes = passed::WRITERS.iter().any(|(writer, at)| *writer == handed.callee && *at == handed.argument);
    writes.then(|| name.clone())
}

/// The variable of `*p`, `*p++` and `p[i]`.
fn tested(mut cursor: Cursor<'_>) -> Option<String> {
    while cursor.kind() == CursorKind::Wrapping {
        cursor = cursor.children().into_iter().next()?;
    }
    if !matches!(cursor.kind(), CursorKind::Dereference | CursorKind::Subscript) {
        return None;
    }
    cursor = cursor.children().into_iter().next()?;
    // Conversions, and the step of `*p++`.
    while matches!(cursor.kind(), CursorKind::Wrapping | CursorKind::Change | CursorKind::Other) {
        cursor = cursor.children().into_iter().next()?;
    }
    (cursor.kind() == CursorKind::Reference).then(|| cursor.name())
}

fn is_pointer(cursor: Cursor<'_>) -> bool {
    cursor.ty().canonical().shape() == Shape::Pointer
}
