//! What a run decided where: the control-flow skeleton of a path, comparable between runs.

use covet_abi::event::Kind;

/// Which way a condition went.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Outcome {
    /// A branch, assumption or check: true or false.
    Direction(bool),
    /// A switch: the case with this constant.
    Case(u64),
    /// A switch: no case.
    Default,
    /// An indirect call or jump, or a pointer followed: to this address.
    Target(u64),
}

/// One decision of a run. Bounds and soft pins are no decisions: they follow from the others.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Decision {
    pub site: u32,
    pub outcome: Outcome,
}

/// Whether conditions of this kind are decisions.
pub(crate) fn is_decision(kind: Kind) -> bool {
    match kind {
        Kind::Branch | Kind::Switch | Kind::Target | Kind::Assume | Kind::Check | Kind::Follow => true,
        Kind::Bounds | Kind::Concretise => false,
    }
}
