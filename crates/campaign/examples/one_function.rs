//! One function through the library alone: prepare a C file, explore a function of it, print its tests.
//!
//! ```text
//! cargo run -p covet-campaign --example one_function -- examples/dates.c is_leap
//! ```

use covet_abi::check::Checks;
use covet_budget::Deadline;
use covet_campaign::{Explorer, Job, Outcome};
use covet_project::{Config, Failure, Parts, Request, entries, prepare};
use covet_settings::Settings;

fn main() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, function] = arguments.as_slice() else { return Err("usage: one_function FILE.c FUNCTION".into()) };
    let outcome = explore(file, function).map_err(|failure| failure.message().to_string())?;
    for test in &outcome.tests {
        let inputs: Vec<String> = test.inputs.iter().map(|(path, value)| format!("{path}={value}")).collect();
        println!("{} {} {}", outcome.function.name, test.outcome, inputs.join(" "));
    }
    let branches = outcome.function.counters.branches;
    println!("{} of {} branches", branches.covered, branches.total);
    Ok(())
}

fn explore(file: &str, function: &str) -> Result<Outcome, Failure> {
    let cache = tempfile::tempdir().map_err(Failure::tool)?;
    let config = Config::new(std::env::current_dir().map_err(Failure::tool)?, cache.path());
    let prepared = prepare(&Request {
        program: None,
        config: &config,
        sources: &[file.into()],
        flags: &[],
        parts: Parts::Some,
        jobs: 1,
        settings: &Settings::default(),
        checks: Checks::usual(),
    })?;
    let entry = entries::function(&prepared, function)?;
    let job = Job::new(prepared.id_of(entry));
    Explorer::new(&prepared, &Deadline::default(), &())?.explore(&job)
}
