//! A parameter of an exported function → how a caller who knows only the headers comes by a value for it; and what a function's type says
//! about the objects that it makes or takes back.

use super::{By, Headers, Making, is_plain};
use covet_source::{Function, Parameter, TypeId, TypeKind, Types, is_product};
use std::collections::BTreeSet;

/// How a value for a parameter can be had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Way {
    /// Any number.
    Scalar,
    /// One of an enumeration's, from the least to the greatest.
    Constant { least: i128, greatest: i128 },
    /// Characters up to a zero.
    Text,
    /// As many elements as another parameter says.
    Buffer { counted_by: usize },
    /// How many elements another parameter points at.
    Length { of: usize },
    /// More room than is needed, for numbers that nobody counts.
    Room,
    /// A record of numbers: any.
    Plain(TypeId),
    /// An object that a function of the interface makes.
    Object(TypeId),
    /// The address of a pointer to such an object.
    Handle(TypeId),
    /// The caller's own object, which the function fills.
    Fresh(TypeId),
    /// The address of a pointer that is NULL: the function sets it.
    Null,
    /// The address of something, for a `void *` that nobody counts.
    Data,
    /// A function that does nothing.
    Callback,
    /// It cannot be had, and why.
    Nothing(&'static str),
}

/// The record that a pointer leads to: its definition where there is one.
pub fn record_behind(types: &Types, pointer: TypeId) -> Option<TypeId> {
    let TypeKind::Pointer { pointee, .. } = types.kind(pointer) else { return None };
    let record = types.completed(*pointee);
    matches!(types.kind(record), TypeKind::Record(_)).then_some(record)
}

fn pointee(types: &Types, pointer: TypeId) -> Option<(TypeId, bool)> {
    match types.kind(pointer) {
        TypeKind::Pointer { pointee, is_const } => Some((*pointee, *is_const)),
        _ => None,
    }
}

/// Words in the names of functions that fill what they are given.
const FILLERS: [&str; 16] = [
    "init",
    "initialize",
    "initialise",
    "new",
    "create",
    "open",
    "setup",
    "make",
    "build",
    "alloc",
    "comp",
    "compile",
    "construct",
    "ctor",
    "prepare",
    "startup",
];
/// Words in the names of functions that take objects back.
const ENDERS: [&str; 22] = [
    "free", "destroy", "delete", "close", "release", "cleanup", "fini", "finish", "finalize", "dispose", "unref",
    "done", "end", "deinit", "destruct", "dtor", "del", "decref", "term", "shutdown", "drop", "kill",
];

/// Whether a name holds one of these words: between underscores, in capitals, or at the end.
fn says(name: &str, words: &[&str]) -> bool {
    let mut parts: Vec<String> = vec![String::new()];
    let mut was_lower = false;
    for c in name.chars() {
        if !c.is_ascii_alphanumeric() || (c.is_ascii_uppercase() && was_lower) {
            parts.push(String::new());
        }
        was_lower = c.is_ascii_lowercase();
        if c.is_ascii_alphanumeric()
            && let Some(last) = parts.last_mut()
        {
            last.push(c.to_ascii_lowercase());
        }
    }
    let is_word = |part: &String| words.iter().any(|word| part == word || (word.len() > 3 && part.ends_with(word)));
    parts.iter().any(is_word)
}

/// The objects that a function makes.
pub fn makes(types: &Types, headers: &Headers, function: &Function) -> Vec<Making> {
    let mut found = Vec::new();
    if let (Some(of), Some((_, false))) = (record_behind(types, function.result), pointee(types, function.result)) {
        found.push(Making { of, by: By::Result });
    }
    if says(&function.name, &ENDERS) {
        return found;
    }
    for (at, parameter) in function.parameters.iter().enumerate() {
        let Some((behind, false)) = pointee(types, parameter.ty) else { continue };
        if let Some(of) = record_behind(types, behind) {
            found.push(Making { of, by: By::Pointer(at) });
        } else if let Some(of) = record_behind(types, parameter.ty)
            && at == 0
            && headers.show(types, of)
            && says(&function.name, &FILLERS)
        {
            found.push(Making { of, by: By::Filling(at) });
        }
    }
    found
}

/// The type of the object that a function takes back.
pub fn destroys(types: &Types, function: &Function) -> Option<TypeId> {
    let first = function.parameters.first().filter(|_| says(&function.name, &ENDERS))?;
    let direct = record_behind(types, first.ty);
    direct.or_else(|| record_behind(types, pointee(types, first.ty)?.0))
}

/// How each parameter of a function can be had, when objects of the types in `made` can.
pub fn ways(
    types: &Types,
    headers: &Headers,
    made: &BTreeSet<TypeId>,
    function: &Function,
    makes: &[Making],
) -> Vec<Way> {
    let lengths = lengths(types, function);
    let name = |at: usize| function.parameters.get(at).map(|parameter| parameter.name.as_str());
    let of_one = |(at, parameter): (usize, &Parameter)| {
        let is_pointer = matches!(types.kind(parameter.ty), TypeKind::Pointer { .. });
        if is_pointer && name(at + 1).zip(name(at + 2)).is_some_and(|(one, other)| is_product(one, other)) {
            return Way::Nothing("two numbers say how much it points at");
        }
        if let Some((of, _)) = lengths.iter().find(|(_, length)| *length == at) {
            return Way::Length { of: *of };
        }
        if let Some((_, counted_by)) = lengths.iter().find(|(of, _)| *of == at) {
            return Way::Buffer { counted_by: *counted_by };
        }
        let own = |making: &&Making| making.by == By::Filling(at);
        match makes.iter().find(own) {
            Some(making) => Way::Fresh(making.of),
            None => way(types, headers, made, parameter),
        }
    };
    let ways: Vec<Way> = function.parameters.iter().enumerate().map(of_one).collect();
    match (function.is_variadic, function.has_prototype || function.parameters.is_empty()) {
        (false, true) => ways,
        // What follows, or what is passed, is not told by the type.
        (true, _) | (_, false) => {
            vec![Way::Nothing("the function takes what its type does not tell"); ways.len().max(1)]
        }
    }
}

fn way(types: &Types, headers: &Headers, made: &BTreeSet<TypeId>, parameter: &Parameter) -> Way {
    match types.kind(parameter.ty) {
        TypeKind::Bool | TypeKind::Int { .. } | TypeKind::Char { .. } | TypeKind::Float { .. } => Way::Scalar,
        TypeKind::Enum(of) => {
            let values = of.constants.iter().map(|(_, value)| *value);
            match (values.clone().min(), values.max()) {
                (Some(least), Some(greatest)) => Way::Constant { least, greatest },
                _ => Way::Scalar,
            }
        }
        TypeKind::Record(_) if is_plain(types, parameter.ty) && headers.show(types, parameter.ty) => {
            Way::Plain(parameter.ty)
        }
        TypeKind::Pointer { pointee, is_const } => behind(types, headers, made, parameter, *pointee, *is_const),
        TypeKind::Record(_)
        | TypeKind::Void
        | TypeKind::Array { .. }
        | TypeKind::Function { .. }
        | TypeKind::Vector { .. }
        | TypeKind::Complex { .. }
        | TypeKind::Opaque => Way::Nothing("nobody makes such a value"),
    }
}

/// For a pointer to `pointee`.
fn behind(
    types: &Types,
    headers: &Headers,
    made: &BTreeSet<TypeId>,
    parameter: &Parameter,
    pointee: TypeId,
    is_const: bool,
) -> Way {
    let record = types.completed(pointee);
    match types.kind(record) {
        TypeKind::Char { .. } => Way::Text,
        TypeKind::Int { width: 8, .. } if parameter.is_text => Way::Text,
        TypeKind::Bool | TypeKind::Int { .. } | TypeKind::Float { .. } | TypeKind::Enum(_) => Way::Room,
        TypeKind::Void if is_const => Way::Nothing("how much it points at is not told"),
        TypeKind::Void => Way::Data,
        TypeKind::Record(_) if made.contains(&record) => Way::Object(record),
        TypeKind::Record(_) if is_plain(types, record) && headers.show(types, record) => Way::Plain(record),
        TypeKind::Record(_) => Way::Nothing("no exported function makes one"),
        TypeKind::Pointer { .. } => match record_behind(types, pointee) {
            Some(of) if made.contains(&of) => Way::Handle(of),
            Some(_) => Way::Null,
            None if is_const => Way::Nothing("an array of pointers"),
            None => Way::Null,
        },
        TypeKind::Function { result, .. } => match types.kind(*result) {
            TypeKind::Void | TypeKind::Bool | TypeKind::Int { .. } | TypeKind::Char { .. } | TypeKind::Enum(_) => {
                Way::Callback
            }
            _ => Way::Nothing("a function that returns more than a number"),
        },
        TypeKind::Array { .. } | TypeKind::Vector { .. } | TypeKind::Complex { .. } | TypeKind::Opaque => {
            Way::Nothing("nobody makes such a value")
        }
    }
}

/// The pointers of a function that another parameter counts the elements of, each with that parameter.
fn lengths(types: &Types, function: &Function) -> Vec<(usize, usize)> {
    let parameters = &function.parameters;
    let is_number = |at: usize| {
        parameters
            .get(at)
            .is_some_and(|parameter| matches!(types.kind(parameter.ty), TypeKind::Int { width, .. } if *width >= 16))
    };
    let mut found: Vec<(usize, usize)> = Vec::new();
    for (at, parameter) in parameters.iter().enumerate() {
        let Some((behind, _)) = pointee(types, parameter.ty) else { continue };
        let has_elements = match types.kind(behind) {
            TypeKind::Void
            | TypeKind::Bool
            | TypeKind::Int { .. }
            | TypeKind::Char { .. }
            | TypeKind::Float { .. }
            | TypeKind::Enum(_) => true,
            TypeKind::Pointer { .. }
            | TypeKind::Array { .. }
            | TypeKind::Record(_)
            | TypeKind::Function { .. }
            | TypeKind::Vector { .. }
            | TypeKind::Complex { .. }
            | TypeKind::Opaque => false,
        };
        if !has_elements {
            continue;
        }
        let by_name = || Some(at + 1).filter(|next| is_number(*next) && is_length(&parameters[*next].name));
        let counted = parameter.counted_by.filter(|count| is_number(*count)).or_else(by_name);
        if let Some(count) = counted.filter(|count| !found.iter().any(|(_, taken)| taken == count)) {
            found.push((at, count));
        }
    }
    found
}

/// `len`, `n`, `data_size`, `nbytes`.
fn is_length(name: &str) -> bool {
    const WORDS: [&str; 13] =
        ["len", "length", "size", "sz", "count", "cnt", "n", "num", "nbytes", "bytes", "cap", "capacity", "siz"];
    let name = name.to_lowercase();
    let parts: Vec<&str> = name.split('_').collect();
    let is_word = |part: &&&str| WORDS.contains(*part);
    parts.iter().any(|part| is_word(&part))
        || ["len", "size", "length", "count"].iter().any(|word| name.ends_with(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_what_functions_do() {
        assert!(
            says("stack_init", &FILLERS)
                && says("yaml_parser_initialize", &FILLERS)
                && says("XML_ParserCreate", &FILLERS)
        );
        assert!(says("tre_regncomp", &FILLERS) && !says("renewal_count", &FILLERS));
        assert!(says("json_decref", &ENDERS) && says("regfree", &ENDERS) && says("closeIt", &ENDERS));
        assert!(!says("send", &ENDERS) && !says("freedom_of", &ENDERS));
    }

    #[test]
    fn lengths_are_known_by_name() {
        assert!(is_length("n") && is_length("buf_len") && is_length("datasize") && is_length("nbytes"));
        assert!(!is_length("flags") && !is_length("name") && !is_length("index"));
    }
}
