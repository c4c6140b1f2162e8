//! The tokens of a function and a place in it → the conditions that stand before that place: those around it, and those that would have left.

use super::tokens::{Token, closing, text};
use std::ops::Range;

/// A condition, and what it is at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guard {
    pub line: u32,
    pub condition: String,
    /// The names in it.
    pub names: Vec<String>,
    pub holds: bool,
    /// It does not stand around the place, but before: the function would have left.
    pub is_exit: bool,
    pub is_loop: bool,
}

/// The tokens of the body of the function that begins at this line; all when it cannot be told.
pub fn body(tokens: &[Token<'_>], line: u32) -> Range<usize> {
    let first = tokens.iter().position(|token| token.line >= line).unwrap_or(tokens.len());
    let mut at = first;
    while at < tokens.len() {
        match tokens[at].text {
            "(" | "[" => at = closing(tokens, at).unwrap_or(tokens.len()),
            "{" => return at..closing(tokens, at).map_or(tokens.len(), |end| end + 1),
            _ => {}
        }
        at += 1;
    }
    0..tokens.len()
}

/// The conditions that stand before the token at `place`, the nearest first. `body` are the tokens of a function's body with its braces.
pub fn guards(tokens: &[Token<'_>], body: Range<usize>, place: usize) -> Vec<Guard> {
    let mut walk = Walk { tokens, place, end: body.end, found: Vec::new(), depth: 0 };
    walk.statement(body.start);
    walk.found.reverse();
    walk.found
}

/// Deeper than this no person nests.
const DEEPEST: usize = 200;

struct Walk<'a> {
    tokens: &'a [Token<'a>],
    place: usize,
    end: usize,
    found: Vec<Guard>,
    depth: usize,
}

impl Walk<'_> {
    /// Reads the statement that begins here; gives the place behind it.
    fn statement(&mut self, at: usize) -> usize {
        self.depth += 1;
        let next = match self.text(at) {
            _ if self.depth > DEEPEST => self.end,
            "{" => self.block(at),
            "if" => self.branch(at),
            "while" | "for" | "switch" => self.around(at),
            "do" => self.statement(at + 1),
            "else" => self.statement(at + 1),
            _ => self.simple(at),
        };
        self.depth -= 1;
        next.max(at + 1)
    }

    fn block(&mut self, open: usize) -> usize {
        let close = self.closing(open);
        let before = self.found.len();
        let mut at = open + 1;
        while at < close {
            at = self.statement(at);
        }
        // What stood in a block that is over does not stand before what follows it.
        if close < self.place {
            self.found.truncate(before);
        }
        close + 1
    }

    fn branch(&mut self, at: usize) -> usize {
        let open = at + 1;
        if self.text(open) != "(" {
            return self.simple(at);
        }
        let close = self.closing(open);
        let condition = open + 1..close;
        let before = self.found.len();
        let then = close + 1;
        let leaves = self.leaves(then);
        let mut next = self.inside(&condition, true, false, then);
        if self.text(next) == "else" {
            next = self.inside(&condition, false, false, next + 1);
        }
        if next <= self.place {
            self.found.truncate(before);
            if leaves {
                self.found.push(self.guard(&condition, false, true, false));
            }
        }
        next
    }

    fn around(&mut self, at: usize) -> usize {
        let (keyword, open) = (self.text(at).to_string(), at + 1);
        if self.text(open) != "(" {
            return self.simple(at);
        }
        let close = self.closing(open);
        let mut condition = open + 1..close;
        if keyword == "for" {
            let ends: Vec<usize> = self.separators(open, close);
            condition = match ends[..] {
                [first, second, ..] => first + 1..second,
                [] | [_] => close..close,
            };
        }
        let before = self.found.len();
        let next = match keyword.as_str() {
            "switch" => self.statement(close + 1),
            _ if condition.is_empty() || self.is_constant(&condition) => self.statement(close + 1),
            _ => self.inside(&condition, true, true, close + 1),
        };
        if next <= self.place {
            self.found.truncate(before);
        }
        next
    }

    /// Reads a statement that this condition is before; notes it when the place is in there.
    fn inside(&mut self, condition: &Range<usize>, holds: bool, is_loop: bool, at: usize) -> usize {
        let before = self.found.len();
        self.found.push(self.guard(condition, holds, false, is_loop));
        let next = self.statement(at);
        if !(at..next).contains(&self.place) {
            self.found.truncate(before);
        }
        next
    }

    /// Up to its semicolon; blocks in it (of macros that look like loops) are read as such.
    fn simple(&mut self, mut at: usize) -> usize {
        while at < self.end {
            match self.text(at) {
                ";" | "}" => return at + 1,
                ":" => return at + 1,
                "?" => at = self.conditional(at),
                "(" | "[" => at = self.closing(at) + 1,
                "{" => return self.block(at),
                _ => at += 1,
            }
        }
        self.end
    }

    /// Behind the colon of `? :`, so that it is not taken for one of a label.
    fn conditional(&self, at: usize) -> usize {
        let mut open = 0usize;
        let mut next = at;
        while next < self.end {
            match self.text(next) {
                "?" => open += 1,
                ":" if open <= 1 => return next + 1,
                ":" => open -= 1,
                "(" | "[" | "{" => next = self.closing(next),
                ";" => return next,
                _ => {}
            }
            next += 1;
        }
        next
    }

    /// Whether a statement is a way out, or a block that ends in one.
    fn leaves(&self, at: usize) -> bool {
        let is_exit = |at: usize| matches!(self.text(at), "return" | "goto" | "break" | "continue" | "exit" | "abort");
        if self.text(at) != "{" {
            return is_exit(at);
        }
        let close = self.closing(at);
        let mut last = None;
        let mut next = at + 1;
        while next < close {
            if matches!(self.text(next.saturating_sub(1)), "{" | "}" | ";") {
                last = Some(next);
            }
            next = if matches!(self.text(next), "{" | "(" | "[") { self.closing(next) + 1 } else { next + 1 };
        }
        last.is_some_and(is_exit)
    }

    fn separators(&self, open: usize, close: usize) -> Vec<usize> {
        let mut found = Vec::new();
        let mut at = open + 1;
        while at < close {
            match self.text(at) {
                ";" => found.push(at),
                "(" | "[" | "{" => at = self.closing(at),
                _ => {}
            }
            at += 1;
        }
        found
    }

    fn is_constant(&self, condition: &Range<usize>) -> bool {
        !self.tokens[condition.clone()].iter().any(Token::is_name)
    }

    fn guard(&self, condition: &Range<usize>, holds: bool, is_exit: bool, is_loop: bool) -> Guard {
        let tokens = &self.tokens[condition.clone()];
        let names = tokens.iter().filter(|token| token.is_name()).map(|token| token.text.to_string()).collect();
        let line = tokens.first().map_or(0, |token| token.line);
        Guard { line, condition: text(tokens), names, holds, is_exit, is_loop }
    }

    /// The closing token, or the end of all.
    fn closing(&self, open: usize) -> usize {
        closing(&self.tokens[..self.end], open).unwrap_or(self.end.saturating_sub(1)).max(open)
    }

    fn text(&self, at: usize) -> &str {
        if at < self.end { self.tokens[at].text } else { "" }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tokens::tokens;
    use super::*;

    /// The conditions before the name `here`.
    fn before_here(source: &str) -> Vec<String> {
        let all = tokens(source);
        let place = all.iter().position(|token| token.text == "here").unwrap();
        let told = |guard: Guard| {
            let how = if guard.is_exit {
                "left if"
            } else if guard.is_loop {
                "loop"
            } else {
                "if"
            };
            format!("{how} {} {}", guard.condition, guard.holds)
        };
        guards(&all, body(&all, 1), place).into_iter().map(told).collect()
    }

    #[test]
    fn conditions_around_a_place_and_ways_out_before_it_are_found() {
        let source = "int f(int n, char *p) {
            if (p == 0) { log(1); return -1; }
            if (n < 0) return 2; else n++;
            if (n == 9) n = 3;
            for (int i = 0; i < n; i++) {
                if (p[i] == 'x') { n++; } else if (i > 2) { here; }
            }
            if (n > 100) return 3;
        }";
        let expected =
            ["if i > 2 true", "if p[i] == 'x' false", "loop i < n true", "left if n < 0 false", "left if p == 0 false"];
        assert_eq!(before_here(source), expected);
    }

    #[test]
    fn what_is_over_does_not_count() {
        let source = "void f(int a) { while (a) { if (a == 1) break; a--; } x: if (a) { a = b ? c : d; } switch (a) { case 1: do here; while (a > 3); } }";
        assert_eq!(before_here(source), Vec::<String>::new());
        assert_eq!(before_here("void f() { EACH(i, n) { if (i) here; } }"), ["if i true"]);
        assert_eq!(before_here("void f() { for (;;) while (1) if (q) here; }"), ["if q true"]);
    }

    #[test]
    fn text_that_is_no_function_does_no_harm() {
        for odd in ["here", "int f( { here", "{ if ( here", "} else here ) (", "f(x) { if here; for ; }", "if (a) here"]
        {
            before_here(odd);
        }
    }
}
