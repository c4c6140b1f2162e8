//! Source files become an instrumented program, ready to run: compiled, linked with the library models, rewritten. Every step is
//! cached by content, so the second command on the same files starts at once.

use crate::entries::{EntryPlace, places_of};
use crate::{Config, Failure, cache, missing, programs, pure};
use covet_abi::check::Checks;
use covet_cache::Cache;
use covet_compile::{Misfits, Program, Project, Trust};
use covet_expr::library::Library;
use covet_instrument::{Options, Times};
use covet_scratch::Scratch;
use covet_settings::Settings;
use covet_sites::{Ids, SiteMap};
use covet_source::Translation;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// What is to be compiled, and how.
pub struct Request<'a> {
    /// Of several programs, the one whose `main` is in this file.
    pub program: Option<&'a Path>,
    pub config: &'a Config,
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
    pub config: Config,
    pub project: Project,
    pub program: Program,
    /// Kept open: nobody takes away what the program refers to.
    cache: Cache,
    how: How,
}

/// How it was made, to make it again with more in it.
#[derive(Clone)]
struct How {
    compile: covet_compile::Config,
    settings: Settings,
    parts: Parts,
    jobs: usize,
    checks: Checks,
}

/// A program under test: a compiled one, and instrumented.
pub struct Prepared {
    compiled: Compiled,
    pub executable: PathBuf,
    pub map: Arc<SiteMap>,
    /// The functions that terms of this program may call.
    pub library: Arc<Library>,
    /// What functions and sites are called in this build and the next.
    pub ids: Ids,
    pub(crate) entries: Vec<EntryPlace>,
    /// What it took to make it.
    pub took: Took,
    /// Functions and variables that are used but defined nowhere: using one crashes.
    pub missing: Vec<String>,
    /// How long instrumenting took; none when it was done before.
    pub times: Option<Times>,
    /// Holds our own link to the executable, so that it outlives its place in the cache.
    _folder: Scratch,
}

impl std::ops::Deref for Prepared {
    type Target = Compiled;

    fn deref(&self) -> &Compiled {
        &self.compiled
    }
}

/// Seconds.
#[derive(Clone, Copy, Debug, Default)]
pub struct Took {
    pub compile: f64,
    pub instrument: f64,
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
    let Request { config, sources, parts, jobs, settings, checks, .. } = *request;
    let compile = covet_compile::Config {
        misfits: misfits(request),
        stubs: parts == Parts::Some,
        settings: settings.clone(),
        ..compile_config(config, jobs)
    };
    let trust = if settings.trusted { Trust::Full } else { Trust::Listed };
    let mut project = Project::open(&config.directory, sources, request.flags, trust, &config.toolchain)?;
    if let Some(program) = request.program {
        programs::choose(&mut project, program, &config.toolchain)?;
    }
    compile_project(config, project, How { compile, settings: settings.clone(), parts, jobs, checks })
}

fn compile_project(config: &Config, project: Project, how: How) -> Result<Compiled, Failure> {
    let cache = Cache::open(&config.cache)?;
    let program = covet_compile::build(&how.compile, &project)?;
    Ok(Compiled { config: config.clone(), project, program, cache, how })
}

/// The units of the program that `sources` are.
pub fn units(config: &Config, sources: &[PathBuf], flags: &[String]) -> Result<Project, Failure> {
    Ok(Project::open(&config.directory, sources, flags, Trust::Listed, &config.toolchain)?)
}

/// Compiles and instruments the sources of a request.
pub fn prepare(request: &Request<'_>) -> Result<Prepared, Failure> {
    let began = Instant::now();
    let compiled = compile(request)?;
    instrument(compiled, began)
}

impl Prepared {
    /// The same program with more files in it, made in the same way. What both have in common is in the cache.
    pub fn with(&self, more: Vec<Translation>) -> Result<Prepared, Failure> {
        let began = Instant::now();
        let mut project = self.project.clone();
        project.units.extend(more);
        instrument(compile_project(&self.config, project, self.how.clone())?, began)
    }
}

/// Instruments a program whose making `began` then.
fn instrument(compiled: Compiled, began: Instant) -> Result<Prepared, Failure> {
    let compile = began.elapsed().as_secs_f64();
    let Compiled { config, project, program, cache: store, how } = &compiled;
    let (pure, library) = pure::load(&compiled, &how.settings)?;
    let options = Options {
        toolchain: config.toolchain.clone(),
        link_flags: project.link_flags.clone(),
        pure,
        // The others are there in every program.
        checks: Checks(how.checks.0 & Checks::on_request().0),
        root: root(config, &how.settings),
        jobs: how.jobs.max(2),
        cache: Some(store.clone()),
        ..Options::default()
    };
    let (built, missing) = match how.parts {
        Parts::All => (cache::instrument(store, config, program, &options)?, Vec::new()),
        Parts::Some => missing::instrument(store, config, program, &options)?,
    };
    let cache::Instrumented { executable: cached, map, times } = built;
    let folder = executable_folder()?;
    let executable = folder.path().join("program");
    let linked = std::fs::hard_link(&cached, &executable);
    linked.or_else(|_| std::fs::copy(&cached, &executable).map(drop)).map_err(Failure::file(&cached))?;
    let (ids, entries) = (map.ids(), places_of(&compiled.program, &map));
    let (map, library) = (Arc::new(map), Arc::new(library));
    let took = Took { compile, instrument: began.elapsed().as_secs_f64() - compile };
    Ok(Prepared { compiled, executable, map, library, ids, entries, took, missing, times, _folder: folder })
}

impl Request<'_> {
    /// Whether folders or compilation databases are named: everything that settings speak of is then there.
    pub fn is_whole_project(&self) -> bool {
        self.sources.iter().any(|source| {
            self.config.directory.join(source).is_dir()
                || source.extension().is_some_and(|extension| extension == "json")
        })
    }
}

/// Of a whole project, what does not compile is left out; of single files nothing is. One program has one of everything.
fn misfits(request: &Request<'_>) -> Misfits {
    match request.parts {
        Parts::All => Misfits::Refuse,
        Parts::Some if request.is_whole_project() => Misfits::LeaveOut,
        Parts::Some => Misfits::KeepApart,
    }
}

/// A folder of our own, from which programs can be run.
fn executable_folder() -> Result<Scratch, Failure> {
    let folder = Scratch::new().map_err(Failure::machine)?;
    match allows_programs(folder.path()) {
        true => Ok(folder),
        false => Err(Failure::Machine(format!(
            "no program can be run from {} (it is mounted `noexec`), so nothing can be tested; let TMPDIR name another folder",
            folder.path().parent().unwrap_or(folder.path()).display()
        ))),
    }
}

fn allows_programs(folder: &Path) -> bool {
    let Ok(path) = std::ffi::CString::new(folder.as_os_str().as_encoded_bytes()) else { return false };
    // SAFETY: the path is a C string, and there is room for the answer, which is all numbers.
    unsafe {
        let mut about: libc::statvfs = std::mem::zeroed();
        libc::statvfs(path.as_ptr(), &mut about) != 0 || about.f_flag & libc::ST_NOEXEC == 0
    }
}

/// The folder from which ids name files: that of `covet.toml`, else the one that we look from.
fn root(config: &Config, settings: &Settings) -> PathBuf {
    let file = settings.file.as_ref().map(|file| config.directory.join(file));
    file.as_deref().and_then(Path::parent).unwrap_or(&config.directory).to_owned()
}

/// What clang is given besides the user's files.
pub fn compile_config(config: &Config, jobs: usize) -> covet_compile::Config {
    covet_compile::Config {
        jobs: jobs.max(2),
        toolchain: config.toolchain.clone(),
        ..covet_compile::Config::new(&config.cache)
    }
}

/// Headers of ours that a program may include, for plain builds.
pub fn shipped_headers() -> Vec<(String, String)> {
    covet_models::HEADERS.iter().map(|(name, text)| (name.to_string(), text.to_string())).collect()
}
