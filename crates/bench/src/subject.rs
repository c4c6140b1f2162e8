//! A C file or project becomes what the benchmarks explore: the same preparation and the same campaigns as behind the command line,
//! in this process.

use crate::Error;
use covet_abi::check::Checks;
use covet_budget::{Deadline, Memory};
use covet_campaign::{Campaign, Explorer, Job, Outcome, recorded};
use covet_compile::{Flavour, PlainBuild};
use covet_project::{Compiled, Config, Entry, Failure, Parts, Prepared, Request, entries};
use covet_results::{Phases, Record};
use covet_settings::Settings;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A prepared program, with what it was made of.
pub struct Subject {
    pub prepared: Prepared,
    config: Config,
    sources: Vec<PathBuf>,
    flags: Vec<String>,
    parts: Parts,
    settings: Settings,
}

/// How the jobs of a campaign are done together.
pub struct Together<'a> {
    /// Seconds for all: exploring, checking, measuring, writing.
    pub time: Option<f64>,
    pub threads: usize,
    pub out: &'a Path,
    pub official: bool,
}

impl Subject {
    /// Prepares `sources`, which are meant from the folder of `config`.
    pub fn prepare(config: &Config, sources: Vec<PathBuf>, flags: Vec<String>, parts: Parts) -> Result<Subject, Error> {
        let settings = Settings::default();
        let request = request(config, &sources, &flags, parts, &settings);
        let prepared = covet_project::prepare(&request)?;
        Ok(Subject { prepared, config: config.clone(), sources, flags, parts, settings })
    }

    /// Whether clang takes a file at all.
    pub fn compiles(config: &Config, file: &Path, flags: &[String]) -> Result<bool, Error> {
        let sources = [file.to_owned()];
        match covet_project::compile(&request(config, &sources, flags, Parts::All, &Settings::default())) {
            Ok(Compiled { .. }) => Ok(true),
            Err(Failure::User(_)) => Ok(false),
            Err(failure) => Err(failure.into()),
        }
    }

    /// Builds the program as it is, without instrumentation.
    pub fn build_plain(&self, executable: &Path) -> Result<(), Error> {
        let how = PlainBuild {
            flavour: Flavour::Plain,
            extra: &[],
            with_drivers: false,
            rename_main: None,
            allow_undefined: false,
            link_flags: &self.prepared.project.link_flags,
        };
        let config = covet_project::compile_config(&self.config, 1);
        covet_compile::build_plain(&config, &self.prepared.program, &how, executable)?;
        Ok(())
    }

    /// The functions named, or all.
    pub fn functions(&self, names: &[String]) -> Result<Vec<Entry<'_>>, Error> {
        Ok(entries::functions(&self.prepared, names, &self.settings)?)
    }

    /// A job for an entry, all defaults.
    pub fn job(&self, entry: Entry<'_>) -> Job {
        Job::new(self.prepared.id_of(entry))
    }

    /// One exploration, with nothing known from others.
    pub fn explore(&self, job: &Job, deadline: &Deadline) -> Result<Outcome, Error> {
        Ok(Explorer::new(&self.prepared, deadline, &())?.explore(job)?)
    }

    /// A whole campaign, as a command would do it.
    pub fn campaign(&self, jobs: Vec<Job>, how: Together<'_>, deadline: &Deadline) -> Result<Record, Error> {
        let any = jobs.first().ok_or_else(|| Error::Unexpected("there is nothing to explore".to_owned()))?;
        let request = request(&self.config, &self.sources, &self.flags, self.parts, &self.settings);
        let campaign = Campaign {
            prepared: &self.prepared,
            meta: recorded::meta("bench", &request, any),
            jobs,
            began: Instant::now(),
            phases: Phases::default(),
            deadline: &how.time.map_or_else(|| deadline.clone(), |time| deadline.within(Duration::from_secs_f64(time))),
            threads: how.threads,
            out: how.out,
            official: how.official,
            memory: Memory::default(),
            hunt: None,
            sink: &(),
        };
        Ok(campaign.run()?)
    }
}

fn request<'a>(
    config: &'a Config,
    sources: &'a [PathBuf],
    flags: &'a [String],
    parts: Parts,
    settings: &'a Settings,
) -> Request<'a> {
    Request { program: None, config, sources, flags, parts, jobs: 1, settings, checks: Checks::usual() }
}
