//! The value of a place as a C initializer: scalars, strings, lists, structures by their members.

use super::super::access::Node;
use super::super::literal;
use super::{Builder, Place};
use covet_input::{AccessPath, PathStep};
use covet_source::{Field, Record, TypeId, TypeKind, Types, spelling};

impl<'a> Builder<'a> {
    /// The initializer (or expression, for scalars) for a place.
    pub fn initializer(&mut self, place: Place<'_>) -> String {
        match self.types.kind(place.ty) {
            TypeKind::Pointer { pointee, .. } => self.pointer(place, *pointee),
            TypeKind::Array { element, count } => self.array(place, *element, count.unwrap_or(0)),
            TypeKind::Vector { element, count } => self.array(place, *element, *count),
            TypeKind::Record(record) => self.record(place, record),
            TypeKind::Complex { element } => self.complex(place, *element),
            TypeKind::Void
            | TypeKind::Bool
            | TypeKind::Int { .. }
            | TypeKind::Char { .. }
            | TypeKind::Float { .. }
            | TypeKind::Enum(_)
            | TypeKind::Function { .. }
            | TypeKind::Opaque => match place.node.and_then(Node::take) {
                Some(value) => literal::scalar(self.types, place.ty, place.bit_width, value),
                None => "0".to_string(),
            },
        }
    }

    fn array(&mut self, place: Place<'_>, element: TypeId, count: u64) -> String {
        let written = element_written(self.types, place.written, element);
        self.sequence(Place { ty: place.ty, ..place }, element, count, place.expression, &written)
    }

    /// `{ a, b, c }` for consecutive elements, or a string literal.
    pub(super) fn sequence(
        &mut self,
        place: Place<'_>,
        element: TypeId,
        count: u64,
        expression: &str,
        written: &str,
    ) -> String {
        if let Some(text) = self.text(place.node, element, count) {
            return text;
        }
        let mut parts = Vec::new();
        let mut next = 0;
        let named = place.node.map_or(0, Node::extent).max(self.pointer_extent(place.path)).min(count);
        for index in 0..named {
            let node = place.node.and_then(|node| node.element(index));
            let path = place.path.index(index);
            let below = format!("{expression}[{index}]");
            let part = Place {
                ty: element,
                written,
                bit_width: None,
                is_inferred: false,
                node,
                path: &path,
                expression: &below,
            };
            if self.is_zero(part) {
                if let Some(node) = node {
                    node.take_all();
                }
                continue;
            }
            let value = self.initializer(part);
            // A gap of zeros is skipped by naming the next index.
            parts.push(if index == next { value } else { format!("[{index}] = {value}") });
            next = index + 1;
        }
        braces(&parts)
    }

    /// One more than the highest element of `path` that is, or holds, a known pointer.
    pub fn pointer_extent(&self, path: &AccessPath) -> u64 {
        let indices = self.pointers_below(path).filter_map(|(steps, _)| match steps {
            [PathStep::Index(index), ..] => Some(*index),
            _ => None,
        });
        indices.max().map_or(0, |index| index + 1)
    }

    fn text(&self, node: Option<&Node>, element: TypeId, count: u64) -> Option<String> {
        let is_char = match self.types.kind(element) {
            TypeKind::Char { .. } | TypeKind::Void => true,
            TypeKind::Int { width, .. } => *width == 8,
            TypeKind::Bool
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
        let node = node.filter(|_| is_char && count > 1)?;
        let bytes = node.bytes(count);
        let used = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
        literal::is_text(&bytes[..used]).then(|| literal::string(&bytes[..used]))
    }

    fn record(&mut self, place: Place<'_>, record: &Record) -> String {
        if self.is_zero(place) {
            if let Some(node) = place.node {
                node.take_all();
            }
            return "{ 0 }".to_string();
        }
        let mut parts = Vec::new();
        self.fields(place, record, &mut parts);
        braces(&parts)
    }

    fn fields(&mut self, place: Place<'_>, record: &Record, parts: &mut Vec<String>) {
        for field in chosen_fields(self, place, record) {
            if field.name.is_empty() {
                if let TypeKind::Record(inner) = self.types.kind(field.ty) {
                    self.fields(Place { ty: field.ty, ..place }, inner, parts);
                }
                continue;
            }
            let path = place.path.member(&field.name);
            let expression = format!("{}.{}", place.expression, field.name);
            let part = self.part(place, field, &path, &expression);
            if part.node.is_none() && !self.has_pointer(&path) {
                continue;
            }
            let value = self.initializer(part);
            parts.push(format!(".{} = {value}", field.name));
        }
    }

    pub fn part<'n>(&self, place: Place<'n>, field: &'n Field, path: &'n AccessPath, expression: &'n str) -> Place<'n>
    where
        'a: 'n,
    {
        let declared = Place {
            ty: field.ty,
            written: &field.type_name,
            bit_width: field.bit_width,
            is_inferred: false,
            node: place.node.and_then(|node| node.field(&field.name)),
            path,
            expression,
        };
        self.as_taken(declared, self.pointee_types.member(place.ty, &field.name))
    }

    fn complex(&mut self, place: Place<'_>, element: TypeId) -> String {
        let half = |names: [&str; 2], index: u64| {
            let node = place.node?;
            let found = names.iter().find_map(|name| node.field(name)).or_else(|| node.element(index))?;
            found.take().map(|value| literal::scalar(self.types, element, None, value))
        };
        let zero = || {
            literal::scalar(
                self.types,
                element,
                None,
                covet_input::Value { bits: 0, width: 64, kind: covet_input::ValueKind::Float },
            )
        };
        let real = half(["re", "real"], 0).unwrap_or_else(zero);
        let imaginary = half(["im", "imag"], 1).unwrap_or_else(zero);
        format!("__builtin_complex({real}, {imaginary})")
    }
}

/// The fields to set: all of a struct, of a union the largest that the input names.
fn chosen_fields<'r>(builder: &Builder<'_>, place: Place<'_>, record: &'r Record) -> Vec<&'r Field> {
    if !record.is_union {
        return record.fields.iter().collect();
    }
    let named = |field: &&Field| match builder.types.kind(field.ty) {
        TypeKind::Record(inner) if field.name.is_empty() => {
            inner.fields.iter().any(|inner| place.node.is_some_and(|node| node.field(&inner.name).is_some()))
        }
        _ => {
            place.node.is_some_and(|node| node.field(&field.name).is_some())
                || builder.has_pointer(&place.path.member(&field.name))
        }
    };
    let size = |field: &&Field| builder.types.get(field.ty).size.unwrap_or(0);
    let mut best: Option<&Field> = None;
    for field in record.fields.iter().filter(named) {
        if best.is_none_or(|best| size(&field) > size(&best)) {
            best = Some(field);
        }
    }
    best.into_iter().collect()
}

fn braces(parts: &[String]) -> String {
    if parts.is_empty() { "{ 0 }".to_string() } else { format!("{{ {} }}", parts.join(", ")) }
}

/// What the programmer would call an element of an array written `written`.
fn element_written(types: &Types, written: &str, element: TypeId) -> String {
    spelling::element(types, written, element).unwrap_or_default()
}
