//! A program with parts missing becomes one that links: whatever its files use and nobody defines is a function that crashes when
//! it is called, as in the C tests of the same program.

use crate::cache::Instrumented;
use crate::{Config, Failure, cache};
use covet_abi::missing::address;
use covet_cache::{Cache, Key};
use covet_compile::Program;
use covet_instrument::{Error, Options};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;

/// As [`cache::instrument`], with stubs for what is missing; gives the missing names too.
pub fn instrument(
    store: &Cache,
    config: &Config,
    program: &Program,
    options: &Options,
) -> Result<(Instrumented, Vec<String>), Failure> {
    let mut whole = None;
    // What was missing the last time is still missing.
    let key = cache::key("missing", config, program, options);
    let note = store.file(&key, "txt", |note| {
        let missing = match cache::instrument(store, config, program, options) {
            Ok(built) => {
                whole = Some(built);
                BTreeSet::new()
            }
            Err(Error::Linker(stderr)) if !undefined(&stderr).is_empty() => undefined(&stderr),
            Err(other) => return Err(other.into()),
        };
        let lines: Vec<&str> = missing.iter().map(String::as_str).collect();
        std::fs::write(note, lines.join("\n")).map_err(Failure::file(note))
    })?;
    if let Some(built) = whole {
        return Ok((built, Vec::new()));
    }
    let text = std::fs::read_to_string(&note).map_err(Failure::file(&note))?;
    let missing: BTreeSet<String> = text.lines().map(str::to_string).collect();
    let mut options = options.clone();
    if !missing.is_empty() {
        options.link_flags.push(stubs(store, config, &missing)?.to_string_lossy().into_owned());
    }
    let built = cache::instrument(store, config, program, &options)?;
    Ok((built, missing.into_iter().collect()))
}

/// The names that the linker misses.
fn undefined(stderr: &str) -> BTreeSet<String> {
    let after = |line: &str| line.split_once("undefined reference to `").map(|(_, rest)| rest.to_string());
    let names =
        stderr.lines().filter_map(after).filter_map(|rest| rest.split_once('\'').map(|(name, _)| name.to_string()));
    names.filter(|name| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')).collect()
}

/// An object file that defines `names`.
fn stubs(store: &Cache, config: &Config, names: &BTreeSet<String>) -> Result<PathBuf, Failure> {
    let mut text = String::new();
    for (number, name) in names.iter().enumerate() {
        text += &format!("void stub_{number}(void) __asm__(\"{name}\");\n");
        text += &format!("void stub_{number}(void) {{ ((void (*)(void)){:#x}UL)(); }}\n", address(number));
    }
    let source = store.bytes("stubs", "c", text.as_bytes())?;
    store.file(&Key::new("stubs").with(text.as_bytes()).with(b"object"), "o", |object| {
        let mut command = Command::new(config.toolchain.program("clang"));
        command.args(["-w", "-c"]).arg(&source).arg("-o").arg(object);
        let output = config.toolchain.run(command);
        let output =
            output.map_err(|error| Failure::Machine(format!("{error}; run `make deps` or install clang-19")))?;
        match output.status.success() {
            true => Ok(()),
            false => Err(Failure::tool(String::from_utf8_lossy(&output.stderr))),
        }
    })
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
