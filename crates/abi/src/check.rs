//! Checks: what a program must not do, and sets of them.

macro_rules! checks {
    ($($(#[$doc:meta])* $name:ident = $num:literal, $text:literal;)*) => {
        /// What a [`crate::event::Kind::Check`] event asks about, and what a violated run ended for.
        #[repr(u16)]
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
        pub enum Check { $($(#[$doc])* $name = $num),* }
        impl Check {
            pub const ALL: &'static [Check] = &[$(Check::$name),*];
            /// The kind of alarm.
            pub const fn text(self) -> &'static str { match self { $(Check::$name => $text),* } }
            pub const fn from_u16(n: u16) -> Option<Check> { match n { $($num => Some(Check::$name),)* _ => None } }
        }
    };
}

checks! {
    DivisionByZero = 1, "division-by-zero";
    /// `INT_MIN / -1`
    DivisionOverflow = 2, "division-overflow";
    NullDereference = 3, "null-dereference";
    OutOfBounds = 4, "out-of-bounds";
    UseAfterFree = 5, "use-after-free";
    DoubleFree = 6, "double-free";
    InvalidFree = 7, "invalid-free";
    /// By a negative amount, or by as many bits as there are or more.
    ShiftOutOfRange = 8, "shift-out-of-range";
    /// `__builtin_unreachable` was reached.
    Unreachable = 9, "unreachable";
    /// The result of signed arithmetic does not fit its type.
    SignedOverflow = 10, "signed-overflow";
    /// What nobody has written decides a branch, an address or a size, or is handed to a function.
    Uninitialised = 11, "uninitialised";
}

/// A set of checks, one bit each.
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Checks(pub u32);

impl Checks {
    pub const NONE: Checks = Checks(0);

    pub const fn all() -> Checks {
        let mut all = Checks::NONE;
        let mut at = 0;
        while at < Check::ALL.len() {
            all = all.with(Check::ALL[at]);
            at += 1;
        }
        all
    }

    /// Those that are looked for only when they are asked for: much code relies on what compilers make of the one, and the other costs
    /// time.
    pub const fn on_request() -> Checks {
        Checks::NONE.with(Check::SignedOverflow).with(Check::Uninitialised)
    }

    /// Those that are looked for when nothing is said.
    pub const fn usual() -> Checks {
        Checks(Checks::all().0 & !Checks::on_request().0)
    }

    pub const fn with(self, check: Check) -> Checks {
        Checks(self.0 | 1 << check as u16)
    }

    pub const fn contains(self, check: Check) -> bool {
        self.0 & 1 << check as u16 != 0
    }
}
