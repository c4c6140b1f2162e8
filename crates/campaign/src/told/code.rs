//! Places of alarms → the text of the program there: the expression, the function around it.

use super::guards::{self, Guard};
use super::tokens::{Token, text, tokens};
use covet_results::{Alarm, Frame, Range};
use covet_sites::SiteMap;
use std::collections::BTreeMap;
use std::ops;
use std::path::Path;

/// The texts of files that alarms speak of.
pub struct Texts(BTreeMap<String, String>);

impl Texts {
    /// Files that cannot be read have no text.
    pub fn of<'a>(files: impl Iterator<Item = &'a str>) -> Texts {
        let mut texts = BTreeMap::new();
        for file in files.filter(|file| !file.is_empty()) {
            if !texts.contains_key(file) {
                let bytes = std::fs::read(file).unwrap_or_default();
                texts.insert(file.to_string(), String::from_utf8_lossy(&bytes).into_owned());
            }
        }
        Texts(texts)
    }

    pub fn code<'a>(&'a self, map: &'a SiteMap) -> Code<'a> {
        Code { tokens: self.0.iter().map(|(file, text)| (file.as_str(), tokens(text))).collect(), map }
    }
}

/// The same as tokens, with the functions in them.
pub struct Code<'a> {
    tokens: BTreeMap<&'a str, Vec<Token<'a>>>,
    map: &'a SiteMap,
}

/// What stands at a place.
pub struct Found<'c> {
    /// The whole file.
    file: &'c [Token<'c>],
    /// The body of the function around it.
    body: ops::Range<usize>,
    at: ops::Range<usize>,
}

impl<'a> Code<'a> {
    /// The expression of an alarm: its range, or else all of its line.
    pub fn of<'c>(&'c self, alarm: &Alarm) -> Option<Found<'c>> {
        let file = self.tokens.get(alarm.file.as_str())?.as_slice();
        let at = match alarm.range {
            Some(range) => between(file, range),
            None => line(file, alarm.line),
        };
        let body = self.body(&alarm.function, &alarm.file, file);
        (!at.is_empty()).then_some(Found { file, body, at })
    }

    /// The call that a frame is in.
    pub fn call<'c>(&'c self, frame: &Frame) -> Option<Found<'c>> {
        let file = self.tokens.get(frame.file.as_str())?.as_slice();
        let behind = |token: &Token<'_>| (token.line, token.column) >= (frame.line, frame.column);
        let first = file.iter().position(behind).filter(|first| file[*first].line == frame.line)?;
        let open = first + 1;
        let is_call = file.get(open).is_some_and(|token| token.text == "(");
        let end = super::tokens::closing(file, open).filter(|_| is_call).unwrap_or(first);
        let body = self.body(&frame.function, &frame.file, file);
        Some(Found { file, body, at: first..end + 1 })
    }

    fn body(&self, function: &str, file: &str, tokens: &[Token<'_>]) -> ops::Range<usize> {
        let is_it = |name: &str, place: &str| name == function && same_name(place, file);
        let known = self.map.functions.iter().find(|known| !known.is_model && is_it(&known.name, &known.file));
        known.map_or(0..tokens.len(), |known| guards::body(tokens, known.line))
    }
}

impl<'c> Found<'c> {
    pub fn tokens(&self) -> &'c [Token<'c>] {
        &self.file[self.at.clone()]
    }

    pub fn text(&self) -> String {
        text(self.tokens())
    }

    /// Whether what it says is called.
    pub fn is_called(&self) -> bool {
        self.file.get(self.at.end).is_some_and(|token| token.text == "(")
    }

    /// Its place among the equal ones of the function, from 0.
    pub fn ordinal(&self) -> usize {
        let wanted = self.tokens();
        let is_same = |at: &usize| {
            let here = self.file.get(*at..*at + wanted.len()).unwrap_or_default();
            here.len() == wanted.len() && here.iter().zip(wanted).all(|(a, b)| a.text == b.text)
        };
        (self.body.start..self.at.start).filter(is_same).count()
    }

    /// The conditions that stand before it, the nearest first.
    pub fn guards(&self) -> Vec<Guard> {
        if self.body.contains(&self.at.start) {
            guards::guards(self.file, self.body.clone(), self.at.start)
        } else {
            Vec::new()
        }
    }

    /// Whether something between this and another place of the same function may change one of these names.
    pub fn is_changed_before(&self, other: &Found<'_>, names: &[&str]) -> bool {
        let (first, second) = if self.at.start <= other.at.start { (self, other) } else { (other, self) };
        let between = first.at.end..second.at.start;
        if first.file.len() != second.file.len() || first.body != second.body {
            return true;
        }
        between.into_iter().any(|at| names.contains(&self.file[at].text) && self.is_changed_at(at))
    }

    fn is_changed_at(&self, at: usize) -> bool {
        const CHANGES: [&str; 13] = ["=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--"];
        let sign = |at: Option<usize>| at.and_then(|at| self.file.get(at)).map_or("", |token| token.text);
        let (before, after) = (sign(at.checked_sub(1)), sign(at.checked_add(1)));
        CHANGES.contains(&after) || matches!(before, "++" | "--" | "&")
    }
}

/// The tokens of a range.
fn between(tokens: &[Token<'_>], range: Range) -> ops::Range<usize> {
    let place = |token: &Token<'_>| (token.line, token.column);
    let start = tokens.partition_point(|token| place(token) < (range.line, range.column));
    let end = tokens.partition_point(|token| place(token) < (range.end_line, range.end_column));
    start..end.max(start)
}

fn line(tokens: &[Token<'_>], line: u32) -> ops::Range<usize> {
    let start = tokens.partition_point(|token| token.line < line);
    let end = tokens.partition_point(|token| token.line <= line);
    start..end
}

/// Debug information and the site map may name a file by different ways to it.
fn same_name(a: &str, b: &str) -> bool {
    a == b || Path::new(a).file_name() == Path::new(b).file_name()
}
