//! What a pointer input points at, and the word that a record has for it.

use crate::AccessPath;
use std::fmt;
use std::str::FromStr;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pointee {
    Null,
    /// A fresh object of so many elements. `more`: zeroed elements after them, or those of a flexible array member.
    Object {
        elements: u64,
        more: u64,
    },
    /// The object that the pointer with this path points at.
    Alias(AccessPath),
    /// Element number `at` of the object that the pointer `of` points at, or just behind its last.
    Inside {
        of: AccessPath,
        at: u64,
    },
    Function(String),
    /// An open stream over a file whose bytes are the inputs `PATH[0]`, ..., as many as `PATH.size` says.
    Stream,
    /// A function made up for this pointer: its calls return the inputs `PATH()`, `PATH()#2`, ...
    Mock,
}

impl fmt::Display for Pointee {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Pointee::Null => f.write_str("null"),
            Pointee::Object { elements, more: 0 } => write!(f, "object:{elements}"),
            Pointee::Object { elements, more } => write!(f, "object:{elements}+{more}"),
            Pointee::Alias(path) => write!(f, "alias:{path}"),
            Pointee::Inside { of, at } => write!(f, "inside:{at}:{of}"),
            Pointee::Function(name) => write!(f, "function:{name}"),
            Pointee::Stream => f.write_str("stream"),
            Pointee::Mock => f.write_str("stub"),
        }
    }
}

/// The text is not one that a [`Pointee`] is written as.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoPointee(String);

impl fmt::Display for NoPointee {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} does not say what a pointer points at", self.0)
    }
}

impl std::error::Error for NoPointee {}

impl FromStr for Pointee {
    type Err = NoPointee;

    fn from_str(text: &str) -> Result<Pointee, NoPointee> {
        read(text).ok_or_else(|| NoPointee(text.to_string()))
    }
}

fn read(text: &str) -> Option<Pointee> {
    match text.split_once(':') {
        None => match text {
            "null" => Some(Pointee::Null),
            "stream" => Some(Pointee::Stream),
            "stub" => Some(Pointee::Mock),
            _ => None,
        },
        Some(("object", rest)) => {
            let (elements, more) = rest.split_once('+').unwrap_or((rest, "0"));
            Some(Pointee::Object { elements: elements.parse().ok()?, more: more.parse().ok()? })
        }
        Some(("alias", path)) => Some(Pointee::Alias(path.into())),
        Some(("inside", rest)) => {
            let (at, of) = rest.split_once(':')?;
            Some(Pointee::Inside { of: of.into(), at: at.parse().ok()? })
        }
        Some(("function", name)) => Some(Pointee::Function(name.to_string())),
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_back() {
        let words = ["null", "object:3", "object:3+1", "alias:arg.p->next", "inside:2:(*arg.m)[1]", "function:f"];
        for word in words.into_iter().chain(["stream", "stub"]) {
            assert_eq!(word.parse::<Pointee>().unwrap().to_string(), word);
        }
        for word in ["", "nothing", "object:", "object:x", "inside:arg.p", "kind:1"] {
            assert!(word.parse::<Pointee>().is_err(), "{word}");
        }
    }
}
