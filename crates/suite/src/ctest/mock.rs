//! Functions made up for function pointers → C functions that return the recorded values, one per call.

use super::literal;
use covet_input::{AccessPath, PathStep, Value, ValueKind};
use std::collections::BTreeMap;

/// The values that made-up functions returned: by the canonical path of the pointer, in the order of the calls.
pub type Returned = BTreeMap<AccessPath, Vec<Value>>;

/// Splits a test's inputs into what calls returned (`PATH()`, `PATH()#2`, ...) and the rest.
pub fn split(inputs: Vec<(AccessPath, Value)>) -> (Returned, Vec<(AccessPath, Value)>) {
    let mut calls: BTreeMap<AccessPath, BTreeMap<u64, Value>> = BTreeMap::new();
    let mut rest = Vec::new();
    for (path, value) in inputs {
        match call(&path) {
            Some((pointer, number)) => drop(calls.entry(pointer).or_default().insert(number, value)),
            None => rest.push((path, value)),
        }
    }
    (calls.into_iter().map(|(path, values)| (path, values.into_values().collect())).collect(), rest)
}

/// Canonical path of the pointer and number of the call.
fn call(path: &AccessPath) -> Option<(AccessPath, u64)> {
    let (pointer, number) = match path.steps() {
        [pointer @ .., PathStep::Call] => (pointer, 1),
        [pointer @ .., PathStep::Call, PathStep::Repetition(number)] => (pointer, *number),
        _ => return None,
    };
    Some((AccessPath::new(path.root().clone()).joined(pointer).canonical(), number))
}

/// The definition of a function called `name` that returns `values` one after the other. It has no prototype, so it can be
/// called with any arguments.
pub fn definition(name: &str, values: &[Value]) -> String {
    let Some(first) = values.first() else {
        return format!("static long {name}() {{ return 0; }}");
    };
    let ty = result_type(*first);
    let list: Vec<String> = values.iter().map(|value| spelled(*value)).collect();
    format!(
        "static {ty} {name}()\n{{\n    static const {ty} values[] = {{ {} }};\n    static unsigned calls;\n    \
        return calls < {} ? values[calls++] : 0;\n}}",
        list.join(", "),
        values.len()
    )
}

fn result_type(value: Value) -> String {
    match (value.kind, value.width) {
        (ValueKind::Float, 32) => "float".to_string(),
        (ValueKind::Float, _) => "double".to_string(),
        (ValueKind::Bool, _) => "_Bool".to_string(),
        (ValueKind::Char, _) => "char".to_string(),
        (ValueKind::Signed, width) => whole(width).to_string(),
        (
            ValueKind::Unsigned | ValueKind::Byte | ValueKind::Pointer | ValueKind::Function | ValueKind::Growth,
            width,
        ) => {
            format!("unsigned {}", whole(width))
        }
    }
}

fn whole(width: u16) -> &'static str {
    match width {
        0..=8 => "char",
        9..=16 => "short",
        17..=32 => "int",
        _ => "long",
    }
}

fn spelled(value: Value) -> String {
    match value.kind {
        ValueKind::Float => literal::float(value.bits, u32::from(value.width)),
        ValueKind::Signed => literal::signed(value.bits, u32::from(value.width)),
        ValueKind::Unsigned
        | ValueKind::Byte
        | ValueKind::Char
        | ValueKind::Bool
        | ValueKind::Pointer
        | ValueKind::Function
        | ValueKind::Growth => literal::unsigned(value.bits, u32::from(value.width)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_told_from_other_inputs_and_kept_in_order() {
        let value = |bits| Value { bits, width: 32, kind: ValueKind::Signed };
        let inputs = [("arg.f()#2", 7), ("arg.x", 1), ("arg.f()", 5), ("arg.p->g()", 9)];
        let (returned, rest) = split(Vec::from(inputs.map(|(path, bits)| (path.into(), value(bits)))));
        assert_eq!(returned["arg.f"], [value(5), value(7)]);
        assert_eq!(returned["arg.p[0].g"], [value(9)]);
        assert_eq!(rest, [("arg.x".into(), value(1))]);
    }
}
