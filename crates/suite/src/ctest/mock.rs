//! Functions made up for function pointers → C functions that return the recorded values, one per call, and fill what they filled.

use super::literal;
use covet_input::{AccessPath, PathStep, Value, ValueKind};
use covet_source::{Fill, TypeId, TypeKind, Types};
use std::collections::BTreeMap;

/// The values that made-up functions returned: by the canonical path of the pointer, in the order of the calls.
pub type Returned = BTreeMap<AccessPath, Vec<Value>>;

/// What one call wrote.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Written {
    pub bytes: Vec<u8>,
    /// How many it said it wrote, where it was asked.
    pub got: u64,
}

/// What made-up functions wrote: by the canonical path of the pointer, and by the number of the call, from 0.
pub type Filled = BTreeMap<AccessPath, Vec<Written>>;

/// Splits a test's inputs into what calls returned (`PATH()`, `PATH()#2`, ...), what they wrote (`PATH()[0]`, `PATH()#2.got`) and the rest.
pub fn split(inputs: Vec<(AccessPath, Value)>) -> (Returned, Filled, Vec<(AccessPath, Value)>) {
    let mut calls: BTreeMap<AccessPath, BTreeMap<u64, Value>> = BTreeMap::new();
    let mut filled = Filled::new();
    let mut rest = Vec::new();
    for (path, value) in inputs {
        let Some((pointer, number, part)) = call(&path) else {
            rest.push((path, value));
            continue;
        };
        if let Part::Result = part {
            calls.entry(pointer).or_default().insert(number, value);
            continue;
        }
        let written = filled.entry(pointer).or_default();
        let at = number.saturating_sub(1) as usize;
        written.resize(written.len().max(at + 1), Written::default());
        match part {
            Part::Result => {}
            Part::Got => written[at].got = value.bits as u64,
            Part::Byte(index) => {
                let bytes = &mut written[at].bytes;
                bytes.resize(bytes.len().max(index + 1), 0);
                bytes[index] = value.bits as u8;
            }
        }
    }
    (calls.into_iter().map(|(path, values)| (path, values.into_values().collect())).collect(), filled, rest)
}

/// What an input is of a call.
enum Part {
    Result,
    Byte(usize),
    Got,
}

/// Bytes that one call may have written at most.
const MOST_BYTES: u64 = 1 << 16;

/// Canonical path of the pointer, number of the call, and what of it.
fn call(path: &AccessPath) -> Option<(AccessPath, u64, Part)> {
    let (steps, part) = match path.steps() {
        [call @ .., PathStep::Index(index)] if *index < MOST_BYTES => (call, Part::Byte(*index as usize)),
        [call @ .., PathStep::Member(name)] if **name == *"got" => (call, Part::Got),
        call => (call, Part::Result),
    };
    let (pointer, number) = match steps {
        [pointer @ .., PathStep::Call] => (pointer, 1),
        [pointer @ .., PathStep::Call, PathStep::Repetition(number)] => (pointer, *number),
        _ => return None,
    };
    Some((AccessPath::new(path.root().clone()).joined(pointer).canonical(), number, part))
}

/// How a function that fills a buffer is declared and what it does with its parameters.
pub struct Filling<'f> {
    pub types: &'f Types,
    pub function: TypeId,
    pub fill: Fill,
    pub calls: &'f [Written],
}

impl Filling<'_> {
    /// Its parameters, as they are passed: only their sizes matter.
    fn parameters(&self) -> String {
        let TypeKind::Function { parameters, .. } = self.types.kind(self.function) else { return "void".to_string() };
        let spelled = |(at, ty): (usize, &TypeId)| match self.types.kind(*ty) {
            TypeKind::Pointer { .. } => format!("unsigned char *a{at}"),
            TypeKind::Float { width: 32 } => format!("float a{at}"),
            TypeKind::Float { .. } => format!("double a{at}"),
            _ => match self.types.get(*ty).size {
                Some(8) => format!("unsigned long a{at}"),
                _ => format!("unsigned a{at}"),
            },
        };
        let all: Vec<String> = parameters.iter().enumerate().map(spelled).collect();
        all.join(", ")
    }

    /// Statements that write what the present call wrote.
    fn statements(&self) -> String {
        let Fill { buffer, got, .. } = self.fill;
        let longest = self.calls.iter().map(|call| call.bytes.len()).max().unwrap_or(0).max(1);
        let row = |call: &Written| {
            let bytes: Vec<String> = call.bytes.iter().map(u8::to_string).collect();
            format!("{{ {} }}", if bytes.is_empty() { "0".to_string() } else { bytes.join(", ") })
        };
        let list = |text: &dyn Fn(&Written) -> String| self.calls.iter().map(text).collect::<Vec<_>>().join(", ");
        let count = self.calls.len();
        let mut text = format!(
            "    static const unsigned char bytes[{count}][{longest}] = {{ {} }};\n    \
             static const unsigned long lengths[{count}] = {{ {} }};\n    \
             for (unsigned long i = 0; calls < {count} && i < lengths[calls]; i++)\n        a{buffer}[i] = bytes[calls][i];\n",
            list(&row),
            list(&|call| call.bytes.len().to_string()),
        );
        if let Some(got) = got {
            text += &format!(
                "    static const unsigned long got[{count}] = {{ {} }};\n    \
                 if (calls < {count})\n        *(unsigned long *)(void *)a{got} = got[calls];\n",
                list(&|call| format!("{}ul", call.got)),
            );
        }
        text
    }
}

/// The definition of a function called `name` that returns `values` one after the other. It has no prototype, so it can be
/// called with any arguments, unless it fills a buffer.
pub fn definition(name: &str, values: &[Value], filling: Option<&Filling<'_>>) -> String {
    let Some(first) = values.first() else {
        return format!("static long {name}() {{ return 0; }}");
    };
    let ty = result_type(*first);
    let list: Vec<String> = values.iter().map(|value| spelled(*value)).collect();
    let parameters = filling.map(Filling::parameters).unwrap_or_default();
    let statements = filling.map(Filling::statements).unwrap_or_default();
    format!(
        "static {ty} {name}({parameters})\n{{\n    static const {ty} values[] = {{ {} }};\n    static unsigned calls;\n{statements}    \
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
        let (returned, _, rest) = split(Vec::from(inputs.map(|(path, bits)| (path.into(), value(bits)))));
        assert_eq!(returned["arg.f"], [value(5), value(7)]);
        assert_eq!(returned["arg.p[0].g"], [value(9)]);
        assert_eq!(rest, [("arg.x".into(), value(1))]);
    }

    #[test]
    fn what_calls_wrote_is_kept_by_call() {
        let value = |bits| Value { bits, width: 8, kind: ValueKind::Byte };
        let inputs = [("arg.f()[1]", 7), ("arg.f()#2[0]", 1), ("arg.f()#2.got", 5), ("arg.p[3]", 9)];
        let (_, filled, rest) = split(Vec::from(inputs.map(|(path, bits)| (path.into(), value(bits)))));
        let (first, second) = (Written { bytes: vec![0, 7], got: 0 }, Written { bytes: vec![1], got: 5 });
        assert_eq!(filled["arg.f"], [first, second]);
        assert_eq!(rest.len(), 1);
    }
}
