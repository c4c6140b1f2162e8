//! The folders of a project → examples of what its programs read: test data, samples.
//!
//! A project seldom says what its programs eat, but most carry some of it with them. Which files those are nobody knows; whatever is no
//! source is offered, few of each kind, and running it shows what it is worth.

use crate::Failure;
use covet_compile::Project;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Files of one kind, and of all.
const OF_A_KIND: usize = 4;
const MOST: usize = 48;
/// Folders and files that are looked at, and bytes of a file.
const LOOKED_AT: usize = 20_000;
const LARGEST: u64 = 4096;
/// What compilers, builds and people read.
const OTHERS: &str = "c h i cc cpp cxx hpp hxx hh s asm m java py pl rb js css sh csh bat cmd awk m4 ac am in cmake mk mak po pot pod texi tex \
     html md rst man adoc vcproj vcxproj dsp dsw sln csproj resx rc def spec patch diff orig o a so la lo d gcno gcda bc wat yml yaml toml";

/// Contents of small files that are no sources, the smallest of each kind first.
pub fn examples(project: &Project) -> Vec<Vec<u8>> {
    let Some(root) = root(project) else { return Vec::new() };
    let mut kinds = kinds(&root);
    let mut found: Vec<Vec<u8>> = Vec::new();
    for rank in 0..OF_A_KIND {
        for files in kinds.values_mut() {
            let Some((_, path)) = files.get(rank) else { continue };
            if let Ok(bytes) = std::fs::read(path)
                && bytes.len() as u64 <= LARGEST
                && !found.contains(&bytes)
            {
                found.push(bytes);
            }
        }
    }
    found.truncate(MOST);
    found
}

/// The contents of a file, or of all files right in a folder, in the order of their names.
pub fn seeds(path: &Path) -> Result<Vec<Vec<u8>>, Failure> {
    let read = |file: &Path| std::fs::read(file).map_err(Failure::file(file));
    if !path.is_dir() {
        return read(path).map(|bytes| vec![bytes]);
    }
    let entries = std::fs::read_dir(path).map_err(Failure::file(path))?;
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(|file| file.is_file()).collect();
    files.sort_unstable();
    if files.is_empty() {
        return Err(Failure::User(format!("--seeds {}: there is no file in it", path.display())));
    }
    files.iter().map(|file| read(file)).collect()
}

/// The folder that all of the project's files are in, unless it is nobody's in particular.
fn root(project: &Project) -> Option<PathBuf> {
    let files: BTreeSet<PathBuf> =
        (project.units.iter()).filter_map(|unit| std::fs::canonicalize(unit.directory.join(&unit.file)).ok()).collect();
    // Single files of a folder of many programs have no part in what else lies there.
    let folders: BTreeSet<&Path> = files.iter().filter_map(|file| file.parent()).collect();
    let beside: usize = folders.iter().map(|folder| sources_in(folder)).sum();
    if files.len() * 2 < beside {
        return None;
    }
    let places = project.units.iter().flat_map(|unit| [unit.directory.clone(), unit.directory.join(&unit.file)]);
    let places = places.filter_map(|place| std::fs::canonicalize(place).ok());
    let common = |one: PathBuf, other: PathBuf| {
        one.components().zip(other.components()).take_while(|(a, b)| a == b).map(|(a, _)| a).collect()
    };
    // `/`, `/tmp`, `/usr` hold more than a project.
    places.reduce(common).filter(|root| root.is_dir() && root.components().count() > 2)
}

fn sources_in(folder: &Path) -> usize {
    let names = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    names.filter(|path| path.extension().is_some_and(|extension| extension == "c")).count()
}

/// By what follows the last dot of their names (or by the folder, where nothing does): sizes and places of files, the smallest first.
fn kinds(root: &Path) -> BTreeMap<String, Vec<(u64, PathBuf)>> {
    let mut kinds: BTreeMap<String, Vec<(u64, PathBuf)>> = BTreeMap::new();
    let (mut folders, mut looked_at) = (vec![root.to_path_buf()], 0);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            looked_at += 1;
            let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
            // Links lead anywhere.
            let Ok(about) = entry.metadata() else { continue };
            if name.starts_with('.') || looked_at > LOOKED_AT {
                continue;
            }
            if about.is_dir() && !matches!(name.as_str(), "debian" | "covet-out" | "CMakeFiles") {
                folders.push(path);
            } else if about.is_file() && (1..=LARGEST).contains(&about.len()) {
                let kind = kind(&path);
                kind.into_iter().for_each(|kind| kinds.entry(kind).or_default().push((about.len(), path.clone())));
            }
        }
    }
    kinds.values_mut().for_each(|files| files.sort_unstable());
    kinds
}

/// None for sources.
fn kind(path: &Path) -> Option<String> {
    let extension = path.extension().and_then(OsStr::to_str).map(str::to_ascii_lowercase);
    match extension {
        Some(extension) => {
            let is_other = OTHERS.split_whitespace().any(|other| other == extension);
            let is_manual = extension.bytes().all(|letter| letter.is_ascii_digit());
            (!is_other && !is_manual).then_some(extension)
        }
        // `README`, `INSTALL` and `Makefile` stand at the top; below `tests` such a file is data.
        None => {
            let folder = path.parent().and_then(Path::file_name).and_then(OsStr::to_str)?;
            let folder = folder.to_ascii_lowercase();
            let is_data = ["test", "example", "sample", "corpus", "seed", "input", "data", "fuzz"];
            let is_named = path.file_name().and_then(OsStr::to_str).is_some_and(|name| name.starts_with("Makefile"));
            (is_data.iter().any(|word| folder.contains(word)) && !is_named).then(|| format!("{folder}/"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use covet_source::Translation;

    #[test]
    fn examples_are_small_files_that_are_no_sources() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for (name, text) in [
            ("src/a.c", "int x;"),
            ("README", "read"),
            ("tests/big.zip", "PK second"),
            ("tests/small.zip", "PK"),
            ("tests/inputs/case1", "data"),
            ("tests/.hidden.zip", "no"),
            ("tests/Makefile", "all:"),
            ("man/a.1", ".TH"),
        ] {
            std::fs::create_dir_all(at(name).parent().unwrap()).unwrap();
            std::fs::write(at(name), text).unwrap();
        }
        std::fs::write(at("tests/huge.gif"), vec![0; LARGEST as usize + 1]).unwrap();
        std::os::unix::fs::symlink(at("README"), at("tests/link.zip")).unwrap();
        let unit = Translation { directory: at(""), file: "src/a.c".into(), flags: Vec::new() };
        let project = Project { units: vec![unit], link_flags: Vec::new(), refused: Default::default() };
        let texts: Vec<String> =
            examples(&project).into_iter().map(|bytes| String::from_utf8(bytes).unwrap()).collect();
        assert_eq!(texts, ["data", "PK", "PK second"]);
        for name in ["src/b.c", "src/c.c"] {
            std::fs::write(at(name), "int y;").unwrap();
        }
        assert!(examples(&project).is_empty(), "one file of many");
    }
}
