//! The library models that come with Covet → one module, linked apart from the user's code.
//!
//! Named by their own text and that of their headers: they need no preprocessing to see whether they have changed. A compile
//! error here is a bug of ours.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use covet_abi::symbols::LIBRARY;
use covet_source::Translation;

use crate::clang::{BITCODE_FLAGS, Tools};
use crate::link::link;
use crate::{Error, parallel};

/// Calls of these become something else when the program is instrumented.
const TAKEN_OVER: [&str; 2] = ["covet_symbolic", "klee_make_symbolic"];

/// Whether the models define `name`, as itself or as what stands for the library function of that name.
pub fn provide(models: &BTreeSet<String>, name: &str) -> bool {
    TAKEN_OVER.contains(&name) || models.contains(name) || models.contains(&format!("{LIBRARY}{name}"))
}

pub fn build(tools: &Tools<'_>) -> Result<PathBuf, Error> {
    let config = tools.config;
    let texts = config.models.iter().chain(&config.headers).flat_map(|file| [&file.name, &file.text]);
    let key = tools.key("models").with_all(BITCODE_FLAGS).with_all(texts);
    tools.cache.file(&key, "bc", |out| {
        let module = compile(tools)?;
        std::fs::copy(&module, out).map(|_| ()).map_err(Error::io(out))
    })
}

fn compile(tools: &Tools<'_>) -> Result<PathBuf, Error> {
    let models = &tools.config.models;
    let mut files: Vec<(&str, &[u8])> =
        models.iter().map(|model| (model.name.as_str(), model.text.as_bytes())).collect();
    if files.is_empty() {
        files.push(("none.c", b""));
    }
    let directory = tools.cache.files("models", &files)?;
    let sources: Vec<&str> = files.iter().map(|(name, _)| *name).filter(|name| name.ends_with(".c")).collect();
    let bitcode = parallel::map(&sources, tools.config.jobs, |_, name| {
        // Their loops must not become calls of the functions they stand for.
        let flags = vec!["-fno-builtin".to_owned()];
        let unit = Translation { directory: directory.clone(), file: name.into(), flags };
        tools.compile(&tools.with_common_flags(&unit), BITCODE_FLAGS, "bc")
    })?;
    link(tools, &bitcode.iter().map(PathBuf::as_path).collect::<Vec<&Path>>())
}
