//! A program with parts missing becomes one that links: whatever its files use and nobody defines is a function that crashes when
//! it is called, as in the C tests of the same program.

use crate::cache::{self, fingerprint};
use crate::{Config, Failure};
use covet_compile::Program;
use covet_instrument::{Error, Options};
use covet_sites::SiteMap;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// As [`cache::instrument`], with stubs for what is missing; gives the missing names too.
pub fn instrument(
    config: &Config,
    program: &Program,
    options: &Options,
) -> Result<(PathBuf, SiteMap, Vec<String>), Failure> {
    // Generating code takes long; what was missing the last time is still missing.
    let note = config.cache.join("missing").join(fingerprint(config, program, options));
    let mut missing: BTreeSet<String> =
        std::fs::read_to_string(&note).map(|text| text.lines().map(str::to_string).collect()).unwrap_or_default();
    if missing.is_empty() {
        match cache::instrument(config, program, options) {
            Ok((executable, map)) => return Ok((executable, map, Vec::new())),
            Err(Error::Linker(stderr)) if !undefined(&stderr).is_empty() => missing = undefined(&stderr),
            Err(other) => return Err(other.into()),
        }
        let lines: Vec<&str> = missing.iter().map(String::as_str).collect();
        write(&note, &lines.join("\n"))?;
    }
    let mut options = options.clone();
    options.link_flags.push(stubs(config, &missing)?.to_string_lossy().into_owned());
    let (executable, map) = cache::instrument(config, program, &options)?;
    Ok((executable, map, missing.into_iter().collect()))
}

/// The names that the linker misses.
fn undefined(stderr: &str) -> BTreeSet<String> {
    let after = |line: &str| line.split_once("undefined reference to `").map(|(_, rest)| rest.to_string());
    let names =
        stderr.lines().filter_map(after).filter_map(|rest| rest.split_once('\'').map(|(name, _)| name.to_string()));
    names.filter(|name| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')).collect()
}

/// An object file that defines `names`.
fn stubs(config: &Config, names: &BTreeSet<String>) -> Result<PathBuf, Failure> {
    let folder = config.cache.join("missing");
    let mut text = String::new();
    for (number, name) in names.iter().enumerate() {
        text += &format!("void stub_{number}(void) __asm__(\"{name}\");\n");
        text += &format!("void stub_{number}(void) {{ ((void (*)(void))0)(); }}\n");
    }
    let stem = blake3::hash(text.as_bytes()).to_hex()[..32].to_string();
    let (source, object) = (folder.join(format!("{stem}.c")), folder.join(format!("{stem}.o")));
    if object.exists() {
        return Ok(object);
    }
    write(&source, &text)?;
    let unfinished = folder.join(format!("{stem}.{}.o", std::process::id()));
    let clang = config.toolchain.program("clang");
    let output = Command::new(&clang).args(["-w", "-c"]).arg(&source).arg("-o").arg(&unfinished).output();
    let output = output.map_err(|error| {
        Failure::Machine(format!("{}: {error}; run `make deps` or install clang-19", clang.display()))
    })?;
    if !output.status.success() {
        return Err(Failure::tool(String::from_utf8_lossy(&output.stderr)));
    }
    std::fs::rename(&unfinished, &object).map_err(Failure::file(&object))?;
    Ok(object)
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(Failure::file(folder))?;
    }
    std::fs::write(path, text).map_err(Failure::file(path))
}

#[cfg(test)]
mod tests {
    use super::undefined;

    #[test]
    fn the_linkers_complaints_are_read() {
        let stderr = "ld: a.o: in function `f':\na.c:3: undefined reference to `g'\na.c:4: undefined reference to `g'\n\
            a.c:5: undefined reference to `h.1'\nclang: error: linker command failed\n";
        assert_eq!(undefined(stderr).into_iter().collect::<Vec<_>>(), ["g"]);
    }
}
