//! What every file promises: a header, a readable length, nothing unfinished, nothing of the machine it was written on.

use covet_tidy::{code, none, tree};

/// A file that passes this asks to be two.
const MOST_LINES: usize = 500;

/// Folders of people and machines. Put together here, so that this file does not hold them.
const MACHINE_PATHS: [&str; 4] =
    [concat!("/ho", "me/"), concat!("/ro", "ot/"), concat!("/wo", "rk/"), concat!("/Us", "ers/")];

/// What is left to do belongs into an issue, and what is not to be run is no test.
const UNFINISHED: [&str; 4] = ["todo!", "unimplemented!", "dbg!", "#[ignore"];

const UNFINISHED_NOTES: [&str; 3] = [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("XX", "X")];

fn sources() -> Vec<String> {
    tree::files_named(&[".rs"])
}

#[test]
fn every_source_begins_with_a_header() {
    let without: Vec<String> = sources().into_iter().filter(|file| !tree::read(file).starts_with("//! ")).collect();
    none("no `//!` header that says what the file turns into what:", &without);
}

#[test]
fn no_source_is_too_long() {
    let length = |file: &str| tree::read(file).lines().count();
    let long = sources().into_iter().map(|file| (length(&file), file)).filter(|(lines, _)| *lines > MOST_LINES);
    let long: Vec<String> = long.map(|(lines, file)| format!("{file}: {lines} lines")).collect();
    none(&format!("more than {MOST_LINES} lines:"), &long);
}

#[test]
fn nothing_is_left_unfinished() {
    let mut found = Vec::new();
    for file in sources() {
        for (number, line) in code::all_lines(&tree::read(&file)) {
            found.extend(
                UNFINISHED
                    .iter()
                    .filter(|word| code::holds(&line, word))
                    .map(|word| format!("{file}:{number}: `{word}`")),
            );
        }
    }
    for file in texts() {
        for (at, line) in tree::read(&file).lines().enumerate() {
            let notes = UNFINISHED_NOTES
                .iter()
                .filter(|word| line.split(|c: char| !c.is_alphanumeric()).any(|part| part == **word));
            found.extend(notes.map(|word| format!("{file}:{}: {word}", at + 1)));
        }
    }
    none("unfinished:", &found);
}

#[test]
fn nothing_names_the_machine_it_was_written_on() {
    let mut found = Vec::new();
    for file in texts() {
        for (at, line) in tree::read(&file).lines().enumerate() {
            found.extend(
                MACHINE_PATHS
                    .iter()
                    .filter(|path| code::holds(line, path))
                    .map(|path| format!("{file}:{}: {path}", at + 1)),
            );
        }
    }
    none("paths of one machine:", &found);
}

/// Everything that people write.
fn texts() -> Vec<String> {
    tree::files_named(&[
        ".rs",
        ".toml",
        ".md",
        ".c",
        ".h",
        ".expected",
        ".path",
        ".query",
        ".trace",
        ".input",
        "Makefile",
        "scripts/deps",
        ".ci/run",
    ])
}
