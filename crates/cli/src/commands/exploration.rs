//! The common part of `cover` and `run`: options become jobs, a campaign does them, its record is shown.

use crate::arguments::CommonArgs;
use crate::arguments::input::InputArgs;
use crate::failure::{self, Failure};
use crate::running::Running;
use crate::view::progress::Display;
use crate::view::table;
use covet_campaign::{Budget, Campaign, Config, Environment, First, Goals, Job, TIME_FOR_ONE, recorded};
use covet_project::{Entry, Prepared, Request};
use covet_results::{Database, Phases, Record, Stopped, Verdict};
use std::path::Path;
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
    pub running: &'a Running,
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
        let took = self.prepared.took;
        let display = Display::new(common.progress(), jobs.len());
        let campaign = Campaign {
            prepared: self.prepared,
            meta,
            jobs,
            began: self.running.began,
            phases: Phases { compile: took.compile, instrument: took.instrument, ..Phases::default() },
            deadline: &self.running.deadline,
            threads,
            out: &out,
            official: !common.no_official,
            memory: common.memory(),
            sink: &display,
        };
        let done = self.running.keeping(self.last_words(&out), || campaign.run());
        display.end();
        let mut record = done?;
        record.notes.splice(
            0..0,
            self.prepared.project.refused.iter().map(|flag| {
                format!("the flag `{flag}` of the compilation database is not taken; --trust-project takes it")
            }),
        );
        print(&record, common);
        Ok(exit_code(&record))
    }

    /// What is said when the command has to be ended from outside: what the store has by then.
    fn last_words(&self, out: &Path) -> impl FnOnce(Stopped) -> Option<ExitCode> + Send + 'static {
        let (out, common, began) = (out.to_owned(), self.common.clone(), self.running.began);
        move |stopped| {
            // One that is over is that of an earlier command.
            let mut record =
                Database::open(&out).and_then(|store| store.read()).ok().filter(|it| it.stopped.is_none())?;
            covet_suite::minimise(&mut record);
            (record.stopped, record.seconds) = (Some(stopped), began.elapsed().as_secs_f64());
            record.notes.push("ended before the tests were checked and written: something did not stop in time".into());
            print(&record, &common);
            Some(exit_code(&record))
        }
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
}

fn print(record: &Record, common: &CommonArgs) {
    if !common.quiet {
        for note in &record.notes {
            tell!("note: {note}");
        }
    }
    if common.json {
        say!("{}", covet_results::summary(record));
    } else if !common.quiet {
        say_part!("{}", table::overview(record, &common.out));
    }
}

fn exit_code(record: &Record) -> ExitCode {
    let counts = |alarm: &covet_results::Alarm| match alarm.verdict {
        Verdict::Confirmed | Verdict::Likely => true,
        Verdict::Latent | Verdict::UnitOnly | Verdict::Filtered => false,
    };
    match (record.stopped, record.alarms.iter().any(counts)) {
        (Some(Stopped::Interrupted), _) => ExitCode::from(failure::INTERRUPTED),
        // What was found is kept, but part of the suite is missing.
        _ if record.totals().unbuilt > 0 => ExitCode::from(failure::TOOL_FAILED),
        (_, true) => ExitCode::from(failure::FOUND),
        (_, false) => ExitCode::SUCCESS,
    }
}
