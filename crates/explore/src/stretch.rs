//! Runs that reached much → the same inputs with one item of a text or file made long.
//!
//! ```text
//! key=value\n  →  aaaaaaaaaaaaaaaaaaaakey=value\n, keyaaaaaaaaaaaaaaaaaaaaa=value\n, key=valueaaaaaaaaaaaaaaaaaaaaa\n
//! a b\n        →  a b b b b b b b b b b b b\n
//! ```
//!
//! What is copied to a buffer is often an item between two separators. Flips find the separators, but an item of a hundred characters
//! takes a hundred flips that bring nothing. Separators are what the run compares characters with.

use crate::engine::Exploration;
use crate::lengthen::{Base, FILLER, Text};
use crate::merge::Attempt;
use covet_input::{Input, ValueKind, VarId, Variable};
use std::collections::{BTreeMap, BTreeSet};

/// Inputs of one time, separators in one text, and characters of it that are looked through for them.
const MOST_INPUTS: usize = 400;
const MOST_PLACES: usize = 6;
const MOST_SEARCHED: usize = 96;

/// Bytes of the input that stand one behind the other.
struct Bytes {
    name: String,
    kind: ValueKind,
    most: u64,
    /// What says how many there are, and how many there are when it is 0; none when they are always as many.
    length: Option<(VarId, u64)>,
    /// A pointer that must be set.
    pointer: Option<VarId>,
}

impl Exploration {
    /// The inputs of `bases` with items of these lengths.
    pub(crate) fn stretched_inputs(&mut self, bases: &[Base], texts: &[Text], lengths: &[u64]) -> Vec<Attempt> {
        let all: Vec<Bytes> = texts.iter().map(|text| self.growing(text)).chain(self.fixed()).collect();
        let mut made = Vec::new();
        // Where there is room for less, several lengths make the same.
        let mut seen = BTreeSet::new();
        for length in lengths {
            for (base, bytes) in bases.iter().flat_map(|base| all.iter().map(move |bytes| (base, bytes))) {
                let old = self.content(&base.input, bytes);
                for (place, again) in items(&old, &base.compared) {
                    let Some(input) = self.stretched(&base.input, bytes, (&old, place), &again, *length) else {
                        continue;
                    };
                    if !self.is_tried(&input) && seen.insert(input.clone()) {
                        made.push(Attempt { lengthens: true, ..Attempt::seed(input) });
                    }
                    if made.len() >= MOST_INPUTS {
                        return made;
                    }
                }
            }
        }
        made
    }

    fn growing(&self, text: &Text) -> Bytes {
        let Text { pointer, more, most, name, kind, .. } = text;
        Bytes {
            name: name.clone(),
            kind: *kind,
            most: *most,
            length: Some((*more, self.config.texts.first)),
            pointer: *pointer,
        }
    }

    /// Standard input, files, arguments and what the system gives to read, as far as runs have asked for them.
    fn fixed(&self) -> Vec<Bytes> {
        let variables = &self.state.variables;
        let mut found: BTreeMap<&str, (u64, ValueKind)> = BTreeMap::new();
        for (_, variable) in variables.iter().filter(|(_, variable)| variable.width == 8) {
            let Some((name, index)) = variable.name.rsplit_once('[') else { continue };
            let is_read = name.starts_with("os.") && name.ends_with(".bytes");
            let is_outside = is_read || name == "stdin" || name.starts_with("file.") || name.starts_with("argv[");
            if let (true, Some(index)) =
                (is_outside, index.strip_suffix(']').and_then(|index| index.parse::<u64>().ok()))
            {
                let known = found.entry(name).or_insert((0, variable.kind));
                known.0 = known.0.max(index + 1);
            }
        }
        let bytes = |(name, (most, kind)): (&str, (u64, ValueKind))| {
            let length = variables.find(&format!("{name}.size")).map(|size| (size, 0));
            Bytes { name: name.to_string(), kind, most, length, pointer: None }
        };
        found.into_iter().map(bytes).collect()
    }

    /// What an input has there, up to a zero.
    fn content(&self, input: &Input, bytes: &Bytes) -> Vec<u8> {
        let variables = &self.state.variables;
        let value = |id: VarId| input.get(id).unwrap_or_else(|| u128::from(variables.get(id).default));
        if bytes.pointer.is_some_and(|pointer| value(pointer) == 0) {
            return Vec::new();
        }
        let at = |index: u64| variables.find(&format!("{}[{index}]", bytes.name)).map_or(0, value) as u8;
        (0..bytes.most.min(MOST_SEARCHED as u64)).map(at).take_while(|byte| *byte != 0).collect()
    }

    /// The input with `again`, over and over, in front of the character at a place of what is there: so many characters of it, or as many as
    /// there is room for.
    fn stretched(
        &mut self,
        input: &Input,
        bytes: &Bytes,
        (old, place): (&[u8], usize),
        again: &[u8],
        length: u64,
    ) -> Option<Input> {
        let length = length.min(bytes.most.saturating_sub(old.len() as u64 + 1));
        let end = old.len() as u64 + length;
        if old.is_empty() || length == 0 {
            return None;
        }
        let mut input = input.clone();
        let letters = again.iter().cycle().take(length as usize).map(|letter| u128::from(*letter));
        let (before, after) = old.split_at(place);
        let plain = |part: &[u8]| part.iter().map(|byte| u128::from(*byte)).collect::<Vec<u128>>();
        let new = plain(before).into_iter().chain(letters).chain(plain(after)).chain([0]);
        for (index, character) in new.enumerate() {
            let name = format!("{}[{index}]", bytes.name);
            let id = self.state.variables.intern(Variable { name, width: 8, kind: bytes.kind, default: 0 });
            input.set(id, character);
        }
        if let Some((variable, first)) = bytes.length {
            let now = input.get(variable).unwrap_or_default();
            input.set(variable, now.max(u128::from((end + 1).saturating_sub(first))));
        }
        Some(input)
    }
}

/// Where to put what is to make a text long: a letter at the end of each item, which makes that one long, and the item itself, which makes
/// many of it.
fn items(text: &[u8], compared: &[u8]) -> Vec<(usize, Vec<u8>)> {
    let places = places(text, compared);
    let many = places.iter().filter_map(|end| {
        let start = places.iter().filter(|place| *place < end).max()?;
        Some((*end, text[*start..*end].to_vec())).filter(|(_, item)| item.len() > 1)
    });
    let long = places.iter().map(|place| (*place, vec![FILLER as u8]));
    long.chain(many).collect()
}

/// Where items end: at what the run compares characters with, at white space whatever it compares with, and at the end.
fn places(text: &[u8], compared: &[u8]) -> Vec<usize> {
    let is_separator = |at: &usize| compared.contains(&text[*at]) || text[*at].is_ascii_whitespace();
    let mut places: Vec<usize> = (1..text.len()).filter(is_separator).take(MOST_PLACES).collect();
    places.extend((!text.is_empty()).then_some(text.len()));
    places.extend((!text.is_empty()).then_some(0));
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_end_at_what_is_compared() {
        assert_eq!(places(b"key=a,b\n", b"=,"), [3, 5, 7, 8, 0]);
        assert_eq!(places(b"=", b"="), [1, 0]);
        assert!(places(b"", b"=").is_empty());
        let letter = || b"a".to_vec();
        let expected = [(1, letter()), (3, letter()), (0, letter()), (1, b"x".to_vec()), (3, b",y".to_vec())];
        assert_eq!(items(b"x,y", b","), expected.into_iter().filter(|(_, item)| *item != b"x").collect::<Vec<_>>());
    }
}
