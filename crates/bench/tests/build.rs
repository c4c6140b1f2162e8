//! Small forms of the programs of `covet bench build`: what would take minutes if it grew faster than the program.

use covet_bench::build::{Config, build};
use covet_budget::Deadline;

/// Beside `clang -O1`, on a busy machine, for programs so small that most of it is the same for all.
const MOST: f64 = 100.0;

#[test]
fn builds_take_a_few_times_as_long_as_clang() {
    let scratch = tempfile::tempdir().unwrap();
    let names = ["nested", "sum", "machine", "straight"].map(str::to_owned).to_vec();
    let config = Config { scratch: scratch.path().to_owned(), names, smaller: 20 };
    let rows = build(&config, &Deadline::default(), |_| {}).unwrap();
    assert_eq!(rows.len(), 4);
    for row in rows {
        assert!(row.ratio() < MOST, "{row:?}");
    }
}
