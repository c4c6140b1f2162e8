//! The tiers: small, independent ways to answer one query, asked cheapest first until one answers.
//!
//! Each is one file behind [`Tier`], can be switched off by name ([`TierSet`]), and has its answers and its time counted.

mod backoff;
mod backtrack;
mod bisect;
mod boundary;
mod congruence;
mod constants;
mod distance;
mod enumerate;
mod equality;
mod inputs;
mod interval;
mod linear;
mod nearest;
mod order;
mod place;
mod ranked;
mod search;
mod smt;
mod special;
mod walk;

use crate::backends::Z3;
use crate::config::Config;
use crate::domain::bytes::Bytes;
use crate::slice_query::{SliceQuery, TierAnswer};
use crate::statistics::Statistics;
use covet_expr::Evaluator;
use covet_expr::query::TierLabel;
use covet_input::Input;

pub(crate) use inputs::Inputs;

/// One way to answer queries.
pub(crate) trait Tier: Send + std::fmt::Debug {
    fn name(&self) -> TierName;

    /// The answer, or nothing when this way does not lead to one.
    fn answer(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        query: &SliceQuery<'_>,
        tools: &mut Tools<'_>,
    ) -> Option<TierAnswer>;

    /// Forgets what belongs to the pool met so far.
    fn forget(&mut self) {}

    /// Gives up contexts and threads, which can be made again.
    fn rest(&mut self) {}

    /// Hears of an input that answered a query.
    fn learn(&mut self, _input: &Input) {}
}

/// What tiers share.
pub(crate) struct Tools<'a> {
    pub config: &'a Config,
    pub statistics: &'a mut Statistics,
    pub bytes: &'a mut Bytes,
    pub z3: &'a mut Z3,
    /// How often the usual effort is to be halved this time.
    pub halvings: u32,
}

macro_rules! tiers {
    ($($(#[$doc:meta])* $name:ident = $text:literal),* $(,)?) => {
        /// The tiers by name, in the order they are asked.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum TierName { $($(#[$doc])* $name),* }

        impl TierName {
            pub const ALL: &'static [TierName] = &[$(TierName::$name),*];

            pub const fn text(self) -> &'static str {
                match self { $(TierName::$name => $text),* }
            }

            pub const fn label(self) -> TierLabel {
                TierLabel(self.text())
            }
        }
    };
}

tiers! {
    /// The same slice was asked before, or a part of it is known to be impossible.
    Cache = "cache",
    /// Values of earlier answers.
    Inputs = "inputs",
    /// Inversion: one variable moves to the nearest value that makes the goal true.
    Nearest = "nearest",
    /// Classes of equal terms.
    Equality = "equality",
    /// Ranges of values of one term.
    Interval = "interval",
    /// Remainders, low bits and multiples of one term.
    Congruence = "congruence",
    /// Transitivity of `<` and `<=`.
    Order = "order",
    /// One variable moves to where some condition turns.
    Boundary = "boundary",
    /// All combinations of few values.
    Enumerate = "enumerate",
    /// Variables of few values, one after the other.
    Backtrack = "backtrack",
    /// Corner values and values made of the constants at hand; bisection.
    Special = "special",
    /// Local search by inversion, guided by distance.
    Search = "search",
    /// Bit-vectors, with every place that is read held.
    Place = "place",
    /// Concolic Walk over floats and library calls, a short one.
    Walk = "walk",
    /// Linear integer arithmetic.
    Linear = "linear",
    /// Bit-vectors and floats.
    Smt = "smt",
    /// Concolic Walk over anything, a long one.
    LongWalk = "long-walk",
}

/// The tiers in use.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct TierSet(u32);

impl TierSet {
    pub const fn all() -> TierSet {
        TierSet((1 << TierName::ALL.len()) - 1)
    }

    pub const fn of(names: &[TierName]) -> TierSet {
        let (mut bits, mut at) = (0, 0);
        while at < names.len() {
            bits |= 1 << names[at] as u32;
            at += 1;
        }
        TierSet(bits)
    }

    pub const fn contains(self, name: TierName) -> bool {
        self.0 & 1 << name as u32 != 0
    }

    pub const fn without(self, name: TierName) -> TierSet {
        TierSet(self.0 & !(1 << name as u32))
    }

    pub const fn with(self, name: TierName) -> TierSet {
        TierSet(self.0 | 1 << name as u32)
    }
}

/// `nearest,smt` means these alone; `-linear,-smt` means all but these.
impl std::str::FromStr for TierSet {
    type Err = String;

    fn from_str(text: &str) -> Result<TierSet, String> {
        let named = |word: &str| {
            let known = || TierName::ALL.iter().map(|name| name.text()).collect::<Vec<_>>().join(", ");
            let found = TierName::ALL.iter().copied().find(|name| name.text() == word);
            found.ok_or_else(|| format!("no tier {word:?}; the tiers are {}", known()))
        };
        let words: Vec<&str> = text.split(',').map(str::trim).filter(|word| !word.is_empty()).collect();
        let removes = words.iter().all(|word| word.starts_with('-'));
        let mut set = if removes { TierSet::all() } else { TierSet(0) };
        for word in words {
            set = match word.strip_prefix('-') {
                Some(word) => set.without(named(word)?),
                None => set.with(named(word)?),
            };
        }
        Ok(set)
    }
}

/// Every tier that answers by itself, in order. (The cache stands before them, in the solver.)
pub(crate) fn ladder() -> Vec<Box<dyn Tier>> {
    vec![
        Box::new(Inputs::default()),
        Box::new(nearest::Nearest),
        Box::new(equality::Equality),
        Box::new(interval::Interval),
        Box::new(congruence::Congruence),
        Box::new(order::Order),
        Box::new(boundary::Boundary),
        Box::new(enumerate::Enumerate::default()),
        Box::new(backtrack::Backtrack::default()),
        Box::new(special::Special::default()),
        Box::new(search::Search),
        Box::<place::Place>::default(),
        Box::new(walk::Walk::default()),
        Box::new(linear::LinearIntegers),
        Box::new(smt::Smt::default()),
        Box::new(walk::LongWalk::default()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_written_as_what_is_used_or_what_is_not() {
        let only: TierSet = "nearest,smt".parse().expect("names");
        assert!(only.contains(TierName::Smt) && only.contains(TierName::Nearest) && !only.contains(TierName::Cache));
        let but: TierSet = "-linear, -smt".parse().expect("names");
        assert!(!but.contains(TierName::Smt) && !but.contains(TierName::Linear) && but.contains(TierName::Cache));
        assert!("smtt".parse::<TierSet>().unwrap_err().contains("boundary"));
    }

    #[test]
    fn the_ladder_is_in_the_order_of_the_names() {
        let names: Vec<TierName> = ladder().iter().map(|tier| tier.name()).collect();
        assert_eq!(names, TierName::ALL[1..]);
    }
}
