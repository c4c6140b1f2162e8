//! Alarms of units → alarms a person can believe: what is assumed, which callers allow it, where it can be shown from outside.
//!
//! Exploring finds violations on inputs that were made up. Whether a program ever gets there is asked afterwards, alarm by alarm, the
//! most promising first, with the time that is kept for it.

mod callers;
mod calls;
pub mod chain;
mod contexts;
mod environments;
mod judgement;
mod public;
mod sought;
mod testimony;
mod units;

pub use calls::KnownCalls;
pub use contexts::Contexts;
pub use environments::environments;
pub use public::{Outside, from_main};
pub use sought::Sought;
pub use testimony::Testimonies;

use covet_project::Prepared;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// How a hunt goes about it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hunt {
    pub unit: UnitChoice,
    /// Dependency from which on a function belongs to the unit or to its calling context.
    pub tau: f64,
    /// Whether alarms are put to calling contexts.
    pub filter: bool,
    /// Call profiles to go by.
    pub profiles: Vec<PathBuf>,
    /// Whether what the code says of its inputs tells guesses from what may be believed.
    pub beliefs: bool,
    /// Whether structures are taken to keep what all their writers keep.
    pub invariants: bool,
    /// Whether programs read at first what the project has examples of.
    pub examples: bool,
    /// What a library exports, if a file says so.
    pub exports: Option<PathBuf>,
}

impl Hunt {
    /// Whether units and filtering are as published; functions have stubs beside them then.
    pub fn is_published(&self) -> bool {
        self.unit != UnitChoice::Auto
    }

    /// Whether alarms are put to callers: symbolic unit testing knows none.
    pub fn asks_callers(&self) -> bool {
        self.filter && self.unit != UnitChoice::Sut
    }

    /// Makes stubs of all that is outside the unit of the function that is explored, for every function of the program.
    pub fn choose_units(&self, prepared: &Prepared, known: &KnownCalls) {
        if self.is_published() {
            let extended = |function| known.relevance(function, self.tau).unit;
            prepared.program.replacements.choose(units::stubs(prepared, self.unit, &extended));
        }
    }
}

impl Default for Hunt {
    fn default() -> Hunt {
        let (unit, filter, profiles, exports) = (UnitChoice::Auto, true, Vec::new(), None);
        Hunt { unit, tau: TAU, filter, profiles, beliefs: true, invariants: true, examples: true, exports }
    }
}

/// The published threshold.
pub const TAU: f64 = 0.7;

/// Which functions are explored together with the one under test; all others are symbolic stubs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum UnitChoice {
    /// The function alone (symbolic unit testing).
    Sut,
    /// All that it calls, so many calls away at most.
    Distance(u32),
    /// The extended unit, as published.
    Conbrio,
    /// Everything it calls; callers are asked about its alarms.
    #[default]
    Auto,
}
