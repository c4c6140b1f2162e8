//! Model → text: one line per function, global and field, in source order. The same model always gives the same text.

use std::fmt::Write as _;

use crate::types::{Field, TypeId, TypeKind, Types};
use crate::unit::{Function, Global, Parameter, Unit};

/// The unit as people read it: functions, globals, then every compound type they reach.
pub fn describe(unit: &Unit, types: &Types) -> String {
    let mut out = String::new();
    let mut reached = Vec::new();
    for function in &unit.functions {
        out.push_str(&describe_function(function, types));
        function.parameters.iter().for_each(|parameter| reach(parameter.ty, types, &mut reached));
        reach(function.result, types, &mut reached);
    }
    for global in &unit.globals {
        out.push_str(&describe_global(global, types));
        reach(global.ty, types, &mut reached);
    }
    for id in reached {
        describe_type(id, types, &mut out);
    }
    out
}

fn describe_function(function: &Function, types: &Types) -> String {
    let flags = words(&[
        ("static", function.is_static),
        ("inline", function.is_inline),
        ("variadic", function.is_variadic),
        ("no-prototype", !function.has_prototype),
        ("declared-only", !function.has_body),
        ("included", !function.in_main_file),
    ]);
    let parameters: Vec<String> = function.parameters.iter().map(|p| describe_parameter(p, types)).collect();
    let symbol = if function.symbol == function.name { String::new() } else { format!(" symbol {}", function.symbol) };
    format!(
        "function {}({}) -> {} at {}:{}-{}{symbol}{flags}\n",
        function.name,
        parameters.join(", "),
        shown(function.result, &function.result_name, types),
        function.file.display(),
        function.line,
        function.end_line,
    )
}

fn describe_parameter(parameter: &Parameter, types: &Types) -> String {
    let count = parameter.declared_count.map(|n| format!(" of {n}")).unwrap_or_default();
    format!("{}: {}{count}", parameter.name, shown(parameter.ty, &parameter.type_name, types))
}

fn describe_global(global: &Global, types: &Types) -> String {
    let flags = words(&[
        ("static", global.is_static),
        ("const", global.is_const),
        ("thread-local", global.is_thread_local),
        ("declared-only", !global.is_defined),
        ("initialised", global.has_initializer),
    ]);
    format!("global {}: {} line {}{flags}\n", global.name, shown(global.ty, &global.type_name, types), global.line)
}

/// The type as written, and what it is when that differs.
fn shown(id: TypeId, written: &str, types: &Types) -> String {
    let name = &types.get(id).name;
    if name == written { name.clone() } else { format!("{written} = {name}") }
}

fn words(flags: &[(&str, bool)]) -> String {
    flags.iter().filter(|(_, on)| *on).map(|(word, _)| format!(" {word}")).collect()
}

/// Adds the compound types below `id`, outermost first, each once.
fn reach(id: TypeId, types: &Types, reached: &mut Vec<TypeId>) {
    match types.kind(id) {
        TypeKind::Record(record) => {
            if !reached.contains(&id) {
                reached.push(id);
                record.fields.iter().for_each(|field| reach(field.ty, types, reached));
            }
        }
        TypeKind::Enum(_) | TypeKind::Opaque => {
            if !reached.contains(&id) {
                reached.push(id);
            }
        }
        TypeKind::Pointer { pointee: inner, .. }
        | TypeKind::Array { element: inner, .. }
        | TypeKind::Vector { element: inner, .. }
        | TypeKind::Complex { element: inner } => reach(*inner, types, reached),
        TypeKind::Function { result, parameters, .. } => {
            reach(*result, types, reached);
            parameters.iter().for_each(|parameter| reach(*parameter, types, reached));
        }
        TypeKind::Void | TypeKind::Bool | TypeKind::Int { .. } | TypeKind::Char { .. } | TypeKind::Float { .. } => {}
    }
}

fn describe_type(id: TypeId, types: &Types, out: &mut String) {
    let ty = types.get(id);
    let layout = match (ty.size, ty.align) {
        (Some(size), Some(align)) => format!("size {size} align {align}"),
        _ => "incomplete".to_owned(),
    };
    let _ = writeln!(out, "type {} {layout}", ty.name);
    match &ty.kind {
        TypeKind::Record(record) => {
            for field in &record.fields {
                describe_field(field, types, out);
            }
        }
        TypeKind::Enum(values) => {
            let constants: Vec<String> = values.constants.iter().map(|(name, n)| format!("{name}={n}")).collect();
            let _ = writeln!(out, "  {} {{{}}}", types.get(values.underlying).name, constants.join(", "));
        }
        TypeKind::Void
        | TypeKind::Bool
        | TypeKind::Int { .. }
        | TypeKind::Char { .. }
        | TypeKind::Float { .. }
        | TypeKind::Pointer { .. }
        | TypeKind::Array { .. }
        | TypeKind::Function { .. }
        | TypeKind::Vector { .. }
        | TypeKind::Complex { .. }
        | TypeKind::Opaque => {}
    }
}

fn describe_field(field: &Field, types: &Types, out: &mut String) {
    let bits = field.bit_width.map(|width| format!(" bits {width}")).unwrap_or_default();
    let name = if field.name.is_empty() { "(anonymous)" } else { &field.name };
    let _ = writeln!(out, "  @{} {name}: {}{bits}", field.offset_bits, shown(field.ty, &field.type_name, types));
}
