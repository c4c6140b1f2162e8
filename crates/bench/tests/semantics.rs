//! Fifty random programs: plain against instrumented, and every recorded condition against its own input.

use covet_bench::semantics::{Config, Verdict, semantics};
use covet_budget::Deadline;

#[test]
fn random_programs_mean_the_same() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let config = Config {
        count: 50,
        first_seed: 1000,
        jobs: std::thread::available_parallelism().map_or(2, usize::from),
        cache: scratch.path().join("cache"),
        scratch: scratch.path().join("work"),
    };
    let rows = semantics(&config, &Deadline::default(), |_| {}).expect("csmith and clang are installed");
    let wrong: Vec<_> = rows.iter().filter(|row| matches!(row.verdict, Verdict::Mismatch(_))).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(rows.iter().filter(|row| row.verdict == Verdict::Same).count() >= 50);
    assert!(rows.iter().map(|row| row.conditions).sum::<u64>() > 1000, "globals were symbolic");
}
