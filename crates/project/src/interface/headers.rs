//! Headers of a project → what they show to those who include them: functions, and records whose members are known.

use crate::{Compiled, Failure};
use covet_compile::Program;
use covet_scratch::Scratch;
use covet_source::{Function, Parser, Translation, TypeId, Types, Unit};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// What a program that uses the project includes first.
pub const PRELUDE: &str =
    "#include <stddef.h>\n#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n";

/// The public headers of a project.
#[derive(Clone, Debug, Default)]
pub struct Headers {
    /// In the order in which they are included.
    pub files: Vec<PathBuf>,
    /// How a file that includes them is compiled.
    pub translation: Option<Translation>,
    /// The functions that they declare.
    declared: BTreeSet<String>,
    /// Those that they declare for C++, too: what a library does for its users, and a program hardly for itself.
    offered: BTreeSet<String>,
    /// The records whose members they show.
    records: BTreeSet<TypeId>,
}

impl Headers {
    /// The headers that declare functions of the project, as far as they can be included.
    pub fn of(compiled: &Compiled) -> Result<Headers, Failure> {
        let program = &compiled.program;
        let found = public(candidates(program));
        let Some(unit) = found.values().next().and_then(|unit| program.units.get(*unit)) else {
            return Ok(Headers::default());
        };
        let reader = Reader {
            parser: Parser::load(&compiled.config.toolchain).map_err(Failure::machine)?,
            types: &program.types,
            folder: Scratch::new().map_err(Failure::machine)?,
            like: &unit.translation,
        };
        let files: Vec<PathBuf> = found.into_keys().collect();
        let mut read = reader.read(&files).map(|unit| (files.clone(), unit));
        if read.is_none() {
            // One of them is not meant to be included on its own.
            let mut fine: Vec<PathBuf> = Vec::new();
            for file in files {
                fine.push(file);
                match reader.read(&fine) {
                    Some(unit) => read = Some((fine.clone(), unit)),
                    None => drop(fine.pop()),
                }
            }
        }
        let Some((files, model)) = read else { return Ok(Headers::default()) };
        let for_users: BTreeSet<&PathBuf> = files.iter().filter(|file| is_for_users(file)).collect();
        let is_offered = |function: &&Function| function.header.as_ref().is_some_and(|file| for_users.contains(file));
        let offered = model.functions.iter().filter(is_offered).map(|function| function.name.clone()).collect();
        Ok(Headers {
            translation: written(compiled, &unit.translation),
            offered,
            files,
            declared: model.functions.into_iter().map(|function| function.name).collect(),
            records: model.records,
        })
    }

    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Whether they declare a function of this name.
    pub fn declare(&self, name: &str) -> bool {
        self.declared.contains(name)
    }

    /// Whether a library offers a function of this name.
    pub fn offer(&self, name: &str) -> bool {
        self.offered.contains(name)
    }

    /// Whether a library offers anything.
    pub fn are_offered(&self) -> bool {
        !self.offered.is_empty()
    }

    /// Whether they show the members of a record.
    pub fn show(&self, types: &Types, record: TypeId) -> bool {
        self.records.contains(&types.completed(record))
    }
}

/// Whether a header is made for C++, too.
fn is_for_users(header: &Path) -> bool {
    const MARKS: [&str; 3] = ["extern \"C\"", "BEGIN_DECLS", "EXTERN_C"];
    let text = std::fs::read(header).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    MARKS.iter().any(|mark| text.contains(mark))
}

/// The same unit as the user has it compiled, without what we add.
fn written(compiled: &Compiled, unit: &Translation) -> Option<Translation> {
    let is_same = |written: &&Translation| (&written.directory, &written.file) == (&unit.directory, &unit.file);
    compiled.project.units.iter().find(is_same).cloned()
}

/// Reads headers as a user's file would include them.
struct Reader<'a> {
    parser: Parser,
    types: &'a Types,
    folder: Scratch,
    like: &'a Translation,
}

impl Reader<'_> {
    fn read(&self, headers: &[PathBuf]) -> Option<Unit> {
        let file = self.folder.path().join("headers.c");
        let lines = headers.iter().map(|header| format!("#include \"{}\"\n", header.display()));
        std::fs::write(&file, PRELUDE.to_string() + &lines.collect::<String>()).ok()?;
        let translation = Translation { file, ..self.like.clone() };
        self.parser.parse(&translation, &mut self.types.clone()).ok()
    }
}

/// The headers that declare what the project defines, each with a unit that has such a function.
fn candidates(program: &Program) -> BTreeMap<PathBuf, usize> {
    let functions =
        || program.units.iter().enumerate().flat_map(|(at, unit)| unit.model.functions.iter().map(move |f| (at, f)));
    let is_open = |function: &Function| function.has_body && !function.is_static && function.in_main_file;
    let defined: BTreeMap<&str, usize> =
        functions().filter(|(_, f)| is_open(f)).map(|(unit, f)| (f.name.as_str(), unit)).collect();
    let mut found = BTreeMap::new();
    for (_, function) in functions() {
        if let (Some(header), Some(unit)) = (&function.header, defined.get(function.name.as_str())) {
            found.entry(header.clone()).or_insert(*unit);
        }
    }
    found
}

/// Those that are meant for others: where there is a folder for them, what is in it; and what is not called internal.
fn public(all: BTreeMap<PathBuf, usize>) -> BTreeMap<PathBuf, usize> {
    let narrowed = |all: BTreeMap<PathBuf, usize>, keeps: &dyn Fn(&Path) -> bool| {
        let kept: BTreeMap<PathBuf, usize> =
            all.iter().filter(|(path, _)| keeps(path)).map(|(path, unit)| (path.clone(), *unit)).collect();
        if kept.is_empty() { all } else { kept }
    };
    let all = narrowed(all, &|path| !is_internal(path));
    narrowed(all, &|path| path.parent().is_some_and(|folder| folder.iter().any(|part| part == "include")))
}

/// `lib-internal.h`, `parser_private.h`, `pngpriv.h`, `config.h`.
fn is_internal(header: &Path) -> bool {
    const WORDS: [&str; 9] = ["internal", "internals", "private", "priv", "int", "impl", "local", "config", "p"];
    let stem = header.file_stem().map(|stem| stem.to_string_lossy().to_lowercase()).unwrap_or_default();
    let has_word = |word: &str| stem.split(|c: char| !c.is_ascii_alphanumeric()).any(|part| part == word);
    let folders = header.parent().into_iter().flat_map(Path::iter);
    WORDS.iter().any(|word| has_word(word))
        || ["private", "priv"].iter().any(|end| stem.ends_with(end))
        || stem.ends_with("internal")
        || folders
            .map(|part| part.to_string_lossy().to_lowercase())
            .any(|part| matches!(part.as_str(), "internal" | "private"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn internal_headers_are_known_by_their_names_and_public_ones_by_their_folder() {
        let all = |names: &[&str]| names.iter().map(|name| (PathBuf::from(name), 0)).collect::<BTreeMap<_, _>>();
        let left = |names: &[&str]| public(all(names)).into_keys().collect::<Vec<_>>();
        assert_eq!(left(&["src/tre-internal.h", "src/tre.h"]), [PathBuf::from("src/tre.h")]);
        assert_eq!(left(&["src/jansson_private.h", "src/jansson.h"]), [PathBuf::from("src/jansson.h")]);
        assert_eq!(left(&["pngpriv.h", "png.h"]), [PathBuf::from("png.h")]);
        assert_eq!(left(&["include/yaml.h", "src/scan.h"]), [PathBuf::from("include/yaml.h")]);
        assert_eq!(left(&["a/internal.h"]), [PathBuf::from("a/internal.h")], "better than none");
        assert_eq!(left(&["a/point.h", "a/printer.h"]).len(), 2);
    }
}
