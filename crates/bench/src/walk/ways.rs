//! The ways of solving that are compared: options of the command line.

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Way {
    pub name: &'static str,
    pub options: &'static [&'static str],
}

/// The columns of the main table.
pub const WAYS: &[Way] = &[
    Way {
        name: "simplification",
        options: &["--walk", "simplification", "--solver-tiers", "cache,walk", "--first", "random"],
    },
    Way { name: "mixed", options: &["--walk", "mixed", "--solver-tiers", "cache,walk"] },
    Way { name: "smt", options: &["--solver-tiers", "cache,smt"] },
    Way { name: "paper", options: PAPER },
    Way { name: "ours", options: &["--walk", "ours", "--solver-tiers", "cache,walk"] },
    Way { name: "auto", options: &[] },
];

const PAPER: &[&str] = &["--walk", "paper", "--solver-tiers", "cache,walk"];

/// The variations of the published parameters (Table 3 of the paper).
pub const VARIATIONS: &[Way] = &[
    Way {
        name: "paper, tabu off",
        options: &["--walk", "paper", "--solver-tiers", "cache,walk", "--walk-tabu", "off"],
    },
    Way {
        name: "paper, tabu 5",
        options: &["--walk", "paper", "--solver-tiers", "cache,walk", "--walk-tabu-steps", "5"],
    },
    Way {
        name: "paper, bisection off",
        options: &["--walk", "paper", "--solver-tiers", "cache,walk", "--walk-bisection", "off"],
    },
    Way {
        name: "paper, 10 steps",
        options: &["--walk", "paper", "--solver-tiers", "cache,walk", "--walk-steps", "10"],
    },
    Way {
        name: "paper, 75 steps",
        options: &["--walk", "paper", "--solver-tiers", "cache,walk", "--walk-steps", "75"],
    },
    Way {
        name: "paper, 300 steps",
        options: &["--walk", "paper", "--solver-tiers", "cache,walk", "--walk-steps", "300"],
    },
    Way {
        name: "paper, 3 neighbours",
        options: &["--walk", "paper", "--solver-tiers", "cache,walk", "--walk-neighbours", "3"],
    },
    Way {
        name: "paper, 25 neighbours",
        options: &["--walk", "paper", "--solver-tiers", "cache,walk", "--walk-neighbours", "25"],
    },
    Way {
        name: "paper, 100 neighbours",
        options: &["--walk", "paper", "--solver-tiers", "cache,walk", "--walk-neighbours", "100"],
    },
];
