//! The common part of `cover` and `run`: explore entries one after the other, keep what they found, write it down, sum it up.

use crate::args::{CommonArgs, SurroundingsArgs};
use crate::explore_entry::{self, Assignment, Finished};
use crate::failure::{self, Failure};
use crate::input_args::InputArgs;
use crate::memory::Memory;
use crate::native::Native;
use crate::progress::{Crowd, Progress, Waiting};
use crate::results::{self, Models, Written};
use crate::summary::{Counters, FunctionPart, Whole};
use crate::{alarms, lanes, official, settled, table};
use covet_coverage::official::Official;
use covet_coverage::{Covered, Criterion, GoalSet, Summary};
use covet_explore::Stopped;
use covet_project::Entry;
use covet_project::Prepared;
use covet_project::Symbols;
use covet_results::{Database, Meta, Record, Test};
use covet_settings::{FunctionSettings, Settings};
use covet_sites::FunctionNumber;
use covet_suite::ctest;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What is to be explored.
pub struct Job<'a> {
    pub command: &'a str,
    /// What was named on the command line.
    pub sources: &'a [PathBuf],
    pub prepared: &'a Prepared,
    pub entries: Vec<Entry<'a>>,
    /// Count the whole program's coverage, not only the entries'.
    pub whole_program: bool,
    pub surroundings: &'a SurroundingsArgs,
    pub input: &'a InputArgs,
    pub common: &'a CommonArgs,
    pub flags: &'a [String],
    pub settings: &'a Settings,
    pub interrupt: &'a AtomicBool,
}

/// Seconds for one entry, and for each of several, when the user does not say.
const TIME_FOR_ONE: f64 = 60.0;
const TIME_FOR_EACH: f64 = 10.0;

/// Everything found so far.
struct Findings {
    record: Record,
    parts: Vec<FunctionPart>,
    warnings: Vec<String>,
    stopped: Option<Stopped>,
}

/// What the explorations of all entries share.
struct Shared<'a> {
    started: Instant,
    /// A test to start from.
    start: Option<&'a Test>,
    scratch: &'a Path,
    symbols: &'a Symbols,
    memory: &'a Memory,
}

/// What became of one entry.
struct Attempt {
    outcome: Outcome,
    seconds: f64,
}

enum Outcome {
    Done(Box<Finished>),
    NotBegun(Stopped),
    Failed(Failure),
}

/// How often results are saved while many functions are explored.
const SAVE_EVERY: Duration = Duration::from_secs(10);

impl Job<'_> {
    /// Explores, writes and prints; the exit code says what was found.
    pub fn perform(self) -> Result<ExitCode, Failure> {
        let started = Instant::now();
        let out = std::path::absolute(&self.common.out).map_err(Failure::file(&self.common.out))?;
        let start = self.first_test(&out)?;
        let memory = Memory::open(&out, self.lanes() == 1);
        let mut findings = self.explore_all(started, start.as_ref(), &out, &memory)?;
        let waiting = Waiting::on("running the tests on a plain build", !self.common.quiet);
        if self.is_interrupted() || started.elapsed() > SAVE_EVERY {
            // Before anything that takes time.
            self.save(&findings.record, &out)?;
        }
        covet_suite::minimise(&mut findings.record);
        let run_time = Duration::from_millis(self.common.run_time);
        let written = results::write(self.prepared, &mut findings.record, &out, run_time, || self.is_interrupted())?;
        self.add_official(&mut findings, &out, &written);
        drop(waiting);
        if self.is_interrupted() {
            findings.stopped = Some(Stopped::Interrupted);
        }
        count_tests(&mut findings, &written.native);
        let statistics = self.sum_up(&findings, started).json();
        findings.record.statistics = statistics;
        let mut database = Database::create(&out)?;
        database.write(&findings.record)?;
        memory.save(&mut database)?;
        let summary = self.sum_up(&findings, started);
        self.print(&findings, &summary, &written);
        Ok(exit_code(&findings.record, summary.stopped))
    }

    fn explore_all(
        &self,
        started: Instant,
        start: Option<&Test>,
        out: &Path,
        memory: &Memory,
    ) -> Result<Findings, Failure> {
        let mut findings =
            Findings { record: self.empty_record(), parts: vec![], warnings: self.warnings(), stopped: None };
        let scratch = tempfile::tempdir().map_err(Failure::tool)?;
        let symbols = Symbols::of(self.prepared);
        let shared = Shared { started, start, scratch: scratch.path(), symbols: &symbols, memory };
        let progress = Progress::new(!self.common.quiet && self.entries.len() == 1);
        let crowd = Crowd::new(!self.common.quiet && self.entries.len() > 1, self.entries.len());
        let mut failure = None;
        let mut saved = Instant::now();
        let attempt = |at: usize| self.attempt(at, &shared, &crowd);
        let take = |at: usize, Attempt { outcome, seconds }: Attempt| {
            let entry = self.entries[at];
            match outcome {
                Outcome::Done(finished) => self.keep(&mut findings, entry, *finished, seconds),
                Outcome::NotBegun(stopped) => {
                    let why = match stopped {
                        Stopped::Interrupted => "not explored: interrupted",
                        Stopped::Time
                        | Stopped::Exhausted
                        | Stopped::Covered
                        | Stopped::Reached
                        | Stopped::Iterations => "not explored: the time was up",
                    };
                    findings.stopped = Some(stopped);
                    findings.parts.push(self.part(entry, Err(why.into()), 0.0));
                }
                Outcome::Failed(failed) => {
                    let (Failure::User(message) | Failure::Tool(message)) = &failed;
                    findings.parts.push(self.part(entry, Err(message.clone()), seconds));
                    failure.get_or_insert(failed);
                }
            }
            if self.entries.len() > 1 && saved.elapsed() > SAVE_EVERY {
                // What comes to an end without us, comes to an end with this. Whether it can be written is said at the end.
                let _ = self.save(&findings.record, out);
                saved = Instant::now();
            }
        };
        match self.lanes() {
            // With one function the progress of its runs is shown, on this thread.
            1 if self.entries.len() == 1 => {
                let mut take = take;
                take(0, self.attempt_shown(0, &shared, &progress));
            }
            lanes => lanes::in_order(self.entries.len(), lanes, attempt, take),
        }
        progress.end();
        crowd.end();
        match failure {
            Some(failure) if self.entries.len() == 1 || self.common.cross_check => Err(failure),
            Some(_) | None => Ok(findings),
        }
    }

    fn is_interrupted(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed)
    }

    /// Explorations at a time: several functions are explored side by side, one by several workers.
    fn lanes(&self) -> usize {
        if self.entries.len() > 1 { self.common.jobs as usize } else { 1 }
    }

    fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        for broken in &self.prepared.program.broken {
            let first = broken.stderr.lines().find(|line| line.contains("error:")).unwrap_or("clang refuses it");
            warnings.push(format!("left out: {}: {first}", broken.file.display()));
        }
        let stubs: Vec<&str> = self.prepared.program.stubs.iter().map(|stub| stub.name.as_str()).collect();
        if !stubs.is_empty() {
            warnings.push(format!("defined nowhere, so what they give is an input: {}", stubs.join(", ")));
        }
        if !self.prepared.missing.is_empty() {
            let names = self.prepared.missing.join(", ");
            warnings.push(format!(
                "defined nowhere, so a call crashes: {names}; name the files or libraries that define them"
            ));
        }
        warnings
    }

    fn attempt(&self, at: usize, shared: &Shared<'_>, crowd: &Crowd) -> Attempt {
        crowd.begin(&self.entries[at].function.name);
        let attempt = self.attempt_shown(at, shared, &Progress::new(false));
        crowd.ended();
        attempt
    }

    /// Explores one entry; a failure of ours, be it a panic, is its failure alone.
    fn attempt_shown(&self, at: usize, shared: &Shared<'_>, progress: &Progress) -> Attempt {
        let interrupted = self.is_interrupted();
        let time = self.time_for(shared.started, at);
        if interrupted || time.is_zero() {
            let stopped = if interrupted { Stopped::Interrupted } else { Stopped::Time };
            return Attempt { outcome: Outcome::NotBegun(stopped), seconds: 0.0 };
        }
        let entry = self.entries[at];
        progress.begin(&entry.function.name);
        let began = Instant::now();
        let explored = catch_unwind(AssertUnwindSafe(|| self.explore_one(entry, time, shared, progress)));
        let outcome = match explored {
            Ok(Ok(finished)) => Outcome::Done(Box::new(finished)),
            Ok(Err(failure)) => Outcome::Failed(failure),
            Err(panic) => {
                let text = panic.downcast_ref::<String>().map(String::as_str);
                let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no reason given");
                Outcome::Failed(Failure::Tool(format!("the exploration broke down: {text}")))
            }
        };
        Attempt { outcome, seconds: began.elapsed().as_secs_f64() }
    }

    fn save(&self, record: &Record, out: &Path) -> Result<(), Failure> {
        let mut record = record.clone();
        covet_suite::minimise(&mut record);
        std::fs::create_dir_all(out).map_err(Failure::file(out))?;
        Ok(Database::create(out)?.write(&record)?)
    }

    fn explore_one(
        &self,
        entry: Entry<'_>,
        time: Duration,
        shared: &Shared<'_>,
        progress: &Progress,
    ) -> Result<Finished, Failure> {
        let own = self.own(entry);
        let mut input = self.input.clone();
        let said = self.settings.symbolic_globals.iter().chain(own.iter().flat_map(|own| &own.symbolic_globals));
        input.symbolic_globals.extend(said.map(|name| name.value.clone()));
        let plan = explore_entry::plan(self.prepared, entry, self.surroundings, &input, own)?;
        let targets = match self.whole_program {
            true => covet_sites::cfg::reachable_from(&self.prepared.map, &[entry.number]),
            false => vec![entry.number],
        };
        let assignment = Assignment {
            prepared: self.prepared,
            entry,
            goals: GoalSet::of(&self.prepared.map, &targets, Criterion::Branch),
            plan,
            common: self.common,
            iterations: own.and_then(|own| own.iterations).or(self.common.iterations),
            workers: self.common.jobs as usize / self.lanes(),
            time,
            start: shared.start,
            scratch: shared.scratch,
            symbols: shared.symbols,
            interrupt: self.interrupt,
            progress,
            memory: shared.memory,
        };
        assignment.explore()
    }

    /// What the settings say about an entry.
    fn own(&self, entry: Entry<'_>) -> Option<&FunctionSettings> {
        self.settings.function(&entry.function.file, &entry.function.name)
    }

    /// The time that entry number `at` may take.
    fn time_for(&self, started: Instant, at: usize) -> Duration {
        let left = self.entries.len() - at;
        let each = self.own(self.entries[at]).and_then(|own| own.time).or(self.common.time_each);
        let share = |total: f64| (total - started.elapsed().as_secs_f64()) / left as f64 * self.lanes() as f64;
        let seconds = match (self.common.time.map(share), each) {
            (Some(share), Some(each)) => share.min(each),
            (Some(seconds), None) | (None, Some(seconds)) => seconds,
            (None, None) if self.entries.len() == 1 => TIME_FOR_ONE,
            (None, None) => TIME_FOR_EACH,
        };
        Duration::from_secs_f64(seconds.max(0.0))
    }

    fn keep(&self, findings: &mut Findings, entry: Entry<'_>, finished: Finished, seconds: f64) {
        let Finished { mut collected, report, solver, externals, warnings } = finished;
        let mut warnings = warnings;
        if collected.tests.is_empty() && report.figures.abandoned > 0 {
            warnings.push("no run agreed with what is assumed about it".to_string());
        }
        let prefix = |id: &str| format!("{}#{id}", entry.number);
        for alarm in &mut collected.alarms {
            alarm.test = alarm.test.as_deref().map(prefix);
        }
        let places = alarms::add(&mut findings.record.alarms, collected.alarms);
        for test in &mut collected.tests {
            test.id = prefix(&test.id);
            test.alarm = test.alarm.map(|alarm| places[alarm]);
        }
        let counters = Counters {
            coverage: self.summary(entry.number, &collected.covered),
            figures: report.figures,
            crashes: collected.crashes,
            solver,
            externals: externals.into_iter().collect(),
            ..Counters::default()
        };
        findings.record.tests.append(&mut collected.tests);
        for warning in warnings {
            let warning = format!("{}: {warning}", entry.function.name);
            if !findings.warnings.contains(&warning) {
                findings.warnings.push(warning);
            }
        }
        findings.stopped = Some(overall(findings.stopped, report.stopped));
        findings.parts.push(self.part(entry, Ok((report.stopped, counters)), seconds));
    }

    fn part(&self, entry: Entry<'_>, done: Result<(Stopped, Counters), String>, seconds: f64) -> FunctionPart {
        let (stopped, counters, failure) = match done {
            Ok((stopped, counters)) => (Some(stopped), counters, None),
            Err(failure) => {
                let coverage = self.summary(entry.number, &Covered::default());
                (None, Counters { coverage, ..Counters::default() }, Some(failure))
            }
        };
        FunctionPart {
            name: entry.function.name.clone(),
            file: entry.function.file.to_string_lossy().into_owned(),
            line: entry.function.line,
            failure,
            stopped,
            seconds,
            counters,
        }
    }

    fn summary(&self, entry: FunctionNumber, covered: &Covered) -> Summary {
        if self.whole_program {
            Summary::whole_program(&self.prepared.map, covered)
        } else {
            Summary::of(&self.prepared.map, [entry], covered)
        }
    }

    fn empty_record(&self) -> Record {
        // As they were named: a folder or a compilation database also says how its files are compiled.
        let absolute = |path: &PathBuf| {
            std::fs::canonicalize(path).unwrap_or_else(|_| path.clone()).to_string_lossy().into_owned()
        };
        let around = self.surroundings;
        let mut settings = BTreeMap::new();
        let mut put = |name: &str, value: String| drop(settings.insert(name.to_string(), value));
        put("strategy", self.common.strategy.to_string());
        put("run-time", self.common.run_time.to_string());
        around.stdin.into_iter().for_each(|n| put("stdin", n.to_string()));
        put("arguments", around.arguments.iter().map(u64::to_string).collect::<Vec<_>>().join(","));
        put("files", around.files.iter().map(|(name, n)| format!("{name}:{n}")).collect::<Vec<_>>().join(","));
        put("size", around.size.to_string());
        settled::record(self.settings).into_iter().for_each(|(name, value)| put(&name, value));
        put("directory", std::env::current_dir().unwrap_or_default().to_string_lossy().into_owned());
        Record {
            meta: Meta {
                command: std::env::args().collect::<Vec<_>>().join(" "),
                sources: self.sources.iter().map(absolute).collect(),
                flags: self.flags.to_vec(),
                seed: self.common.seed,
                tool_version: env!("CARGO_PKG_VERSION").to_string(),
                settings,
            },
            ..Record::default()
        }
    }

    /// `--first TEST`: that test in the results folder.
    fn first_test(&self, out: &Path) -> Result<Option<Test>, Failure> {
        match self.common.first.as_str() {
            "zeros" | "random" => Ok(None),
            id => {
                let record = Database::open(out)?.read()?;
                let test = record.tests.into_iter().find(|test| test.id == id);
                let missing = || {
                    Failure::User(format!(
                        "no test `{id}` in {}; `--first` takes zeros, random or one of its tests",
                        out.display()
                    ))
                };
                test.ok_or_else(missing).map(Some)
            }
        }
    }

    fn add_official(&self, findings: &mut Findings, out: &Path, written: &Written) {
        if self.common.no_official || written.programs.is_empty() || self.is_interrupted() {
            return;
        }
        let models = Models::of(self.prepared);
        let run_time = Duration::from_millis(self.common.run_time);
        let built: Vec<_> =
            findings.record.tests.iter().filter(|test| !written.native.unbuilt.contains(&test.id)).cloned().collect();
        let built = Record { tests: built, ..findings.record.clone() };
        let programs = ctest::programs(models.sources(self.prepared), &built, &results::settings(out, run_time));
        match official::measure_suite(&programs, out) {
            Ok(measured) => {
                let lost = measured.lost.iter().map(|lost| format!("not in the official coverage: {lost}"));
                findings.warnings.extend(lost);
                self.share_out(findings, &measured);
            }
            Err(Failure::User(message) | Failure::Tool(message)) => {
                findings.warnings.push(format!("no official coverage: {message}"));
            }
        }
    }

    fn share_out(&self, findings: &mut Findings, measured: &Official) {
        for part in findings.parts.iter_mut().filter(|part| part.failure.is_none()) {
            let own = measured.of(Path::new(&part.file), &part.name);
            part.counters.official = Some(match (self.whole_program, own) {
                (true, _) => Summary { statements: measured.statements(), branches: measured.branches() },
                (false, Some(own)) => Summary { statements: own.statements, branches: own.branches },
                (false, None) => Summary::default(),
            });
        }
    }

    fn sum_up<'a>(&'a self, findings: &'a Findings, started: Instant) -> Whole<'a> {
        let mut totals = Counters::default();
        findings.parts.iter().for_each(|part| totals.add(&part.counters));
        Whole {
            command: self.command,
            seed: self.common.seed,
            seconds: started.elapsed().as_secs_f64(),
            stopped: findings.stopped.unwrap_or(Stopped::Exhausted),
            totals,
            functions: &findings.parts,
            record: &findings.record,
        }
    }

    fn print(&self, findings: &Findings, summary: &Whole<'_>, written: &Written) {
        if !self.common.quiet {
            for warning in &findings.warnings {
                eprintln!("note: {warning}");
            }
            if let Some(complaint) = &written.native.complaint {
                eprintln!("note: the C tests do not compile:\n{complaint}");
            }
        }
        if self.common.json {
            println!("{}", summary.json());
        } else if !self.common.quiet {
            print!("{}", table::overview(summary, written, &self.common.out));
        }
    }
}

/// Of two reasons to stop, the one that says more was left undone.
fn overall(before: Option<Stopped>, now: Stopped) -> Stopped {
    let weight = |stopped: Stopped| match stopped {
        // Exhausted paths may leave branches that nothing can reach.
        Stopped::Covered | Stopped::Reached => 0,
        Stopped::Exhausted => 1,
        Stopped::Iterations => 2,
        Stopped::Time => 3,
        Stopped::Interrupted => 4,
    };
    match before {
        Some(before) if weight(before) > weight(now) => before,
        Some(_) | None => now,
    }
}

fn count_tests(findings: &mut Findings, native: &Native) {
    for part in &mut findings.parts {
        let is_own = |function: &str, file: &str| function == part.name && file == part.file;
        let tests = findings.record.tests.iter().filter(|test| is_own(&test.function, &test.file));
        let mismatches = native.mismatches.iter().filter(|mismatch| is_own(&mismatch.function, &mismatch.file));
        (part.counters.tests, part.counters.mismatches) = (tests.count() as u64, mismatches.count() as u64);
    }
}

fn exit_code(record: &Record, stopped: Stopped) -> ExitCode {
    match (stopped, record.alarms.is_empty()) {
        (Stopped::Interrupted, _) => ExitCode::from(failure::INTERRUPTED),
        (_, false) => ExitCode::from(failure::FOUND),
        (_, true) => ExitCode::SUCCESS,
    }
}
