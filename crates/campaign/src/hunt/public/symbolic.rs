//! Sequences of calls → one C file in which their inputs are marked, to be explored: a function for each.

use super::sequence::{Argument, COUNTS, Elements, Place, Sequence, Step, count_input};
use covet_source::{TypeKind, Types, spelling};
use std::fmt::Write as _;

/// Where the text of each sequence is in a file.
pub struct Text {
    pub text: String,
    /// First and last line of each sequence, in their order.
    pub lines: Vec<(usize, usize)>,
}

/// The file: what is included, what is declared, and the sequences.
pub fn file(types: &Types, opening: &str, sequences: &[Sequence]) -> Text {
    let mut text = format!("{opening}#include <covet.h>\n\n{}", elements());
    let mut lines = Vec::new();
    for sequence in sequences {
        let first = text.lines().count() + 1;
        for helper in &sequence.helpers {
            let _ = writeln!(text, "\n{}", renamed(sequence, helper));
        }
        let _ = writeln!(text, "\nvoid {}(void)\n{{", sequence.name);
        let mut body = Body { types, text: String::new() };
        body.steps(&sequence.steps, 1);
        text += &renamed(sequence, &body.text);
        text += "}\n";
        lines.push((first, text.lines().count()));
    }
    Text { text, lines }
}

/// Helpers of two sequences may have the same name.
fn renamed(sequence: &Sequence, text: &str) -> String {
    text.replace("do_nothing_", &format!("{}_do_nothing_", sequence.name))
}

/// Memory whose elements are inputs, and as many of them as the inputs say.
fn elements() -> String {
    let [few, some, many] = COUNTS;
    format!(
        "static void *covet_public_elements(size_t size, size_t more, const char *name, const char *count, size_t *number)\n\
         {{\n    size_t elements = {few};\n    char *made;\n    if (covet_bool(count))\n        elements = covet_bool(count) ? {many} : {some};\n\
         \x20   made = malloc(elements * size + more);\n    if (made == NULL)\n        exit(0);\n\
         \x20   memset(made, 0, elements * size + more);\n    covet_symbolic(made, elements * size, name);\n    *number = elements;\n    return made;\n}}\n"
    )
}

struct Body<'a> {
    types: &'a Types,
    text: String,
}

impl Body<'_> {
    fn line(&mut self, depth: usize, line: &str) {
        let _ = writeln!(self.text, "{}{line}", "    ".repeat(depth));
    }

    fn steps(&mut self, steps: &[Step], depth: usize) {
        for step in steps {
            self.step(step, depth);
        }
    }

    fn step(&mut self, step: &Step, depth: usize) {
        match step {
            Step::Number { input, ty, place, within } => {
                let place = match place {
                    Place::Variable(spelled) => {
                        self.line(depth, &format!("{};", spelling::declare(spelled, input)));
                        input
                    }
                    Place::Member(place) => place,
                };
                self.line(depth, &format!("covet_symbolic(&{place}, sizeof {place}, \"{input}\");"));
                if matches!(self.types.kind(*ty), TypeKind::Bool) {
                    self.line(depth, &format!("covet_assume(*(unsigned char *)&{place} <= 1);"));
                }
                if let Some((least, greatest)) = within {
                    let number = format!("(long long){place}");
                    self.line(depth, &format!("covet_assume({number} >= {least}LL && {number} <= {greatest}LL);"));
                }
            }
            Step::Elements(elements) => self.elements(elements, depth),
            Step::Length { input, spelled, of, .. } => {
                self.line(depth, &format!("{};", spelling::declare(spelled, input)));
                self.line(depth, &format!("covet_symbolic(&{input}, sizeof {input}, \"{input}\");"));
                self.line(depth, &format!("covet_assume({input} >= 0 && (size_t){input} <= {of}_number);"));
            }
            Step::Line(line) => self.line(depth, line),
            Step::Call { declares, function, arguments } => {
                let arguments: Vec<&str> = arguments
                    .iter()
                    .map(|argument| match argument {
                        Argument::Input(text) | Argument::Text(text) => text.as_str(),
                    })
                    .collect();
                let declares = declares.as_ref().map_or_else(String::new, |declares| format!("{declares} = "));
                self.line(depth, &format!("{declares}{function}({});", arguments.join(", ")));
            }
            Step::Unless(holds) => self.line(depth, &format!("if (!({holds}))\n{}return;", "    ".repeat(depth + 1))),
            Step::Repeat { input, most, choices } => {
                self.line(depth, &format!("for (int step = 0; step < {most}; step++) {{"));
                self.line(depth + 1, &format!("int {input};"));
                self.line(depth + 1, &format!("covet_symbolic(&{input}, sizeof {input}, \"{input}\");"));
                for (at, choice) in choices.iter().enumerate() {
                    let otherwise = if at == 0 { "" } else { "} else " };
                    self.line(depth + 1, &format!("{otherwise}if ({input} == {at}) {{"));
                    self.steps(choice, depth + 2);
                }
                self.line(depth + 1, "} else {");
                self.line(depth + 2, "break;");
                self.line(depth + 1, "}");
                self.line(depth, "}");
            }
        }
    }

    fn elements(&mut self, elements: &Elements, depth: usize) {
        let Elements { input, spelled, size, is_text, room } = elements;
        let count = count_input(input);
        let more = room + if *is_text { *size } else { 0 };
        self.line(depth, &format!("size_t {input}_number;"));
        let pointer = spelling::declare(&format!("{spelled} *"), input);
        self.line(
            depth,
            &format!("{pointer} = covet_public_elements({size}, {more}, \"{input}\", \"{count}\", &{input}_number);"),
        );
    }
}
