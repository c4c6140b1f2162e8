//! A sequence of calls + the inputs of a run → a C program that makes just these calls, with the values in place: what a user of the library
//! could have written.

use super::sequence::{Argument, COUNTS, Elements, Place, Sequence, Step, count_input};
use covet_input::Value;
use covet_source::{TypeId, TypeKind, Types, spelling};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The body of `main`, and the helpers before it; none when the run had inputs that the sequence does not ask for.
pub fn program(types: &Types, sequence: &Sequence, inputs: &[(String, Value)]) -> Option<String> {
    let mut known = Vec::new();
    names(&sequence.steps, &mut known);
    let is_own = |name: &str| {
        let base = name.split(['#', '[']).next().unwrap_or(name);
        known.iter().any(|known| known == base || count_input(known) == base)
    };
    if !inputs.iter().all(|(name, _)| is_own(name)) {
        return None;
    }
    let values = inputs.iter().map(|(name, value)| (name.as_str(), value.bits)).collect();
    let mut writer = Writer { types, values, asked: BTreeMap::new(), text: String::new() };
    writer.steps(&sequence.steps, 1, &mut BTreeMap::new());
    let mut text = String::new();
    sequence.helpers.iter().for_each(|helper| text += &format!("{helper}\n\n"));
    Some(format!("{text}int main(void)\n{{\n{}    return 0;\n}}\n", writer.text))
}

fn names(steps: &[Step], found: &mut Vec<String>) {
    for step in steps {
        match step {
            Step::Number { input, .. } | Step::Length { input, .. } => found.push(input.clone()),
            Step::Elements(elements) => found.push(elements.input.clone()),
            Step::Repeat { input, choices, .. } => {
                found.push(input.clone());
                choices.iter().for_each(|choice| names(choice, found));
            }
            Step::Line(_) | Step::Call { .. } | Step::Unless(_) => {}
        }
    }
}

struct Writer<'a> {
    types: &'a Types,
    values: BTreeMap<&'a str, u128>,
    /// How often each input was asked for.
    asked: BTreeMap<String, u32>,
    text: String,
}

/// Literals of inputs, by name.
type Literals = BTreeMap<String, String>;

impl Writer<'_> {
    fn line(&mut self, depth: usize, line: &str) {
        let _ = writeln!(self.text, "{}{line}", "    ".repeat(depth));
    }

    /// What the next input of this name is called.
    fn label(&mut self, input: &str) -> String {
        let count = self.asked.entry(input.to_string()).or_default();
        *count += 1;
        if *count == 1 { input.to_string() } else { format!("{input}#{count}") }
    }

    fn value(&mut self, input: &str) -> Option<u128> {
        let label = self.label(input);
        self.values.get(label.as_str()).copied()
    }

    fn steps(&mut self, steps: &[Step], depth: usize, literals: &mut Literals) {
        for step in steps {
            self.step(step, depth, literals);
        }
    }

    fn step(&mut self, step: &Step, depth: usize, literals: &mut Literals) {
        match step {
            Step::Number { input, ty, place, within } => {
                let least = within.map_or(0, |(least, greatest)| least.max(0).min(greatest)) as u128;
                let bits = self.value(input).unwrap_or(least);
                let literal = literal(self.types, *ty, bits);
                if let Place::Member(place) = place {
                    self.line(depth, &format!("{place} = {literal};"));
                }
                literals.insert(input.clone(), literal);
            }
            Step::Length { input, ty, .. } => {
                let bits = self.value(input).unwrap_or(0);
                literals.insert(input.clone(), literal(self.types, *ty, bits));
            }
            Step::Elements(elements) => self.elements(elements, depth),
            Step::Line(line) => self.line(depth, line),
            Step::Call { declares, function, arguments } => {
                let value = |argument: &Argument| match argument {
                    Argument::Input(name) => literals.get(name).cloned().unwrap_or_else(|| "0".to_string()),
                    Argument::Text(text) => text.clone(),
                };
                let arguments: Vec<String> = arguments.iter().map(value).collect();
                let declares = declares.as_ref().map_or_else(String::new, |declares| format!("{declares} = "));
                self.line(depth, &format!("{declares}{function}({});", arguments.join(", ")));
            }
            Step::Unless(holds) => self.line(depth, &format!("if (!({holds}))\n{}return 0;", "    ".repeat(depth + 1))),
            Step::Repeat { input, most, choices } => {
                for _ in 0..*most {
                    // What was not asked for any more was not done.
                    let Some(choice) = self.value(input).and_then(|bits| choices.get(bits as usize)) else { break };
                    let declares = |step: &Step| matches!(step, Step::Elements(_) | Step::Line(_));
                    let is_block = choice.iter().any(declares)
                        || choice.iter().any(|step| matches!(step, Step::Call { declares: Some(_), .. }));
                    if is_block {
                        self.line(depth, "{");
                    }
                    self.steps(choice, depth + usize::from(is_block), literals);
                    if is_block {
                        self.line(depth, "}");
                    }
                }
            }
        }
    }

    fn elements(&mut self, elements: &Elements, depth: usize) {
        let Elements { input, spelled, size, is_text, room } = elements;
        let [few, some, many] = COUNTS;
        let count_name = count_input(input);
        let count = match self.value(&count_name) {
            None | Some(0) => few,
            Some(_) => match self.value(&count_name) {
                None | Some(0) => some,
                Some(_) => many,
            },
        };
        let label = self.label(input);
        let byte = |at: u64| self.values.get(format!("{label}[{at}]").as_str()).map_or(0, |bits| *bits as u8);
        let bytes: Vec<u8> = (0..count * size).map(byte).collect();
        let number = count + u64::from(*is_text) + room / size;
        let values = if *size == 1 && *is_text { string(&bytes) } else { list(&bytes, *size) };
        let declared = spelling::declare(spelled, &format!("{input}[{number}]"));
        self.line(depth, &format!("{declared} = {values};"));
    }
}

/// Little-endian elements as a list, without the zeros at its end.
fn list(bytes: &[u8], size: u64) -> String {
    let mut values: Vec<u128> = bytes
        .chunks(size as usize)
        .map(|element| element.iter().rev().fold(0_u128, |value, byte| value << 8 | u128::from(*byte)))
        .collect();
    while values.len() > 1 && values.last() == Some(&0) {
        values.pop();
    }
    let texts: Vec<String> =
        values.iter().map(|value| if *value > 255 { format!("{value:#x}") } else { value.to_string() }).collect();
    format!("{{ {} }}", texts.join(", "))
}

/// Characters as a string, without the zeros at its end.
fn string(bytes: &[u8]) -> String {
    let used = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    let mut text = "\"".to_string();
    for byte in &bytes[..used] {
        match byte {
            b'"' | b'\\' => text += &format!("\\{}", char::from(*byte)),
            b'?' => text += "\\?",
            b'\n' => text += "\\n",
            b'\t' => text += "\\t",
            b' '..=b'~' => text.push(char::from(*byte)),
            // Always three digits: what follows may be one.
            _ => text += &format!("\\{byte:03o}"),
        }
    }
    text + "\""
}

/// A number as C writes it.
fn literal(types: &Types, ty: TypeId, bits: u128) -> String {
    let width = types.get(ty).size.unwrap_or(8).min(16) as u32 * 8;
    let bits = if width >= 128 { bits } else { bits & ((1 << width) - 1) };
    let signed =
        || if width < 128 && bits >> (width - 1) & 1 == 1 { bits as i128 - (1 << width) } else { bits as i128 };
    match types.kind(ty) {
        TypeKind::Enum(of) => match of.constants.iter().find(|(_, value)| *value == signed() || *value == bits as i128)
        {
            Some((name, _)) => name.clone(),
            None => literal(types, of.underlying, bits),
        },
        TypeKind::Bool => u128::from(bits & 0xff != 0).to_string(),
        TypeKind::Char { signed: true } | TypeKind::Int { signed: true, .. } => number(signed()),
        TypeKind::Char { signed: false } | TypeKind::Int { signed: false, .. } => unsigned(bits),
        TypeKind::Float { width: 32 } => float(f64::from(f32::from_bits(bits as u32))),
        TypeKind::Float { .. } => float(f64::from_bits(bits as u64)),
        TypeKind::Void
        | TypeKind::Pointer { .. }
        | TypeKind::Array { .. }
        | TypeKind::Record(_)
        | TypeKind::Function { .. }
        | TypeKind::Vector { .. }
        | TypeKind::Complex { .. }
        | TypeKind::Opaque => unsigned(bits),
    }
}

fn number(value: i128) -> String {
    match value {
        // Minus is applied to the number that follows, which must be there.
        _ if value == i128::from(i64::MIN) => format!("(-{}LL - 1)", i64::MAX),
        _ if value == i128::from(i32::MIN) => format!("(-{} - 1)", i32::MAX),
        _ if i32::try_from(value).is_ok() => value.to_string(),
        _ => format!("{value}LL"),
    }
}

fn unsigned(bits: u128) -> String {
    if bits <= i32::MAX as u128 { bits.to_string() } else { format!("{bits}ULL") }
}

fn float(value: f64) -> String {
    if value.is_nan() {
        "__builtin_nan(\"\")".to_string()
    } else if value.is_infinite() {
        format!("{}__builtin_inf()", if value < 0.0 { "-" } else { "" })
    } else {
        format!("{value:?}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use covet_input::ValueKind;

    fn value(bits: u128) -> Value {
        Value { bits, width: 32, kind: ValueKind::Signed }
    }

    #[test]
    fn repeated_calls_become_lines_of_their_own() {
        let call = |function: &str, arguments: Vec<Argument>| Step::Call {
            declares: None,
            function: function.into(),
            arguments,
        };
        let text = Elements { input: "s".into(), spelled: "char".into(), size: 1, is_text: true, room: 0 };
        let choices =
            vec![vec![call("pop", vec![])], vec![Step::Elements(text), call("push", vec![Argument::Text("s".into())])]];
        let sequence = Sequence {
            name: "one".into(),
            target: "top".into(),
            calls: vec![],
            helpers: vec![],
            steps: vec![Step::Repeat { input: "choice".into(), most: 3, choices }, call("top", vec![])],
        };
        let inputs = [
            ("choice", 1),
            ("s[0]", 97),
            ("s_count", 0),
            ("choice#2", 0),
            ("choice#3", 1),
            ("s_count#2", 1),
            ("s#2[5]", 33),
        ];
        let inputs: Vec<(String, Value)> = inputs.iter().map(|(name, bits)| (name.to_string(), value(*bits))).collect();
        let text = program(&Types::default(), &sequence, &inputs).unwrap();
        let expected = "int main(void)\n{\n    {\n        char s[5] = \"a\";\n        push(s);\n    }\n    pop();\n    {\n        \
                        char s[17] = \"\\000\\000\\000\\000\\000!\";\n        push(s);\n    }\n    top();\n    return 0;\n}\n";
        assert_eq!(text, expected);
        let foreign = [("stub.read".to_string(), value(3))];
        assert_eq!(program(&Types::default(), &sequence, &foreign), None);
    }

    #[test]
    fn numbers_are_written_as_c_reads_them() {
        assert_eq!(number(-5), "-5");
        assert_eq!(number(i128::from(i32::MIN)), "(-2147483647 - 1)");
        assert_eq!(number(1 << 40), "1099511627776LL");
        assert_eq!(unsigned(u128::from(u32::MAX)), "4294967295ULL");
        assert_eq!(list(&[1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0], 4), "{ 1, 0x100 }");
        assert_eq!(string(b"a\"?\0\0"), "\"a\\\"\\?\"");
    }
}
