//! A C program that uses a library → whether it shows an alarm: built plain and with sanitizers, run in the sandbox.

use crate::confirm::sanitizers;
use covet_budget::Deadline;
use covet_launch::{Bounds, End, Program};
use covet_project::{Compiled, Failure};
use covet_results::{Alarm, Sanitizer};
use covet_scratch::Scratch;
use covet_source::{Translation, Unit};
use covet_suite::ctest::{Build, BuildError, Compilation, Flavour};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

/// Where such programs are built and run.
pub struct Bench<'a> {
    compiled: &'a Compiled,
    bounds: Bounds,
    scratch: Scratch,
    objects: &'a Path,
    others: Vec<Compilation>,
    number: usize,
}

/// What a program showed.
pub struct Proof {
    /// The plain build crashed.
    pub native: bool,
    pub sanitizer: Option<Sanitizer>,
}

impl Proof {
    /// Whether what it showed is the alarm: sanitizers tell the place, a crash that they do not know must do for the others.
    pub fn shows(&self, alarm: &Alarm) -> bool {
        let is_known = sanitizers::KNOWN.contains(&alarm.kind) || sanitizers::UNWRITTEN.contains(&alarm.kind);
        matches!(self.sanitizer, Some(Sanitizer::Confirmed { .. })) || (!is_known && self.native)
    }
}

/// A program that does not end.
const PATIENCE: Duration = Duration::from_secs(10);
/// Of what a program says, so much is read.
const MOST_SAID: u64 = 1 << 20;

impl<'a> Bench<'a> {
    /// For programs that are linked with `compiled`, as far as it is no program itself.
    pub fn new(
        compiled: &'a Compiled,
        bounds: Bounds,
        objects: &'a Path,
        deadline: &Deadline,
    ) -> Result<Bench<'a>, Failure> {
        let scratch = Scratch::new().map_err(Failure::machine)?;
        let bounds = Bounds { deadline: deadline.clone(), ..bounds };
        Ok(Bench { compiled, bounds, scratch, objects, others: library(compiled), number: 0 })
    }

    /// Runs the program in `file`, compiled like `like`; none when it does not compile or there is no time.
    pub fn try_out(&mut self, file: &Path, like: &Translation, alarm: &Alarm) -> Result<Option<Proof>, Failure> {
        let Some(plain) = self.build(file, like, Flavour::Plain)? else { return Ok(None) };
        let native = matches!(self.run(&plain, &[])?, Some((End::Killed(_), _)));
        let flavour = if sanitizers::UNWRITTEN.contains(&alarm.kind) { Flavour::Memory } else { Flavour::Sanitized };
        let Some(sanitized) = self.build(file, like, flavour)? else { return Ok(None) };
        let Some((_, text)) = self.run(&sanitized, sanitizers::OPTIONS)? else { return Ok(None) };
        let (toolchain, deadline) = (&self.compiled.config.toolchain, &self.bounds.deadline);
        let said = sanitizers::said(toolchain, deadline, &sanitized, &text, alarm);
        tracing::info!(file = %file.display(), alarm = %alarm.kind, line = alarm.line, native, ?said, "public test run");
        Ok(Some(Proof { native, sanitizer: Some(said) }))
    }

    /// The command that builds a program, for people.
    pub fn command(&self, file: &Path, like: &Translation) -> String {
        let build = self.to_build(file, like);
        let path = |compilation: &Compilation| compilation.directory.join(&compilation.file).display().to_string();
        let words = ["cc", "-g", "-fsanitize=address,undefined"].map(str::to_string).into_iter();
        let words = words.chain(build.tests.flags.clone()).chain([path(&build.tests)]);
        let all: Vec<String> = words.chain(build.others.iter().map(path)).chain(build.link_flags.clone()).collect();
        all.join(" ")
    }

    fn to_build(&self, file: &Path, like: &Translation) -> Build {
        let Translation { directory, flags, .. } = like.clone();
        let tests = Compilation { directory, flags, file: file.to_owned(), source: file.to_owned() };
        Build { tests, others: self.others.clone(), link_flags: self.compiled.project.link_flags.clone() }
    }

    fn build(&mut self, file: &Path, like: &Translation, flavour: Flavour) -> Result<Option<PathBuf>, Failure> {
        self.number += 1;
        let executable = self.scratch.path().join(format!("public-{}", self.number));
        let compiler = self.compiled.config.toolchain.program("clang");
        match self.to_build(file, like).make(&compiler, flavour, &executable, self.objects, &self.bounds.deadline) {
            Ok(()) => Ok(Some(executable)),
            Err(BuildError::Failed { stderr, .. }) => {
                tracing::info!(file = %file.display(), stderr, "a public test does not compile");
                Ok(None)
            }
            Err(BuildError::Cut { .. }) => Ok(None),
            Err(error @ (BuildError::NoCompiler { .. } | BuildError::Write { .. })) => Err(Failure::tool(error)),
        }
    }

    /// How it ended and what it wrote to standard error; none when its time was up.
    fn run(&mut self, executable: &Path, variables: &[(&str, &str)]) -> Result<Option<(End, String)>, Failure> {
        self.number += 1;
        let folder = self.scratch.path().join(format!("run-{}", self.number));
        std::fs::create_dir(&folder).map_err(Failure::file(&folder))?;
        let path = self.scratch.path().join(format!("said-{}", self.number));
        let said = File::create(&path).map_err(Failure::file(&path))?;
        let variables = variables.iter().map(|(name, value)| (OsString::from(name), OsString::from(value))).collect();
        let program =
            Program { variables, stderr: Stdio::from(said), ..Program::new(executable, &folder, &self.bounds) };
        let mut running = program.start().map_err(Failure::tool)?;
        let end = running.wait(&self.bounds.deadline.within(PATIENCE)).map_err(Failure::tool)?;
        let Some(end) = end else { return Ok(None) };
        let mut text = Vec::new();
        let file = File::open(&path).map_err(Failure::file(&path))?;
        std::io::Read::read_to_end(&mut std::io::Read::take(file, MOST_SAID), &mut text)
            .map_err(Failure::file(&path))?;
        Ok(Some((end, String::from_utf8_lossy(&text).into_owned())))
    }
}

/// The files of a project that make its library: those with a `main` are programs that use it, and a symbol is defined once.
fn library(compiled: &Compiled) -> Vec<Compilation> {
    let mut owned: BTreeSet<&str> = BTreeSet::from(["main"]);
    let mut found = Vec::new();
    for unit in &compiled.program.units {
        let own = definitions(&unit.model);
        if !owned.is_disjoint(&own) {
            continue;
        }
        owned.extend(own);
        let is_same = |written: &&Translation| {
            (&written.directory, &written.file) == (&unit.translation.directory, &unit.translation.file)
        };
        let written = compiled.project.units.iter().find(is_same).unwrap_or(&unit.translation);
        let Translation { directory, file, flags } = written.clone();
        found.push(Compilation { directory, flags, source: file.clone(), file });
    }
    found
}

/// What a unit defines for all others to see.
fn definitions(unit: &Unit) -> BTreeSet<&str> {
    let functions =
        unit.functions.iter().filter(|function| function.has_body && !function.is_static && !function.is_inline);
    let globals = unit.globals.iter().filter(|global| global.is_defined && !global.is_static);
    functions.map(|function| function.name.as_str()).chain(globals.map(|global| global.name.as_str())).collect()
}
