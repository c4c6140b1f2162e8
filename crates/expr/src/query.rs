//! What an exploration asks of a solver, and what comes back: the one vocabulary of `explore` and `solve`.

use crate::term::Term;
use covet_input::Input;

/// "Keep to `prefix`, and make `goal` true."
#[derive(Clone, Copy, Debug)]
pub struct Query<'a> {
    /// Conditions that must hold; all are true under `base`.
    pub prefix: &'a [Term],
    /// Concretization constraints: a symbolic value equals what it was when the run used it concretely. To be kept when
    /// possible; all are true under `base`.
    pub concretizations: &'a [Term],
    /// A term of width 1.
    pub goal: Term,
    /// The input to change as little as possible.
    pub base: &'a Input,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    Sat {
        /// The base input with some values changed.
        input: Input,
        /// Concretization constraints had to be given up: a run of this input may go elsewhere.
        speculative: bool,
        tier: TierLabel,
    },
    Unsat {
        tier: TierLabel,
    },
    Unknown(Unknown),
}

impl Answer {
    /// Who answered, or gave up last.
    pub const fn tier(&self) -> TierLabel {
        match self {
            Answer::Sat { tier, .. } | Answer::Unsat { tier } | Answer::Unknown(Unknown { tier, .. }) => *tier,
        }
    }
}

/// No answer: why, and who gave up last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Unknown {
    pub reason: UnknownReason,
    pub tier: TierLabel,
}

/// Why there is no answer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum UnknownReason {
    /// The effort or time limit was reached.
    Limit,
    /// The query holds an operator the SMT solver does not know.
    Opaque,
    /// The SMT solver's model is no solution by our own evaluation.
    ModelRejected,
    /// SMT is switched off, and the other tiers found nothing.
    NoSolver,
    /// Too large to be translated in reasonable time.
    TooLarge,
    /// The solver failed, or ran out of memory.
    Failed,
}

impl UnknownReason {
    pub const fn text(self) -> &'static str {
        match self {
            UnknownReason::Limit => "solver limit reached",
            UnknownReason::Opaque => "operator unknown to the solver",
            UnknownReason::ModelRejected => "model rejected by evaluation",
            UnknownReason::NoSolver => "no solver",
            UnknownReason::TooLarge => "too large for the solver",
            UnknownReason::Failed => "solver failed",
        }
    }
}

/// The name of a tier of a solver, for those who only tell it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TierLabel(pub &'static str);

impl TierLabel {
    /// No tier was asked.
    pub const NONE: TierLabel = TierLabel("none");
}
