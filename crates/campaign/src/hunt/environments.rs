//! A program → what it may find around it: arguments, standard input, and files by the names that it opens.
//!
//! ```text
//! fopen("config.ini", "r")  a file of that name
//! fopen(argv[1], "r")       a file `A`, which an argument may name
//! strcat(name, ".gz")       a file `A.gz`
//! tests/small.zip           what such files hold at first
//! ```

use crate::job::Environment;
use covet_project::{Compiled, examples};
use std::collections::BTreeSet;

/// Bytes of an argument, of standard input, and of a file: enough for most formats, and in the last environment for most buffers.
const SMALL: Sizes = Sizes { argument: 12, stdin: 64, file: 256 };
const LARGE: Sizes = Sizes { argument: 300, stdin: 1100, file: 1100 };
/// How many arguments there are, and files that have names at most.
const ARGUMENTS: [usize; 4] = [2, 1, 3, 0];
const FILES: usize = 3;
/// What a file is called that only the input names.
const ANY: &str = "A";

struct Sizes {
    argument: u64,
    stdin: u64,
    file: u64,
}

/// The environments to run `main` in, one after the other, the most usual first: how many arguments there are, then long ones. Files hold
/// at first what the project has examples of.
pub fn environments(compiled: &Compiled, has_examples: bool) -> Vec<Environment> {
    let files = files(compiled);
    let seeds = if has_examples { examples(&compiled.project) } else { Vec::new() };
    let of = |arguments: usize, sizes: &Sizes| Environment {
        stdin: Some(sizes.stdin),
        arguments: vec![sizes.argument; arguments],
        files: files.iter().map(|name| (name.clone(), sizes.file)).collect(),
        seeds: seeds.clone(),
        ..Environment::default()
    };
    let takes_arguments = (compiled.program.units.iter().filter_map(|unit| unit.model.function("main")))
        .any(|main| main.has_body && !main.parameters.is_empty());
    let arguments: &[usize] = if takes_arguments { &ARGUMENTS } else { &[0] };
    let small = arguments.iter().map(|count| of(*count, &SMALL));
    small.chain([of(arguments[0], &LARGE)]).collect()
}

/// Names of files in calls that open them.
fn files(compiled: &Compiled) -> Vec<String> {
    let mut found = Opened::default();
    for unit in &compiled.program.units {
        let path = unit.translation.directory.join(&unit.translation.file);
        found.read(&String::from_utf8_lossy(&std::fs::read(path).unwrap_or_default()));
    }
    let named = found.named.into_iter().take(FILES);
    if !found.by_input {
        return named.collect();
    }
    let extended = found.extensions.into_iter().map(|extension| format!("{ANY}{extension}"));
    named.chain(extended.take(FILES)).chain([ANY.to_string()]).collect()
}

/// What a program opens.
#[derive(Debug, Default)]
struct Opened {
    named: BTreeSet<String>,
    /// Names that are not in the source.
    by_input: bool,
    /// What the program puts behind names: `.gz`.
    extensions: BTreeSet<String>,
}

impl Opened {
    /// The calls `open("NAME"` and `fopen(name`, names of this folder.
    fn read(&mut self, text: &str) {
        for (at, _) in text.match_indices("open(") {
            let before = text[..at].trim_end_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
            if !matches!(&text[before.len()..at], "" | "f" | "fre") {
                continue;
            }
            let rest = text[at + "open(".len()..].trim_start();
            let Some(name) = rest.strip_prefix('"').and_then(|rest| rest.split('"').next()) else {
                self.by_input = true;
                continue;
            };
            let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
            if !name.is_empty() && name.chars().all(is_plain) && name != "." && name != ".." {
                self.named.insert(name.to_string());
            }
        }
        for (at, call) in text.match_indices("strcat(") {
            let arguments = text[at + call.len()..].split([';', '\n']).next().unwrap_or_default();
            let added = arguments.split_once('"').and_then(|(_, rest)| rest.split_once('"')).map(|(added, _)| added);
            let is_extension = |added: &&str| {
                added.strip_prefix('.').is_some_and(|name| {
                    (1..=4).contains(&name.len()) && name.bytes().all(|letter| letter.is_ascii_alphanumeric())
                })
            };
            self.extensions.extend(added.filter(is_extension).map(str::to_owned));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_known_by_the_names_they_are_opened_by() {
        let mut found = Opened::default();
        found.read(
            "f = fopen(\"config.ini\", \"r\"); open( \"data\", 0); fopen(\"/etc/passwd\"); popen(name); open(\"a/b\")",
        );
        assert_eq!(found.named.iter().map(String::as_str).collect::<Vec<_>>(), ["config.ini", "data"]);
        assert!(!found.by_input);
        found.read("FILE *in = fopen (name, mode); FILE *out = fopen(name, mode);");
        assert!(found.by_input);
        found.read("strcat(name, \".ACE\"); strcat(text, \"...\"); strcat(line, end);");
        assert_eq!(found.extensions.iter().map(String::as_str).collect::<Vec<_>>(), [".ACE"]);
    }
}
