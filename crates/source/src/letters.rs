//! Switches over the letters of a format → what each letter makes a function read with `va_arg`.
//!
//! Formats of one's own (`"{s:i}"`) are read by a switch with a case for each letter, which takes the argument itself or calls what does.
//! A call that leads back to the switch (an array in an array) reads what other letters ask for, and counts for nothing.

use std::collections::{BTreeMap, BTreeSet};

use crate::clang::{Cursor, CursorKind};
use crate::extra::is_va_list;
use crate::lower::lower;
use crate::types::{TypeId, Types};
use crate::unit::Function;
use crate::uses::is_va_arg;

/// What happens at a letter.
#[derive(Clone, PartialEq, Debug)]
pub struct Case {
    pub letter: u8,
    pub reads: Vec<Read>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Read {
    Type(TypeId),
    /// Whatever this function reads first.
    Call(String),
}

/// The cases of the switch at `cursor` that are characters.
pub fn of(cursor: Cursor<'_>, types: &mut Types) -> Vec<Case> {
    let Some(body) = cursor.children().last().copied() else { return Vec::new() };
    let mut cases: Vec<Case> = Vec::new();
    let mut letters: Vec<u8> = Vec::new();
    for mut statement in body.children() {
        if statement.kind() == CursorKind::Case {
            letters.clear();
        }
        while statement.kind() == CursorKind::Case {
            let [label, next] = statement.children()[..] else { break };
            letters.extend(label.character());
            statement = next;
        }
        let mut reads = Vec::new();
        collect(statement, types, &mut reads);
        for &letter in &letters {
            match cases.iter_mut().find(|case| case.letter == letter) {
                Some(case) => case.reads.extend(reads.iter().cloned()),
                None => cases.push(Case { letter, reads: reads.clone() }),
            }
        }
    }
    cases
}

fn collect(cursor: Cursor<'_>, types: &mut Types, reads: &mut Vec<Read>) {
    let children = cursor.children();
    if is_va_arg(cursor, &children) {
        return reads.push(Read::Type(lower(types, cursor.ty())));
    }
    if cursor.kind() == CursorKind::Call {
        reads.push(Read::Call(cursor.name()));
    }
    children.into_iter().for_each(|child| collect(child, types, reads));
}

/// Tells functions with variable arguments what those that they hand their list to read.
pub fn settle(functions: &mut [Function], types: &Types) {
    let known: Vec<Reader> = functions.iter().map(|function| Reader::of(function, types)).collect();
    let readers = Readers(&known);
    for (function, reader) in functions.iter_mut().zip(&known).filter(|(_, reader)| reader.has_list) {
        let reached = readers.reached(reader);
        for reached in &reached {
            for case in &reached.cases {
                let read = readers.reads(case, reached);
                if !read.is_empty() {
                    function.letters.entry(case.letter).or_insert(read);
                }
            }
        }
        if function.va_arg_types.is_empty() {
            function.va_arg_types =
                reached.iter().map(|reached| &reached.own).find(|own| !own.is_empty()).cloned().unwrap_or_default();
        }
    }
}

/// What matters of a function here.
struct Reader {
    name: String,
    /// It has a list of arguments, its own or handed to it.
    has_list: bool,
    mentions: Vec<String>,
    own: Vec<TypeId>,
    cases: Vec<Case>,
}

impl Reader {
    fn of(function: &Function, types: &Types) -> Reader {
        let takes_list = function.parameters.iter().any(|parameter| is_va_list(types, parameter.ty));
        Reader {
            name: function.name.clone(),
            has_list: function.has_body && (function.is_variadic || takes_list),
            mentions: function.mentions.clone(),
            own: function.va_arg_types.clone(),
            cases: function.cases.clone(),
        }
    }
}

struct Readers<'r>(&'r [Reader]);

impl<'r> Readers<'r> {
    fn find(&self, name: &str) -> Option<&'r Reader> {
        self.0.iter().find(|reader| reader.has_list && reader.name == name)
    }

    /// A reader and those that it may hand its list to, nearest first.
    fn reached(&self, from: &'r Reader) -> Vec<&'r Reader> {
        let mut found: Vec<&Reader> = vec![from];
        let mut seen: BTreeSet<&str> = [from.name.as_str()].into();
        let mut at = 0;
        while let Some(reader) = found.get(at) {
            at += 1;
            let next = reader.mentions.iter().filter_map(|name| self.find(name));
            let fresh: Vec<&Reader> = next.filter(|next| seen.insert(next.name.as_str())).collect();
            found.extend(fresh);
        }
        found
    }

    /// The types that a case reads.
    fn reads(&self, case: &Case, of: &'r Reader) -> Vec<TypeId> {
        let mut types = Vec::new();
        for read in &case.reads {
            match read {
                Read::Type(ty) => types.push(*ty),
                Read::Call(name) => {
                    let reached = self.find(name).map(|callee| self.reached(callee)).unwrap_or_default();
                    let leads_back = reached.iter().any(|reader| reader.name == of.name);
                    let first = reached.iter().find_map(|reader| reader.own.first());
                    types.extend(first.filter(|_| !leads_back));
                }
            }
        }
        types
    }
}

/// What the letters of a format ask for.
pub type Letters = BTreeMap<u8, Vec<TypeId>>;

/// The arguments that a format asks for, letter by letter: letter, number among those of that letter, and type.
pub fn asked(letters: &Letters, format: &[u8]) -> Vec<(u8, usize, TypeId)> {
    let text = format.iter().take_while(|&&byte| byte != 0);
    text.flat_map(|letter| {
        let types = letters.get(letter).into_iter().flatten().enumerate();
        types.map(|(number, ty)| (*letter, number, *ty))
    })
    .collect()
}

/// What tells the names of arguments at one position apart.
pub fn suffix(letter: u8, number: usize) -> String {
    let more = if number == 0 { String::new() } else { format!("_{}", number + 1) };
    match letter.is_ascii_alphanumeric() {
        true => format!(":{}{more}", char::from(letter)),
        false => format!(":x{letter:02x}{more}"),
    }
}
