//! The common part of `cover` and `run`: options become jobs, a campaign does them, its record is shown.

use crate::arguments::CommonArgs;
use crate::arguments::input::InputArgs;
use crate::failure::{self, Failure};
use crate::running::Running;
use crate::view::alarms::Telling;
use crate::view::progress::{Display, Waiting};
use crate::view::{table, width};
use covet_campaign::{
    Allocations, Budget, Campaign, Config, Environment, First, Goals, Hunt, Inputs, Job, TIME_FOR_ONE, recorded, since,
};
use covet_explore::Until;
use covet_project::{Changes, Entry, Prepared, Request, names};
use covet_results::{Baseline, Database, Phases, Record, Stopped};
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
    pub hunt: Option<Hunt>,
    /// Only what came with these changes is told.
    pub since: Option<&'a Changes>,
    pub running: &'a Running,
}

/// Compiles and instruments what is to be explored; nothing is there to be kept until then.
pub fn prepared(request: &Request<'_>, common: &CommonArgs, running: &Running) -> Result<Prepared, Failure> {
    let _waiting = Waiting::on("compiling and instrumenting", common.progress());
    running.unkept("compiling", || {
        let prepared = covet_project::prepare(request)?;
        names::check(&prepared, request)?;
        Ok(prepared)
    })
}

/// Seconds for each of several entries, when the user does not say.
const TIME_FOR_EACH: f64 = 10.0;
/// The part of the time that is left when an earlier version is to be looked at too.
const FOR_EXPLORING: f64 = 0.8;

impl Exploration<'_> {
    /// Explores, writes and prints; the exit code says what was found.
    pub fn perform(self) -> Result<ExitCode, Failure> {
        let common = self.common;
        let out = std::path::absolute(&common.out).map_err(Failure::file(&common.out))?;
        let baseline = common.told.baseline.as_deref().map(Baseline::read).transpose().map_err(Failure::user)?;
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
        // Where two versions are compared, the tests are run once more.
        let share = if self.since.is_some() { FOR_EXPLORING } else { 1.0 };
        let deadline = self.running.deadline.part(share);
        let display = Display::new(common.progress(), jobs.len());
        let campaign = Campaign {
            prepared: self.prepared,
            meta,
            jobs,
            began: self.running.began,
            phases: Phases { compile: took.compile, instrument: took.instrument, ..Phases::default() },
            deadline: &deadline,
            threads,
            out: &out,
            official: !common.no_official,
            memory: common.memory(),
            hunt: self.hunt.clone(),
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
        if let Some(file) = &common.told.write_baseline {
            std::fs::write(file, Baseline::of(&record.alarms).text()).map_err(Failure::file(file))?;
        }
        if let Some(changes) = self.since {
            self.leave_out(&mut record, changes)?;
        }
        let compared = baseline.map(|baseline| compare(&mut record, &baseline));
        print(&record, common, compared);
        Ok(exit_code(&record))
    }

    /// Leaves the alarms out that the version before the changes shows too.
    fn leave_out(&self, record: &mut Record, changes: &Changes) -> Result<(), Failure> {
        let before = since::before(self.request.config, record, changes, &self.running.deadline)?;
        let revision = &changes.revision;
        record.alarms.retain(|alarm| !before.known.contains(&alarm.id));
        if !before.known.is_empty() {
            record.notes.push(format!("not shown, for {revision} shows the same: {}", counted(before.known.len())));
        }
        if before.unknown > 0 {
            let why = before.why.unwrap_or_default();
            record
                .notes
                .push(format!("shown although they may be older than {revision}: {}: {why}", counted(before.unknown)));
        }
        Ok(())
    }

    /// What is said when the command has to be ended from outside: what the store has by then.
    fn last_words(&self, out: &Path) -> impl FnOnce(Stopped) -> Option<ExitCode> + Send + 'static {
        let (out, common, began) = (out.to_owned(), self.common.clone(), self.running.began);
        move |stopped| {
            // One that is over is that of an earlier command.
            let mut record =
                Database::open(&out).and_then(|store| store.read()).ok().filter(|it| it.stopped.is_none())?;
            covet_suite::minimise(&mut record, &Default::default());
            (record.stopped, record.seconds) = (Some(stopped), began.elapsed().as_secs_f64());
            record.notes.push("ended before the tests were checked and written: something did not stop in time".into());
            print(&record, &common, None);
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
            inputs: self.inputs().with(settings, own),
            budget: Budget { time: Duration::from_secs_f64(seconds), iterations },
            seed: common.seed,
            config: Config { first: first.clone(), workers: common.jobs as usize / self.threads(), ..self.config() },
            ..Job::new(self.prepared.id_of(entry))
        }
    }

    /// The published units know nothing of memory that runs out.
    fn inputs(&self) -> Inputs {
        let inputs = self.input.inputs();
        let is_published = self.hunt.as_ref().is_some_and(Hunt::is_published);
        if is_published { Inputs { allocations: Allocations::Succeed, ..inputs } } else { inputs }
    }

    /// How each is explored: whoever hunts looks longer than whoever covers.
    fn config(&self) -> Config {
        let config = self.common.config();
        let until = if self.hunt.is_some() && config.until == Until::Covered { Until::Searched } else { config.until };
        Config { until, ..config }
    }

    /// Several functions are explored side by side, one by several workers.
    fn threads(&self) -> usize {
        if self.entries.len() > 1 { self.common.jobs as usize } else { 1 }
    }
}

/// What a record has of a baseline, and has not any more.
struct Compared {
    known: usize,
    gone: Vec<String>,
}

/// Leaves the alarms out that are known.
fn compare(record: &mut Record, baseline: &Baseline) -> Compared {
    let gone: Vec<String> =
        baseline.gone(&record.alarms).iter().map(|(fingerprint, what)| format!("{fingerprint} {what}")).collect();
    let all = record.alarms.len();
    record.alarms.retain(|alarm| !baseline.knows(alarm));
    let known = all - record.alarms.len();
    if known > 0 {
        record.notes.push(format!("not shown, for the baseline has the same: {}", counted(known)));
    }
    if !gone.is_empty() {
        record.notes.push(format!("gone from the baseline: {}: {}", counted(gone.len()), gone.join(", ")));
    }
    Compared { known, gone }
}

fn counted(alarms: usize) -> String {
    format!("{alarms} alarm{}", if alarms == 1 { "" } else { "s" })
}

fn print(record: &Record, common: &CommonArgs, compared: Option<Compared>) {
    if !common.quiet {
        for note in &record.notes {
            tell!("note: {note}");
        }
    }
    if common.json {
        let mut summary = covet_results::summary(record);
        if let Some(Compared { known, gone }) = compared {
            summary["baseline"] = serde_json::json!({"known": known, "gone": gone});
        }
        say!("{summary}");
    } else if !common.quiet {
        let has_stories = record.meta.command == "hunt";
        let telling = Telling { show: common.told.show, has_stories, width: width::width() };
        say_part!("{}", table::overview(record, &common.out, telling));
    }
}

fn exit_code(record: &Record) -> ExitCode {
    let counts = |alarm: &covet_results::Alarm| alarm.verdict.is_shown();
    match (record.stopped, record.alarms.iter().any(counts)) {
        (Some(Stopped::Interrupted), _) => ExitCode::from(failure::INTERRUPTED),
        // What was found is kept, but part of the suite is missing.
        _ if record.totals().unbuilt > 0 => ExitCode::from(failure::TOOL_FAILED),
        (_, true) => ExitCode::from(failure::FOUND),
        (_, false) => ExitCode::SUCCESS,
    }
}
