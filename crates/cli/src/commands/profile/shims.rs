//! The compilers that a build may find → ours, found before them.

use crate::failure::Failure;
use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

/// What the command's environment is to be.
pub struct Shims {
    /// `PATH`, ours first.
    pub path: OsString,
    pub variables: Vec<(&'static str, OsString)>,
}

/// Puts a small program in front of every C compiler on the path.
pub fn put(session: &Path) -> Result<Shims, Failure> {
    let folder = session.join("bin");
    std::fs::create_dir(&folder).map_err(Failure::file(&folder))?;
    let covet = std::env::current_exe().map_err(Failure::machine)?;
    let path = std::env::var_os("PATH").unwrap_or_default();
    for (name, compiler) in compilers(&path) {
        let call = |words: [&Path; 3]| words.map(|word| quoted(&word.to_string_lossy()));
        let [covet, session, compiler] = call([&covet, session, &compiler]);
        let text =
            format!("#!/bin/sh\nexec {covet} profile-compiler --session {session} --compiler {compiler} -- \"$@\"\n");
        let file = folder.join(name);
        std::fs::write(&file, text).map_err(Failure::file(&file))?;
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).map_err(Failure::file(&file))?;
    }
    let variables = std::env::var("CC").ok().and_then(|named| in_front(&named, &folder)).map(|cc| ("CC", cc));
    let path = std::env::join_paths(std::iter::once(folder).chain(std::env::split_paths(&path)));
    Ok(Shims { path: path.map_err(Failure::machine)?, variables: variables.into_iter().collect() })
}

/// Names of C compilers on the path, each with the first file of that name.
fn compilers(path: &OsString) -> Vec<(String, PathBuf)> {
    let mut found: Vec<(String, PathBuf)> = Vec::new();
    for folder in std::env::split_paths(path) {
        let mut entries: Vec<_> = std::fs::read_dir(&folder).into_iter().flatten().flatten().collect();
        entries.sort_by_key(std::fs::DirEntry::file_name);
        for entry in entries {
            let Ok(name) = entry.file_name().into_string() else { continue };
            if is_compiler(&name) && !found.iter().any(|(known, _)| *known == name) {
                found.push((name, entry.path()));
            }
        }
    }
    found
}

/// `cc`, `gcc`, `gcc-12`, `x86_64-linux-gnu-gcc`, `clang-19`, `c99`.
fn is_compiler(name: &str) -> bool {
    let plain = name.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
    let plain = plain.strip_suffix('-').unwrap_or(plain);
    let last = plain.rsplit('-').next().unwrap_or(plain);
    matches!(name, "cc" | "c89" | "c99")
        || matches!(last, "gcc" | "clang") && (plain == last || plain.contains("-linux-"))
}

/// The compiler that `CC` names by its whole path, by ours.
fn in_front(named: &str, folder: &Path) -> Option<OsString> {
    let (program, rest) = named.split_once(' ').map_or((named, ""), |(program, rest)| (program, rest));
    let ours = folder.join(Path::new(program).file_name()?);
    (program.contains('/') && ours.exists()).then(|| format!("{} {rest}", ours.display()).trim_end().into())
}

/// As one word of a shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compilers_are_known_by_their_names() {
        for name in
            ["cc", "gcc", "gcc-12", "clang", "clang-19", "x86_64-linux-gnu-gcc", "x86_64-linux-gnu-gcc-12", "c99"]
        {
            assert!(is_compiler(name), "{name}");
        }
        for name in ["g++", "clang++", "clang-format", "clang-format-19", "gcc-ar", "gcc-nm-12", "git-gcc", "ccache"] {
            assert!(!is_compiler(name), "{name}");
        }
        assert_eq!(quoted("it's"), "'it'\\''s'");
    }
}
