//! libclang type → entry of the type table.
//!
//! Every type gets a key that is equal exactly for equal types: scalars by spelling, compounds by the ids of their parts,
//! records by name, place and layout (so that one header's struct is one type in all units). Records are entered before their
//! fields are looked at, so recursive types end.

use std::fmt::Write as _;

use crate::clang::{Cursor, CursorKind, Shape, Ty};
use crate::types::{Enum, Field, Record, Type, TypeId, TypeKind, Types};

/// The id of `ty` in the table, entering it and all it refers to.
pub fn lower(types: &mut Types, ty: Ty<'_>) -> TypeId {
    let ty = ty.canonical().unqualified();
    match ty.shape() {
        Shape::Pointer => pointer(types, ty),
        Shape::Record => record(types, ty),
        Shape::Enum => enumeration(types, ty),
        Shape::Function | Shape::FunctionWithoutPrototype => function(types, ty),
        Shape::ConstantArray | Shape::IncompleteArray | Shape::VariableArray => array(types, ty),
        Shape::Complex => complex(types, ty),
        Shape::Vector => vector(types, ty),
        // `_Atomic T` is represented like `T`.
        Shape::Atomic => lower(types, ty.value()),
        Shape::Void => scalar(types, ty, TypeKind::Void),
        Shape::Bool => scalar(types, ty, TypeKind::Bool),
        Shape::Char { signed } => scalar(types, ty, TypeKind::Char { signed }),
        Shape::Int { signed } => scalar(types, ty, TypeKind::Int { signed, width: bits(ty) }),
        Shape::Float => scalar(types, ty, TypeKind::Float { width: bits(ty) }),
        Shape::LongDouble => scalar(types, ty, TypeKind::Float { width: long_double_width(bits(ty)) }),
        Shape::Other => scalar(types, ty, TypeKind::Opaque),
    }
}

/// What a parameter of type `ty` really is: arrays and functions are passed as pointers.
pub fn lower_parameter(types: &mut Types, ty: Ty<'_>) -> TypeId {
    let canonical = ty.canonical();
    let pointee = match canonical.shape() {
        shape if shape.is_array() => lower(types, canonical.array_element()),
        Shape::Function | Shape::FunctionWithoutPrototype => lower(types, canonical),
        _ => return lower(types, ty),
    };
    pointer_to(types, pointee, is_const(canonical))
}

/// For a pointer to rows of variable length (`double a[n][n]`), whose type has no name outside the function: a pointer to what
/// the rows are made of.
pub fn lower_rows<'t>(types: &mut Types, ty: Ty<'t>) -> Option<TypeId> {
    let canonical = ty.canonical();
    let row = match canonical.shape() {
        shape if shape.is_array() => canonical.array_element(),
        Shape::Pointer => canonical.pointee(),
        _ => return None,
    };
    let nested = |ty: &Ty<'t>| ty.shape().is_array().then(|| ty.array_element().canonical());
    let dimensions: Vec<Ty<'t>> = std::iter::successors(Some(row.canonical()), nested).collect();
    let element = *dimensions.last()?;
    let is_variable = dimensions.iter().any(|ty| ty.shape() == Shape::VariableArray);
    is_variable.then(|| {
        let element_id = lower(types, element);
        pointer_to(types, element_id, is_const(element))
    })
}

fn pointer(types: &mut Types, ty: Ty<'_>) -> TypeId {
    let pointee = lower(types, ty.pointee());
    pointer_to(types, pointee, is_const(ty.pointee()))
}

fn pointer_to(types: &mut Types, pointee: TypeId, is_const: bool) -> TypeId {
    let name = pointer_name(types.get(pointee), is_const);
    let kind = TypeKind::Pointer { pointee, is_const };
    enter(types, format!("pointer {is_const} {}", pointee.0), name, (Some(8), Some(8)), kind)
}

/// The C spelling of a pointer to `pointee`: the star goes inside the spelling of arrays and functions.
fn pointer_name(pointee: &Type, is_const: bool) -> String {
    let name = &pointee.name;
    let const_word = if is_const { "const " } else { "" };
    match &pointee.kind {
        TypeKind::Pointer { .. } => format!("{name}{}*", const_word),
        TypeKind::Array { .. } => match name.find('[') {
            Some(at) => format!("{const_word}{} (*){}", &name[..at], &name[at..]),
            None => format!("{const_word}{name} *"),
        },
        TypeKind::Function { .. } => match name.find(" (") {
            Some(at) => format!("{} (*){}", &name[..at], &name[at + 1..]),
            None => format!("{name} *"),
        },
        TypeKind::Void
        | TypeKind::Bool
        | TypeKind::Int { .. }
        | TypeKind::Char { .. }
        | TypeKind::Float { .. }
        | TypeKind::Enum(_)
        | TypeKind::Record(_)
        | TypeKind::Vector { .. }
        | TypeKind::Complex { .. }
        | TypeKind::Opaque => format!("{const_word}{name} *"),
    }
}

/// `const` of an array is `const` of its elements.
pub fn is_const(ty: Ty<'_>) -> bool {
    let canonical = ty.canonical();
    canonical.is_const() || (canonical.shape().is_array() && is_const(canonical.array_element()))
}

fn array(types: &mut Types, ty: Ty<'_>) -> TypeId {
    let element = lower(types, ty.array_element());
    let count = if ty.shape() == Shape::ConstantArray { ty.count() } else { None };
    let layout = (if count.is_some() { ty.size() } else { None }, types.get(element).align);
    let key = format!("array {} {count:?}", element.0);
    enter(types, key, ty.spelling(), layout, TypeKind::Array { element, count })
}

fn function(types: &mut Types, ty: Ty<'_>) -> TypeId {
    let result = lower(types, ty.result());
    let parameters: Vec<TypeId> = ty.parameters().into_iter().map(|p| lower_parameter(types, p)).collect();
    let variadic = ty.is_variadic();
    let key = format!("function {} {parameters:?} {variadic}", result.0);
    enter(types, key, ty.spelling(), (None, None), TypeKind::Function { result, parameters, variadic })
}

fn vector(types: &mut Types, ty: Ty<'_>) -> TypeId {
    let element = lower(types, ty.element());
    let count = ty.count().unwrap_or(0);
    let key = format!("vector {} {count}", element.0);
    enter(types, key, ty.spelling(), layout_of(ty), TypeKind::Vector { element, count })
}

fn complex(types: &mut Types, ty: Ty<'_>) -> TypeId {
    let element = lower(types, ty.element());
    enter(types, format!("complex {}", element.0), ty.spelling(), layout_of(ty), TypeKind::Complex { element })
}

fn enumeration(types: &mut Types, ty: Ty<'_>) -> TypeId {
    // Declared only (`enum later *p;`): libclang must not be asked what integer is behind it.
    if ty.size().is_none() {
        return scalar(types, ty, TypeKind::Opaque);
    }
    let declaration = ty.declaration();
    let underlying = lower(types, declaration.enum_integer());
    let signed = match types.kind(underlying) {
        TypeKind::Int { signed, .. } | TypeKind::Char { signed } => *signed,
        TypeKind::Bool
        | TypeKind::Void
        | TypeKind::Float { .. }
        | TypeKind::Enum(_)
        | TypeKind::Pointer { .. }
        | TypeKind::Array { .. }
        | TypeKind::Record(_)
        | TypeKind::Function { .. }
        | TypeKind::Vector { .. }
        | TypeKind::Complex { .. }
        | TypeKind::Opaque => false,
    };
    let constants: Vec<(String, i128)> = (declaration.children().into_iter())
        .filter(|child| child.kind() == CursorKind::EnumConstant)
        .map(|constant| (constant.name(), constant.enum_value(signed)))
        .collect();
    let key = format!("enum {} {} {constants:?}", ty.spelling(), underlying.0);
    enter(types, key, ty.spelling(), layout_of(ty), TypeKind::Enum(Enum { underlying, constants }))
}

fn record(types: &mut Types, ty: Ty<'_>) -> TypeId {
    let declaration = ty.declaration();
    let is_union = declaration.kind() == CursorKind::Union;
    let complete = ty.size().is_some();
    let fields = if complete { ty.fields() } else { Vec::new() };
    let key = record_key(ty, declaration, &fields);
    if let Some(id) = types.find(&key) {
        if complete && types.see(id) {
            // Known from another unit, which need not see what this one does.
            for field in fields {
                lower(types, field.ty());
            }
        }
        return id;
    }
    let (size, align) = if complete { layout_of(ty) } else { (None, None) };
    let kind = TypeKind::Record(Record { is_union, complete: false, fields: Vec::new() });
    let id = types.add(key, Type { name: ty.spelling(), size, align, kind });
    if complete {
        types.see(id);
        let fields = fields.into_iter().filter_map(|cursor| field(types, cursor)).collect();
        types.complete(id, fields);
    }
    id
}

fn field(types: &mut Types, cursor: Cursor<'_>) -> Option<Field> {
    let name = member_name(cursor);
    let bit_width = cursor.bit_width();
    if bit_width.is_some() && name.is_empty() {
        // Padding.
        return None;
    }
    Some(Field {
        name,
        offset_bits: cursor.field_offset()?,
        bit_width,
        ty: lower(types, cursor.ty()),
        type_name: cursor.ty().spelling(),
        counted_by: None,
    })
}

/// libclang describes an anonymous member by its place; it has no name.
fn member_name(cursor: Cursor<'_>) -> String {
    let name = cursor.name();
    if name.contains('(') { String::new() } else { name }
}

fn record_key(ty: Ty<'_>, declaration: Cursor<'_>, fields: &[Cursor<'_>]) -> String {
    let name = ty.spelling();
    if fields.is_empty() && ty.size().is_none() {
        return format!("incomplete {name}");
    }
    let place = declaration.start();
    let mut key = format!("record {name} {}:{}:{} {:?}", place.file, place.line, place.column, layout_of(ty));
    for field in fields {
        let _ = write!(key, ";{:?} {} {}", field.field_offset(), field.name(), field.ty().canonical().spelling());
    }
    key
}

fn scalar(types: &mut Types, ty: Ty<'_>, kind: TypeKind) -> TypeId {
    let layout = if kind == TypeKind::Void { (None, None) } else { layout_of(ty) };
    let name = ty.spelling();
    enter(types, format!("scalar {name}"), name, layout, kind)
}

fn bits(ty: Ty<'_>) -> u32 {
    ty.size().unwrap_or(0) as u32 * 8
}

/// The x87 format fills ten of its sixteen bytes; on other machines `long double` fills all of its 64 or 128 bits.
fn long_double_width(bits: u32) -> u32 {
    if cfg!(target_arch = "x86_64") && bits == 128 { 80 } else { bits }
}

fn layout_of(ty: Ty<'_>) -> (Option<u64>, Option<u64>) {
    (ty.size(), ty.align())
}

fn enter(
    types: &mut Types,
    key: String,
    name: String,
    (size, align): (Option<u64>, Option<u64>),
    kind: TypeKind,
) -> TypeId {
    types.find(&key).unwrap_or_else(|| types.add(key, Type { name, size, align, kind }))
}
