//! Inputs: named variables, their values for one run, and the plan by which the worker builds the arguments.
//!
//! The variable table in shared memory is append-only and lives as long as the worker. The engine appends variables for
//! arguments and globals while the worker is idle; the worker appends those met on the way (`stdin[3]`, `x` of
//! `klee_make_symbolic`). Names are unique; a second marking of the same name is `name#2`.

/// One variable: its name is `name_len` bytes at `name_at` of the names region.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Variable {
    pub name_at: u32,
    pub name_len: u32,
    /// Bits: 1 to 128.
    pub width: u16,
    /// A [`ValueKind`].
    pub kind: u8,
    pub pad: u8,
    /// Value when a run says nothing about it (low bits; the first input may override, see [`crate::shared::Control::first`]).
    pub default: u32,
}

/// How a variable's bits are shown to people.
#[repr(u8)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum ValueKind {
    Signed = 1,
    Unsigned = 2,
    Float = 3,
    /// A signed character of text.
    Char = 4,
    Bool = 5,
    /// An address; in a variable of a few bits, the number of the object pointed at among the pointer's candidates; 0 is NULL.
    Pointer = 6,
    /// A byte of text or raw data, never negative.
    Byte = 7,
    /// The number of the function that a pointer input points at, among its candidates; 0 is NULL.
    Function = 8,
    /// Elements that an object has beyond its first ones.
    Growth = 9,
}

impl ValueKind {
    pub const fn from_u8(n: u8) -> Option<ValueKind> {
        Some(match n {
            1 => ValueKind::Signed,
            2 => ValueKind::Unsigned,
            3 => ValueKind::Float,
            4 => ValueKind::Char,
            5 => ValueKind::Bool,
            6 => ValueKind::Pointer,
            7 => ValueKind::Byte,
            8 => ValueKind::Function,
            9 => ValueKind::Growth,
            _ => return None,
        })
    }
}

/// One `variable = value` of a run's input, 24 bytes.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Assignment {
    pub variable: u32,
    pub pad: u32,
    pub low: u64,
    pub high: u64,
}

/// One step of a plan. Slots are memory objects of this run, numbered by the engine.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Step {
    /// A [`StepOp`].
    pub op: u32,
    pub slot: u32,
    pub offset: u64,
    pub a: u64,
    pub b: u64,
}

#[repr(u32)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StepOp {
    /// A fresh zeroed heap object of `a` bytes, aligned to `b`, becomes `slot`.
    Alloc = 1,
    /// The storage of global number `a` (of the program's global table) becomes `slot`.
    Global = 2,
    /// Stores variable `a` at `slot + offset` and marks it symbolic. `b` = bit offset (for bit-fields; 0 otherwise)
    /// in its low 8 bits; the width is the variable's.
    Variable = 3,
    /// Stores a pointer to slot `a` plus `b` bytes at `slot + offset`; `a == NULL_SLOT` stores NULL.
    Pointer = 4,
    /// Stores the address of function number `a` at `slot + offset`.
    Function = 5,
    /// Stores the low `b` bytes (1 to 8) of `a` at `slot + offset`.
    Constant = 6,
    /// Argument number `a` of the entry is the object `slot`.
    Argument = 7,
    /// Opens a symbolic file: `slot` holds its contents of `a` bytes; `b` is the variable of its length (or `NO_VARIABLE`).
    /// `offset` 0 is standard input, otherwise slot number `offset` holds its name as a C string.
    File = 8,
    /// Variable `a` is at most `b` (unsigned): the run assumes it, no branch.
    AtMost = 9,
    /// As `Variable`; where the input gives the variable no value, it has what memory holds.
    Keep = 10,
    /// A zeroed object of `a` bytes at address `offset` of the region in [`crate::placed`] becomes `slot`. `b` = 1: a run that reads
    /// beyond it says nothing about the program.
    Place = 11,
    /// One more object or function that the next [`StepOp::Choose`] may choose: `a` is its address, or the number of a function
    /// (`b` = 1), of a mock (`b` = 2), or of a variable whose value it is (`b` = 3); with `b` = 4 it is what memory holds,
    /// with `b` = 5 number `a` of [`ALLOCATORS`].
    Candidate = 12,
    /// Stores at `slot + offset` a pointer to one of the candidates: the one that variable `a` numbers, from 1; otherwise NULL.
    /// The stored pointer depends on the variable. `b` = 1: what it points at is a decision of its own when it is first followed.
    Choose = 13,
    /// Mock number `slot` returns variable `a` when first called, and one of the same kind with `#n` to its name from then on.
    Mock = 14,
    /// The object at address `offset` is an open stream over the `a` bytes of `slot`; `b` is the variable of the file's length.
    Stream = 15,
    /// The object of `slot` may become longer: it has `b >> 32` elements of `b & 0xffff_ffff` bytes, as many more as variable `a`
    /// says, and after them `offset` elements that are zero.
    Grow = 16,
    /// Stores at `slot + offset` variable `a` if the object of `slot` reaches that far (has more than `b` elements beyond its first
    /// ones), otherwise zero; what is stored depends on how far it reaches.
    Reached = 17,
    /// Stores at `slot + offset` a pointer into the only candidate: as many elements of `b >> 32` bytes from its start as variable
    /// `a >> 32` says, which is no more than variable `b & 0xffff_ffff` says; NULL unless variable `a & 0xffff_ffff` is 1.
    Inside = 18,
    /// The object `slot` has the size it has because of variable `a` (low half): a number of elements of `b` (low half) bytes each, at
    /// most `a` (high half) of them and none when it is negative, after `b` (high half) other bytes; but never less than `offset` bytes.
    Counted = 19,
}

impl StepOp {
    pub const fn from_u32(n: u32) -> Option<StepOp> {
        Some(match n {
            1 => StepOp::Alloc,
            2 => StepOp::Global,
            3 => StepOp::Variable,
            4 => StepOp::Pointer,
            5 => StepOp::Function,
            6 => StepOp::Constant,
            7 => StepOp::Argument,
            8 => StepOp::File,
            9 => StepOp::AtMost,
            10 => StepOp::Keep,
            11 => StepOp::Place,
            12 => StepOp::Candidate,
            13 => StepOp::Choose,
            14 => StepOp::Mock,
            15 => StepOp::Stream,
            16 => StepOp::Grow,
            17 => StepOp::Reached,
            18 => StepOp::Inside,
            19 => StepOp::Counted,
            _ => return None,
        })
    }
}

/// Functions of the library that a function pointer of their type may be given: memory that a program gets through a pointer comes
/// from them.
pub const ALLOCATORS: [&str; 3] = ["malloc", "calloc", "realloc"];
pub const NULL_SLOT: u64 = u32::MAX as u64;
pub const NO_VARIABLE: u64 = u32::MAX as u64;
/// Candidates of one pointer at most, NULL included: a choice has at most four bits.
pub const MAX_CANDIDATES: usize = 16;
/// Words that a variadic function is given beyond its named parameters.
pub const EXTRA_WORDS: usize = 8;
/// Behind the last of them on the stack stand so many words, which begin with these.
pub const GUARD_WORDS: usize = 16;
pub const GUARD: [u64; 2] = [0x9d5c_01f7_6e22_a38b, 0x41b6_cc90_e853_7d1f];
/// Mocks of one plan at most.
pub const MAX_MOCKS: usize = 32;
