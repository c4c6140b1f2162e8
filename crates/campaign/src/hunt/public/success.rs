//! A function that fills an object and returns a number → which numbers say that it went well.
//!
//! Some libraries say 0, others 1. The text tells: the first `return` of a constant that stands by itself, not behind an `if` or in an inner
//! block, is that of the way to the end; ways out before it, and what follows a label for errors, are not.

use covet_source::{Function, TypeKind, Types};

/// What holds of the result when all went well: `== 0`; none when it is not a number.
pub fn condition(types: &Types, function: &Function) -> Option<String> {
    match types.kind(function.result) {
        TypeKind::Bool => Some("!= 0".to_string()),
        TypeKind::Int { .. } | TypeKind::Enum(_) => {
            let text = std::fs::read_to_string(&function.file).unwrap_or_default();
            let lines = text.lines().skip(function.line.saturating_sub(1) as usize);
            let count = (function.end_line + 1).saturating_sub(function.line) as usize;
            let body: Vec<&str> = lines.take(count).collect();
            Some(format!("== {}", returned(&body.join("\n")).unwrap_or_else(|| "0".to_string())))
        }
        TypeKind::Void
        | TypeKind::Char { .. }
        | TypeKind::Float { .. }
        | TypeKind::Pointer { .. }
        | TypeKind::Array { .. }
        | TypeKind::Record(_)
        | TypeKind::Function { .. }
        | TypeKind::Vector { .. }
        | TypeKind::Complex { .. }
        | TypeKind::Opaque => None,
    }
}

/// The constant that the first `return` of its own in the outermost block of a function has.
fn returned(text: &str) -> Option<String> {
    let words = words(text);
    let (mut depth, mut parentheses) = (0_usize, 0_usize);
    for (at, word) in words.iter().enumerate() {
        match word.as_str() {
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            "(" => parentheses += 1,
            ")" => parentheses = parentheses.saturating_sub(1),
            "return" if depth == 1 && parentheses == 0 => {
                let is_own = at > 0 && matches!(words[at - 1].as_str(), ";" | "}" | "{" | ":");
                if !is_own {
                    continue;
                }
                let value: Vec<&str> =
                    words[at + 1..].iter().map(String::as_str).take_while(|word| *word != ";").collect();
                return constant(&value);
            }
            _ => {}
        }
    }
    None
}

/// `0`, `1`, `-1`, `LIB_OK`, also in parentheses.
fn constant(value: &[&str]) -> Option<String> {
    match value {
        ["(", inner @ .., ")"] => constant(inner),
        ["-", number] if number.bytes().all(|byte| byte.is_ascii_digit()) => Some(format!("-{number}")),
        [number] if number.bytes().all(|byte| byte.is_ascii_digit()) => Some((*number).to_string()),
        // A constant as they are written; a variable has small letters.
        [name]
            if name.len() > 1
                && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_' || byte.is_ascii_digit()) =>
        {
            Some((*name).to_string())
        }
        _ => None,
    }
}

/// Words and single marks, without comments and what stands in quotes.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut rest = text.chars().peekable();
    let mut word = String::new();
    while let Some(c) = rest.next() {
        if c.is_alphanumeric() || c == '_' {
            word.push(c);
            continue;
        }
        if !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        match (c, rest.peek()) {
            ('/', Some('*')) => {
                let mut last = ' ';
                rest.next();
                for c in rest.by_ref() {
                    if last == '*' && c == '/' {
                        break;
                    }
                    last = c;
                }
            }
            ('/', Some('/')) => while rest.next_if(|c| *c != '\n').is_some() {},
            ('"' | '\'', _) => {
                while let Some(inside) = rest.next() {
                    match inside {
                        '\\' => drop(rest.next()),
                        inside if inside == c => break,
                        _ => {}
                    }
                }
                words.push("\"\"".to_string());
            }
            (c, _) if c.is_whitespace() => {}
            (c, _) => words.push(c.to_string()),
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_to_the_end_tells_what_success_is() {
        let zero = "int open_it(struct db **out) { if (!out) return -1; *out = make(); /* return 7; */ return 0; }";
        assert_eq!(returned(zero).as_deref(), Some("0"));
        let one = "int init(struct p *p)\n{\n    if (!grow(p)) goto error;\n    return 1;\n\nerror:\n    clean(p);\n    return 0;\n}";
        assert_eq!(returned(one).as_deref(), Some("1"));
        let named = "int f(void) { if (x) { return BAD; } log(\"return 3;\"); return (LIB_OK); }";
        assert_eq!(returned(named).as_deref(), Some("LIB_OK"));
        assert_eq!(returned("int f(void) { return status; }"), None);
        assert_eq!(returned("int f(void) { if (a) return 1; else return 2; }"), None);
    }
}
