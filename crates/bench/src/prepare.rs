//! A C file becomes what the benchmarks compare: the plain program and the instrumented one.

use crate::Error;
use covet_compile::{Config, Embedded, Flavour, PlainBuild, Program, Project};
use covet_instrument::{Built, Options};
use std::path::{Path, PathBuf};

pub struct Prepared {
    pub program: Program,
    pub plain: PathBuf,
    pub built: Built,
}

/// Builds both versions of `file` in `folder`. `cache` is shared between benchmarks.
pub fn prepare(file: &Path, flags: &[String], cache: &Path, folder: &Path) -> Result<Prepared, Error> {
    let embedded = |files: &[(&str, &str)]| {
        files.iter().map(|(name, text)| Embedded { name: (*name).into(), text: (*text).into() }).collect()
    };
    let config = Config {
        jobs: 1,
        headers: embedded(covet_models::HEADERS),
        models: embedded(covet_models::SOURCES),
        ..Config::new(cache)
    };
    let project = Project::open(folder, &[file.to_owned()], flags, &config.toolchain)?;
    let program = covet_compile::build(&config, &project)?;
    let built = covet_instrument::build(&program.bitcode, &program.models, folder, &Options::default())?;
    let plain = folder.join("plain");
    let how = PlainBuild {
        flavour: Flavour::Plain,
        extra: &[],
        with_drivers: false,
        rename_main: None,
        allow_undefined: false,
        link_flags: &project.link_flags,
    };
    covet_compile::build_plain(&config, &program, &how, &plain)?;
    Ok(Prepared { program, plain, built })
}
