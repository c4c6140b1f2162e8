//! Variable arguments: what the format string of an input asks for, or what the function reads with `va_arg`.
//!
//! A variadic function is called with as many words and floating-point numbers as the driver passes: the two have registers of their
//! own, so the n-th word that `va_arg` reads is the n-th word passed, whatever stands between. A `va_list` is one whose registers
//! are used up: all its arguments lie in one area of memory, in order. Whoever reads beyond the last is given no answer: the run then
//! says nothing.

use crate::blueprint::{Blueprint, Candidate, Part, Reading};
use crate::layout::{At, Kept, Layout};
use covet_abi::input::ValueKind;
use covet_abi::plan::{EXTRA_WORDS, GUARD, GUARD_WORDS, Place, Step};
use covet_input::{AccessPath, Variables};
use covet_source::{Directive, Extra, Function, Letters, TypeId, TypeKind, Types, asked, directives, letter_suffix};
use std::collections::BTreeMap;

/// The variable arguments of an entry.
#[derive(Clone)]
pub(crate) struct Variadic {
    /// Position of the first of them.
    first: usize,
    wanted: Wanted,
    room: Room,
    /// What was laid out so far.
    parts: BTreeMap<(usize, Kind, Place), Part>,
}

#[derive(Clone)]
enum Wanted {
    /// The access path of the format, and the type of a character.
    Format(AccessPath, TypeId),
    /// The access path of a format of the program's own, and what its letters ask for.
    Letters(AccessPath, Letters),
    Types(Vec<TypeId>),
}

/// Where arguments go.
#[derive(Clone)]
enum Room {
    Registers { words: Vec<Place>, floats: Vec<Place> },
    Area(Place),
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Kind {
    Directive(Directive),
    /// A letter, the number of the argument among those it asks for, and its type.
    Letter(u8, usize, TypeId),
    Type(TypeId),
}

/// Sizes and offsets in a `va_list` on x86-64.
const LIST_BYTES: u64 = 24;
const WORDS_USED_UP: u64 = 48;
const FLOATS_USED_UP: u64 = 176;
const AREA_AT: u64 = 8;

/// Adds the variable arguments of a function; a `va_list` among its parameters is filled at `list`.
pub(crate) fn add(blueprint: &mut Blueprint<'_>, function: &Function, list: Option<Place>) {
    let types = blueprint.environment.types;
    let wanted = match function.extra(types) {
        None => return,
        Some(Extra::Types(types)) => Wanted::Types(types),
        Some(Extra::Letters(at, letters)) => {
            Wanted::Letters(AccessPath::argument(&function.parameters[at].name), letters)
        }
        Some(Extra::Format(at)) => {
            let parameter = &function.parameters[at];
            let TypeKind::Pointer { pointee, .. } = types.kind(parameter.ty) else { return };
            Wanted::Format(AccessPath::argument(&parameter.name), *pointee)
        }
    };
    let room = match list {
        Some(list) => blueprint.list(list),
        None => Some(blueprint.registers(function)),
    };
    let first = function.parameters.len();
    blueprint.variadic = room.map(|room| Variadic { first, wanted, room, parts: BTreeMap::new() });
}

impl Variadic {
    /// Whether the types of the arguments are guessed: the body reads several, and nothing in the input says which comes when.
    pub fn is_guessed(&self) -> bool {
        match &self.wanted {
            Wanted::Types(types) => types.iter().any(|ty| *ty != types[0]),
            Wanted::Format(..) | Wanted::Letters(..) => false,
        }
    }

    /// What is taken for granted of the arguments, in words.
    pub fn assumption(&self) -> &'static str {
        match self.wanted {
            Wanted::Format(..) => "the variable arguments are those that the format asks for",
            Wanted::Letters(..) => "the variable arguments are those that the cases for the letters of the format read",
            Wanted::Types(_) => "the variable arguments are of the types that the body reads, in the order of its text",
        }
    }
}

impl Blueprint<'_> {
    /// A `va_list` behind the pointer at `pointer`.
    fn list(&mut self, pointer: Place) -> Option<Room> {
        let (list, area) = (self.new_address(LIST_BYTES)?, self.new_address(EXTRA_WORDS as u64 * 8)?);
        let (own, words) = (Place::start_of(self.new_slot()), Place::start_of(self.new_slot()));
        self.root.steps.extend([
            Step::Place { slot: own.slot, address: list, bytes: LIST_BYTES, is_open: false },
            Step::Constant { at: own, value: WORDS_USED_UP, bytes: 4 },
            Step::Constant { at: own.plus(4), value: FLOATS_USED_UP, bytes: 4 },
            Step::Constant { at: own.plus(AREA_AT), value: area, bytes: 8 },
            Step::Place { slot: words.slot, address: area, bytes: EXTRA_WORDS as u64 * 8, is_open: true },
            Step::Constant { at: pointer, value: list, bytes: 8 },
        ]);
        Some(Room::Area(words))
    }

    /// The driver's further arguments: words, numbers, and what tells where they end.
    fn registers(&mut self, function: &Function) -> Room {
        let mut next = function.parameters.len() as u32;
        let mut argument = |blueprint: &mut Self, bytes: u64| {
            let place = Place::start_of(blueprint.new_slot());
            blueprint.root.steps.push(Step::Alloc { slot: place.slot, bytes, align: 8 });
            blueprint.root.steps.push(Step::Argument { number: next, slot: place.slot });
            next += 1;
            place
        };
        let words = (0..EXTRA_WORDS).map(|_| argument(self, 8)).collect();
        let floats = (0..function.spare_floats(self.environment.types)).map(|_| argument(self, 8)).collect();
        let guard = argument(self, GUARD_WORDS as u64 * 8);
        for (at, word) in GUARD.into_iter().enumerate() {
            self.root.steps.push(Step::Constant { at: guard.plus(at as u64 * 8), value: word, bytes: 8 });
        }
        Room::Registers { words, floats }
    }

    /// Lays out the variable arguments of an input, if the entry has any.
    pub(crate) fn lay_out_extra(&mut self, variables: &mut Variables, input: &covet_input::Input) {
        let keys = self.extra_keys(&Reading { variables, input });
        for key in keys {
            let Some(variadic) = &self.variadic else { return };
            if variadic.parts.contains_key(&key) {
                continue;
            }
            let character = match &variadic.wanted {
                Wanted::Format(_, character) => Some(*character),
                Wanted::Types(_) | Wanted::Letters(..) => None,
            };
            let (position, kind, place) = (variadic.first + key.0, key.1, key.2);
            let mut part = Part::default();
            Layout { blueprint: self, variables }.extra(position, kind, place, character, &mut part);
            if let Some(variadic) = &mut self.variadic {
                variadic.parts.insert(key, part);
            }
        }
    }

    /// The parts of the variable arguments of an input that was laid out.
    pub(crate) fn extra_parts(&self, reading: &Reading<'_>) -> Vec<&Part> {
        let Some(variadic) = &self.variadic else { return Vec::new() };
        self.extra_keys(reading).iter().filter_map(|key| variadic.parts.get(key)).collect()
    }

    /// Position, kind and place of each argument.
    fn extra_keys(&self, reading: &Reading<'_>) -> Vec<(usize, Kind, Place)> {
        let Some(variadic) = &self.variadic else { return Vec::new() };
        let kinds: Vec<Kind> = match &variadic.wanted {
            Wanted::Format(path, _) => directives(&self.text(path, reading)).into_iter().map(Kind::Directive).collect(),
            Wanted::Letters(path, letters) => {
                let asked = asked(letters, &self.text(path, reading)).into_iter();
                asked.map(|(letter, number, ty)| Kind::Letter(letter, number, ty)).collect()
            }
            Wanted::Types(all) => {
                let Some(last) = all.last() else { return Vec::new() };
                all.iter().chain(std::iter::repeat(last)).take(EXTRA_WORDS).map(|ty| Kind::Type(*ty)).collect()
            }
        };
        let mut used = (0, 0);
        let mut keys = Vec::new();
        for (at, kind) in kinds.into_iter().take(EXTRA_WORDS).enumerate() {
            let Some(is_float) = kind.is_float(self.environment.types) else { break };
            let place = match &variadic.room {
                Room::Area(start) => Some(start.plus(at as u64 * 8)),
                Room::Registers { floats, .. } if is_float => {
                    used.1 += 1;
                    floats.get(used.1 - 1).copied()
                }
                Room::Registers { words, .. } => {
                    used.0 += 1;
                    words.get(used.0 - 1).copied()
                }
            };
            let Some(place) = place else { break };
            keys.push((at, kind, place));
        }
        keys
    }

    /// The bytes that the pointer at `path` leads to in this input.
    fn text(&self, path: &AccessPath, reading: &Reading<'_>) -> Vec<u8> {
        let pointer = self.root.pointers.iter().find(|pointer| pointer.path == *path);
        let Some(Candidate::Object(number)) = pointer.and_then(|pointer| pointer.target(reading)) else {
            return Vec::new();
        };
        let object = &self.objects[number.0];
        let variable = |part: &Part| part.steps.first().and_then(Step::stored).map(covet_input::VarId);
        let parts = object.parts_of(object.elements(reading), 0);
        parts.filter_map(variable).map(|id| reading.value(id) as u8).collect()
    }
}

impl Kind {
    /// Whether it is passed in a floating-point register; none when it is passed in another way than words are.
    fn is_float(self, types: &Types) -> Option<bool> {
        match self {
            Kind::Directive(directive) => Some(directive == Directive::Double),
            Kind::Type(ty) | Kind::Letter(_, _, ty) => match types.kind(ty) {
                TypeKind::Bool
                | TypeKind::Char { .. }
                | TypeKind::Int { width: ..=64, .. }
                | TypeKind::Enum(_)
                | TypeKind::Pointer { .. } => Some(false),
                TypeKind::Float { width: 64 } => Some(true),
                TypeKind::Void
                | TypeKind::Int { .. }
                | TypeKind::Float { .. }
                | TypeKind::Array { .. }
                | TypeKind::Record(_)
                | TypeKind::Function { .. }
                | TypeKind::Vector { .. }
                | TypeKind::Complex { .. }
                | TypeKind::Opaque => None,
            },
        }
    }
}

impl Layout<'_, '_> {
    fn extra(&mut self, position: usize, kind: Kind, place: Place, character: Option<TypeId>, part: &mut Part) {
        let suffix = match kind {
            Kind::Directive(directive) => directive.suffix().to_string(),
            Kind::Letter(letter, number, _) => letter_suffix(letter, number),
            Kind::Type(_) => String::new(),
        };
        let path = AccessPath::argument(&format!("{position}{suffix}"));
        let at = At { place, path: &path, inside: None, length: None, kept: Kept::No };
        match kind {
            Kind::Type(ty) | Kind::Letter(_, _, ty) => self.value(ty, at, part),
            Kind::Directive(Directive::Int) => drop(self.leaf(at, 0, 32, ValueKind::Signed, part)),
            Kind::Directive(Directive::Long) => drop(self.leaf(at, 0, 64, ValueKind::Signed, part)),
            Kind::Directive(Directive::Double) => drop(self.leaf(at, 0, 64, ValueKind::Float, part)),
            Kind::Directive(Directive::Text | Directive::Count) => {
                let bytes = self.blueprint.environment.limits.bytes.max(8);
                character.into_iter().for_each(|character| self.promised(character, bytes, at, part));
            }
        }
    }
}
