//! Ways to hunt that are compared: ours, the published ones, and ours with one thing switched off.

/// One column of the benchmark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Way {
    /// As it is told, and as results are kept.
    pub name: &'static str,
    /// What the command is given for it.
    pub options: &'static [&'static str],
}

const fn way(name: &'static str, options: &'static [&'static str]) -> Way {
    Way { name, options }
}

/// As `covet hunt` does it by itself.
pub const OURS: Way = way("ours", &[]);

/// The function alone, those so many calls away, and CONBRIO as published.
pub const PUBLISHED: [Way; 5] = [
    way("sut", &["--unit", "sut"]),
    way("distance-3", &["--unit", "distance:3"]),
    way("distance-6", &["--unit", "distance:6"]),
    way("distance-9", &["--unit", "distance:9"]),
    way("conbrio", &["--unit", "conbrio"]),
];

/// Ours without one of its parts, and CONBRIO with another threshold.
pub const ABLATIONS: [Way; 6] = [
    way("no-filter", &["--filter", "off"]),
    way("no-beliefs", &["--beliefs", "off"]),
    way("no-invariants", &["--invariants", "off"]),
    way("no-examples", &["--examples", "off"]),
    way("tau-0.5", &["--unit", "conbrio", "--tau", "0.5"]),
    way("tau-0.9", &["--unit", "conbrio", "--tau", "0.9"]),
];
