//! The event log: what a run did that matters to its path condition, in order.
//!
//! A concrete branch leaves no event (only a counter). Each event is 24 bytes. For every kind but the two choices, the
//! constraint the run satisfied reads `expr == taken` with `expr` of width 1.
//!
//! A run that dies half-way leaves a valid prefix: the event count is bumped after the record is written.

use crate::node::NodeId;

#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Event {
    /// A [`Kind`] as its number.
    pub kind: u8,
    /// The direction the run took.
    pub taken: u8,
    /// A [`Concretization`] for [`Kind::Concretise`], a check kind ([`crate::check::Check`]) for [`Kind::Check`]; otherwise 0.
    pub detail: u16,
    /// Number of the site in the site map.
    pub site: u32,
    pub expr: NodeId,
    /// Inputs that the program had asked for by then.
    pub asked: u32,
    /// The concrete scrutinee for [`Kind::Switch`], [`Kind::Target`] and [`Kind::Follow`].
    pub value: u64,
}

#[repr(u8)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// A two-way branch or condition: may be negated.
    Branch = 1,
    /// A switch on `expr` (of the scrutinee's width) that had `value`: other cases may be chosen.
    Switch = 2,
    /// An indirect call or jump to address `expr`, which was `value`: another value may be asked for.
    Target = 3,
    /// The program assumed this (`taken` 0: it did not hold and the run was abandoned). Never negated.
    Assume = 4,
    /// A symbolic address stayed inside its object. Never negated here; crash checks may.
    Bounds = 5,
    /// `expr` says "this would be a violation"; `taken` says whether it was. Its negation seeks a crash.
    Check = 6,
    /// A concretization constraint: an expression was used concretely, `expr` is `e == value`. Kept when possible; a prediction that
    /// drops it may diverge and is then speculative, not wrong.
    Concretise = 7,
    /// A pointer input `expr` was followed to the address `value`. A decision, so that runs over different objects lie in different
    /// parts of the tree; kept like a concretization constraint. `taken` 1: other objects may be asked for.
    Follow = 8,
}

impl Kind {
    pub const fn from_u8(n: u8) -> Option<Kind> {
        Some(match n {
            1 => Kind::Branch,
            2 => Kind::Switch,
            3 => Kind::Target,
            4 => Kind::Assume,
            5 => Kind::Bounds,
            6 => Kind::Check,
            7 => Kind::Concretise,
            8 => Kind::Follow,
            _ => return None,
        })
    }
}

macro_rules! concretizations {
    ($($(#[$doc:meta])* $name:ident = $num:literal, $text:literal;)*) => {
        /// Why a symbolic value was used concretely. Counted per run and reported by name.
        #[repr(u16)]
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
        pub enum Concretization { $($(#[$doc])* $name = $num),* }
        impl Concretization {
            pub const ALL: &'static [Concretization] = &[$(Concretization::$name),*];
            pub const fn text(self) -> &'static str { match self { $(Concretization::$name => $text),* } }
            pub const fn from_u16(n: u16) -> Option<Concretization> { match n { $($num => Some(Concretization::$name),)* _ => None } }
        }
    };
}

concretizations! {
    InlineAsm = 1, "inline-asm";
    Vector = 2, "vector-operation";
    LongDouble = 3, "long-double";
    /// Passed to a function without a body that is not modelled (counted by name too).
    External = 4, "external-call";
    /// A symbolic address in an object larger than [`crate::shared::PRECISE_OBJECT`].
    LargeObject = 5, "large-object";
    /// A symbolic address in memory that belongs to no known object.
    UnknownObject = 6, "unknown-object";
    AllocationSize = 7, "allocation-size";
    CopyLength = 8, "copy-length";
    WideInteger = 9, "integer-over-128-bits";
    ArenaFull = 10, "arena-full";
    Threads = 11, "threads";
    Output = 12, "printed";
    Atomic = 13, "atomic";
    UnusualFloat = 14, "half-or-other-float";
    Model = 15, "library-model";
    /// An index into an object that might have been longer.
    Length = 16, "guessed-length";
    /// A symbolic index into an array whose length is input: what lies beyond the present length is not known.
    InputLength = 17, "input-length";
}

/// Number of slots in the per-run counters of what was made concrete.
pub const CONCRETIZATIONS: usize = 32;

/// Stands for a place that is no site of the program.
pub const NO_SITE: u32 = u32::MAX;

/// Sites from here on are assumptions about how long the input's objects are: no sites of the program, one for each object and length.
/// Such an assumption is logged where it fails, which ends the run; where it holds there is nothing to log.
const GROWTH_SITES: u32 = 1 << 31;
const LENGTHS: u32 = 16;

/// The site of the assumption that the object at `address` (of the region in [`crate::placed`]) has been doubled so many times.
pub const fn growth_site(address: u64, doubled: u32) -> u32 {
    let block = (address.wrapping_sub(crate::placed::BASE) >> crate::placed::SMALLEST) as u32;
    GROWTH_SITES | (block * LENGTHS + doubled % LENGTHS)
}

pub const fn is_growth_site(site: u32) -> bool {
    site & GROWTH_SITES != 0 && site != NO_SITE
}
