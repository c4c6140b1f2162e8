//! The text of a C function → small edits of it: each what a programmer might have got wrong.
//!
//! Tokens are enough: an edit that is no C is found out by the compiler, and not counted.

use std::ops::Range;

/// One change of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// Bytes of the file that are replaced.
    pub at: Range<usize>,
    pub by: String,
    /// In words.
    pub kind: &'static str,
    pub line: usize,
}

impl Edit {
    pub fn applied(&self, text: &str) -> String {
        format!("{}{}{}", &text[..self.at.start], self.by, &text[self.at.end..])
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Token {
    at: Range<usize>,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Word,
    Number,
    /// Of characters, in either quotes.
    Text,
    Sign,
}

const SWAPS: &[(&str, &str, &str)] = &[
    ("+", "-", "operator"),
    ("-", "+", "operator"),
    ("*", "/", "operator"),
    ("/", "*", "operator"),
    ("%", "*", "operator"),
    ("&", "|", "operator"),
    ("|", "&", "operator"),
    ("^", "&", "operator"),
    ("<<", ">>", "operator"),
    (">>", "<<", "operator"),
    ("&&", "||", "operator"),
    ("||", "&&", "operator"),
    ("+=", "-=", "operator"),
    ("-=", "+=", "operator"),
    ("|=", "&=", "operator"),
    ("&=", "|=", "operator"),
    ("++", "--", "operator"),
    ("--", "++", "operator"),
    ("<", "<=", "comparison"),
    ("<=", "<", "comparison"),
    (">", ">=", "comparison"),
    (">=", ">", "comparison"),
    ("==", "!=", "comparison"),
    ("!=", "==", "comparison"),
];

const SIGNS: &[&str] = &[
    "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=",
    "%=", "&=", "|=", "^=",
];

/// Words that begin no statement to be removed, and are no operands.
const KEYWORDS: &[&str] = &[
    "if", "else", "for", "while", "do", "switch", "case", "default", "return", "break", "continue", "goto", "sizeof",
    "struct", "union", "enum", "static", "const", "unsigned", "signed", "int", "char", "long", "short", "float",
    "double", "void", "register", "volatile", "extern", "typedef", "inline",
];

/// The edits of the function that begins at `line` (from 1).
pub fn edits(text: &str, line: usize) -> Vec<Edit> {
    let start: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let tokens = body(text, tokens(text, start));
    let mut found = Vec::new();
    for at in 0..tokens.len() {
        found.extend(swap(text, &tokens, at));
        found.extend(constant(text, &tokens[at]));
        found.extend(condition(text, &tokens, at));
        found.extend(statement(text, &tokens, at));
    }
    for edit in &mut found {
        edit.line = 1 + text[..edit.at.start].bytes().filter(|byte| *byte == b'\n').count();
    }
    found
}

fn edit(at: Range<usize>, by: String, kind: &'static str) -> Edit {
    Edit { at, by, kind, line: 0 }
}

fn swap(text: &str, tokens: &[Token], at: usize) -> Option<Edit> {
    let sign = &text[tokens[at].at.clone()];
    let (_, by, kind) = SWAPS.iter().find(|(from, _, _)| *from == sign)?;
    let before = at.checked_sub(1).map(|before| &tokens[before])?;
    let word = &text[before.at.clone()];
    let is_operand = match before.kind {
        Kind::Word => !KEYWORDS.contains(&word),
        Kind::Number | Kind::Text => true,
        Kind::Sign => matches!(word, ")" | "]"),
    };
    // `-x` and `*p` are no operations of two.
    let is_step = matches!(sign, "++" | "--");
    (is_operand || is_step).then(|| edit(tokens[at].at.clone(), (*by).to_owned(), kind))
}

fn constant(text: &str, token: &Token) -> Option<Edit> {
    let number = &text[token.at.clone()];
    let digits = number.trim_end_matches(['u', 'U', 'l', 'L']);
    if token.kind != Kind::Number || digits.is_empty() {
        return None;
    }
    let value = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hexadecimal) => u64::from_str_radix(hexadecimal, 16).ok()?,
        None if digits.len() > 1 && digits.starts_with('0') => u64::from_str_radix(digits, 8).ok()?,
        None => digits.parse::<u64>().ok()?,
    };
    let by = format!("{}{}", value.checked_add(1)?, &number[digits.len()..]);
    Some(edit(token.at.clone(), by, "constant"))
}

/// `if (...)` → `if (!(...))`
fn condition(text: &str, tokens: &[Token], at: usize) -> Option<Edit> {
    let is = |at: usize, what: &str| tokens.get(at).is_some_and(|token| &text[token.at.clone()] == what);
    if !(is(at, "if") || is(at, "while")) || !is(at + 1, "(") {
        return None;
    }
    let close = closing(text, tokens, at + 1)?;
    let range = tokens[at + 1].at.start..tokens[close].at.end;
    let by = format!("(!{})", &text[range.clone()]);
    Some(edit(range, by, "condition"))
}

/// A call or an assignment is left out.
fn statement(text: &str, tokens: &[Token], at: usize) -> Option<Edit> {
    let word = |at: usize| tokens.get(at).map(|token| &text[token.at.clone()]);
    let is_start = at == 0 || matches!(word(at - 1), Some(";" | "{" | "}"));
    let begins = match tokens[at].kind {
        Kind::Word => !KEYWORDS.contains(&word(at)?) && tokens.get(at + 1).is_some_and(|next| next.kind == Kind::Sign),
        Kind::Sign => matches!(word(at), Some("*" | "++" | "--")),
        Kind::Number | Kind::Text => false,
    };
    // `type *name;` declares.
    let declares = tokens[at].kind == Kind::Word && word(at + 1) == Some("*");
    if !is_start || !begins || declares || word(at + 1) == Some(":") {
        return None;
    }
    let end = (at..tokens.len()).find(|end| matches!(word(*end), Some(";" | "{" | "}")))?;
    let does = (at..end).any(|at| {
        matches!(word(at), Some("=" | "(" | "++" | "--"))
            || word(at).is_some_and(|sign| sign.len() == 2 && sign.ends_with('='))
    });
    (word(end) == Some(";") && does)
        .then(|| edit(tokens[at].at.start..tokens[end].at.start, String::new(), "statement"))
}

fn closing(text: &str, tokens: &[Token], open: usize) -> Option<usize> {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match &text[token.at.clone()] {
            "(" | "{" => depth += 1,
            ")" | "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// What is within the first braces.
fn body(text: &str, tokens: Vec<Token>) -> Vec<Token> {
    let Some(open) = tokens.iter().position(|token| &text[token.at.clone()] == "{") else { return Vec::new() };
    let Some(close) = closing(text, &tokens, open) else { return Vec::new() };
    tokens[open + 1..close].to_vec()
}

/// The tokens from byte `start` on, without comments and directives.
fn tokens(text: &str, start: usize) -> Vec<Token> {
    let mut found = Vec::new();
    let mut at = start;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let is_directive = first == '#' && text[..at].trim_end_matches([' ', '\t']).ends_with('\n');
        let (kind, length) = if rest.starts_with("/*") {
            (None, rest.find("*/").map_or(rest.len(), |end| end + 2))
        } else if rest.starts_with("//") || is_directive {
            (None, rest.find('\n').unwrap_or(rest.len()))
        } else if first == '"' || first == '\'' {
            (Some(Kind::Text), quoted(rest, first))
        } else if first.is_ascii_digit() {
            (Some(Kind::Number), run(rest, |c| c.is_ascii_alphanumeric() || c == '.' || c == '_'))
        } else if first.is_alphanumeric() || first == '_' {
            (Some(Kind::Word), run(rest, |c| c.is_alphanumeric() || c == '_'))
        } else if first.is_whitespace() {
            (None, first.len_utf8())
        } else {
            let long = SIGNS.iter().find(|sign| rest.starts_with(**sign));
            (Some(Kind::Sign), long.map_or(first.len_utf8(), |sign| sign.len()))
        };
        found.extend(kind.map(|kind| Token { at: at..at + length, kind }));
        at += length;
    }
    found
}

fn run(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    text.find(|c| !belongs(c)).unwrap_or(text.len())
}

/// Bytes of a literal in quotes.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        if c == quote && !escaped {
            return at + 1;
        }
        escaped = c == '\\' && !escaped;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_edit_is_found_in_the_body_alone() {
        let text = "int k = 1;\nint f(int *p, int n)\n{\n    /* 7 + 8 */\n    char *s = \"a + 1\";\n    if (n < 3)\n        p[0] = n - 1;\n    *p = -n;\n    g(p);\n    return n;\n}\nint h(void) { return 2; }\n";
        let found = edits(text, 2);
        let shown: Vec<(&str, &str, usize)> =
            found.iter().map(|edit| (&text[edit.at.clone()], edit.by.as_str(), edit.line)).collect();
        assert_eq!(
            shown,
            [
                ("(n < 3)", "(!(n < 3))", 6),
                ("<", "<=", 6),
                ("3", "4", 6),
                ("0", "1", 7),
                ("-", "+", 7),
                ("1", "2", 7),
                ("*p = -n", "", 8),
                ("g(p)", "", 9),
            ]
        );
        assert!(found[0].applied(text).contains("if (!(n < 3))"));
    }
}
