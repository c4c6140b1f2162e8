//! The blueprint of an entry's inputs: its parts, and the objects that pointers in them may point at.
//!
//! Objects are known by the access path of the pointer they are made for and have the same address in every run. An object's
//! contents are laid out when the first input needs them, so a graph grows with the paths that look at it.

use crate::ends::Ends;
use crate::entry::Variadic;
use crate::environment::UnitEnvironment;
use crate::layout::{Inside, LONGEST_TEXT, Layout};
use covet_abi::placed;
use covet_abi::plan::{self, Place, Step};
use covet_input::{AccessPath, Input, Touched, Value, ValueKind, VarId, Variable, Variables};
use covet_sites::FunctionNumber;
use covet_source::TypeId;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Everything needed to build the inputs of an entry.
#[derive(Clone)]
pub struct Blueprint<'a> {
    pub(crate) environment: UnitEnvironment<'a>,
    /// What is there in every input: arguments, globals, files.
    pub(crate) root: Part,
    pub(crate) objects: Vec<Object>,
    pub(crate) mocks: Vec<Mock>,
    pub(crate) variadic: Option<Variadic>,
    /// Blocks handed out in each class of addresses.
    pub(crate) blocks: [u64; 32],
    /// Objects made before the first run: pointers laid out later may be aliases of them.
    pub(crate) early: usize,
    slots: u32,
    /// Input variables in the order they were laid out.
    pub(crate) variables: Vec<VarId>,
    /// Inputs that were left at zero, with why.
    pub notes: Vec<String>,
    /// Inputs that are members, by the text of their paths: of which record, and which.
    pub(crate) members: BTreeMap<String, (TypeId, String)>,
    /// Inputs of enumeration types.
    pub(crate) enums: BTreeMap<VarId, TypeId>,
    /// Paths of unions.
    pub(crate) unions: BTreeSet<String>,
    /// Pointers, and arrays of them, that stay NULL because nothing is known of what they point at, or there is no room.
    pub(crate) unbuilt: BTreeSet<AccessPath>,
    /// Where memory was left empty that a program may have filled.
    pub(crate) ends: Ends,
}

/// Steps that fill memory, and the pointers in it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Part {
    pub steps: Vec<Step>,
    pub pointers: Vec<Pointer>,
    /// Pointers into the objects of others of them.
    pub insides: Vec<Inside>,
    /// Objects that belong to it whatever the input says.
    pub fixed: Vec<ObjectNumber>,
}

/// Index of an object of the blueprint.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct ObjectNumber(pub usize);

/// A pointer in memory and what it may point at.
#[derive(Clone, Debug)]
pub(crate) struct Pointer {
    pub place: Place,
    pub path: AccessPath,
    /// Numbers the candidates from 1; 0 is NULL.
    pub choice: VarId,
    pub candidates: Vec<Candidate>,
    /// Whether other objects are asked for when it is followed, not only when it is compared.
    pub is_offered: bool,
}

#[derive(Clone, Debug)]
pub(crate) enum Candidate {
    Object(ObjectNumber),
    Function {
        number: FunctionNumber,
        name: String,
    },
    Mock(usize),
    /// A function of the library, by its number in `abi`.
    Allocator(usize),
    /// What the program itself has there.
    Kept,
    /// No pointer: the value of another member of the union.
    Scalar(VarId),
}

/// Memory that a pointer may point at.
#[derive(Clone, Debug)]
pub(crate) struct Object {
    pub slot: u32,
    pub address: u64,
    /// The pointer it is made for.
    pub path: AccessPath,
    pub ty: TypeId,
    /// Bytes of an element.
    pub size: u64,
    pub length: Length,
    /// Zeroed elements after them.
    pub zeros: u64,
    /// The program itself says how long it is.
    pub is_promised: bool,
    /// A flexible array member at its end.
    pub tail: Option<Tail>,
    /// It is an open stream (`FILE`): its bytes are those of a file.
    pub is_stream: bool,
    /// Written `p->field` rather than `p[0].field`.
    pub is_single: bool,
    /// Pointers followed from the root to get here.
    pub depth: u32,
    /// The object that the pointer is in.
    pub parent: Option<ObjectNumber>,
    /// The elements laid out so far, then those of the tail.
    pub parts: Vec<Part>,
}

/// The elements of a flexible array member.
#[derive(Clone, Debug)]
pub(crate) struct Tail {
    pub path: AccessPath,
    pub ty: TypeId,
    pub size: u64,
    /// From the start of the object.
    pub offset: u64,
    pub length: Length,
}

/// How many elements an object has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Length {
    Fixed(u64),
    /// As many as the variable says, within bounds.
    Input {
        variable: VarId,
        least: u64,
        most: u64,
    },
    /// As many as the variable says, which other pointers into it tell the program.
    Span {
        variable: VarId,
        most: u64,
    },
    /// So many at first, and as many more as the variable says.
    Grown {
        first: u64,
        variable: VarId,
        most: u64,
    },
}

/// A function made up for a function pointer.
#[derive(Clone, Debug)]
pub(crate) struct Mock {
    /// The variable that its first call returns; none for NULL.
    pub result: Option<VarId>,
    pub fill: Option<plan::Fill>,
}

impl<'a> Blueprint<'a> {
    pub fn new(environment: UnitEnvironment<'a>) -> Blueprint<'a> {
        Blueprint {
            environment,
            root: Part::default(),
            objects: Vec::new(),
            mocks: Vec::new(),
            variadic: None,
            blocks: [0; 32],
            early: 0,
            slots: 0,
            variables: Vec::new(),
            notes: Vec::new(),
            members: BTreeMap::new(),
            enums: BTreeMap::new(),
            unions: BTreeSet::new(),
            unbuilt: BTreeSet::new(),
            ends: Ends::default(),
        }
    }

    /// The steps that build `input`.
    pub fn steps(&mut self, variables: &mut Variables, input: &Input) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut built = BTreeSet::new();
        let mut waiting = VecDeque::new();
        emit(&self.root, &self.objects, &self.mocks, &Reading { variables, input }, &mut steps, &mut waiting);
        self.build(variables, input, &mut built, &mut waiting, &mut steps);
        // What a format asks for is known once its text is there.
        self.lay_out_extra(variables, input);
        let reading = Reading { variables, input };
        for part in self.extra_parts(&reading) {
            emit(part, &self.objects, &self.mocks, &reading, &mut steps, &mut waiting);
        }
        self.build(variables, input, &mut built, &mut waiting, &mut steps);
        steps
    }

    /// The steps of the objects that are waiting, and of those they lead to.
    fn build(
        &mut self,
        variables: &mut Variables,
        input: &Input,
        built: &mut BTreeSet<ObjectNumber>,
        waiting: &mut VecDeque<ObjectNumber>,
        steps: &mut Vec<Step>,
    ) {
        while let Some(number) = waiting.pop_front() {
            if !built.insert(number) {
                continue;
            }
            let object = &self.objects[number.0];
            let reading = Reading { variables, input };
            let (count, more) = (object.elements(&reading), object.more(&reading));
            Layout { blueprint: self, variables }.lay_out(number, count, more);
            let object = &self.objects[number.0];
            steps.push(object.placed(count, more));
            steps.extend(object.grown());
            steps.extend(object.counted());
            for part in object.parts_of(count, more) {
                emit(part, &self.objects, &self.mocks, &Reading { variables, input }, steps, waiting);
            }
            steps.extend(object.given(variables, input, count));
        }
    }

    /// Whether a run that has touched this came to where the limits have ended what was built for it.
    pub fn is_at_an_end(&self, touched: &Touched) -> bool {
        self.ends.is_met(touched)
    }

    /// Every variable laid out so far, in order.
    pub fn variables(&self) -> &[VarId] {
        &self.variables
    }

    /// All parts laid out so far.
    pub(crate) fn parts(&self) -> impl Iterator<Item = &Part> {
        std::iter::once(&self.root).chain(self.objects.iter().flat_map(|object| &object.parts))
    }

    pub(crate) fn new_slot(&mut self) -> u32 {
        self.slots += 1;
        self.slots
    }

    /// A fresh address with room for `bytes` bytes; none when all are taken.
    pub(crate) fn new_address(&mut self, bytes: u64) -> Option<u64> {
        let class = placed::class_of(bytes)?;
        let block = &mut self.blocks[class as usize];
        let address = placed::address(class, *block)?;
        *block += 1;
        Some(address)
    }

    pub(crate) fn new_variable(&mut self, variables: &mut Variables, variable: Variable) -> VarId {
        let id = variables.intern(variable);
        self.variables.push(id);
        id
    }
}

/// Values of an input, defaults where it says nothing.
pub(crate) struct Reading<'r> {
    pub variables: &'r Variables,
    pub input: &'r Input,
}

impl Reading<'_> {
    pub fn value(&self, id: VarId) -> u128 {
        self.input.get(id).unwrap_or_else(|| u128::from(self.variables.get(id).default))
    }
}

impl Reading<'_> {
    /// A number of elements: none when it is negative.
    pub fn count(&self, id: VarId) -> u64 {
        let Variable { width, kind, .. } = *self.variables.get(id);
        let value = Value { bits: self.value(id), width, kind };
        let is_negative = kind == ValueKind::Signed && value.signed() < 0;
        if is_negative { 0 } else { u64::try_from(value.bits).unwrap_or(u64::MAX) }
    }
}

impl Pointer {
    /// What it points at; none is NULL.
    pub fn target(&self, reading: &Reading<'_>) -> Option<&Candidate> {
        let number = usize::try_from(reading.value(self.choice)).unwrap_or(0);
        self.candidates.get(number.checked_sub(1)?)
    }
}

impl Length {
    /// One that is only a guess: what looks like a length may count something else, so there is always a first element.
    pub fn guessed(self) -> Length {
        match self {
            Length::Input { variable, most, .. } => Length::Input { variable, least: 1, most },
            Length::Fixed(_) | Length::Span { .. } | Length::Grown { .. } => self,
        }
    }

    fn value(self, reading: &Reading<'_>) -> u64 {
        match self {
            Length::Fixed(count) => count,
            Length::Input { variable, least, most } => reading.count(variable).clamp(least, most),
            Length::Span { variable, most } => reading.count(variable).min(most),
            Length::Grown { first, variable, most } => (first + reading.count(variable)).min(most),
        }
    }

    /// The element that is the last whatever the input says; of a text, its zero.
    pub fn last(self, zeros: u64) -> u64 {
        match self {
            Length::Grown { first, most, .. } if zeros > 0 => most.min(LONGEST_TEXT.max(first)),
            Length::Fixed(most) if zeros > 0 => most,
            Length::Fixed(most)
            | Length::Input { most, .. }
            | Length::Span { most, .. }
            | Length::Grown { most, .. } => most.saturating_sub(1),
        }
    }

    pub fn most(self) -> u64 {
        match self {
            Length::Fixed(count) => count,
            Length::Input { most, .. } | Length::Span { most, .. } | Length::Grown { most, .. } => most,
        }
    }
}

impl Object {
    pub fn elements(&self, reading: &Reading<'_>) -> u64 {
        self.length.value(reading)
    }

    /// Elements after them: zeroed ones, or those of the tail.
    pub fn more(&self, reading: &Reading<'_>) -> u64 {
        self.tail.as_ref().map_or(self.zeros, |tail| tail.length.value(reading))
    }

    /// The parts that an object of so many elements has.
    pub fn parts_of(&self, count: u64, more: u64) -> impl Iterator<Item = &Part> {
        // The zero after the last element is laid out too, where it may become one.
        let tail = if self.tail.is_some() { more } else { u64::from(self.has_open_end()) };
        self.parts.iter().take((count + tail) as usize)
    }

    /// It ends with a zero that may become an element.
    pub fn has_open_end(&self) -> bool {
        matches!(self.length, Length::Grown { .. }) && self.zeros > 0
    }

    /// The step that says how it may become longer.
    fn grown(&self) -> Option<Step> {
        let Length::Grown { first, variable, .. } = self.length else { return None };
        let (first, size) = (narrow(first), narrow(self.size));
        Some(Step::Grow { slot: self.slot, variable: variable.0, first, size, zeros: self.zeros })
    }

    fn placed(&self, count: u64, more: u64) -> Step {
        let bytes = match &self.tail {
            Some(tail) => self.size.max(tail.offset + more * tail.size),
            None => self.size * (count + more),
        };
        Step::Place { slot: self.slot, address: self.address, bytes, is_open: false }
    }
}

impl Object {
    /// What its size depends on, if that is input.
    fn counted(&self) -> Option<Step> {
        let (length, scale, before, always) = match &self.tail {
            Some(tail) => (tail.length, tail.size, tail.offset, self.size),
            None => (self.length, self.size, self.zeros * self.size, 0),
        };
        let (variable, least, most) = match length {
            Length::Input { variable, least, most } => (variable, least, most),
            Length::Span { variable, most } => (variable, 0, most),
            Length::Fixed(_) | Length::Grown { .. } => return None,
        };
        let least = always.max(before + least * scale);
        let (most, size, before) = (narrow(most), narrow(scale), narrow(before));
        Some(Step::Counted { slot: self.slot, variable: variable.0, most, size, before, least })
    }
}

/// Numbers of steps are of 32 bits: no object is larger.
fn narrow(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// The steps of a part; objects that it points at are left waiting.
fn emit(
    part: &Part,
    objects: &[Object],
    mocks: &[Mock],
    reading: &Reading<'_>,
    steps: &mut Vec<Step>,
    waiting: &mut VecDeque<ObjectNumber>,
) {
    steps.extend_from_slice(&part.steps);
    waiting.extend(&part.fixed);
    for inside in &part.insides {
        let object = &objects[inside.object.0];
        let (at, candidate) = (inside.place, plan::Candidate::Object(object.address));
        let (choice, index, length) = (inside.choice.0, inside.at.0, inside.length.0);
        let size = narrow(object.size);
        steps.extend([Step::Candidate { at, candidate }, Step::Inside { at, choice, index, length, size }]);
    }
    for pointer in &part.pointers {
        for candidate in &pointer.candidates {
            let candidate = match candidate {
                Candidate::Object(number) => plan::Candidate::Object(objects[number.0].address),
                Candidate::Function { number, .. } => plan::Candidate::Function(number.0),
                Candidate::Mock(number) => plan::Candidate::Mock(*number as u32),
                Candidate::Scalar(variable) => plan::Candidate::Scalar(variable.0),
                Candidate::Kept => plan::Candidate::Kept,
                Candidate::Allocator(number) => plan::Candidate::Allocator(*number as u32),
            };
            steps.push(Step::Candidate { at: pointer.place, candidate });
        }
        let (at, variable, is_offered) = (pointer.place, pointer.choice.0, pointer.is_offered);
        steps.push(Step::Choose { at, variable, is_offered });
        match pointer.target(reading) {
            Some(Candidate::Object(number)) => waiting.push_back(*number),
            Some(Candidate::Mock(number)) => {
                let (mock, number) = (&mocks[*number], *number as u32);
                steps.extend(mock.fill.map(|fill| Step::Fills { number, fill }));
                steps.extend(mock.result.map(|result| Step::Mock { number, variable: result.0 }));
            }
            Some(Candidate::Function { .. } | Candidate::Allocator(_) | Candidate::Scalar(_) | Candidate::Kept)
            | None => {}
        }
    }
}
