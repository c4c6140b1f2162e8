//! The library models that come with Covet: one module, compiled when Covet was and linked apart from the user's code.

use std::collections::BTreeSet;
use std::path::PathBuf;

use covet_abi::symbols::LIBRARY;

use crate::Error;
use crate::clang::Tools;
use crate::link::Symbols;

/// Made by this crate's build script.
static MODULE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/models.bc"));
/// The symbols of [`MODULE`], as llvm-nm tells them.
static SYMBOLS: &str = include_str!(concat!(env!("OUT_DIR"), "/models.txt"));

/// Calls of these become something else when the program is instrumented.
const TAKEN_OVER: [&str; 2] = ["covet_symbolic", "klee_make_symbolic"];

/// Whether the models define `name`, as itself or as what stands for the library function of that name.
pub fn provide(models: &BTreeSet<String>, name: &str) -> bool {
    TAKEN_OVER.contains(&name) || models.contains(name) || models.contains(&format!("{LIBRARY}{name}"))
}

/// What the models define.
pub fn symbols() -> BTreeSet<String> {
    Symbols::read(SYMBOLS).defined
}

/// The models as a file.
pub fn file(tools: &Tools<'_>) -> Result<PathBuf, Error> {
    Ok(tools.cache.bytes("models", "bc", MODULE)?)
}
