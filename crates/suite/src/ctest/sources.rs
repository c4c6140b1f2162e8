//! The program that tests are for, as read by `covet-source`: what belongs together, and what is missing in it.

use super::marks;
use super::replacements::Replacement;
use covet_source::{Function, Global, Translation, Types, Unit};
use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

/// `units[i]` is the model of `translations[i]`.
#[derive(Clone, Copy)]
pub struct Sources<'a> {
    pub types: &'a Types,
    pub translations: &'a [Translation],
    pub units: &'a [Unit],
    pub link_flags: &'a [String],
    pub stubs: &'a [StubText],
    /// Functions that tests replace although the program defines them.
    pub replacements: &'a [Replacement],
    /// What stubs need to have been declared.
    pub preamble: &'a str,
}

/// C text that stands for a function or variable which no file of the program defines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StubText {
    pub name: String,
    pub text: String,
    /// The only unit whose types the text needs, if it needs any.
    pub only_for: Option<usize>,
}

/// The text of every file.
pub fn texts(sources: Sources<'_>) -> Vec<String> {
    let files = sources.translations.iter().map(|translation| translation.directory.join(&translation.file));
    files
        .filter_map(|file| std::fs::read(file).ok())
        .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        .collect()
}

/// The units that make one program with `unit`: all that define nothing which it or an earlier one of them defines. The others
/// belong to other programs of the same project.
pub fn beside(units: &[Unit], unit: usize) -> Vec<usize> {
    let mut owned = definitions_of(&units[unit]);
    let mut others = Vec::new();
    for other in (0..units.len()).filter(|other| *other != unit) {
        let theirs = definitions_of(&units[other]);
        if owned.is_disjoint(&theirs) {
            owned.extend(theirs);
            others.push(other);
        }
    }
    others
}

/// What a unit defines for all others to see.
fn definitions_of(unit: &Unit) -> BTreeSet<&str> {
    let functions =
        unit.functions.iter().filter(|function| function.has_body && !function.is_static && !function.is_inline);
    let globals = unit.globals.iter().filter(|global| global.is_defined && !global.is_static);
    functions.map(|function| function.name.as_str()).chain(globals.map(|global| global.name.as_str())).collect()
}

/// Functions and variables that the unit mentions and no file of the program defines, those that headers of the system declare
/// apart: libraries have them.
pub fn undefined<'s>(sources: Sources<'s>, unit: usize) -> BTreeSet<&'s str> {
    let translation = &sources.translations[unit];
    let bytes = std::fs::read(translation.directory.join(&translation.file)).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let words: BTreeSet<&str> = text.split(|c: char| !(c.is_alphanumeric() || c == '_')).collect();
    let functions = |unit: &'s Unit| {
        let is_there = |function: &Function| function.has_body || function.in_system_header;
        unit.functions.iter().map(move |function| (function.name.as_str(), is_there(function)))
    };
    let globals = |unit: &'s Unit| {
        let is_there = |global: &Global| global.is_defined || global.file.starts_with("/usr");
        unit.globals.iter().map(move |global| (global.name.as_str(), is_there(global)))
    };
    let everywhere = || sources.units.iter().flat_map(|unit| functions(unit).chain(globals(unit)));
    let defined: BTreeSet<&str> = everywhere().filter(|(_, is_defined)| *is_defined).map(|(name, _)| name).collect();
    let own = functions(&sources.units[unit]).chain(globals(&sources.units[unit]));
    let is_stub = |name: &str| sources.stubs.iter().any(|stub| stub.name == name);
    let is_missing =
        |name: &&str| !defined.contains(name) && words.contains(name) && !marks::is_marking(name) && !is_stub(name);
    own.map(|(name, _)| name).filter(is_missing).collect()
}

/// `target` as seen from `folder`; both absolute, or both relative to the same place.
pub fn relative(folder: &Path, target: &Path) -> PathBuf {
    let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let target = std::path::absolute(target).unwrap_or_else(|_| target.to_owned());
    let (folder, target) = (normal(&folder), normal(&target));
    let shared = folder.components().zip(target.components()).take_while(|(a, b)| a == b).count();
    let up = folder.components().skip(shared).map(|_| Component::ParentDir);
    up.chain(target.components().skip(shared)).collect()
}

fn normal(path: &Path) -> PathBuf {
    let real = std::fs::canonicalize(path);
    real.unwrap_or_else(|_| {
        let mut clean = PathBuf::new();
        for part in path.components() {
            match part {
                Component::ParentDir => {
                    clean.pop();
                }
                Component::CurDir => {}
                Component::Prefix(_) | Component::RootDir | Component::Normal(_) => clean.push(part),
            }
        }
        clean
    })
}
