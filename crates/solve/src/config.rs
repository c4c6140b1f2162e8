//! How queries are to be solved: mode, tiers, limits.

use crate::tiers::{TierName, TierSet};
use covet_budget::Deadline;

/// Which conditions go into a query.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, serde::Serialize, serde::Deserialize)]
pub enum Mode {
    /// The whole slice at once.
    Full,
    /// Incremental partial path constraints: start from the goal alone, add violated conditions one by one.
    Ippc,
    /// `Full` for small slices, `Ippc` for large ones.
    #[default]
    Auto,
}

impl Mode {
    /// The tiers used unless others are asked for. The published algorithms have one constraint solver behind them, which
    /// keeps old values where it can; only `Auto` goes past them.
    pub const fn usual_tiers(self) -> TierSet {
        match self {
            Mode::Full | Mode::Ippc => TierSet::of(&[TierName::Nearest, TierName::Linear, TierName::Smt]),
            Mode::Auto => TierSet::all(),
        }
    }
}

/// Limits and choices. The defaults suit interactive use.
#[derive(Clone, Debug)]
pub struct Config {
    pub mode: Mode,
    pub seed: u32,
    /// Effort of the first, incremental SMT check, in Z3's resource units (deterministic, unlike time).
    pub quick_effort: u32,
    /// Effort of the second check from scratch; 0 switches it off.
    pub thorough_effort: u32,
    /// Wall-clock limit of the second check in milliseconds; 0 is none.
    pub timeout_ms: u32,
    /// When nothing more is asked, and what is being asked is broken off.
    pub deadline: Deadline,
    /// The tiers in use.
    pub tiers: TierSet,
    /// An SMT-LIB 2 solver to be run as a process, in place of the one linked in.
    pub smt_command: Option<String>,
    /// Put every answer to `smt_command` too, and note where the two disagree.
    pub cross_check: bool,
    /// How far and in which way the walk searches.
    pub walk: covet_walk::Config,
    /// Slices with more conditions than this go the incremental way in [`Mode::Auto`].
    pub auto_limit: usize,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            mode: Mode::Auto,
            seed: 0,
            quick_effort: 400_000,
            thorough_effort: 10_000_000,
            timeout_ms: 3_000,
            deadline: Deadline::default(),
            tiers: TierSet::all(),
            smt_command: None,
            cross_check: false,
            walk: covet_walk::Config::default(),
            auto_limit: 64,
        }
    }
}
