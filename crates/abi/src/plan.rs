//! The plan: the steps by which the worker builds the memory that one run starts with.
//!
//! A [`Step`] says what is to be done; a [`StepRecord`] is the same in shared memory, 32 bytes whatever the step. Slots are memory
//! objects of this run, numbered by the engine; variables are numbered by whoever holds the step ([`Step::with_variables`] goes from
//! one numbering to another). Invariant: `step.pack().unpack() == Some(step)`.

/// An address inside an object of the plan.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Place {
    pub slot: u32,
    pub offset: u64,
}

impl Place {
    pub const fn start_of(slot: u32) -> Place {
        Place { slot, offset: 0 }
    }

    pub const fn plus(self, bytes: u64) -> Place {
        Place { slot: self.slot, offset: self.offset + bytes }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// A fresh zeroed heap object becomes `slot`.
    Alloc { slot: u32, bytes: u64, align: u64 },
    /// The storage of a global (its number in the program's table) becomes `slot`.
    Global { slot: u32, global: u32 },
    /// Stores a variable and marks it symbolic; `bit` is where a bit-field begins, 0 otherwise. The width is the variable's.
    Variable { at: Place, variable: u32, bit: u8 },
    /// Stores a pointer to a place of the plan, or NULL.
    Pointer { at: Place, to: Option<Place> },
    /// Stores the address of a function (its number in the program's table).
    Function { at: Place, function: u32 },
    /// Stores the low `bytes` (1 to 8) of `value`.
    Constant { at: Place, value: u64, bytes: u8 },
    /// An argument of the entry is the object `slot`.
    Argument { number: u32, slot: u32 },
    /// Opens a symbolic file: `slot` holds its contents, `length` is the variable of its length. The slot `name` holds its name as
    /// a C string; without one it is standard input.
    File { name: Option<u32>, slot: u32, bytes: u64, length: Option<u32> },
    /// A variable is at most this (unsigned): the run assumes it, no branch.
    AtMost { variable: u32, most: u64 },
    /// As `Variable`; where the input gives the variable no value, it has what memory holds.
    Keep { at: Place, variable: u32, bit: u8 },
    /// A zeroed object at an address of the region in [`crate::placed`] becomes `slot`. `is_open`: a run that reads beyond it says
    /// nothing about the program.
    Place { slot: u32, address: u64, bytes: u64, is_open: bool },
    /// One more object or function that the next [`Step::Choose`] may choose. `at` is where the pointer is.
    Candidate { at: Place, candidate: Candidate },
    /// Stores a pointer to one of the candidates: the one that the variable numbers, from 1; otherwise NULL. The stored pointer
    /// depends on the variable. `is_offered`: what it points at is a decision of its own when it is first followed.
    Choose { at: Place, variable: u32, is_offered: bool },
    /// A mock returns the variable when first called, and one of the same kind with `#n` to its name from then on.
    Mock { number: u32, variable: u32 },
    /// The object at `address` is an open stream over the bytes of `slot`; `length` is the variable of the file's length.
    Stream { address: u64, slot: u32, bytes: u64, length: Option<u32> },
    /// The object of `slot` may become longer: it has `first` elements of `size` bytes, as many more as the variable says, and
    /// after them `zeros` elements that are zero.
    Grow { slot: u32, variable: u32, first: u32, size: u32, zeros: u64 },
    /// Stores a variable if the object of the place reaches that far (has more than `beyond` elements beyond its first ones),
    /// otherwise zero; what is stored depends on how far it reaches.
    Reached { at: Place, variable: u32, beyond: u64 },
    /// Stores a pointer into the only candidate: as many elements of `size` bytes from its start as variable `index` says, which is
    /// no more than variable `length` says; NULL unless variable `choice` is 1.
    Inside { at: Place, choice: u32, index: u32, length: u32, size: u32 },
    /// The object `slot` has the size it has because of a variable: a number of elements of `size` bytes each, at most `most` of
    /// them and none when it is negative, after `before` other bytes; but never less than `least` bytes.
    Counted { slot: u32, variable: u32, most: u32, size: u32, before: u32, least: u64 },
    /// Mock `number` fills memory when it is called.
    Fills { number: u32, fill: Fill },
    /// Stores what the input gives the variable, as a plain value; nothing when it gives none.
    Given { at: Place, variable: u32 },
    /// What the system tells the entry is input: environment variables, what is read, sizes of files.
    Surroundings,
    /// Allocations may fail: each is asked for.
    Refusals,
}

/// What a made-up function writes through its arguments: registers by number, 0 to 5.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fill {
    /// Where the bytes go.
    pub buffer: u8,
    /// How many there is room for, in a register of so many bits; and how many of that size.
    pub size: u8,
    pub bits: u8,
    pub times: Option<u8>,
    /// Where the number of bytes goes, of 64 bits.
    pub got: Option<u8>,
}

impl Fill {
    const NONE: u8 = u8::MAX;

    fn pack(self) -> u64 {
        let Fill { buffer, size, bits, times, got } = self;
        u64::from_le_bytes([buffer, size, bits, times.unwrap_or(Fill::NONE), got.unwrap_or(Fill::NONE), 0, 0, 0])
    }

    fn unpack(word: u64) -> Fill {
        let [buffer, size, bits, times, got, ..] = word.to_le_bytes();
        let option = |register: u8| if register == Fill::NONE { None } else { Some(register) };
        Fill { buffer, size, bits, times: option(times), got: option(got) }
    }
}

/// What a pointer may point at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Candidate {
    /// The object at this address.
    Object(u64),
    /// A function, by its number in the program's table.
    Function(u32),
    /// A mock, by its number.
    Mock(u32),
    /// The value of a variable, whatever is there.
    Scalar(u32),
    /// What memory holds where the pointer is.
    Kept,
    /// A function of [`ALLOCATORS`], by its number.
    Allocator(u32),
}

/// A [`Step`] in shared memory.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct StepRecord {
    /// An [`Op`] as its number; 0 is no step.
    op: u32,
    slot: u32,
    offset: u64,
    a: u64,
    b: u64,
}

/// The kinds of steps, as numbers.
#[repr(u32)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Op {
    Alloc = 1,
    Global = 2,
    Variable = 3,
    Pointer = 4,
    Function = 5,
    Constant = 6,
    Argument = 7,
    File = 8,
    AtMost = 9,
    Keep = 10,
    Place = 11,
    Candidate = 12,
    Choose = 13,
    Mock = 14,
    Stream = 15,
    Grow = 16,
    Reached = 17,
    Inside = 18,
    Counted = 19,
    Fills = 20,
    Given = 21,
    Surroundings = 22,
    Refusals = 23,
}

impl Op {
    const ALL: [Op; 23] = [
        Op::Alloc,
        Op::Global,
        Op::Variable,
        Op::Pointer,
        Op::Function,
        Op::Constant,
        Op::Argument,
        Op::File,
        Op::AtMost,
        Op::Keep,
        Op::Place,
        Op::Candidate,
        Op::Choose,
        Op::Mock,
        Op::Stream,
        Op::Grow,
        Op::Reached,
        Op::Inside,
        Op::Counted,
        Op::Fills,
        Op::Given,
        Op::Surroundings,
        Op::Refusals,
    ];

    fn from_u32(number: u32) -> Option<Op> {
        Op::ALL.get((number as usize).checked_sub(1)?).copied()
    }
}

/// Stands for "no slot" and "no variable" in a record.
const NONE: u64 = u32::MAX as u64;

fn number(option: Option<u32>) -> u64 {
    option.map_or(NONE, u64::from)
}

fn option(number: u64) -> Option<u32> {
    if number == NONE { None } else { Some(number as u32) }
}

fn pair(low: u32, high: u32) -> u64 {
    u64::from(low) | u64::from(high) << 32
}

fn halves(word: u64) -> (u32, u32) {
    (word as u32, (word >> 32) as u32)
}

impl Candidate {
    fn pack(self) -> (u64, u64) {
        match self {
            Candidate::Object(address) => (address, 0),
            Candidate::Function(number) => (u64::from(number), 1),
            Candidate::Mock(number) => (u64::from(number), 2),
            Candidate::Scalar(variable) => (u64::from(variable), 3),
            Candidate::Kept => (0, 4),
            Candidate::Allocator(number) => (u64::from(number), 5),
        }
    }

    fn unpack(word: u64, tag: u64) -> Option<Candidate> {
        let number = word as u32;
        Some(match tag {
            0 => Candidate::Object(word),
            1 => Candidate::Function(number),
            2 => Candidate::Mock(number),
            3 => Candidate::Scalar(number),
            4 => Candidate::Kept,
            5 => Candidate::Allocator(number),
            _ => return None,
        })
    }
}

impl Step {
    pub fn pack(self) -> StepRecord {
        let of_slot = |op: Op, slot: u32, offset: u64, a: u64, b: u64| StepRecord { op: op as u32, slot, offset, a, b };
        let at_place = |op: Op, at: Place, a: u64, b: u64| of_slot(op, at.slot, at.offset, a, b);
        match self {
            Step::Alloc { slot, bytes, align } => of_slot(Op::Alloc, slot, 0, bytes, align),
            Step::Global { slot, global } => of_slot(Op::Global, slot, 0, global.into(), 0),
            Step::Variable { at, variable, bit } => at_place(Op::Variable, at, variable.into(), bit.into()),
            Step::Pointer { at, to } => match to {
                Some(to) => at_place(Op::Pointer, at, to.slot.into(), to.offset),
                None => at_place(Op::Pointer, at, NONE, 0),
            },
            Step::Function { at, function } => at_place(Op::Function, at, function.into(), 0),
            Step::Constant { at, value, bytes } => at_place(Op::Constant, at, value, bytes.into()),
            Step::Argument { number, slot } => of_slot(Op::Argument, slot, 0, number.into(), 0),
            Step::File { name, slot, bytes, length } => of_slot(Op::File, slot, number(name), bytes, number(length)),
            Step::AtMost { variable, most } => of_slot(Op::AtMost, 0, 0, variable.into(), most),
            Step::Keep { at, variable, bit } => at_place(Op::Keep, at, variable.into(), bit.into()),
            Step::Place { slot, address, bytes, is_open } => of_slot(Op::Place, slot, address, bytes, is_open.into()),
            Step::Candidate { at, candidate } => {
                let (word, tag) = candidate.pack();
                at_place(Op::Candidate, at, word, tag)
            }
            Step::Choose { at, variable, is_offered } => at_place(Op::Choose, at, variable.into(), is_offered.into()),
            Step::Mock { number, variable } => of_slot(Op::Mock, number, 0, variable.into(), 0),
            Step::Fills { number, fill } => of_slot(Op::Fills, number, 0, fill.pack(), 0),
            Step::Stream { address, slot, bytes, length } => of_slot(Op::Stream, slot, address, bytes, number(length)),
            Step::Grow { slot, variable, first, size, zeros } => {
                of_slot(Op::Grow, slot, zeros, variable.into(), pair(size, first))
            }
            Step::Reached { at, variable, beyond } => at_place(Op::Reached, at, variable.into(), beyond),
            Step::Given { at, variable } => at_place(Op::Given, at, variable.into(), 0),
            Step::Surroundings => of_slot(Op::Surroundings, 0, 0, 0, 0),
            Step::Refusals => of_slot(Op::Refusals, 0, 0, 0, 0),
            Step::Inside { at, choice, index, length, size } => {
                at_place(Op::Inside, at, pair(choice, index), pair(length, size))
            }
            Step::Counted { slot, variable, most, size, before, least } => {
                of_slot(Op::Counted, slot, least, pair(variable, most), pair(size, before))
            }
        }
    }

    /// The variable whose value it stores, if it stores one as it is.
    pub fn stored(&self) -> Option<u32> {
        match self {
            Step::Variable { variable, .. }
            | Step::Keep { variable, .. }
            | Step::Reached { variable, .. }
            | Step::Given { variable, .. } => Some(*variable),
            Step::Alloc { .. }
            | Step::Global { .. }
            | Step::Pointer { .. }
            | Step::Function { .. }
            | Step::Constant { .. }
            | Step::Argument { .. }
            | Step::File { .. }
            | Step::AtMost { .. }
            | Step::Place { .. }
            | Step::Candidate { .. }
            | Step::Choose { .. }
            | Step::Mock { .. }
            | Step::Stream { .. }
            | Step::Grow { .. }
            | Step::Inside { .. }
            | Step::Fills { .. }
            | Step::Surroundings
            | Step::Refusals
            | Step::Counted { .. } => None,
        }
    }

    /// The same step with its variables numbered anew; none when one has no number.
    pub fn with_variables(self, mut renumber: impl FnMut(u32) -> Option<u32>) -> Option<Step> {
        let mut step = self;
        match &mut step {
            Step::Variable { variable, .. }
            | Step::Keep { variable, .. }
            | Step::AtMost { variable, .. }
            | Step::Choose { variable, .. }
            | Step::Mock { variable, .. }
            | Step::Grow { variable, .. }
            | Step::Reached { variable, .. }
            | Step::Given { variable, .. }
            | Step::Counted { variable, .. }
            | Step::File { length: Some(variable), .. }
            | Step::Stream { length: Some(variable), .. }
            | Step::Candidate { candidate: Candidate::Scalar(variable), .. } => *variable = renumber(*variable)?,
            Step::Inside { choice, index, length, .. } => {
                for variable in [choice, index, length] {
                    *variable = renumber(*variable)?;
                }
            }
            Step::Candidate {
                candidate:
                    Candidate::Object(_)
                    | Candidate::Function(_)
                    | Candidate::Mock(_)
                    | Candidate::Kept
                    | Candidate::Allocator(_),
                ..
            }
            | Step::File { length: None, .. }
            | Step::Stream { length: None, .. }
            | Step::Alloc { .. }
            | Step::Global { .. }
            | Step::Pointer { .. }
            | Step::Function { .. }
            | Step::Constant { .. }
            | Step::Argument { .. }
            | Step::Fills { .. }
            | Step::Surroundings
            | Step::Refusals
            | Step::Place { .. } => {}
        }
        Some(step)
    }
}

impl StepRecord {
    /// None for what is no step.
    pub fn unpack(&self) -> Option<Step> {
        let StepRecord { slot, offset, a, b, .. } = *self;
        let at = Place { slot, offset };
        let variable = a as u32;
        Some(match Op::from_u32(self.op)? {
            Op::Alloc => Step::Alloc { slot, bytes: a, align: b },
            Op::Global => Step::Global { slot, global: a as u32 },
            Op::Variable => Step::Variable { at, variable, bit: b as u8 },
            Op::Pointer => Step::Pointer { at, to: option(a).map(|slot| Place { slot, offset: b }) },
            Op::Function => Step::Function { at, function: a as u32 },
            Op::Constant => Step::Constant { at, value: a, bytes: b as u8 },
            Op::Argument => Step::Argument { number: a as u32, slot },
            Op::File => Step::File { name: option(offset), slot, bytes: a, length: option(b) },
            Op::AtMost => Step::AtMost { variable, most: b },
            Op::Keep => Step::Keep { at, variable, bit: b as u8 },
            Op::Place => Step::Place { slot, address: offset, bytes: a, is_open: b != 0 },
            Op::Candidate => Step::Candidate { at, candidate: Candidate::unpack(a, b)? },
            Op::Choose => Step::Choose { at, variable, is_offered: b != 0 },
            Op::Mock => Step::Mock { number: slot, variable },
            Op::Fills => Step::Fills { number: slot, fill: Fill::unpack(a) },
            Op::Stream => Step::Stream { address: offset, slot, bytes: a, length: option(b) },
            Op::Grow => {
                let (size, first) = halves(b);
                Step::Grow { slot, variable, first, size, zeros: offset }
            }
            Op::Reached => Step::Reached { at, variable, beyond: b },
            Op::Given => Step::Given { at, variable },
            Op::Surroundings => Step::Surroundings,
            Op::Refusals => Step::Refusals,
            Op::Inside => {
                let ((choice, index), (length, size)) = (halves(a), halves(b));
                Step::Inside { at, choice, index, length, size }
            }
            Op::Counted => {
                let ((variable, most), (size, before)) = (halves(a), halves(b));
                Step::Counted { slot, variable, most, size, before, least: offset }
            }
        })
    }
}

/// Functions of the library that a function pointer of their type may be given: memory that a program gets through a pointer comes
/// from them.
pub const ALLOCATORS: [&str; 3] = ["malloc", "calloc", "realloc"];
/// Candidates of one pointer at most, NULL included: a choice has at most four bits.
pub const MAX_CANDIDATES: usize = 16;
/// Mocks of one plan at most.
pub const MAX_MOCKS: usize = 256;
/// Words that a variadic function is given beyond its named parameters.
pub const EXTRA_WORDS: usize = 8;
/// Behind the last of them on the stack stand so many words, which begin with these.
pub const GUARD_WORDS: usize = 16;
pub const GUARD: [u64; 2] = [0x9d5c_01f7_6e22_a38b, 0x41b6_cc90_e853_7d1f];

#[cfg(test)]
mod tests {
    use super::*;

    const AT: Place = Place { slot: 7, offset: 1 << 40 | 24 };
    const LARGE: u32 = u32::MAX - 1;

    /// One of every kind, and of every shape of those with options.
    const STEPS: [Step; 34] = [
        Step::Alloc { slot: 1, bytes: 1 << 40, align: 16 },
        Step::Global { slot: 2, global: LARGE },
        Step::Variable { at: AT, variable: LARGE, bit: 63 },
        Step::Keep { at: AT, variable: 3, bit: 0 },
        Step::Pointer { at: AT, to: None },
        Step::Pointer { at: AT, to: Some(Place { slot: 0, offset: 8 }) },
        Step::Function { at: AT, function: LARGE },
        Step::Constant { at: AT, value: u64::MAX, bytes: 8 },
        Step::Argument { number: 255, slot: 9 },
        Step::File { name: None, slot: 4, bytes: 10, length: None },
        Step::File { name: Some(0), slot: 4, bytes: 10, length: Some(0) },
        Step::File { name: Some(5), slot: 4, bytes: 10, length: Some(LARGE) },
        Step::AtMost { variable: 8, most: u64::MAX },
        Step::Place { slot: 3, address: crate::placed::BASE, bytes: 100, is_open: true },
        Step::Place { slot: 3, address: crate::placed::BASE, bytes: 100, is_open: false },
        Step::Candidate { at: AT, candidate: Candidate::Object(crate::placed::BASE + 16) },
        Step::Candidate { at: AT, candidate: Candidate::Function(LARGE) },
        Step::Candidate { at: AT, candidate: Candidate::Mock(31) },
        Step::Candidate { at: AT, candidate: Candidate::Scalar(LARGE) },
        Step::Candidate { at: AT, candidate: Candidate::Kept },
        Step::Candidate { at: AT, candidate: Candidate::Allocator(2) },
        Step::Choose { at: AT, variable: 5, is_offered: true },
        Step::Choose { at: AT, variable: 5, is_offered: false },
        Step::Mock { number: 31, variable: LARGE },
        Step::Fills { number: 31, fill: Fill { buffer: 5, size: 0, bits: 64, times: None, got: Some(0) } },
        Step::Fills { number: 0, fill: Fill { buffer: 0, size: 1, bits: 32, times: Some(2), got: None } },
        Step::Stream { address: crate::placed::BASE, slot: 6, bytes: 4096, length: Some(2) },
        Step::Grow { slot: 1, variable: 2, first: LARGE, size: LARGE, zeros: u64::MAX },
        Step::Reached { at: AT, variable: 4, beyond: u64::MAX },
        Step::Given { at: AT, variable: LARGE },
        Step::Surroundings,
        Step::Refusals,
        Step::Inside { at: AT, choice: 1, index: LARGE, length: 3, size: LARGE },
        Step::Counted { slot: 1, variable: 2, most: LARGE, size: 4, before: LARGE, least: 1 << 33 },
    ];

    #[test]
    fn every_step_survives_its_record() {
        for step in STEPS {
            assert_eq!(step.pack().unpack(), Some(step));
        }
        assert_eq!(StepRecord::default().unpack(), None);
        assert_eq!(StepRecord { op: Op::ALL.len() as u32 + 1, ..StepRecord::default() }.unpack(), None);
        let wrong = Step::Candidate { at: AT, candidate: Candidate::Kept }.pack();
        assert_eq!(StepRecord { b: 6, ..wrong }.unpack(), None);
    }

    #[test]
    fn numbers_of_steps_are_their_places() {
        for op in Op::ALL {
            assert_eq!(Op::from_u32(op as u32), Some(op));
            assert!(STEPS.iter().any(|step| step.pack().op == op as u32), "{op:?}");
        }
    }

    #[test]
    fn variables_are_numbered_anew_and_nothing_else() {
        let there = |variable: u32| Some(variable ^ 0x55);
        for step in STEPS {
            let moved = step.with_variables(there).unwrap();
            assert_eq!(moved.with_variables(there), Some(step));
            let has_variables = step.with_variables(|_| None).is_none();
            assert_eq!(moved != step, has_variables, "{step:?}");
        }
    }
}
