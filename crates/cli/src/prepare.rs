//! Source files become an instrumented program, ready to run: compiled, linked with the library models, rewritten. Every step is
//! cached by content below the user's cache folder, so the second command on the same files starts at once.

use crate::failure::Failure;
use crate::{missing, pure};
use covet_abi::check::Checks;
use covet_compile::{Config, Embedded, Misfits, Program, Project};
use covet_instrument::Options;
use covet_settings::Settings;
use covet_sites::SiteMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What is to be compiled, and how.
pub struct Request<'a> {
    pub sources: &'a [PathBuf],
    pub flags: &'a [String],
    pub parts: Parts,
    pub jobs: usize,
    pub settings: &'a Settings,
    /// The mistakes to look for.
    pub checks: Checks,
}

/// A compiled program.
pub struct Compiled {
    pub project: Project,
    pub program: Program,
}

/// A program under test: a compiled one, and instrumented.
pub struct Prepared {
    compiled: Compiled,
    pub executable: PathBuf,
    pub map: Arc<SiteMap>,
    /// Functions and variables that are used but defined nowhere: using one crashes.
    pub missing: Vec<String>,
    /// Holds our own link to the executable, so that it outlives its place in the cache.
    _folder: tempfile::TempDir,
}

impl std::ops::Deref for Prepared {
    type Target = Compiled;

    fn deref(&self) -> &Compiled {
        &self.compiled
    }
}

/// Whether a program with parts missing will do.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Parts {
    All,
    /// Single files of a project: what they use of others is missing.
    Some,
}

/// Compiles the sources of a request.
pub fn compile(request: &Request<'_>) -> Result<Compiled, Failure> {
    let Request { sources, parts, jobs, settings, .. } = *request;
    let config = Config {
        misfits: misfits(sources, parts),
        stubs: parts == Parts::Some,
        settings: settings.clone(),
        ..compile_config(&cache_folder(), jobs)
    };
    let project = Project::open(Path::new("."), sources, request.flags, &config.toolchain)?;
    let program = covet_compile::build(&config, &project)?;
    Ok(Compiled { project, program })
}

/// Compiles and instruments the sources of a request.
pub fn prepare(request: &Request<'_>) -> Result<Prepared, Failure> {
    let compiled = compile(request)?;
    let Compiled { project, program } = &compiled;
    let cache = cache_folder();
    let options = Options {
        link_flags: project.link_flags.clone(),
        pure: pure::load(&compiled, request.settings, &cache)?,
        // The others are there in every program.
        checks: Checks(request.checks.0 & Checks::on_request().0),
        ..Options::default()
    };
    let (cached, map, missing) = match request.parts {
        Parts::All => {
            let (executable, map) = instrument(&cache, program, &options)?;
            (executable, map, Vec::new())
        }
        Parts::Some => missing::instrument(&cache, program, &options)?,
    };
    let folder = tempfile::tempdir().map_err(Failure::tool)?;
    let executable = folder.path().join("program");
    let linked = std::fs::hard_link(&cached, &executable);
    linked.or_else(|_| std::fs::copy(&cached, &executable).map(drop)).map_err(Failure::file(&cached))?;
    Ok(Prepared { compiled, executable, map: Arc::new(map), missing, _folder: folder })
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
    options: &Options,
) -> Result<(PathBuf, SiteMap), covet_instrument::Error> {
    let folder = cache.join("programs").join(fingerprint(program, options));
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
    let built = covet_instrument::build(&program.bitcode, &program.models, unfinished.path(), options)?;
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
pub fn fingerprint(program: &Program, options: &Options) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&options.checks.0.to_le_bytes());
    for path in [&program.bitcode, &program.models] {
        hasher.update(&std::fs::read(path).unwrap_or_default());
    }
    for flag in &options.link_flags {
        hasher.update(flag.as_bytes()).update(&[0]);
    }
    hasher.update(format!("{:?}", options.pure).as_bytes());
    if let Some(ours) = std::env::current_exe().ok().and_then(|path| path.metadata().ok()) {
        hasher.update(format!("{} {:?}", ours.len(), ours.modified().ok()).as_bytes());
    }
    hasher.finalize().to_hex()[..32].to_string()
}
