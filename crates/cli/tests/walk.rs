//! `docs/walk.md` is executed: every block that begins with `$ covet` prints what stands below it, times and the folder aside.
//!
//! A line `...` stands for any lines. `BLESS=1` writes the blocks without one anew.

#[path = "common/redact.rs"]
mod redact;

use redact::redact;
use std::path::Path;
use std::process::Command;

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/walk.md");
const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/grade.c");
const FENCE: &str = "```";

#[test]
fn the_walk_is_what_happens() {
    let page = std::fs::read_to_string(PAGE).unwrap();
    let example = std::fs::read_to_string(EXAMPLE).unwrap();
    assert!(page.contains(&example), "docs/walk.md does not hold examples/grade.c as it is");
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path().canonicalize().unwrap();
    std::fs::create_dir(folder.join("examples")).unwrap();
    std::fs::write(folder.join("examples/grade.c"), example).unwrap();
    let (mut blessed, mut wrong) = (page.clone(), Vec::new());
    for (command, told) in blocks(&page) {
        let found = run(&folder, command);
        let same = matches(&lines(&redact(told, &folder)), &lines(&redact(&found, &folder)));
        if !same && told.lines().all(|line| line != "...") {
            let shown = found.replace(&format!("{}/", folder.display()), "");
            blessed = blessed.replace(&format!("$ {command}\n{told}{FENCE}"), &format!("$ {command}\n{shown}{FENCE}"));
        }
        if !same {
            wrong.push(format!("$ {command}\n{found}"));
        }
    }
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(PAGE, blessed).unwrap();
    } else {
        assert!(wrong.is_empty(), "docs/walk.md tells otherwise of:\n\n{}", wrong.join("\n"));
    }
}

/// Each block of commands: the one it begins with, and what stands below it.
fn blocks(page: &str) -> Vec<(&str, &str)> {
    let inside = page.split(FENCE).skip(1).step_by(2);
    let commands = inside.filter_map(|text| text.trim_start_matches("console").strip_prefix("\n$ "));
    let found: Vec<(&str, &str)> = commands.filter_map(|text| text.split_once('\n')).collect();
    assert!(!found.is_empty(), "docs/walk.md has no command");
    found
}

/// What a command prints to both of its outputs. Only `covet` is run.
fn run(folder: &Path, command: &str) -> String {
    let words: Vec<&str> = command.split_whitespace().collect();
    assert_eq!(words[0], "covet", "{command}");
    let output = Command::new(env!("CARGO_BIN_EXE_covet")).current_dir(folder).args(&words[1..]).output().unwrap();
    [output.stdout, output.stderr].iter().map(|text| String::from_utf8_lossy(text)).collect()
}

/// The lines with single spaces: the columns of a table are as wide as the folder's name is long.
fn lines(text: &str) -> Vec<String> {
    text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

/// Whether the lines are the same, where `...` stands for any number of them.
fn matches(told: &[String], found: &[String]) -> bool {
    match told.split_first() {
        None => found.is_empty(),
        Some((first, rest)) if first == "..." => (0..=found.len()).any(|at| matches(rest, &found[at..])),
        Some((first, rest)) => found.split_first().is_some_and(|(next, left)| first == next && matches(rest, left)),
    }
}
