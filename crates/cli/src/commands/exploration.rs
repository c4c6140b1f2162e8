//! The common part of `cover` and `run`: options become jobs, a campaign does them, its record is shown.

use crate::arguments::CommonArgs;
use crate::arguments::input::InputArgs;
use crate::failure::{self, Failure};
use crate::view::progress::Display;
use crate::view::table;
use covet_budget::Deadline;
use covet_campaign::{Budget, Campaign, Config, Environment, First, Goals, Job, TIME_FOR_ONE, recorded};
use covet_project::{Entry, Prepared, Request};
use covet_results::{Record, Stopped};
use std::process::ExitCode;
use std::time::Duration;

/// What is to be explored.
pub struct Exploration<'a> {
    pub command: &'a str,
    pub request: &'a Request<'a>,
    pub prepared: &'a Prepared,
    pub entries: Vec<Entry<'a>>,
    pub goals: Goals,
    pub environment: Environment,
    pub input: &'a InputArgs,
    pub common: &'a CommonArgs,
    pub deadline: &'a Deadline,
}

/// Seconds for each of several entries, when the user does not say.
const TIME_FOR_EACH: f64 = 10.0;

impl Exploration<'_> {
    /// Explores, writes and prints; the exit code says what was found.
    pub fn perform(self) -> Result<ExitCode, Failure> {
        let common = self.common;
        let out = std::path::absolute(&common.out).map_err(Failure::file(&common.out))?;
        let first = match common.first.as_str() {
            "zeros" => First::Zeros,
            "random" => First::Random,
            id => First::Test(Box::new(recorded::test(&out, id)?)),
        };
        let jobs: Vec<Job> = self.entries.iter().map(|entry| self.job(*entry, &first)).collect();
        let threads = self.threads();
        let Some(any) = jobs.first() else { return Ok(ExitCode::SUCCESS) };
        let meta = recorded::meta(self.command, self.request, any);
        let display = Display::new(!common.quiet, jobs.len());
        let campaign = Campaign {
            prepared: self.prepared,
            meta,
            jobs,
            time: common.time,
            threads,
            out: &out,
            official: !common.no_official,
            deadline: self.deadline,
            memory: common.memory(),
            sink: &display,
        };
        let done = campaign.run();
        display.end();
        let record = done?;
        self.print(&record);
        Ok(exit_code(&record))
    }

    fn job(&self, entry: Entry<'_>, first: &First) -> Job {
        let (common, settings) = (self.common, self.request.settings);
        let own = settings.function(&entry.function.file, &entry.function.name);
        let usual = if self.entries.len() == 1 { TIME_FOR_ONE } else { TIME_FOR_EACH };
        let each = own.and_then(|own| own.time).or(common.time_each);
        let seconds = each.or(common.time).unwrap_or(usual);
        let iterations = own.and_then(|own| own.iterations).or(common.iterations);
        Job {
            goals: self.goals,
            environment: self.environment.clone(),
            inputs: self.input.inputs().with(settings, own),
            budget: Budget { time: Duration::from_secs_f64(seconds), iterations },
            seed: common.seed,
            config: Config { first: first.clone(), workers: common.jobs as usize / self.threads(), ..common.config() },
            ..Job::new(self.prepared.id_of(entry))
        }
    }

    /// Several functions are explored side by side, one by several workers.
    fn threads(&self) -> usize {
        if self.entries.len() > 1 { self.common.jobs as usize } else { 1 }
    }

    fn print(&self, record: &Record) {
        if !self.common.quiet {
            for flag in &self.prepared.project.refused {
                eprintln!("note: the flag `{flag}` of the compilation database is not taken; --trust-project takes it");
            }
            for note in &record.notes {
                eprintln!("note: {note}");
            }
        }
        if self.common.json {
            println!("{}", covet_results::summary(record));
        } else if !self.common.quiet {
            print!("{}", table::overview(record, &self.common.out));
        }
    }
}

fn exit_code(record: &Record) -> ExitCode {
    match (record.stopped, record.alarms.is_empty()) {
        (Some(Stopped::Interrupted), _) => ExitCode::from(failure::INTERRUPTED),
        // What was found is kept, but part of the suite is missing.
        _ if record.totals().unbuilt > 0 => ExitCode::from(failure::TOOL_FAILED),
        (_, false) => ExitCode::from(failure::FOUND),
        (_, true) => ExitCode::SUCCESS,
    }
}
