//! Instrumented programs by what goes into them, kept below the cache folder.

use crate::Config;
use covet_compile::Program;
use covet_instrument::Options;
use covet_sites::SiteMap;
use std::path::{Path, PathBuf};

/// The instrumented executable and its site map, from the cache when they are there.
pub fn instrument(
    config: &Config,
    program: &Program,
    options: &Options,
) -> Result<(PathBuf, SiteMap), covet_instrument::Error> {
    let parent = config.cache.join("programs");
    let folder = parent.join(fingerprint(config, program, options));
    let (executable, sites) = (folder.join("program"), folder.join("sites.json"));
    if let Ok(map) = SiteMap::read(&sites)
        && executable.is_file()
    {
        tracing::info!(folder = %folder.display(), "instrumented program from the cache");
        return Ok((executable, map));
    }
    std::fs::create_dir_all(&parent).map_err(unwritable(&parent))?;
    forget_old_programs(&parent);
    let unfinished = tempfile::tempdir_in(&parent).map_err(unwritable(&parent))?;
    let began = std::time::Instant::now();
    let built = covet_instrument::build(&program.bitcode, &program.models, unfinished.path(), options)?;
    let (functions, sites) = (built.map.functions.len(), built.map.sites.len());
    tracing::info!(functions, sites, taken = ?began.elapsed(), "instrumented");
    let _ = std::fs::remove_file(unfinished.path().join("program.o"));
    // Another covet may have made the same folder meanwhile; either one will do.
    let unfinished = unfinished.keep();
    if std::fs::rename(&unfinished, &folder).is_err() {
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::rename(&unfinished, &folder).map_err(unwritable(&folder))?;
    }
    Ok((executable, built.map))
}

fn unwritable(path: &Path) -> impl FnOnce(std::io::Error) -> covet_instrument::Error {
    let path = path.to_owned();
    move |error| covet_instrument::Error::Write { path, reason: error.to_string() }
}

/// Programs kept in the cache.
const KEPT_PROGRAMS: usize = 100;

/// Removes the programs made longest ago. Who runs one of them has a link of its own.
fn forget_old_programs(folder: &Path) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let age = |entry: std::fs::DirEntry| Some((entry.metadata().ok()?.modified().ok()?, entry.path()));
    let mut programs: Vec<_> = entries.filter_map(|entry| age(entry.ok()?)).collect();
    programs.sort();
    let too_many = programs.len().saturating_sub(KEPT_PROGRAMS);
    for (_, path) in programs.into_iter().take(too_many) {
        let _ = std::fs::remove_dir_all(path);
    }
}

/// Names the instrumented program by what goes into it, the build of Covet included.
pub fn fingerprint(config: &Config, program: &Program, options: &Options) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&options.checks.0.to_le_bytes());
    hasher.update(&[u8::from(options.vectors)]);
    hasher.update(options.root.as_os_str().as_encoded_bytes()).update(&[0]);
    for path in [&program.bitcode, &program.models] {
        hasher.update(&std::fs::read(path).unwrap_or_default());
    }
    for flag in &options.link_flags {
        hasher.update(flag.as_bytes()).update(&[0]);
    }
    hasher.update(format!("{:?}", options.pure).as_bytes());
    hasher.update(config.build_id.as_bytes());
    hasher.finalize().to_hex()[..32].to_string()
}
