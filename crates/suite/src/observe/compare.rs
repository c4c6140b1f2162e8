//! Two runs side by side, from what is watched along the types: where both found the same, there is something to check.
//!
//! Of what was there before what changed is checked, and that nothing else did. Pointers are told by what they lead to, never by their
//! numbers; what differs between the runs depends on addresses or on memory that nobody has written.

use super::changed::Changed;
use super::memory::{Kind, Observed, Region};
use crate::ctest::{Root, Watched, literal};
use covet_input::{Value, ValueKind};
use covet_results::{Check, CheckKind};
use covet_source::{Field, TypeId, TypeKind, Types};
use std::collections::{BTreeMap, BTreeSet};

/// Checks of one test, bytes of one text, pointers followed.
const MOST_CHECKS: usize = 32;
pub(super) const MOST_BYTES: usize = 96;
/// Things that are checked by their digests.
const MOST_DIGESTS: usize = 12;
const DEEPEST: usize = 5;
const MOST_PRINTED: usize = 400;

/// The checks that hold in both runs. `visible`: the records whose members can be named.
pub fn checks(
    types: &Types,
    visible: &BTreeSet<TypeId>,
    watched: &[Watched],
    first: &Observed,
    second: &Observed,
) -> Vec<Check> {
    let mut comparison = Comparison {
        types,
        visible,
        watched,
        runs: [first, second],
        names: BTreeMap::new(),
        found: vec![],
        digests: vec![],
        root: 0,
        changed: Changed::default(),
    };
    if first.regions.len() >= watched.len() && second.regions.len() >= watched.len() {
        // The result first: that is what a reader looks for.
        let (results, others): (Vec<usize>, Vec<usize>) =
            (0..watched.len()).partition(|at| watched[*at].root == Root::Result);
        results.into_iter().chain(others).for_each(|at| comparison.root(at));
    }
    comparison.found.truncate(MOST_CHECKS);
    comparison.digests.truncate(MOST_DIGESTS);
    comparison.found.append(&mut comparison.digests);
    comparison.found.extend(printed(first, second));
    comparison.found.extend(blocks(first, second));
    comparison.found
}

fn printed(first: &Observed, second: &Observed) -> Option<Check> {
    let bytes = &first.printed.bytes;
    if first.printed != second.printed || bytes.is_empty() {
        return None;
    }
    let is_all = bytes.len() <= MOST_PRINTED && !first.printed.is_cut;
    let how = if is_all { CheckKind::Printed } else { CheckKind::PrintedFirst };
    Some(Check { how, what: String::new(), expected: literal::string(&bytes[..bytes.len().min(MOST_PRINTED)]) })
}

/// What became of the heap, where anything was done with it.
fn blocks(first: &Observed, second: &Observed) -> Option<Check> {
    let heap =
        first.heap.filter(|heap| heap.uses > 0 && second.heap.is_some_and(|other| other.blocks == heap.blocks))?;
    Some(Check { how: CheckKind::Blocks, what: String::new(), expected: heap.blocks.to_string() })
}

pub(super) struct Comparison<'a> {
    pub(super) types: &'a Types,
    visible: &'a BTreeSet<TypeId>,
    watched: &'a [Watched],
    runs: [&'a Observed; 2],
    /// Memory that both runs have reached on the same way: its regions → the pointer to it.
    names: BTreeMap<[usize; 2], String>,
    found: Vec<Check>,
    /// Of what is too long to be told.
    pub(super) digests: Vec<Check>,
    /// What is being looked at, and what has changed of it.
    pub(super) root: usize,
    pub(super) changed: Changed,
}

/// The same place in both runs.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    pub(super) regions: [usize; 2],
    pub(super) offsets: [u64; 2],
}

impl Spot {
    pub(super) fn plus(self, bytes: u64) -> Spot {
        Spot { offsets: self.offsets.map(|offset| offset + bytes), ..self }
    }
}

impl<'a> Comparison<'a> {
    fn root(&mut self, at: usize) {
        let watched = &self.watched[at];
        let regions = self.runs.map(|run| &run.regions[at]);
        let Some(ty) = watched.ty.filter(|_| regions.iter().all(|region| !region.is_freed)) else { return };
        let spot = Spot { regions: [at; 2], offsets: [0; 2] };
        if regions.iter().all(|region| region.is_kept) {
            return self.kept(watched, regions[0], "");
        }
        (self.root, self.changed) = (at, Changed::default());
        match watched.root {
            Root::Object => self.elements(ty, &watched.name, watched.elements, spot, 0),
            Root::Global { .. } | Root::Result => self.value(ty, None, &watched.name, spot, 0),
        }
        if let Some(exceptions) = self.changed.exceptions(regions) {
            self.kept(watched, regions[0], &exceptions);
        }
    }

    fn kept(&mut self, watched: &Watched, region: &Region, exceptions: &str) {
        let what = match watched.root {
            Root::Object if region.size > 0 => watched.name.clone(),
            Root::Global { is_mentioned: true } => format!("&{}", watched.name),
            Root::Object | Root::Global { .. } | Root::Result => return,
        };
        self.found.push(Check { how: CheckKind::Kept, what, expected: format!("{}{exceptions}", watched.size) });
    }

    pub(super) fn region(&self, spot: Spot, run: usize) -> &'a Region {
        &self.runs[run].regions[spot.regions[run]]
    }

    /// The bytes there, where both runs have found the same, and the change is worth a check.
    fn bytes(&self, spot: Spot, size: u64) -> Option<&'a [u8]> {
        let [first, second] = [0, 1].map(|run| slice(&self.region(spot, run).bytes, spot.offsets[run], size));
        let bytes = first.filter(|_| first == second)?;
        let before = self.region(spot, 0).before.as_ref();
        let is_news = before.is_none_or(|before| slice(before, spot.offsets[0], size) != Some(bytes));
        is_news.then_some(bytes)
    }

    /// Notes that a value of what is being looked at has changed.
    fn note_change(&mut self, place: &str, spot: Spot, size: u64) {
        let has_changed = |run: usize| {
            let region = self.region(spot, run);
            let before = region.before.as_ref().and_then(|before| slice(before, spot.offsets[run], size));
            before.is_some_and(|before| slice(&region.bytes, spot.offsets[run], size) != Some(before))
        };
        if spot.regions == [self.root; 2] && (has_changed(0) || has_changed(1)) {
            self.changed.value(spot.offsets[0], size, place);
        }
    }

    pub(super) fn check(&mut self, how: CheckKind, what: &str, expected: String) {
        self.found.push(Check { how, what: what.to_string(), expected });
    }

    /// A text among the program's constants. Where one without end would end is not known, and what lies behind it is the linker's choice.
    fn constant(&mut self, place: &str, spot: Spot) {
        let from = |run: usize| self.region(spot, run).bytes.get(spot.offsets[run] as usize..).unwrap_or_default();
        let ended = |bytes: &'a [u8]| bytes.iter().position(|&byte| byte == 0).map(|end| &bytes[..end]);
        match [ended(from(0)), ended(from(1))] {
            [Some(first), Some(second)] if first == second && first.len() <= MOST_BYTES => {
                self.check(CheckKind::Text, place, literal::string(first));
            }
            _ => self.check(CheckKind::NotNull, place, String::new()),
        }
    }

    pub(super) fn value(&mut self, ty: TypeId, bit_field: Option<(u64, u32)>, place: &str, spot: Spot, depth: usize) {
        if self.found.len() >= MOST_CHECKS {
            return;
        }
        let ty = self.types.completed(ty);
        let size = self.types.get(ty).size.unwrap_or(0);
        let has_parts = matches!(self.types.kind(ty), TypeKind::Array { .. } | TypeKind::Record(_));
        if !has_parts && bit_field.is_none() {
            self.note_change(place, spot, size);
        }
        match self.types.kind(ty) {
            TypeKind::Bool | TypeKind::Int { .. } | TypeKind::Char { .. } | TypeKind::Enum(_) => {
                self.integer(ty, bit_field, place, spot)
            }
            TypeKind::Float { width: width @ (32 | 64) } => {
                if let Some(bytes) = self.bytes(spot, size) {
                    let how = if *width == 32 { CheckKind::Float } else { CheckKind::Double };
                    self.check(how, place, literal::float(number(bytes), *width));
                }
            }
            TypeKind::Pointer { pointee, .. } => self.pointer(*pointee, place, spot, depth),
            TypeKind::Array { element, count: Some(count) } => self.elements(*element, place, *count, spot, depth),
            TypeKind::Record(record) if !record.is_union && self.visible.contains(&ty) => {
                record.fields.iter().for_each(|field| self.field(field, place, spot, depth));
            }
            TypeKind::Record(_)
            | TypeKind::Array { .. }
            | TypeKind::Float { .. }
            | TypeKind::Vector { .. }
            | TypeKind::Complex { .. }
            | TypeKind::Void
            | TypeKind::Function { .. }
            | TypeKind::Opaque => {}
        }
    }

    fn field(&mut self, field: &Field, place: &str, spot: Spot, depth: usize) {
        let inside = spot.plus(field.offset_bits / 8);
        let bit_field = field.bit_width.map(|width| (field.offset_bits % 8, width));
        match field.name.is_empty() {
            true if bit_field.is_some() => {}
            true => self.value(field.ty, None, place, inside, depth),
            false => self.value(field.ty, bit_field, &member(place, &field.name), inside, depth),
        }
    }

    fn integer(&mut self, ty: TypeId, bit_field: Option<(u64, u32)>, place: &str, spot: Spot) {
        let (is_signed, width) = literal::integer_shape(self.types, ty);
        let size = match bit_field {
            Some((from, width)) => (from + u64::from(width)).div_ceil(8),
            None => self.types.get(ty).size.unwrap_or(0),
        };
        if width > 64 {
            return;
        }
        let Some(bytes) = self.bytes(spot, size) else { return };
        let bits = number(bytes);
        let (bits, width) = match bit_field {
            Some((from, width)) => (bits >> from & (u128::MAX >> (128 - width)), width),
            None => (bits, width.max(8)),
        };
        let kind = if is_signed { ValueKind::Signed } else { ValueKind::Unsigned };
        let value = Value { bits, width: width as u16, kind };
        let how = if is_signed { CheckKind::Signed } else { CheckKind::Unsigned };
        self.check(how, place, literal::scalar(self.types, ty, bit_field.map(|(_, width)| width), value));
    }

    fn pointer(&mut self, pointee: TypeId, place: &str, spot: Spot, depth: usize) {
        let value =
            |run: usize| slice(&self.region(spot, run).bytes, spot.offsets[run], 8).map(|bytes| number(bytes) as u64);
        let [Some(first), Some(second)] = [value(0), value(1)] else { return };
        let is_old = |run: usize| {
            let region = self.region(spot, run);
            region
                .before
                .as_ref()
                .is_some_and(|old| slice(old, spot.offsets[run], 8) == slice(&region.bytes, spot.offsets[run], 8))
        };
        if is_old(0) && is_old(1) {
            return;
        }
        if first == 0 || second == 0 {
            if first == second {
                self.check(CheckKind::Pointer, place, "NULL".to_string());
            }
            return;
        }
        let found = [self.runs[0].find(first), self.runs[1].find(second)];
        let [Some((a, from_a)), Some((b, from_b))] = found else {
            return self.check(CheckKind::NotNull, place, String::new());
        };
        let target = Spot { regions: [a, b], offsets: [from_a, from_b] };
        let regions = [0, 1].map(|run| self.region(target, run));
        if regions.iter().any(|region| region.is_freed) {
            return;
        }
        if let Some(known) = self.known(pointee, target) {
            return self.check(CheckKind::Pointer, place, known);
        }
        match (regions[0].kind, regions[1].kind) {
            (Kind::Heap, Kind::Heap) => self.behind(pointee, place, target, depth),
            (Kind::Image, Kind::Image) if self.is_character(pointee) => self.constant(place, target),
            _ => self.check(CheckKind::NotNull, place, String::new()),
        }
    }

    /// How a place is called that is watched, or that has been met before.
    fn known(&self, pointee: TypeId, spot: Spot) -> Option<String> {
        let Spot { regions: [a, b], offsets } = spot;
        if offsets[0] != offsets[1] {
            return None;
        }
        if a != b || a >= self.watched.len() {
            return self.names.get(&[a, b]).filter(|_| offsets[0] == 0).cloned();
        }
        let watched = &self.watched[a];
        let size = self.types.get(self.types.completed(pointee)).size.unwrap_or(0);
        let start = match watched.root {
            Root::Object => watched.name.clone(),
            // What begins behind a variable is for the compiler to choose.
            Root::Global { .. } if offsets[0] >= self.region(spot, 0).size => return None,
            Root::Global { .. } => format!("&{}", watched.name),
            Root::Result => return None,
        };
        let is_element = watched.root == Root::Object && watched.ty == Some(pointee) && size > 0;
        Some(match offsets[0] {
            0 => start,
            offset if is_element && offset % size == 0 => format!("{start} + {}", offset / size),
            offset => format!("(char *){start} + {offset}"),
        })
    }

    /// Memory that the tested code made.
    fn behind(&mut self, pointee: TypeId, place: &str, target: Spot, depth: usize) {
        self.names.insert(target.regions, place.to_string());
        let before = self.found.len();
        let room = |run: usize| self.region(target, run).size.saturating_sub(target.offsets[run]);
        let size = match self.types.kind(self.types.completed(pointee)) {
            TypeKind::Void => 1,
            _ => self.types.get(self.types.completed(pointee)).size.unwrap_or(0),
        };
        if size > 0 && depth < DEEPEST {
            let count = room(0).min(room(1)) / size;
            let pointer = if place.starts_with('*') { format!("({place})") } else { place.to_string() };
            self.elements(pointee, &pointer, count, target, depth + 1);
        }
        if self.found.len() == before {
            self.check(CheckKind::NotNull, place, String::new());
        }
    }
}

/// The member of a structure at `place`.
fn member(place: &str, name: &str) -> String {
    match place.strip_prefix('*') {
        Some(pointer) if pointer.starts_with('*') => format!("({pointer})->{name}"),
        Some(pointer) => format!("{pointer}->{name}"),
        None => format!("{place}.{name}"),
    }
}

pub(super) fn slice(bytes: &[u8], from: u64, size: u64) -> Option<&[u8]> {
    bytes.get(from as usize..(from + size) as usize)
}

/// Lowest byte first.
fn number(bytes: &[u8]) -> u128 {
    bytes.iter().rev().take(16).fold(0, |number, byte| number << 8 | u128::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;
    use covet_source::{Parser, Toolchain, Translation};

    /// What is checked of the result of `f`, when there are these regions and the result is at 9000.
    fn of_the_result(source: &str, globals: usize, regions: &str) -> Option<String> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.c"), source).unwrap();
        let mut types = Types::default();
        let translation = Translation { directory: folder.path().into(), file: "a.c".into(), flags: vec![] };
        let unit = Parser::load(&Toolchain::default()).unwrap().parse(&translation, &mut types).unwrap();
        let watched =
            |root, name: &str, ty| Watched { root, name: name.into(), ty: Some(ty), elements: 1, size: String::new() };
        let global =
            |global: &covet_source::Global| watched(Root::Global { is_mentioned: true }, &global.name, global.ty);
        let mut roots: Vec<Watched> = unit.globals[..globals].iter().map(global).collect();
        roots.push(watched(Root::Result, "result", unit.function("f").unwrap().result));
        let observed = Observed::new(serde_json::from_str(regions).unwrap(), "", None).unwrap();
        let found = checks(&types, &BTreeSet::new(), &roots, &observed, &observed);
        found.into_iter().find(|check| check.what == "result").map(|check| check.expected)
    }

    #[test]
    fn a_place_behind_a_variable_is_not_named_after_it() {
        let told = |bytes: &str| {
            let regions = format!(
                r#"[{{"kind":"g","at":"1000","size":16,"freed":false,"kept":true}},
                    {{"kind":"r","at":"9000","size":8,"freed":false,"kept":false,"bytes":"{bytes}"}}]"#
            );
            of_the_result("long before[2]; long *f(void) { return before; }", 1, &regions)
        };
        assert_eq!(told("0810000000000000").as_deref(), Some("(char *)&before + 8"));
        assert_eq!(told("1010000000000000").as_deref(), Some(""), "it is not NULL, and that is all");
    }

    #[test]
    fn a_constant_text_ends_where_its_zero_is() {
        let told = |bytes: &str| {
            let regions = format!(
                r#"[{{"kind":"r","at":"9000","size":8,"freed":false,"kept":false,"bytes":"0010000000000000"}},
                    {{"kind":"i","at":"1000","size":4,"freed":false,"kept":false,"bytes":"{bytes}"}}]"#
            );
            of_the_result(r#"const char *f(void) { return " "; }"#, 0, &regions)
        };
        assert_eq!(told("20006f6b").as_deref(), Some(r#"" ""#));
        assert_eq!(told("6f6b6f6b").as_deref(), Some(""), "what lies behind it is not its own");
    }

    #[test]
    fn a_table_that_is_filled_elsewhere_each_time_is_not_expected() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.c"), "int *table[4]; void f(void) { table[2] = (int *)table; }").unwrap();
        let mut types = Types::default();
        let translation = Translation { directory: folder.path().into(), file: "a.c".into(), flags: vec![] };
        let unit = Parser::load(&Toolchain::default()).unwrap().parse(&translation, &mut types).unwrap();
        let root = Root::Global { is_mentioned: true };
        let table =
            Watched { root, name: "table".into(), ty: Some(unit.globals[0].ty), elements: 1, size: String::new() };
        let filled = |slot: usize| {
            let bytes: Vec<&str> =
                (0..4).map(|at| if at == slot { "0010000000000000" } else { "0000000000000000" }).collect();
            let (old, bytes) = ("ff".repeat(32), bytes.concat());
            let text = format!(
                r#"[{{"kind":"g","at":"1000","size":32,"freed":false,"kept":false,"bytes":"{bytes}","before":"{old}"}}]"#
            );
            Observed::new(serde_json::from_str(&text).unwrap(), "", None).unwrap()
        };
        let count = |a, b| checks(&types, &BTreeSet::new(), std::slice::from_ref(&table), &filled(a), &filled(b)).len();
        assert_eq!((count(2, 2), count(2, 3)), (4, 0));
    }
}
