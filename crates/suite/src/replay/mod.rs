//! Recorded tests → whether the plainly compiled program still behaves as recorded.
//!
//! The C tests are built once and run a few in one start of their program, as people do; each has a process of its own in it. One that
//! fails there is run once more alone, under a time limit of its own besides the one it keeps itself, and that counts. A test that behaves
//! differently is data; only our own failures are errors.

mod native_end;
mod report;

pub use native_end::{Expectation, NativeEnd, Returned};

use crate::ctest::{Build, BuildError, Flavour, TestProgram, make_shared};
use crate::observe::Observed;
use covet_launch::{Bounds, End, Program, together};
use report::{Judgement, Report};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::io::{Read, Seek};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

/// What became of one test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    Passed,
    /// The test does what C leaves undefined, so it cannot fail; this is what came of it.
    Undefined {
        got: NativeEnd,
    },
    Failed {
        expected: Expectation,
        got: NativeEnd,
        /// It ended as expected, but this check failed.
        check: Option<String>,
    },
    /// The test program does not compile; holds what the compiler said.
    CouldNotBuild(String),
    /// The time was up before.
    NotRun,
}

/// What a recording program found out about a test.
#[derive(Clone, Debug, PartialEq)]
pub struct Recorded {
    pub verdict: Verdict,
    /// How it ended, if it was run and said so.
    pub end: Option<NativeEnd>,
    pub observed: Observed,
}

#[derive(Clone, Debug)]
pub struct Config {
    /// `cc`, `clang-19`, ...
    pub compiler: PathBuf,
    pub flavour: Flavour,
    /// Where executables go.
    pub scratch: PathBuf,
    /// Where the objects of the program's own files go: those that are there already are taken as they are.
    pub objects: PathBuf,
    /// Beyond this a test program is killed, whatever its tests say.
    pub time_limit: Duration,
    pub bounds: Bounds,
    /// Builds, and starts, at a time.
    pub threads: usize,
}

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Build(BuildError),
    #[error("{}: cannot write the test program: {source}", path.display())]
    Write { path: PathBuf, source: std::io::Error },
    #[error("{}: cannot run the test program: {source}; is the folder on a file system mounted noexec?", path.display())]
    Start { path: PathBuf, source: std::io::Error },
    #[error("{0}; is the folder of the test program on a file system mounted noexec?")]
    Launch(covet_launch::Error),
    #[error("not run: the time was up")]
    Cut,
}

/// That of a test, or why there is none.
type Executable = Result<PathBuf, Verdict>;

/// Test programs, built.
pub struct Replay {
    config: Config,
    executables: BTreeMap<String, Executable>,
    order: Vec<String>,
}

impl Replay {
    /// Compiles `programs`, whose texts are at the places their builds name. Tests that do not compile are left out of the
    /// text and made [`Verdict::CouldNotBuild`]; a program that does not compile at all makes all its tests so.
    pub fn build(programs: &[TestProgram], config: Config) -> Result<Replay, Error> {
        let Config { compiler, flavour, objects, threads, bounds, .. } = &config;
        let builds: Vec<&Build> = programs.iter().map(|program| &program.build).collect();
        make_shared(&builds, compiler, *flavour, objects, *threads, &bounds.deadline);
        let built = together(*threads, programs, |number, program| built(&config, program, number));
        let order = programs.iter().flat_map(|program| program.tests.iter().cloned()).collect();
        let mut executables = BTreeMap::new();
        for tests in built {
            executables.extend(tests?);
        }
        Ok(Replay { config, executables, order })
    }

    /// Ids of all tests, in order.
    pub fn tests(&self) -> &[String] {
        &self.order
    }

    /// What is known of a test before it is run: whether it could be built.
    pub fn verdict_of_build(&self, test: &str) -> Option<Verdict> {
        match self.executables.get(test) {
            Some(Err(verdict)) => Some(verdict.clone()),
            Some(Ok(_)) | None => None,
        }
    }

    /// The program of a test, which is given its id; none when there is no such test or it could not be built.
    pub fn executable(&self, test: &str) -> Option<&Path> {
        self.executables.get(test)?.as_deref().ok()
    }

    /// Runs one test; none when there is no test of that id.
    pub fn run(&self, test: &str) -> Result<Option<Verdict>, Error> {
        match self.executables.get(test) {
            None => Ok(None),
            Some(Err(verdict)) => Ok(Some(verdict.clone())),
            Some(Ok(executable)) => self.execute(executable, &[test]).map(|(_, verdict)| Some(verdict)),
        }
    }

    /// As [`Replay::run`], for many tests.
    pub fn run_all(&self, tests: &[&str]) -> Result<Vec<Option<Verdict>>, Error> {
        let mut reports = self.reports(tests, &[]);
        let told: Vec<_> = tests.iter().map(|test| (*test, reports.remove(*test))).collect();
        let verdicts = together(self.config.threads, &told, |_, (test, report)| match report {
            Some(report) => Ok(Some(verdict(Some(report.clone()), false))),
            None => self.run(test),
        });
        verdicts.into_iter().collect()
    }

    /// As [`Replay::record`], for many tests.
    pub fn record_all(&self, tests: &[&str], otherwise: bool) -> Result<Vec<Option<Recorded>>, Error> {
        let mut reports = self.reports(tests, if otherwise { OTHERWISE } else { &[] });
        let told: Vec<_> = tests.iter().map(|test| (*test, reports.remove(*test))).collect();
        let recorded = together(self.config.threads, &told, |_, (test, report)| match report {
            Some(report) => Ok(Some(recorded(verdict(Some(report.clone()), false), Some(report.clone())))),
            None => self.record(test, otherwise),
        });
        recorded.into_iter().collect()
    }

    /// What was told of tests that were run together and did not fail.
    fn reports(&self, tests: &[&str], how: &[&str]) -> BTreeMap<String, Report> {
        let mut programs: BTreeMap<&Path, Vec<&str>> = BTreeMap::new();
        for test in tests {
            if let Some(Ok(executable)) = self.executables.get(*test) {
                programs.entry(executable).or_default().push(test);
            }
        }
        let batches: Vec<(&Path, &[&str])> =
            programs.iter().flat_map(|(path, tests)| tests.chunks(BATCH).map(|batch| (*path, batch))).collect();
        let told = together(self.config.threads, &batches, |_, (executable, batch)| {
            let words: Vec<&str> = batch.iter().chain(how).copied().collect();
            // What went wrong shows again when the tests are run alone.
            self.told(executable, &words).ok().map(|(text, _)| report::read_some(&text)).unwrap_or_default()
        });
        told.into_iter().flatten().filter(|(_, report)| report.verdict != Judgement::Failed).collect()
    }

    /// Runs one test of a recording program, perhaps under other circumstances; none when there is no test of that id.
    pub fn record(&self, test: &str, otherwise: bool) -> Result<Option<Recorded>, Error> {
        let executable = match self.executables.get(test) {
            None => return Ok(None),
            Some(Err(verdict)) => {
                return Ok(Some(recorded(verdict.clone(), None)));
            }
            Some(Ok(executable)) => executable,
        };
        let how: Vec<&str> = std::iter::once(test).chain(OTHERWISE.iter().copied().filter(|_| otherwise)).collect();
        let (report, verdict) = self.execute(executable, &how)?;
        Ok(Some(recorded(verdict, report)))
    }

    /// The executable of a test and the beginning of what running it writes to standard error; none when it could not be built.
    pub fn complaints(&self, test: &str, variables: &[(&str, &str)]) -> Result<Option<(&Path, String)>, Error> {
        let executable = match self.executables.get(test) {
            Some(Ok(executable)) => executable,
            Some(Err(Verdict::NotRun)) => return Err(Error::Cut),
            Some(Err(_)) | None => return Ok(None),
        };
        let failed = |source| Error::Start { path: executable.to_owned(), source };
        // A file, not a pipe: nobody reads while the test runs.
        let mut file = tempfile::tempfile_in(&self.config.scratch).map_err(failed)?;
        let stderr = file.try_clone().map_err(failed)?.into();
        let variables = variables.iter().map(|(name, value)| (OsString::from(name), OsString::from(value)));
        let (arguments, variables) = (vec!["--output".into(), test.into()], variables.collect());
        self.start(executable, |program| Program { arguments, variables, stderr, ..program })?;
        if self.config.bounds.deadline.is_over() {
            return Err(Error::Cut);
        }
        let mut text = Vec::new();
        file.rewind().map_err(failed)?;
        file.take(COMPLAINTS_LIMIT).read_to_end(&mut text).map_err(failed)?;
        Ok(Some((executable, String::from_utf8_lossy(&text).into_owned())))
    }

    /// The report on the test that these arguments begin with, and what it means.
    fn execute(&self, executable: &Path, arguments: &[&str]) -> Result<(Option<Report>, Verdict), Error> {
        if self.config.bounds.deadline.is_over() {
            return Ok((None, Verdict::NotRun));
        }
        let (text, end) = self.told(executable, arguments)?;
        if !matches!(end, Some(End::Exited(_) | End::Killed(_))) {
            let is_cut = self.config.bounds.deadline.is_over();
            return Ok((None, if is_cut { Verdict::NotRun } else { verdict(None, true) }));
        }
        // A test that does what C leaves undefined may have written over its own report.
        let report = report::read(&text, arguments[0]).unwrap_or_default();
        let verdict = verdict(report.clone(), false);
        Ok((report, verdict))
    }

    /// What a test program reports when started with these arguments, and how it ended.
    fn told(&self, executable: &Path, arguments: &[&str]) -> Result<(String, Option<End>), Error> {
        let failed = |source| Error::Start { path: executable.to_owned(), source };
        // The report comes through descriptor 0: nobody prints there, and the tests have a standard input of their own. A file, not a
        // pipe, as above.
        let mut file = tempfile::tempfile_in(&self.config.scratch).map_err(failed)?;
        let report = Stdio::from(file.try_clone().map_err(failed)?);
        let words = ["--report=0"].iter().chain(arguments).map(OsString::from).collect();
        let end = self.start(executable, |program| Program { arguments: words, stdin: report, ..program })?;
        let mut text = Vec::new();
        file.rewind().map_err(failed)?;
        file.take(REPORT_LIMIT).read_to_end(&mut text).map_err(failed)?;
        Ok((String::from_utf8_lossy(&text).into_owned(), end))
    }

    /// Runs a test program in a fresh folder until it ends; none when its time was up.
    fn start<'a>(
        &'a self,
        executable: &'a Path,
        change: impl FnOnce(Program<'a>) -> Program<'a>,
    ) -> Result<Option<End>, Error> {
        let Config { scratch, bounds, time_limit, .. } = &self.config;
        let failed = |source| Error::Start { path: executable.to_owned(), source };
        let folder = tempfile::Builder::new().prefix("run-").tempdir_in(scratch).map_err(failed)?;
        let place = folder.path().to_owned();
        let program = change(Program::new(executable, scratch, bounds));
        let mut running = Program { folder: &place, home: &place, ..program }.start().map_err(Error::Launch)?;
        running.wait(&bounds.deadline.within(*time_limit)).map_err(Error::Launch)
    }
}

/// The tests of a program, each with its executable or why there is none.
fn built(config: &Config, program: &TestProgram, number: usize) -> Result<Vec<(String, Executable)>, Error> {
    let Config { compiler, flavour, scratch, objects, bounds, .. } = config;
    let executable = scratch.join(format!("replay-{number}"));
    let mut program = program.clone();
    let mut known = Vec::new();
    loop {
        let stderr = match program.build.make(compiler, *flavour, &executable, objects, &bounds.deadline) {
            Ok(()) => {
                known.extend(program.tests.iter().map(|test| (test.clone(), Ok(executable.clone()))));
                return Ok(known);
            }
            Err(BuildError::Failed { stderr, .. }) => stderr,
            Err(BuildError::Cut { .. }) => {
                known.extend(program.tests.iter().map(|test| (test.clone(), Err(Verdict::NotRun))));
                return Ok(known);
            }
            Err(other @ (BuildError::NoCompiler { .. } | BuildError::Write { .. })) => return Err(Error::Build(other)),
        };
        let broken = broken_tests(&program, &stderr);
        let rejected = if broken.is_empty() { program.tests.iter().cloned().collect() } else { broken };
        let verdict = Verdict::CouldNotBuild(stderr);
        known.extend(rejected.iter().map(|test| (test.clone(), Err(verdict.clone()))));
        program = program.without(&rejected);
        if program.tests.is_empty() {
            return Ok(known);
        }
        let path = &program.build.tests.file;
        std::fs::write(path, &program.text).map_err(|source| Error::Write { path: path.clone(), source })?;
    }
}

/// Tests in one start of their program.
const BATCH: usize = 24;
/// Has a recording program run tests under other circumstances.
const OTHERWISE: &[&str] = &["--otherwise"];

/// Of what a test says, so much is read.
const COMPLAINTS_LIMIT: u64 = 4 << 20;
const REPORT_LIMIT: u64 = 8 << 20;

/// The tests that the compiler's complaints point at, be it from within a macro.
fn broken_tests(program: &TestProgram, stderr: &str) -> BTreeSet<String> {
    let place = format!("{}:", program.name);
    let lines = stderr.lines().filter_map(|line| {
        let (_, rest) = line.split_once(&place)?;
        rest.split(':').next()?.parse::<usize>().ok()
    });
    lines.filter_map(|line| program.test_at(line)).map(str::to_string).collect()
}

fn recorded(verdict: Verdict, report: Option<Report>) -> Recorded {
    let end = report.as_ref().map(|report| report.got.clone());
    let observed = report.and_then(|report| report.observed).unwrap_or_default();
    Recorded { verdict, end, observed }
}

/// What a report says; one that is missing fails.
fn verdict(report: Option<Report>, was_killed: bool) -> Verdict {
    let Some(Report { verdict, expected, got, check, .. }) = report else {
        let (expected, got) = (Expectation::Report, NativeEnd::Silent { was_killed });
        return Verdict::Failed { expected, got, check: None };
    };
    match verdict {
        Judgement::Passed => Verdict::Passed,
        Judgement::Undefined => Verdict::Undefined { got },
        Judgement::Failed => Verdict::Failed { expected, got, check },
    }
}
