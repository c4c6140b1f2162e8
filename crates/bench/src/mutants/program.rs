//! A test program in a results folder → whether it notices that its source was changed.
//!
//! It is built as its head tells a person to do it, with the changed copy of the source included in place of the original.

use crate::Error;
use crate::emitted::commands;
use covet_launch::{Bounds, End, Program as Start};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// How a changed source fared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// A test failed.
    Killed,
    Survived,
    /// It is no C.
    Refused,
    /// The compiler makes the same code of it: there is nothing to notice.
    Equivalent,
}

/// A test program and what is needed to build it.
pub struct TestProgram {
    text: String,
    /// The line that includes the source, and the source.
    include: String,
    pub source: PathBuf,
    directory: PathBuf,
    /// Where it is: data that it includes is there as well.
    folder: PathBuf,
    /// Flags, then objects and libraries.
    flags: Vec<String>,
    linked: Vec<String>,
    scratch: PathBuf,
    /// What the compiler makes of the source as it is.
    code: Vec<u8>,
}

/// Seconds for one build, and for all tests of a program.
const BUILD_SECONDS: &str = "120";
const RUN: Duration = Duration::from_secs(60);

impl TestProgram {
    /// The program in `file`; its other parts are compiled once, into `scratch`.
    pub fn read(file: &Path, scratch: &Path) -> Result<TestProgram, Error> {
        std::fs::create_dir_all(scratch).map_err(Error::file(scratch.display()))?;
        let text = std::fs::read_to_string(file).map_err(Error::file(file.display()))?;
        let odd = |what: &str| Error::Unexpected(format!("{}: {what}", file.display()));
        let folder = file.parent().unwrap_or(Path::new("."));
        let include = text
            .lines()
            .find(|line| line.starts_with("#include \""))
            .ok_or_else(|| odd("includes no source"))?
            .to_owned();
        let source = folder.join(include.trim_start_matches("#include \"").trim_end_matches('"'));
        let source = std::fs::canonicalize(&source).map_err(Error::file(source.display()))?;
        let lines = commands(&text);
        let directory =
            lines.first().and_then(|line| line.strip_prefix("cd ")).ok_or_else(|| odd("names no folder"))?;
        let last = lines
            .last()
            .and_then(|line| line.split(" && ").next())
            .ok_or_else(|| odd("does not say how it is built"))?;
        for line in lines.iter().skip(1).take(lines.len().saturating_sub(2)) {
            succeed(Command::new("sh").args(["-ec", line]).current_dir(unquoted(directory)))?;
        }
        let directory = PathBuf::from(unquoted(directory));
        let mut program = TestProgram {
            text: text.clone(),
            include,
            source,
            directory,
            folder: folder.to_owned(),
            flags: Vec::new(),
            linked: Vec::new(),
            scratch: scratch.to_owned(),
            code: Vec::new(),
        };
        program.take(last, file)?;
        let original = std::fs::read_to_string(&program.source).map_err(Error::file(program.source.display()))?;
        program.code = program.code(&original, &program.place("original")?)?;
        Ok(program)
    }

    /// Takes the last command apart: the program's other files become objects.
    fn take(&mut self, command: &str, tests: &Path) -> Result<(), Error> {
        let words: Vec<String> = command.split(' ').skip(1).map(unquoted).collect();
        let mut files = Vec::new();
        let mut at = 0;
        while at < words.len() {
            let word = &words[at];
            at += 1;
            if word == "-o" {
                at += 1;
            } else if word.ends_with(".c") {
                files.extend((self.directory.join(word).file_name() != tests.file_name()).then(|| word.clone()));
            } else if word.starts_with("-l") || word.ends_with(".o") || word.ends_with(".a") {
                self.linked.push(word.clone());
            } else {
                self.flags.push(word.clone());
            }
        }
        let mut objects = Vec::new();
        for (number, file) in files.iter().enumerate() {
            let object = self.scratch.join(format!("part-{number}.o"));
            succeed(self.compiler().args(["-c", file, "-o"]).arg(&object))?;
            objects.push(object.to_string_lossy().into_owned());
        }
        self.linked.splice(0..0, objects);
        Ok(())
    }

    fn compiler(&self) -> Command {
        let mut command = Command::new("timeout");
        command.args([BUILD_SECONDS, "cc", "-w", "-g0", "-O0"]).args(&self.flags).current_dir(&self.directory);
        command
    }

    /// As [`TestProgram::compiler`], for a copy of the source elsewhere.
    fn compiler_of_copies(&self) -> Command {
        let mut command = self.compiler();
        let folder = self.source.parent().unwrap_or(Path::new("."));
        for folder in [folder, &self.directory, &self.folder] {
            command.arg("-iquote").arg(folder);
        }
        command
    }

    /// What its tests said when they were judged in `place`.
    pub fn said(&self, place: &str) -> String {
        std::fs::read(self.scratch.join(place).join("said"))
            .map_or_else(|_| String::new(), |text| String::from_utf8_lossy(&text).into_owned())
    }

    fn place(&self, name: &str) -> Result<PathBuf, Error> {
        let place = self.scratch.join(name);
        std::fs::create_dir_all(&place).map_err(Error::file(place.display()))?;
        Ok(place)
    }

    /// What an optimising compiler makes of the source when it reads `text`.
    fn code(&self, text: &str, place: &Path) -> Result<Vec<u8>, Error> {
        let (source, object) = (place.join("code.c"), place.join("code.o"));
        // Its own name is part of the code (`assert`), and must be the same for all.
        let text = format!("#line 1 {:?}\n{text}", self.source.display().to_string());
        std::fs::write(&source, text).map_err(Error::file(source.display()))?;
        succeed(self.compiler_of_copies().args(["-O2", "-c"]).arg(&source).arg("-o").arg(&object))?;
        std::fs::read(&object).map_err(Error::file(object.display()))
    }

    /// What its tests say when the source reads `text`; `place` is a name for a folder to work in.
    pub fn judge(&self, text: &str, place: &str, bounds: &Bounds) -> Result<Fate, Error> {
        let place = self.place(place)?;
        let (mutant, tests, executable) = (place.join("mutant.c"), place.join("tests.c"), place.join("tests"));
        let including = self.text.replacen(&self.include, &format!("#include {:?}", mutant.display().to_string()), 1);
        for (path, text) in [(&mutant, text), (&tests, &including)] {
            std::fs::write(path, text).map_err(Error::file(path.display()))?;
        }
        let mut build = self.compiler_of_copies();
        build.arg(&tests).args(&self.linked).arg("-o").arg(&executable);
        if succeed(&mut build).is_err() {
            return Ok(Fate::Refused);
        }
        let home = place.join("home");
        std::fs::create_dir_all(&home).map_err(Error::file(home.display()))?;
        let said = place.join("said");
        let said = File::create(&said).map_err(Error::file(said.display()))?;
        let started = Start { stdout: said.into(), ..Start::new(&executable, &home, bounds) }.start();
        let mut running = started.map_err(|error| Error::Unexpected(error.to_string()))?;
        let end = running.wait(&bounds.deadline.within(RUN)).map_err(|error| Error::Unexpected(error.to_string()))?;
        Ok(match end {
            Some(End::Exited(0)) if self.code(text, &place)? == self.code => Fate::Equivalent,
            Some(End::Exited(0)) => Fate::Survived,
            _ => Fate::Killed,
        })
    }
}

/// The first line of what a test program said that tells of a failure.
pub fn first_failure(said: &str) -> Option<&str> {
    said.lines().find(|line| line.starts_with("FAIL "))
}

/// A word as the shell takes it.
fn unquoted(word: &str) -> String {
    word.strip_prefix('\'').and_then(|word| word.strip_suffix('\'')).unwrap_or(word).replace("'\\''", "'")
}

fn succeed(command: &mut Command) -> Result<(), Error> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.stdin(Stdio::null()).output().map_err(|reason| Error::Missing { program, reason })?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    Err(Error::Unexpected(format!(
        "{command:?}: {}",
        said.lines().find(|line| line.contains("error")).unwrap_or("failed")
    )))
}
