//! Recorded tests → whether the plainly compiled program still behaves as recorded.
//!
//! The C tests are built once and each is run alone, under a time limit of its own besides the one it keeps itself. A test that
//! behaves differently is data; only our own failures are errors.

mod native_end;
mod report;

pub use native_end::{Expectation, NativeEnd, Returned};

use crate::ctest::{BuildError, Flavour, TestProgram};
use covet_budget::Deadline;
use report::{Judgement, Report};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

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
    },
    /// The test program does not compile; holds what the compiler said.
    CouldNotBuild(String),
    /// The time was up before.
    NotRun,
}

#[derive(Clone, Debug)]
pub struct Config {
    /// `cc`, `clang-19`, ...
    pub compiler: PathBuf,
    pub flavour: Flavour,
    /// Where executables and objects go.
    pub scratch: PathBuf,
    /// Beyond this a test program is killed, whatever its tests say.
    pub time_limit: Duration,
    /// When no more is built or run.
    pub deadline: Deadline,
}

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Build(BuildError),
    #[error("{}: cannot write the test program: {source}", path.display())]
    Write { path: PathBuf, source: std::io::Error },
    #[error("{}: cannot run the test program: {source}; is the folder on a file system mounted noexec?", path.display())]
    Start { path: PathBuf, source: std::io::Error },
    #[error("{}: the test program's report cannot be read: {reason}", path.display())]
    Report { path: PathBuf, reason: String },
    #[error("not run: the time was up")]
    Cut,
}

/// Test programs, built.
pub struct Replay {
    config: Config,
    /// Test id → its executable, or why there is none.
    executables: BTreeMap<String, Result<PathBuf, Verdict>>,
    order: Vec<String>,
}

impl Replay {
    /// Compiles `programs`, whose texts are at the places their builds name. Tests that do not compile are left out of the
    /// text and made [`Verdict::CouldNotBuild`]; a program that does not compile at all makes all its tests so.
    pub fn build(programs: &[TestProgram], config: Config) -> Result<Replay, Error> {
        let mut replay = Replay { config, executables: BTreeMap::new(), order: Vec::new() };
        for (number, program) in programs.iter().enumerate() {
            replay.order.extend(program.tests.iter().cloned());
            replay.add(program, number)?;
        }
        Ok(replay)
    }

    fn add(&mut self, program: &TestProgram, number: usize) -> Result<(), Error> {
        let executable = self.config.scratch.join(format!("replay-{number}"));
        let mut program = program.clone();
        loop {
            let Config { compiler, flavour, deadline, .. } = &self.config;
            let stderr = match program.build.make(compiler, *flavour, &executable, deadline) {
                Ok(()) => {
                    self.executables.extend(program.tests.iter().map(|test| (test.clone(), Ok(executable.clone()))));
                    return Ok(());
                }
                Err(BuildError::Failed { stderr, .. }) => stderr,
                Err(BuildError::Cut { .. }) => {
                    self.executables.extend(program.tests.iter().map(|test| (test.clone(), Err(Verdict::NotRun))));
                    return Ok(());
                }
                Err(other @ (BuildError::NoCompiler { .. } | BuildError::Write { .. })) => {
                    return Err(Error::Build(other));
                }
            };
            let broken = broken_tests(&program, &stderr);
            let rejected = if broken.is_empty() { program.tests.iter().cloned().collect() } else { broken };
            let verdict = Verdict::CouldNotBuild(stderr);
            self.executables.extend(rejected.iter().map(|test| (test.clone(), Err(verdict.clone()))));
            program = program.without(&rejected);
            if program.tests.is_empty() {
                return Ok(());
            }
            let path = &program.build.tests.file;
            std::fs::write(path, &program.text).map_err(|source| Error::Write { path: path.clone(), source })?;
        }
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

    /// Runs one test; none when there is no test of that id.
    pub fn run(&self, test: &str) -> Result<Option<Verdict>, Error> {
        match self.executables.get(test) {
            None => Ok(None),
            Some(Err(verdict)) => Ok(Some(verdict.clone())),
            Some(Ok(executable)) => self.execute(executable, test).map(Some),
        }
    }

    /// The executable of a test and what running it writes to standard error; none when it could not be built.
    pub fn complaints(&self, test: &str, variables: &[(&str, &str)]) -> Result<Option<(&Path, String)>, Error> {
        let executable = match self.executables.get(test) {
            Some(Ok(executable)) => executable,
            Some(Err(Verdict::NotRun)) => return Err(Error::Cut),
            Some(Err(_)) | None => return Ok(None),
        };
        let failed = |source| Error::Start { path: executable.to_owned(), source };
        // A file, not a pipe: nobody reads while the test runs.
        let path = self.config.scratch.join("complaints");
        let file = std::fs::File::create(&path).map_err(failed)?;
        let mut command = Command::new(executable);
        command.args(["--output", test]).current_dir(&self.config.scratch).env("TMPDIR", &self.config.scratch);
        command.envs(variables.iter().copied()).process_group(0);
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(file).spawn().map_err(failed)?;
        if wait(&mut child, self.config.time_limit, &self.config.deadline).map_err(failed)? == End::Cut {
            return Err(Error::Cut);
        }
        let text = std::fs::read(&path).map_err(failed)?;
        Ok(Some((executable, String::from_utf8_lossy(&text).into_owned())))
    }

    fn execute(&self, executable: &Path, test: &str) -> Result<Verdict, Error> {
        let failed = |source| Error::Start { path: executable.to_owned(), source };
        // The report comes through descriptor 0: nobody prints there, and the tests have a standard input of their own.
        let (mut report, end) = std::io::pipe().map_err(failed)?;
        let mut command = Command::new(executable);
        command.args(["--report=0", test]).current_dir(&self.config.scratch);
        command.env("TMPDIR", &self.config.scratch).process_group(0);
        let mut child = command.stdin(end).stdout(Stdio::null()).stderr(Stdio::null()).spawn().map_err(failed)?;
        drop(command);
        match wait(&mut child, self.config.time_limit, &self.config.deadline).map_err(failed)? {
            End::Own => {}
            End::TimeLimit => return Ok(verdict(None, true)),
            End::Cut => return Ok(Verdict::NotRun),
        }
        let mut text = String::new();
        report.read_to_string(&mut text).map_err(failed)?;
        let report =
            report::read(&text, test).map_err(|reason| Error::Report { path: executable.to_owned(), reason })?;
        Ok(verdict(report, false))
    }
}

/// The tests that the compiler's complaints point at, be it from within a macro.
fn broken_tests(program: &TestProgram, stderr: &str) -> BTreeSet<String> {
    let place = format!("{}:", program.name);
    let lines = stderr.lines().filter_map(|line| {
        let (_, rest) = line.split_once(&place)?;
        rest.split(':').next()?.parse::<usize>().ok()
    });
    lines.filter_map(|line| program.test_at(line)).map(str::to_string).collect()
}

/// How a test program ended.
#[derive(PartialEq, Eq)]
enum End {
    Own,
    /// It took longer than it may.
    TimeLimit,
    /// The deadline came first.
    Cut,
}

/// Waits for the child; kills its whole process group when the time is up.
fn wait(child: &mut Child, limit: Duration, deadline: &Deadline) -> std::io::Result<End> {
    let end = Instant::now() + limit;
    let mut nap = Duration::from_micros(200);
    loop {
        if child.try_wait()?.is_some() {
            return Ok(End::Own);
        }
        let is_cut = deadline.is_over();
        if is_cut || Instant::now() >= end {
            // Signals a whole group without unsafe code.
            let group = format!("-{}", child.id());
            let _ = Command::new("kill").args(["-KILL", "--", &group]).status();
            let _ = child.kill();
            child.wait()?;
            return Ok(if is_cut { End::Cut } else { End::TimeLimit });
        }
        std::thread::sleep(nap);
        nap = (nap * 2).min(Duration::from_millis(10));
    }
}

/// What a report says; one that is missing fails.
fn verdict(report: Option<Report>, was_killed: bool) -> Verdict {
    let Some(Report { verdict, expected, got }) = report else {
        return Verdict::Failed { expected: Expectation::Report, got: NativeEnd::Silent { was_killed } };
    };
    match verdict {
        Judgement::Passed => Verdict::Passed,
        Judgement::Undefined => Verdict::Undefined { got },
        Judgement::Failed => Verdict::Failed { expected, got },
    }
}
