//! The input of a test as people read it: bytes that belong together are one text.

use crate::record::Test;
use covet_input::{AccessPath, PathStep, Value, ValueKind};
use std::collections::BTreeMap;

/// Bytes beyond are shown as numbers.
const LONGEST_TEXT: u64 = 64;

/// Texts in quotes, by the path of the array, and all other inputs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Readable {
    pub texts: Vec<(AccessPath, String)>,
    pub numbers: Vec<(AccessPath, Value)>,
}

impl Readable {
    pub fn of(test: &Test) -> Readable {
        let mut texts: BTreeMap<AccessPath, Vec<u8>> = BTreeMap::new();
        let mut numbers = Vec::new();
        for (name, value) in &test.inputs {
            let path = AccessPath::from(name.as_str());
            match text_of(&path, value) {
                Some((text, at)) => {
                    let bytes = texts.entry(text).or_default();
                    bytes.resize(bytes.len().max(at + 1), 0);
                    bytes[at] = value.bits as u8;
                }
                None => numbers.push((path, *value)),
            }
        }
        let shown = |(path, bytes): (AccessPath, Vec<u8>)| {
            let size = path.size();
            let size = numbers.iter().find(|(other, _)| *other == size).map(|(_, size)| size.bits as usize);
            let used = size.unwrap_or_else(|| bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1));
            let text = format!("\"{}\"", bytes[..used.min(bytes.len())].escape_ascii());
            (path, text)
        };
        let texts = texts.into_iter().map(shown).collect();
        Readable { texts, numbers }
    }
}

/// The text that an input is a character of, and its place there.
fn text_of(path: &AccessPath, value: &Value) -> Option<(AccessPath, usize)> {
    let is_character = matches!(value.kind, ValueKind::Char | ValueKind::Byte) && value.width == 8;
    match (path.steps().last(), path.parent()) {
        (Some(PathStep::Index(index)), Some(text)) if is_character && *index < LONGEST_TEXT => {
            Some((text, *index as usize))
        }
        _ => None,
    }
}
