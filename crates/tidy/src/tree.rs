//! The files of the repository, as paths from its root.

use std::path::{Path, PathBuf};

/// What is made, fetched or kept by tools; no part of the sources.
const PASSED_OVER: [&str; 4] = ["target", ".deps", ".git", "covet-out"];

pub fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().unwrap_or_else(|error| panic!("{}: {error}", root.display()))
}

/// All files, in order.
pub fn files() -> Vec<String> {
    let root = root();
    let mut found = Vec::new();
    collect(&root, &mut found);
    let below = |path: PathBuf| path.strip_prefix(&root).unwrap().to_string_lossy().into_owned();
    let mut names: Vec<String> = found.into_iter().map(below).collect();
    names.sort();
    names
}

/// All files whose names end with one of these.
pub fn files_named(endings: &[&str]) -> Vec<String> {
    let mut all = files();
    all.retain(|file| endings.iter().any(|ending| file.ends_with(ending)));
    all
}

pub fn read(file: &str) -> String {
    std::fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// The folders below `crates`: the names of ours without their `covet-`.
pub fn crates() -> Vec<String> {
    let entries = std::fs::read_dir(root().join("crates")).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy();
        if PASSED_OVER.contains(&name.as_ref()) {
            continue;
        }
        if path.is_dir() { collect(&path, found) } else { found.push(path.clone()) }
    }
}
