//! What is wrong, and how far it can be believed: the kinds and verdicts of alarms, with the words they are told by.

use covet_abi::check::Check;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident, $text:literal;)*) => {
        /// The kind of an alarm.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub enum AlarmKind {
            $($(#[$doc])* $name,)*
            /// A fatal signal that stands for nothing of the above, by its number.
            Signal(i32),
        }

        impl AlarmKind {
            /// All but the signals.
            pub const NAMED: &'static [AlarmKind] = &[$(AlarmKind::$name),*];

            /// The name, of a signal without its number.
            pub const fn name(self) -> &'static str {
                match self {
                    $(AlarmKind::$name => $text,)*
                    AlarmKind::Signal(_) => "signal",
                }
            }
        }
    };
}

kinds! {
    NullDereference, "null-dereference";
    OutOfBounds, "out-of-bounds";
    /// A bad access to memory at an address that is not known.
    SegmentationFault, "segmentation-fault";
    UseAfterFree, "use-after-free";
    DoubleFree, "double-free";
    InvalidFree, "invalid-free";
    DivisionByZero, "division-by-zero";
    DivisionOverflow, "division-overflow";
    ShiftOutOfRange, "shift-out-of-range";
    SignedOverflow, "signed-overflow";
    Uninitialised, "uninitialised";
    Unreachable, "unreachable";
    Assertion, "assertion";
    Abort, "abort";
    ErrorReached, "error-reached";
    StackOverflow, "stack-overflow";
    OutOfMemory, "out-of-memory";
    Timeout, "timeout";
    Trap, "trap";
    /// The worker died in a way it could not tell.
    Lost, "lost";
    /// A check that this version does not know.
    Violation, "violation";
}

impl From<Check> for AlarmKind {
    fn from(check: Check) -> AlarmKind {
        match check {
            Check::DivisionByZero => AlarmKind::DivisionByZero,
            Check::DivisionOverflow => AlarmKind::DivisionOverflow,
            Check::NullDereference => AlarmKind::NullDereference,
            Check::OutOfBounds => AlarmKind::OutOfBounds,
            Check::UseAfterFree => AlarmKind::UseAfterFree,
            Check::DoubleFree => AlarmKind::DoubleFree,
            Check::InvalidFree => AlarmKind::InvalidFree,
            Check::ShiftOutOfRange => AlarmKind::ShiftOutOfRange,
            Check::Unreachable => AlarmKind::Unreachable,
            Check::SignedOverflow => AlarmKind::SignedOverflow,
            Check::Uninitialised => AlarmKind::Uninitialised,
        }
    }
}

impl fmt::Display for AlarmKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AlarmKind::Signal(number) => write!(f, "{}-{number}", self.name()),
            named => f.write_str(named.name()),
        }
    }
}

/// A word that is none of those expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no {what} `{word}`")]
pub struct UnknownWord {
    pub what: &'static str,
    pub word: String,
}

impl FromStr for AlarmKind {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<AlarmKind, UnknownWord> {
        let named = AlarmKind::NAMED.iter().copied().find(|kind| kind.name() == text);
        let signal = || text.strip_prefix("signal-")?.parse().ok().map(AlarmKind::Signal);
        named.or_else(signal).ok_or_else(|| UnknownWord { what: "kind of alarm", word: text.to_string() })
    }
}

impl TryFrom<String> for AlarmKind {
    type Error = UnknownWord;

    fn try_from(text: String) -> Result<AlarmKind, UnknownWord> {
        text.parse()
    }
}

impl From<AlarmKind> for String {
    fn from(kind: AlarmKind) -> String {
        kind.to_string()
    }
}

/// Enumerations that are told by a word each.
macro_rules! words {
    ($(#[$outer:meta])* $type:ident ($what:literal) { $($(#[$doc:meta])* $name:ident = $text:literal,)* }) => {
        $(#[$outer])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        pub enum $type { $($(#[$doc])* #[serde(rename = $text)] $name),* }

        impl $type {
            pub const ALL: &'static [$type] = &[$($type::$name),*];

            pub const fn text(self) -> &'static str {
                match self { $($type::$name => $text),* }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.text())
            }
        }

        impl std::str::FromStr for $type {
            type Err = $crate::kind::UnknownWord;

            fn from_str(text: &str) -> Result<$type, $crate::kind::UnknownWord> {
                let found = $type::ALL.iter().copied().find(|one| one.text() == text);
                found.ok_or_else(|| $crate::kind::UnknownWord { what: $what, word: text.to_string() })
            }
        }
    };
}
pub(crate) use words;

words! {
    /// How far an alarm can be believed, worst first.
    Verdict("verdict") {
        /// The plain program, or one with sanitizers, shows it through `main` or the public interface, and nothing is assumed.
        Confirmed = "confirmed",
        /// It is possible in a real calling context, from a state that was seen, or with inputs about which nothing is assumed.
        Likely = "likely",
        /// Only under an assumption about the input, which the alarm names.
        Latent = "latent",
        /// Refuted: no calling context allows it.
        Filtered = "filtered",
    }
}

impl Verdict {
    /// Whether it is shown unless something else is said, and makes the exit code say so.
    pub const fn is_shown(self) -> bool {
        match self {
            Verdict::Confirmed | Verdict::Likely => true,
            Verdict::Latent | Verdict::Filtered => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_read_back() {
        for kind in AlarmKind::NAMED.iter().copied().chain([AlarmKind::Signal(31)]) {
            assert_eq!(kind.to_string().parse(), Ok(kind));
        }
        assert_eq!(AlarmKind::Signal(31).to_string(), "signal-31");
        assert!("signal-x".parse::<AlarmKind>().is_err() && "".parse::<AlarmKind>().is_err());
    }

    #[test]
    fn a_check_is_told_by_its_own_word() {
        for check in Check::ALL {
            assert_eq!(AlarmKind::from(*check).to_string(), check.text());
        }
    }
}
