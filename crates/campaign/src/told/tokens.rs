//! C text → its tokens, each with its place: what is left of it when spaces, line ends and comments do not count.

/// A word, a number, a text or a sign of C.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<'a> {
    pub text: &'a str,
    /// From 1, as compilers count; columns are bytes.
    pub line: u32,
    pub column: u32,
}

impl Token<'_> {
    pub fn is_name(&self) -> bool {
        self.text.starts_with(|c: char| c.is_alphabetic() || c == '_')
    }
}

/// Signs of more than one character, longest first.
const SIGNS: [&str; 23] = [
    "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=",
    "%=", "&=", "|=", "^=", "##",
];

pub fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let (mut rest, mut line, mut column) = (text, 1, 1);
    while let Some(first) = rest.chars().next() {
        let (length, is_token) = match first {
            ' ' | '\t' | '\r' | '\n' | '\x0b' | '\x0c' => (1, false),
            // A line that goes on.
            '\\' => (1, false),
            _ if rest.starts_with("//") => (rest.find('\n').unwrap_or(rest.len()), false),
            _ if rest.starts_with("/*") => (rest[2..].find("*/").map_or(rest.len(), |end| end + 4), false),
            '"' | '\'' => (quoted(rest, first), true),
            _ if is_word(first) => (word(rest), true),
            '.' if rest[1..].starts_with(|c: char| c.is_ascii_digit()) => (word(rest), true),
            _ => (SIGNS.iter().find(|sign| rest.starts_with(**sign)).map_or(first.len_utf8(), |sign| sign.len()), true),
        };
        let (token, after) = rest.split_at(length);
        if is_token {
            found.push(Token { text: token, line, column });
        }
        match token.rfind('\n') {
            Some(last) => (line, column) = (line + token.matches('\n').count() as u32, (token.len() - last) as u32),
            None => column += length as u32,
        }
        rest = after;
    }
    found
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// The length of the name or number that a text begins with.
fn word(text: &str) -> usize {
    let is_number = text.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    let mut before = ' ';
    let goes_on = |c: char| {
        let is_sign_of_exponent = is_number && matches!(c, '+' | '-') && matches!(before, 'e' | 'E' | 'p' | 'P');
        before = c;
        is_word(c) || (is_number && c == '.') || is_sign_of_exponent
    };
    let mut goes_on = goes_on;
    text.char_indices().find(|(_, c)| !goes_on(*c)).map_or(text.len(), |(at, _)| at)
}

/// The length of the text or character that begins here; one that does not end, ends with its line.
fn quoted(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '\n' if !is_escaped => return at,
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if c == quote => return at + c.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

/// Tokens as one text, with single spaces where C or a reader needs them.
pub fn text(tokens: &[Token<'_>]) -> String {
    let mut text = String::new();
    let mut before: Option<&Token<'_>> = None;
    for token in tokens {
        if before.is_some_and(|before| before.line != token.line || end(before) != token.column) {
            text.push(' ');
        }
        text += token.text;
        before = Some(token);
    }
    text
}

fn end(token: &Token<'_>) -> u32 {
    token.column + token.text.len() as u32
}

/// The place of the token that closes what the one at `open` opens; none when nothing does.
pub fn closing(tokens: &[Token<'_>], open: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_spaces_are_gone_and_places_stay() {
        let found = tokens("a /* x\n y */ +=\n  b->c[1.5e-3]; // end\n\"q\\\"\" 'x'\\\n z");
        let texts: Vec<&str> = found.iter().map(|token| token.text).collect();
        assert_eq!(texts, ["a", "+=", "b", "->", "c", "[", "1.5e-3", "]", ";", "\"q\\\"\"", "'x'", "z"]);
        let places: Vec<(u32, u32)> = found.iter().map(|token| (token.line, token.column)).collect();
        assert_eq!(places[..4], [(1, 1), (2, 7), (3, 3), (3, 4)]);
        assert_eq!(places[11], (5, 2));
        assert_eq!(text(&found[..8]), "a += b->c[1.5e-3]");
        assert_eq!(closing(&found, 5), Some(7));
        assert_eq!(closing(&found, 7), None);
    }

    #[test]
    fn texts_without_an_end_do_no_harm() {
        for odd in ["\"abc", "'", "/* never", "\u{e9}t\u{e9} @ \u{2014}", "\\", "."] {
            tokens(odd);
        }
        assert_eq!(tokens("\"abc\nd").len(), 2);
    }
}
