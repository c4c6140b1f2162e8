//! The cases below `tests/cases`: each has an expectation, and no file beside them belongs to none.

use covet_tidy::{none, tree};

/// What a case may have beside it: what came out, and stages of `covet show`.
const BESIDE: [&str; 7] = ["expected", "bitcode", "sites", "trace", "path", "query", "input"];

#[test]
fn every_case_has_an_expectation() {
    let files = tree::files();
    let cases = files.iter().filter(|file| file.starts_with("tests/cases/")).filter_map(|file| file.strip_suffix(".c"));
    let without: Vec<String> =
        cases.filter(|case| !files.contains(&format!("{case}.expected"))).map(str::to_owned).collect();
    none("cases without a `.expected` beside them (BLESS=1 writes it):", &without);
}

#[test]
fn no_expectation_is_left_over() {
    let files = tree::files();
    let mut over = Vec::new();
    for file in files.iter().filter(|file| file.starts_with("tests/cases/")) {
        let (stem, extension) = file.rsplit_once('.').unwrap_or((file, ""));
        let source = format!("{stem}.c");
        let shown = || tree::read(&source).contains(&format!("// covet: show {extension} "));
        if BESIDE.contains(&extension) && (!files.contains(&source) || (extension != "expected" && !shown())) {
            over.push(file.clone());
        }
    }
    none("files of cases that are no more:", &over);
}
