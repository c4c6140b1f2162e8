//! Source files become an instrumented program, ready to run: compiled, linked with the library models, rewritten. Every step is
//! cached by content, so the second command on the same files starts at once.

use crate::entries::{EntryPlace, places_of};
use crate::{Config, Failure, cache, missing, pure};
use covet_abi::check::Checks;
use covet_compile::{Misfits, Program, Project, Trust};
use covet_expr::library::Library;
use covet_instrument::Options;
use covet_settings::Settings;
use covet_sites::{Ids, SiteMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What is to be compiled, and how.
pub struct Request<'a> {
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
    let Request { config, sources, parts, jobs, settings, .. } = *request;
    let how = covet_compile::Config {
        misfits: misfits(request),
        stubs: parts == Parts::Some,
        settings: settings.clone(),
        ..compile_config(config, jobs)
    };
    let trust = if settings.trusted { Trust::Full } else { Trust::Listed };
    let project = Project::open(&config.directory, sources, request.flags, trust, &config.toolchain)?;
    let program = covet_compile::build(&how, &project)?;
    Ok(Compiled { config: config.clone(), project, program })
}

/// Compiles and instruments the sources of a request.
pub fn prepare(request: &Request<'_>) -> Result<Prepared, Failure> {
    let compiled = compile(request)?;
    let Compiled { config, project, program } = &compiled;
    let (pure, library) = pure::load(&compiled, request.settings)?;
    let options = Options {
        toolchain: config.toolchain.clone(),
        link_flags: project.link_flags.clone(),
        pure,
        // The others are there in every program.
        checks: Checks(request.checks.0 & Checks::on_request().0),
        root: root(config, request.settings),
        ..Options::default()
    };
    let (cached, map, missing) = match request.parts {
        Parts::All => {
            let (executable, map) = cache::instrument(config, program, &options)?;
            (executable, map, Vec::new())
        }
        Parts::Some => missing::instrument(config, program, &options)?,
    };
    let folder = tempfile::tempdir().map_err(Failure::tool)?;
    let executable = folder.path().join("program");
    let linked = std::fs::hard_link(&cached, &executable);
    linked.or_else(|_| std::fs::copy(&cached, &executable).map(drop)).map_err(Failure::file(&cached))?;
    let (ids, entries) = (map.ids(), places_of(&compiled.program, &map));
    let (map, library) = (Arc::new(map), Arc::new(library));
    Ok(Prepared { compiled, executable, map, library, ids, entries, missing, _folder: folder })
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
