//! Source files become an instrumented program, ready to run: compiled, linked with the library models, rewritten. Every step is
//! cached by content below the user's cache folder, so the second command on the same files starts at once.

use crate::failure::Failure;
use crate::missing;
use covet_compile::{Config, Embedded, Misfits, Program, Project};
use covet_sites::SiteMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A program under test.
pub struct Prepared {
    pub project: Project,
    pub program: Program,
    pub executable: PathBuf,
    pub map: Arc<SiteMap>,
    /// Functions and variables that are used but defined nowhere: using one crashes.
    pub missing: Vec<String>,
    /// Holds our own link to the executable, so that it outlives its place in the cache.
    _folder: tempfile::TempDir,
}

/// Whether a program with parts missing will do.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Parts {
    All,
    /// Single files of a project: what they use of others is missing.
    Some,
}

/// Compiles and instruments `sources`.
pub fn prepare(sources: &[PathBuf], flags: &[String], parts: Parts, jobs: usize) -> Result<Prepared, Failure> {
    let cache = cache_folder();
    let config =
        Config { misfits: misfits(sources, parts), stubs: parts == Parts::Some, ..compile_config(&cache, jobs) };
    let project = Project::open(Path::new("."), sources, flags, &config.toolchain)?;
    let program = covet_compile::build(&config, &project)?;
    let (cached, map, missing) = match parts {
        Parts::All => {
            let (executable, map) = instrument(&cache, &program, &project.link_flags)?;
            (executable, map, Vec::new())
        }
        Parts::Some => missing::instrument(&cache, &program, &project.link_flags)?,
    };
    let folder = tempfile::tempdir().map_err(Failure::tool)?;
    let executable = folder.path().join("program");
    let linked = std::fs::hard_link(&cached, &executable);
    linked.or_else(|_| std::fs::copy(&cached, &executable).map(drop)).map_err(Failure::file(&cached))?;
    Ok(Prepared { project, program, executable, map: Arc::new(map), missing, _folder: folder })
}

/// Of a whole project, what does not compile is left out; of single files nothing is. One program has one of everything.
fn misfits(sources: &[PathBuf], parts: Parts) -> Misfits {
    let is_file = |path: &PathBuf| path.is_file() && path.extension().is_none_or(|extension| extension != "json");
    match parts {
        Parts::All => Misfits::Refuse,
        Parts::Some if sources.iter().all(is_file) => Misfits::KeepApart,
        Parts::Some => Misfits::LeaveOut,
    }
}

/// What clang is given besides the user's files.
pub fn compile_config(cache: &Path, jobs: usize) -> Config {
    let embedded = |files: &[(&str, &str)]| {
        files.iter().map(|(name, text)| Embedded { name: name.to_string(), text: text.to_string() }).collect()
    };
    Config {
        jobs: jobs.max(2),
        headers: embedded(covet_models::HEADERS),
        models: embedded(covet_models::SOURCES),
        ..Config::new(cache)
    }
}

/// Headers of ours that a program may include, for plain builds.
pub fn shipped_headers() -> Vec<(String, String)> {
    covet_models::HEADERS.iter().map(|(name, text)| (name.to_string(), text.to_string())).collect()
}

pub fn cache_folder() -> PathBuf {
    let from = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let base = from("XDG_CACHE_HOME").or_else(|| from("HOME").map(|home| home.join(".cache")));
    base.unwrap_or_else(std::env::temp_dir).join("covet")
}

/// The instrumented executable and its site map, from the cache when they are there.
pub fn instrument(
    cache: &Path,
    program: &Program,
    link_flags: &[String],
) -> Result<(PathBuf, SiteMap), covet_instrument::Error> {
    let folder = cache.join("programs").join(fingerprint(program, link_flags));
    let (executable, sites) = (folder.join("program"), folder.join("sites.json"));
    if let Ok(map) = SiteMap::read(&sites)
        && executable.is_file()
    {
        return Ok((executable, map));
    }
    let parent = cache.join("programs");
    std::fs::create_dir_all(&parent).map_err(unwritable(&parent))?;
    forget_old_programs(&parent);
    let unfinished = tempfile::tempdir_in(&parent).map_err(unwritable(&parent))?;
    let options = covet_instrument::Options { link_flags: link_flags.to_vec(), keep_text: false };
    let built = covet_instrument::build(&program.bitcode, &program.models, unfinished.path(), &options)?;
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

/// Names the instrumented program by what goes into it, this very executable included.
pub fn fingerprint(program: &Program, link_flags: &[String]) -> String {
    let mut hasher = blake3::Hasher::new();
    for path in [&program.bitcode, &program.models] {
        hasher.update(&std::fs::read(path).unwrap_or_default());
    }
    for flag in link_flags {
        hasher.update(flag.as_bytes()).update(&[0]);
    }
    if let Some(ours) = std::env::current_exe().ok().and_then(|path| path.metadata().ok()) {
        hasher.update(format!("{} {:?}", ours.len(), ours.modified().ok()).as_bytes());
    }
    hasher.finalize().to_hex()[..32].to_string()
}
