//! Functions that tests replace by stubs although the program defines them.
//!
//! A function of the tested file is reached by its name. One of another file may be static there: that file is compiled inside one of
//! ours, which carries the stubs and hands out the addresses. At the start of a test the first instruction of each function that it
//! replaces becomes a jump (`covtest_replace`): that needs neither the linker's help nor a change of the source, and function
//! pointers are replaced too.

use super::literal;
use super::program::Settings;
use super::sources::{Sources, relative};
use covet_source::Function;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// A function with a body and a stub that can take its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replacement {
    pub name: String,
    /// The unit that defines it.
    pub unit: usize,
    /// The definition of the stub, and its name.
    pub stub: String,
    pub stub_name: String,
    /// The functions whose tests replace it: unit and name.
    pub wanted_by: BTreeSet<(usize, String)>,
}

impl Replacement {
    /// The function of its file that replaces it.
    fn doer(&self) -> String {
        format!("covtest_replaces_{}_in_{}", self.name, self.unit)
    }
}

/// A file of the program inside one of ours.
pub struct Wrapper {
    pub name: String,
    pub text: String,
}

fn of_unit(sources: Sources<'_>, unit: usize) -> impl Iterator<Item = &Replacement> {
    sources.replacements.iter().filter(move |replacement| replacement.unit == unit)
}

/// The stubs of the functions that the tested unit defines.
pub fn stubs(sources: Sources<'_>, unit: usize) -> Vec<String> {
    of_unit(sources, unit).map(|replacement| replacement.stub.clone()).collect()
}

/// What has to be declared for functions of units `others`.
pub fn declarations(sources: Sources<'_>, others: &[usize]) -> Vec<String> {
    let all = others.iter().flat_map(|other| of_unit(sources, *other));
    all.map(|replacement| format!("extern void {}(void (*)(void *, void *));", replacement.doer())).collect()
}

/// The statements by which a test of `function` of `unit` replaces what it wants replaced, where units `others` are beside it.
pub fn statements(sources: Sources<'_>, unit: usize, others: &[usize], function: &Function) -> Vec<String> {
    let wanting = (unit, function.name.clone());
    let is_here = |replacement: &&Replacement| replacement.unit == unit || others.contains(&replacement.unit);
    let wanted =
        sources.replacements.iter().filter(|replacement| replacement.wanted_by.contains(&wanting)).filter(is_here);
    wanted
        .map(|replacement| match replacement.unit == unit {
            true => format!("covtest_replace((void *){}, (void *){});", replacement.name, replacement.stub_name),
            false => format!("{}(covtest_replace);", replacement.doer()),
        })
        .collect()
}

/// The file to compile in place of `unit`, when it has stubs.
pub fn wrapper(sources: Sources<'_>, settings: &Settings, unit: usize) -> Option<Wrapper> {
    of_unit(sources, unit).next()?;
    let translation = &sources.translations[unit];
    let file: PathBuf = relative(&settings.folder, &translation.directory.join(&translation.file));
    let stem = translation.file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let mut text = format!(
        "/* {} with stubs for functions that tests replace, written by covet. */\n#include {}\n#pragma pack()\n\n{}\n",
        file.display(),
        literal::string(file.to_string_lossy().as_bytes()),
        sources.preamble
    );
    for replacement in of_unit(sources, unit) {
        text += &format!(
            "{}\nvoid {}(void (*replace)(void *, void *))\n{{\n    replace((void *){}, (void *){});\n}}\n",
            replacement.stub,
            replacement.doer(),
            replacement.name,
            replacement.stub_name
        );
    }
    Some(Wrapper { name: format!("stubs-{stem}-{unit}.c"), text })
}
