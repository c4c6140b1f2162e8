//! Bitcode files → one module; and what symbols a module has.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use covet_cache::Key;

use crate::Error;
use crate::clang::{Tools, succeed};

/// Links `files` into one cached module.
pub fn link(tools: &Tools<'_>, files: &[&Path]) -> Result<PathBuf, Error> {
    // The files are named by their content.
    let key = Key::new("link").with_all(files.iter().map(|file| file.as_os_str().as_encoded_bytes()));
    tools.cache.file(&key, "bc", |out| {
        let program = tools.config.toolchain.program("llvm-link");
        let mut command = Command::new(&program);
        command.args(files).arg("-o").arg(out);
        succeed(&tools.config.toolchain, command, out).map(|_| ())
    })
}

/// A symbol that two of the given files define.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clash {
    pub symbol: String,
    /// Index of the file that defines it first.
    pub first: usize,
}

/// For each file, the symbols that an earlier file defines too.
pub fn clashes(tools: &Tools<'_>, files: &[&Path]) -> Result<Vec<Vec<Clash>>, Error> {
    let mut owners: BTreeMap<String, usize> = BTreeMap::new();
    let mut found = Vec::new();
    for (index, file) in files.iter().enumerate() {
        let mut clashes = Vec::new();
        for symbol in symbols(tools, file)?.strong {
            match owners.get(&symbol) {
                Some(&first) => clashes.push(Clash { symbol, first }),
                None => drop(owners.insert(symbol, index)),
            }
        }
        found.push(clashes);
    }
    Ok(found)
}

/// `file` with these symbols visible to itself alone.
pub fn with_private(tools: &Tools<'_>, file: &Path, private: &BTreeSet<String>) -> Result<PathBuf, Error> {
    if private.is_empty() {
        return Ok(file.to_owned());
    }
    let key = Key::new("private").with(file.as_os_str().as_encoded_bytes()).with_all(private);
    let public: Vec<String> =
        symbols(tools, file)?.defined.into_iter().filter(|name| !private.contains(name)).collect();
    let list = tools.cache.bytes("public", "txt", public.join("\n").as_bytes())?;
    tools.cache.file(&key, "bc", |out| {
        let mut command = Command::new(tools.config.toolchain.program("opt"));
        command.arg("-passes=internalize").arg(format!("-internalize-public-api-file={}", list.display()));
        command.arg(file).arg("-o").arg(out);
        succeed(&tools.config.toolchain, command, file).map(|_| ())
    })
}

/// Names of a module's symbols.
#[derive(Default, Debug)]
pub struct Symbols {
    /// With a definition others can see.
    pub defined: BTreeSet<String>,
    /// Those of `defined` that no other file may define too.
    pub strong: BTreeSet<String>,
    pub undefined: BTreeSet<String>,
}

/// The symbols of a cached module, which is named by its content; so the answer is cached too.
pub fn symbols(tools: &Tools<'_>, file: &Path) -> Result<Symbols, Error> {
    let list = tools.cache.file(&Key::new("symbols").with(file.as_os_str().as_encoded_bytes()), "txt", |out| {
        let program = tools.config.toolchain.program("llvm-nm");
        let mut command = Command::new(program);
        command.arg("--extern-only").arg(file);
        let output = succeed(&tools.config.toolchain, command, file)?;
        std::fs::write(out, output.stdout).map_err(Error::io(out))
    })?;
    let text = std::fs::read(&list).map_err(Error::io(&list))?;
    Ok(Symbols::read(&String::from_utf8_lossy(&text)))
}

impl Symbols {
    /// Reads what llvm-nm prints.
    pub fn read(text: &str) -> Symbols {
        let mut symbols = Symbols::default();
        for line in text.lines() {
            // `---------------- T name` or `                 U name`
            let mut words = line.split_whitespace().rev();
            if let (Some(name), Some(kind)) = (words.next(), words.next()) {
                symbols.add(kind, name);
            }
        }
        symbols
    }

    /// Enters a symbol under the letter `nm` gives it.
    fn add(&mut self, kind: &str, name: &str) {
        if matches!(kind, "U" | "w" | "v") {
            self.undefined.insert(name.to_owned());
            return;
        }
        self.defined.insert(name.to_owned());
        if !matches!(kind, "W" | "V" | "C") {
            self.strong.insert(name.to_owned());
        }
    }
}
