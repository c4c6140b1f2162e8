//! The eleven programs of the Concolic Walk's corpus, and how each is scored.

/// What counts as covered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Score {
    /// A function is solved when it returns 1; of those named, or of all in the file when none is.
    Solved(&'static [&'static str]),
    /// Branches of the whole program, from `main`; so many of them cannot be taken.
    Branches { infeasible: u64 },
}

#[derive(Clone, Copy, Debug)]
pub struct Program {
    pub name: &'static str,
    pub text: &'static str,
    /// Lines of code of the published program: its weight in averages.
    pub weight: f64,
    pub score: Score,
    /// Functions that have no solution.
    pub unsatisfiable: u64,
    /// Seconds that an exploration may take.
    pub seconds: f64,
    /// Percent of what is feasible that `auto` must reach.
    pub wanted: f64,
}

macro_rules! program {
    ($name:literal, $weight:literal, $score:expr, $seconds:literal, $wanted:literal) => {
        program!($name, $weight, $score, $seconds, $wanted, 0)
    };
    ($name:literal, $weight:literal, $score:expr, $seconds:literal, $wanted:literal, $unsatisfiable:literal) => {
        Program {
            name: $name,
            text: include_str!(concat!("../../../../benchmarks/walk/", $name, ".c")),
            weight: $weight,
            score: $score,
            unsatisfiable: $unsatisfiable,
            seconds: $seconds,
            wanted: $wanted,
        }
    };
}

/// In the order of the paper's tables. Weights as published.
pub const PROGRAMS: &[Program] = &[
    program!("coral", 335.0, Score::Solved(&[]), 40.0, 95.0, 1),
    program!("blind", 17.0, Score::Solved(&["blind"]), 5.0, 95.0),
    program!("hash", 54.0, Score::Solved(HASH), 10.0, 100.0),
    program!("opti", 48.0, Score::Solved(OPTI), 10.0, 100.0),
    program!("dart", 18.0, Score::Branches { infeasible: 0 }, 5.0, 95.0),
    program!("power", 31.0, Score::Branches { infeasible: 0 }, 5.0, 95.0),
    program!("ray", 304.0, Score::Branches { infeasible: 0 }, 10.0, 95.0),
    program!("sine", 289.0, Score::Branches { infeasible: 0 }, 15.0, 90.0),
    // Why so many branches cannot be taken is said in each program.
    program!("stat", 113.0, Score::Branches { infeasible: 2 }, 5.0, 95.0),
    program!("tcas", 157.0, Score::Branches { infeasible: 5 }, 10.0, 95.0),
    program!("tsafe", 88.0, Score::Branches { infeasible: 2 }, 10.0, 95.0),
];

const HASH: &[&str] = &[
    "collide_all_free",
    "collide_first_fixed",
    "collide_middle_free",
    "collide_with_constant",
    "collide_with_constant_last_free",
];
const OPTI: &[&str] = &["beale", "freudenstein_roth", "helical_valley", "powell", "rosenbrock", "wood"];
