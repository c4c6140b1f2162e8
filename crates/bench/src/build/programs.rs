//! A number → a C program of about that size, of a kind that generators and people write and that is hard on a compiler. The same number
//! gives the same text.

use std::fmt::Write as _;

/// A kind of program.
pub struct Kind {
    pub name: &'static str,
    pub what: &'static str,
    /// What is counted, at full size.
    pub size: usize,
    pub text: fn(usize) -> String,
}

pub const KINDS: [Kind; 9] = [
    Kind { name: "nested", what: "one function, lines of nested ifs", size: 1_700, text: nested },
    Kind { name: "functions", what: "small functions in one file", size: 10_000, text: functions },
    Kind { name: "sum", what: "terms in one expression", size: 30_000, text: sum },
    Kind { name: "machine", what: "states of a switch machine", size: 2_000, text: machine },
    Kind { name: "parser", what: "rules of a generated parser with its tables", size: 1_500, text: parser },
    Kind { name: "scanner", what: "states of a generated scanner, jumps between them", size: 300, text: scanner },
    Kind { name: "deep", what: "expressions 200 parentheses deep", size: 60, text: deep },
    Kind { name: "straight", what: "statements in a row, no branch", size: 20_000, text: straight },
    Kind { name: "globals", what: "global variables with initial values", size: 10_000, text: globals },
];

/// Numbers that look random (a linear congruential generator).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % limit
    }

    fn one_of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len())]
    }
}

const COMPARISONS: [&str; 6] = ["<", ">", "<=", ">=", "==", "!="];
const OPERATORS: [&str; 5] = ["+", "-", "*", "^", "|"];

fn nested(lines: usize) -> String {
    let mut text = String::from("int nested(int *v, int n) {\n    int r = 0;\n");
    let mut numbers = Numbers(1);
    let mut written = 0;
    while written < lines {
        written += nest(&mut text, &mut numbers, 1);
    }
    text + "    return r;\n}\n"
}

/// One `if` with what is in it; tells its lines.
fn nest(text: &mut String, numbers: &mut Numbers, depth: usize) -> usize {
    let indent = "    ".repeat(depth);
    let (element, comparison, limit) = (numbers.below(64), numbers.one_of(&COMPARISONS), numbers.below(1000));
    let _ = writeln!(text, "{indent}if (v[{element}] {comparison} {limit} && n > {element}) {{");
    let mut lines = 2;
    for _ in 0..2 {
        if depth < 12 && numbers.below(3) != 0 {
            lines += nest(text, numbers, depth + 1);
        } else {
            let _ = writeln!(text, "{indent}    r {}= v[{}];", numbers.one_of(&OPERATORS), numbers.below(64));
            lines += 1;
        }
    }
    if numbers.below(2) == 0 {
        let _ = writeln!(text, "{indent}}} else {{\n{indent}    r = r * 3 + {};", numbers.below(100));
        lines += 2;
    }
    let _ = writeln!(text, "{indent}}}");
    lines
}

fn functions(count: usize) -> String {
    let mut text = String::new();
    let mut numbers = Numbers(2);
    for number in 0..count {
        let (limit, operator) = (numbers.below(1000), numbers.one_of(&OPERATORS));
        let rest = numbers.one_of(&["b - a", "a & b", "b << 2"]);
        let storage = if number % 3 == 0 { "static " } else { "" };
        let _ = writeln!(
            text,
            "{storage}int f{number}(int a, int b) {{ if (a > {limit}) return a {operator} b; return {rest}; }}"
        );
    }
    text
}

fn sum(terms: usize) -> String {
    let mut text = String::from("unsigned sum(unsigned a, unsigned b, unsigned c, unsigned d) {\n    return a");
    let mut numbers = Numbers(3);
    for number in 0..terms {
        let (operator, variable) = (numbers.one_of(&["+", "-", "+"]), numbers.one_of(&["a", "b", "c", "d"]));
        let _ = write!(text, " {operator} {variable} * {}u", numbers.below(1000));
        if number % 8 == 7 {
            text.push_str("\n        ");
        }
    }
    text + ";\n}\n"
}

fn machine(states: usize) -> String {
    let mut text = String::from("int step(int *state, int event, int *count) {\n    switch (*state) {\n");
    let mut numbers = Numbers(4);
    for state in 0..states {
        let _ = writeln!(text, "    case {state}:");
        for _ in 0..2 {
            let (letter, next) = ((b'a' + numbers.below(26) as u8) as char, numbers.below(states));
            let _ = writeln!(text, "        if (event == '{letter}') {{ *state = {next}; break; }}");
        }
        let _ = writeln!(text, "        *count += {}; *state = {}; break;", numbers.below(9), numbers.below(states));
    }
    text.push_str("    default: return -1;\n    }\n    return *count;\n}\n");
    text + "int machine(const char *s) {\n    int state = 0, count = 0, last = 0;\n    for (; *s && last >= 0; s++) last = step(&state, *s, &count);\n    return last;\n}\n"
}

fn parser(rules: usize) -> String {
    let mut numbers = Numbers(5);
    let mut text =
        String::from("typedef struct { int major; union { int number; void *p; double d; } minor; } entry;\n");
    for name in ["action", "lookahead", "shift", "reduce"] {
        let row: Vec<String> = (0..rules * 12).map(|_| numbers.below(rules).to_string()).collect();
        let _ = writeln!(text, "static const unsigned short {name}[] = {{ {} }};", row.join(", "));
    }
    let names: Vec<String> = (0..rules).map(|rule| format!("\"rule {rule} ::= term term\"")).collect();
    let _ = writeln!(text, "const char *const names[] = {{ {} }};", names.join(",\n"));
    text.push_str("int reduce_by(entry *top, int rule, int state) {\n    int result = 0;\n    switch (rule) {\n");
    for rule in 0..rules {
        let (a, b) = (numbers.below(4), numbers.below(4));
        let _ = writeln!(text, "    case {rule}: {{");
        let _ = writeln!(
            text,
            "        int t = top[-{a}].minor.number {} top[-{b}].minor.number;",
            numbers.one_of(&OPERATORS)
        );
        let _ = writeln!(
            text,
            "        if (t > {}) top[-{a}].minor.number = t; else result = t + {rule};",
            numbers.below(100)
        );
        let _ = writeln!(text, "        top[-{a}].major = {};\n    }} break;", numbers.below(200));
    }
    text.push_str("    default: return -1;\n    }\n    return action[state + result % 7] + shift[rule];\n}\n");
    text + "int parse(entry *stack, const int *tokens, int n) {\n    int top = 4, state = 0;\n    for (int i = 0; i < n; i++) {\n\
        \x20       int at = shift[state] + tokens[i];\n        if (at < 0 || at >= (int)(sizeof action / sizeof *action)) return -1;\n\
        \x20       if (lookahead[at] == tokens[i]) { stack[top++].major = state; state = action[at]; }\n\
        \x20       else state = reduce_by(stack + top, reduce[at], state);\n        if (top >= 100) return top;\n    }\n    return state;\n}\n"
}

fn scanner(states: usize) -> String {
    let mut numbers = Numbers(6);
    let mut text = String::from(
        "int scan(const unsigned char *p, const unsigned char *end) {\n    unsigned char c;\n    int kind = 0;\n    goto s0;\n",
    );
    for state in 0..states {
        let _ = writeln!(text, "s{state}:\n    if (p == end) return kind;\n    c = *p++;\n    switch (c) {{");
        for part in 0..3 {
            let first = part * 80 + numbers.below(40);
            let _ = writeln!(
                text,
                "    case {first}: case {}: case {}: goto s{};",
                first + 1,
                first + 2,
                numbers.below(states)
            );
        }
        let _ = writeln!(text, "    default: kind = {}; goto s{};\n    }}", numbers.below(50), numbers.below(states));
    }
    text + "}\n"
}

fn deep(expressions: usize) -> String {
    let mut numbers = Numbers(7);
    let mut text = String::from("int deep(int a, int b, int c, int *v) {\n    int r = 0;\n");
    for _ in 0..expressions {
        let mut expression = String::from("a");
        for level in 0..200 {
            let operand = match level % 4 {
                0 => "b".to_owned(),
                1 => format!("v[{}]", numbers.below(16)),
                2 => "c".to_owned(),
                _ => numbers.below(100).to_string(),
            };
            expression = format!("({operand} {} {expression})", numbers.one_of(&OPERATORS));
        }
        let _ = writeln!(text, "    if ({expression} > 0) r++;");
    }
    text + "    return r;\n}\n"
}

fn straight(statements: usize) -> String {
    let mut numbers = Numbers(8);
    let mut text =
        String::from("void straight(unsigned *v, unsigned a, unsigned b) {\n    unsigned x = a, y = b, z = a ^ b;\n");
    for _ in 0..statements {
        let (to, from) = (numbers.one_of(&["x", "y", "z"]), numbers.one_of(&["x", "y", "z"]));
        let (operator, number) = (numbers.one_of(&OPERATORS), numbers.below(64));
        let _ = match numbers.below(3) {
            0 => writeln!(text, "    {to} = {from} {operator} {number};"),
            1 => writeln!(text, "    {to} {operator}= v[{number}];"),
            _ => writeln!(text, "    v[{number}] = {from} {operator} {to};"),
        };
    }
    text + "}\n"
}

fn globals(count: usize) -> String {
    let mut numbers = Numbers(9);
    let mut text = String::from("struct row { int key; const char *name; int *counter; struct row *next; };\n");
    for number in 0..count {
        let _ = match number % 4 {
            0 => writeln!(text, "int g{number} = {};", numbers.below(1000)),
            1 => {
                writeln!(text, "static int g{number}[] = {{ {}, {}, {} }};", number, numbers.below(9), numbers.below(9))
            }
            2 => writeln!(text, "struct row g{number} = {{ {number}, \"name {number}\", &g{}, 0 }};", number - 2),
            _ => writeln!(
                text,
                "struct row g{number}[2] = {{ {{ 1, \"a\", g{}, &g{} }}, {{ 2 }} }};",
                number - 2,
                number - 1
            ),
        };
    }
    text.push_str("int use(int which) {\n    switch (which) {\n");
    for number in (0..count).step_by(16) {
        let _ = writeln!(text, "    case {number}: return g{number} + g{}[1] + g{}.key;", number + 1, number + 2);
    }
    text + "    default: return 0;\n    }\n}\n"
}

#[cfg(test)]
mod tests {
    use super::KINDS;

    #[test]
    fn the_same_number_gives_the_same_text() {
        for kind in &KINDS {
            assert_eq!((kind.text)(20), (kind.text)(20), "{}", kind.name);
            assert!((kind.text)(400).len() > (kind.text)(20).len(), "{}", kind.name);
        }
    }
}
