//! Characters of a long text, behind those that are input → steps that store what the input gives them.
//!
//! A text has a variable for each of its first characters, and grows by ordinary conditions. Behind them it is as long as somebody
//! arranges: what a run is given there are plain values, which nothing is asked about, so a text of a thousand characters has no more
//! conditions than one of [`LONGEST_TEXT`](super::LONGEST_TEXT).

use super::LONGEST_TEXT;
use crate::blueprint::{Blueprint, Length, Object};
use covet_abi::input::ValueKind;
use covet_abi::plan::{Place, Step};
use covet_input::{AccessPath, Input, Variable, Variables};
use std::ops::Range;

impl Object {
    /// The elements of a text of `count` that are no input by themselves.
    fn far(&self, count: u64) -> Range<u64> {
        match self.length {
            Length::Grown { first, .. } if self.has_open_end() => LONGEST_TEXT.max(first)..count,
            Length::Grown { .. } | Length::Fixed(_) | Length::Input { .. } | Length::Span { .. } => 0..0,
        }
    }

    /// Steps for the characters that `input` gives to a text of `count`.
    pub(crate) fn given(&self, variables: &Variables, input: &Input, count: u64) -> Vec<Step> {
        let step = |at: u64| {
            let id = variables.find(self.path.index(at).as_str())?;
            input.get(id)?;
            Some(Step::Given { at: Place::start_of(self.slot).plus(at * self.size), variable: id.0 })
        };
        self.far(count).filter_map(step).collect()
    }
}

impl Blueprint<'_> {
    /// Makes known the variable of this name, if it is one of a text's far characters.
    pub(crate) fn know_far(&self, variables: &mut Variables, name: &str) {
        let path = AccessPath::from(name);
        let is_far = |object: &Object| {
            let index = name.strip_prefix(object.path.as_str())?.strip_prefix('[')?.strip_suffix(']')?.parse().ok()?;
            (object.far(object.length.most()).contains(&index) && object.path.index(index) == path).then_some(())
        };
        if self.objects.iter().any(|object| is_far(object).is_some()) {
            variables.intern(Variable { name: name.to_string(), width: 8, kind: ValueKind::Char, default: 0 });
        }
    }
}
