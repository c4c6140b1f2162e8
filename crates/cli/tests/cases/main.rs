//! `tests/cases/<topic>/<name>.c` becomes the test `cases::<topic>::<name>`: drop a file, get a test.
//!
//! Filters work as in every Rust test (`cargo test -p covet-cli --test cases -- search::`). `BLESS=1` writes the expectations instead of comparing them, and
//! `COVET=PATH` runs another binary than the one just built. The slowest cases of the last run start first, so that none is left for the end.

mod case;
#[path = "../common/redact.rs"]
mod redact;
mod times;

use case::Case;
use libtest_mimic::{Arguments, Trial};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;
use times::Times;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let times = Arc::new(Times::load());
    let mut cases = cases();
    cases.sort_by_key(|case| (std::cmp::Reverse(times.before(case)), case.name.clone()));
    let trials = cases.into_iter().map(|case| trial(case, Arc::clone(&times))).collect();
    let conclusion = libtest_mimic::run(&arguments, trials);
    if !arguments.list {
        times.save();
        print!("{}", times.slowest());
    }
    conclusion.exit_code()
}

fn trial(case: Case, times: Arc<Times>) -> Trial {
    Trial::test(case.name.clone(), move || {
        let start = Instant::now();
        let checked = case.check();
        times.note(&case.name, start.elapsed());
        checked.map_err(Into::into)
    })
}

/// Every C file below `tests/cases`.
fn cases() -> Vec<Case> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases");
    let root = root.canonicalize().unwrap_or_else(|error| panic!("{}: {error}", root.display()));
    let mut files = Vec::new();
    collect(&root, &mut files);
    files.into_iter().map(|file| Case::new(&root, file)).collect()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "c") {
            files.push(path);
        }
    }
}
