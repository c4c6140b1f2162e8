//! Project → an ordinary executable, without Covet's instrumentation: what replays tests and measures official coverage.

use std::path::{Path, PathBuf};
use std::process::Command;

use covet_source::Translation;

use crate::clang::{Tools, succeed};
use crate::{CompiledUnit, Config, Error, Program};
use covet_launch::together;

/// What the compiler adds to a plain build.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flavour {
    Plain,
    /// Source-based coverage for `llvm-cov`, with MC/DC.
    Coverage,
    /// AddressSanitizer.
    Asan,
}

impl Flavour {
    fn flags(self) -> &'static [&'static str] {
        match self {
            Flavour::Plain => &[],
            Flavour::Coverage => &["-fprofile-instr-generate", "-fcoverage-mapping", "-fcoverage-mcdc"],
            Flavour::Asan => &["-fsanitize=address"],
        }
    }
}

const OBJECT_FLAGS: &[&str] =
    &["-O0", "-g", "-w", "-c", "-fno-omit-frame-pointer", "-ffp-contract=off", "-fno-stack-protector"];

/// One executable to build.
#[derive(Clone, Debug)]
pub struct PlainBuild<'a> {
    pub flavour: Flavour,
    /// C files that join the project's: a test's `main`, the native side of the marking functions. Never measured.
    pub extra: &'a [PathBuf],
    /// The units bring their drivers, so `extra` can call static functions through them.
    pub with_drivers: bool,
    /// The project's own `main` gets this name, to make room for one in `extra`.
    pub rename_main: Option<&'a str>,
    /// Functions that are nowhere defined are an error only when called.
    pub allow_undefined: bool,
    /// Libraries and linker flags ([`crate::Project::link_flags`]).
    pub link_flags: &'a [String],
}

/// Builds the units of `program` as `build` says into the executable `out`.
pub fn build_plain(config: &Config, program: &Program, build: &PlainBuild<'_>, out: &Path) -> Result<(), Error> {
    let tools = Tools::open(config)?;
    let mut mode = OBJECT_FLAGS.to_vec();
    mode.extend(build.flavour.flags());
    let units: &[CompiledUnit] = &program.units;
    let objects = together(config.jobs, units, |_, unit| {
        let preprocessed = tools.preprocess(&unit.translation)?;
        let drivers = unit.driver_file.as_deref().filter(|_| build.with_drivers);
        let object = tools.compile_extended(&unit.translation, &mode, "o", &preprocessed, drivers)?;
        let mut changes: Vec<String> =
            unit.private.iter().map(|symbol| format!("--localize-symbol={symbol}")).collect();
        if let Some(name) = build.rename_main {
            changes.push(format!("--redefine-sym=main={name}"));
        }
        with_changes(&tools, &object, &changes)
    });
    let mut objects = objects.into_iter().collect::<Result<Vec<_>, _>>()?;
    objects.extend(extra_objects(&tools, build)?);
    link_executable(&tools, build, &objects, out)
}

/// The extra files carry no coverage mapping: they are not what is measured.
fn extra_objects(tools: &Tools<'_>, build: &PlainBuild<'_>) -> Result<Vec<PathBuf>, Error> {
    let mut mode = OBJECT_FLAGS.to_vec();
    if build.flavour == Flavour::Asan {
        mode.extend(Flavour::Asan.flags());
    }
    let objects = together(tools.config.jobs, build.extra, |_, file| {
        let file = std::path::absolute(file).map_err(Error::io(file))?;
        let directory = file.parent().unwrap_or(Path::new("/")).to_owned();
        let unit = Translation { directory, file, flags: Vec::new() };
        tools.compile(&tools.with_common_flags(&unit), &mode, "o")
    });
    objects.into_iter().collect()
}

/// A copy of `object` with these changes to its symbols. (A macro that renames `main` would do the same to struct members, and
/// take from `main` its implicit `return 0`.)
fn with_changes(tools: &Tools<'_>, object: &Path, changes: &[String]) -> Result<PathBuf, Error> {
    if changes.is_empty() {
        return Ok(object.to_owned());
    }
    let key = covet_cache::Key::new("changed").with(object.as_os_str().as_encoded_bytes()).with_all(changes);
    tools.cache.file(&key, "o", |out| {
        let program = tools.config.toolchain.program("llvm-objcopy");
        let mut command = Command::new(program);
        command.args(changes).arg(object).arg(out);
        succeed(&tools.config.toolchain, command, object).map(|_| ())
    })
}

fn link_executable(tools: &Tools<'_>, build: &PlainBuild<'_>, objects: &[PathBuf], out: &Path) -> Result<(), Error> {
    let folder = out.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let unfinished = tempfile::Builder::new().prefix("unfinished-").tempdir_in(folder).map_err(Error::io(folder))?;
    let executable = unfinished.path().join("program");
    let mut command = Command::new(tools.config.toolchain.program("clang"));
    command.args(objects).args(build.flavour.flags()).args(build.link_flags);
    if build.allow_undefined {
        // Bound late, so that only a call that happens fails.
        command.args(["-Wl,--unresolved-symbols=ignore-all", "-Wl,-z,lazy"]);
    }
    command.args(["-lm", "-lpthread", "-o"]).arg(&executable);
    let output = tools.config.toolchain.run(command)?;
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(Error::Clang { file: out.to_owned(), stderr });
    }
    std::fs::rename(&executable, out).map_err(Error::io(out))
}
