//! A test program → an executable, by the C compiler of choice; and the same commands as text for people.
//!
//! Files of the program keep their own flags and folders. Objects and the executable go to a folder of the caller's.

use covet_budget::Deadline;
use covet_launch::together;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

/// One file to compile: where the compiler stands and what it is given.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Compilation {
    pub directory: PathBuf,
    pub flags: Vec<String>,
    pub file: PathBuf,
    /// The program's own file that it is, or includes.
    pub source: PathBuf,
}

/// What makes a test program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Build {
    pub tests: Compilation,
    /// The program's other files.
    pub others: Vec<Compilation>,
    pub link_flags: Vec<String>,
}

#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    #[error("{source}; install a C compiler or name another one")]
    NoCompiler { source: covet_launch::Error },
    #[error("{}: not compiled: the time was up", file.display())]
    Cut { file: PathBuf },
    #[error("{}: cannot be written: {source}", file.display())]
    Write { file: PathBuf, source: std::io::Error },
    #[error("{}: does not compile as a test program:\n{stderr}", file.display())]
    Failed { file: PathBuf, stderr: String },
}

/// What a build is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Flavour {
    Plain,
    /// Finds out what can be expected: what C leaves undefined and compilers differ in ends the test. Needs clang.
    Recording,
    /// Counts what is executed, for llvm-cov; needs clang 19. The process that watches a test takes over what it has counted, so one that
    /// crashes or is stopped has counted.
    Coverage,
    /// With AddressSanitizer and UndefinedBehaviorSanitizer.
    Sanitized,
    /// With MemorySanitizer; needs clang.
    Memory,
}

/// A `bool` that is neither 0 nor 1, as a union or made-up bytes may hold, is another value with every compiler.
const RECORDING: [&str; 2] = ["-fsanitize=bool", "-fsanitize-trap=bool"];
const SANITIZERS: [&str; 2] = ["-fsanitize=address,undefined", "-fno-omit-frame-pointer"];
// It goes on after a complaint: parts of the test program itself are beyond its sight.
const MEMORY: [&str; 3] = ["-fsanitize=memory", "-fsanitize-recover=memory", "-fno-omit-frame-pointer"];
const COVERAGE: [&str; 2] = ["-fprofile-instr-generate", "-fcoverage-mapping"];

impl Compilation {
    /// The object of a file that test programs share, in `objects`: made once, whoever comes first. `unfinished` is a name that nobody else uses there.
    fn shared(
        &self,
        compiler: &Path,
        flavour: Flavour,
        objects: &Path,
        unfinished: &str,
        deadline: &Deadline,
    ) -> Result<PathBuf, BuildError> {
        let object = objects.join(format!("{}.o", name_of(self, flavour)));
        if !object.exists() {
            let unfinished = objects.join(unfinished);
            self.compile(compiler, flavour, &unfinished, deadline)?;
            let moved = std::fs::rename(&unfinished, &object);
            moved.map_err(|source| BuildError::Write { file: object.clone(), source })?;
        }
        Ok(object)
    }

    fn compile(&self, compiler: &Path, flavour: Flavour, object: &Path, deadline: &Deadline) -> Result<(), BuildError> {
        let mut command = Command::new(compiler);
        command.current_dir(&self.directory).args(["-w", "-g", "-O0", "-c"]);
        command.args(covet_source::TOLERANT_FLAGS).args(&self.flags);
        match flavour {
            Flavour::Plain => {}
            Flavour::Recording => drop(command.args(RECORDING)),
            Flavour::Sanitized => drop(command.args(SANITIZERS)),
            Flavour::Memory => drop(command.args(MEMORY)),
            Flavour::Coverage => {
                // A static function is known by its file: in its own tests it must keep the name it has in those of others.
                let name = self.source.file_name().unwrap_or_default();
                command.args(COVERAGE).args(["-Xclang", "-main-file-name", "-Xclang"]).arg(name);
            }
        }
        command.arg(absolute(&self.directory, &self.file)).arg("-o").arg(object);
        run(command, &self.file, object, deadline)
    }
}

/// Makes the objects that these builds share, by several threads. What does not compile is told by the builds that need it.
pub fn make_shared(
    builds: &[&Build],
    compiler: &Path,
    flavour: Flavour,
    objects: &Path,
    threads: usize,
    deadline: &Deadline,
) {
    let all: BTreeMap<String, &Compilation> =
        builds.iter().flat_map(|build| &build.others).map(|other| (name_of(other, flavour), other)).collect();
    let all: Vec<(String, &Compilation)> = all.into_iter().collect();
    together(threads, &all, |_, (name, other)| {
        drop(other.shared(compiler, flavour, objects, &format!("{name}.unfinished"), deadline));
    });
}

impl Build {
    /// Makes `executable` with `compiler`. Objects of the program's other files are left in `objects`, where other builds find them.
    pub fn make(
        &self,
        compiler: &Path,
        flavour: Flavour,
        executable: &Path,
        objects: &Path,
        deadline: &Deadline,
    ) -> Result<(), BuildError> {
        let unfinished = format!("{:016x}.unfinished", hash(executable));
        let others = self.others.iter().map(|other| other.shared(compiler, flavour, objects, &unfinished, deadline));
        let mut objects = others.map(|object| object.map(OsString::from)).collect::<Result<Vec<_>, _>>()?;
        let own = executable.with_extension("o");
        self.tests.compile(compiler, flavour, &own, deadline)?;
        objects.push(own.into());
        match self.link(compiler, flavour, &objects, executable, deadline) {
            Err(BuildError::Failed { stderr, .. }) if !undefined(&stderr).is_empty() => {
                objects.push(self.missing(compiler, &undefined(&stderr), executable, deadline)?);
                self.link(compiler, flavour, &objects, executable, deadline)
            }
            other => other,
        }
    }

    fn link(
        &self,
        compiler: &Path,
        flavour: Flavour,
        objects: &[OsString],
        executable: &Path,
        deadline: &Deadline,
    ) -> Result<(), BuildError> {
        let mut command = Command::new(compiler);
        command.current_dir(&self.tests.directory).arg("-w").args(objects).args(&self.link_flags);
        match flavour {
            Flavour::Plain | Flavour::Recording => &mut command,
            Flavour::Coverage => command.arg(COVERAGE[0]),
            Flavour::Sanitized => command.arg(SANITIZERS[0]),
            Flavour::Memory => command.arg(MEMORY[0]),
        };
        command.args(["-lm", "-pthread", "-o"]).arg(executable);
        run(command, &self.tests.file, executable, deadline)
    }

    /// An object with the functions that no file defines: a call crashes, as it did in the recorded run.
    fn missing(
        &self,
        compiler: &Path,
        names: &BTreeSet<String>,
        executable: &Path,
        deadline: &Deadline,
    ) -> Result<OsString, BuildError> {
        let mut text = String::new();
        for (number, name) in names.iter().enumerate() {
            text += &format!("void missing_{number}(void) __asm__(\"{name}\");\n");
            text += &format!("void missing_{number}(void) {{ ((void (*)(void))0)(); }}\n");
        }
        let (file, object) = (executable.with_extension("missing.c"), executable.with_extension("missing.o"));
        std::fs::write(&file, text).map_err(|source| BuildError::Write { file: file.clone(), source })?;
        let mut command = Command::new(compiler);
        command.args(["-w", "-c"]).arg(&file).arg("-o").arg(&object);
        run(command, &file, &object, deadline)?;
        Ok(object.into())
    }

    /// The commands a person types.
    pub fn shown(&self) -> Vec<String> {
        let directory = &self.tests.directory;
        let tests = shorten(directory, &self.tests.file);
        let program = tests.strip_suffix(".c").unwrap_or(&tests).to_string();
        let run = if program.starts_with('/') { program.clone() } else { format!("./{program}") };
        let alike =
            |compilation: &Compilation| compilation.directory == *directory && compilation.flags == self.tests.flags;
        let mut lines = vec![format!("cd {}", quoted(&directory.to_string_lossy()))];
        let mut words = vec!["cc".to_string()];
        let below = format!("-I{}/", directory.display());
        let short = |flag: &String| flag.strip_prefix(&below).map_or(flag.clone(), |rest| format!("-I{rest}"));
        words.extend(self.tests.flags.iter().map(|flag| quoted(&short(flag))));
        for (number, compilation) in self.others.iter().enumerate() {
            if alike(compilation) {
                words.push(quoted(&shorten(directory, &compilation.file)));
                continue;
            }
            let object = format!("{program}.{number}.o");
            let flags: String = compilation.flags.iter().map(|flag| format!(" {}", quoted(flag))).collect();
            let file = shorten(directory, &absolute(&compilation.directory, &compilation.file));
            lines.push(format!("cc -c{flags} {} -o {}", quoted(&file), quoted(&object)));
            words.push(quoted(&object));
        }
        words.push(quoted(&tests));
        words.extend(self.link_flags.iter().map(|flag| quoted(flag)));
        if !self.link_flags.iter().any(|flag| flag == "-lm") {
            words.push("-lm".to_string());
        }
        lines.push(format!("{} -o {} && {}", words.join(" "), quoted(&program), quoted(&run)));
        lines
    }
}

/// A file name for what it makes.
fn name_of(compilation: &Compilation, flavour: Flavour) -> String {
    format!("unit-{:016x}", hash((compilation, flavour)))
}

fn hash(what: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    what.hash(&mut hasher);
    hasher.finish()
}

/// The names that the linker misses: "undefined reference to `f'".
fn undefined(stderr: &str) -> BTreeSet<String> {
    let names =
        stderr.lines().filter_map(|line| line.split_once("undefined reference to `")).filter_map(|(_, rest)| {
            let name = &rest[..rest.find('\'')?];
            name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_').then(|| name.to_string())
        });
    names.collect()
}

/// More than this no compiler has to say.
const OUTPUT: usize = 4 << 20;

/// Runs a command that makes `made` of `file`, and can write beside that only.
fn run(mut command: Command, file: &Path, made: &Path, deadline: &Deadline) -> Result<(), BuildError> {
    let folder = made.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    covet_launch::wall(command.env("TMPDIR", folder), &[folder]);
    let output = covet_launch::tool(command, deadline, OUTPUT).map_err(|source| match source.is_cut() {
        true => BuildError::Cut { file: file.to_owned() },
        false => BuildError::NoCompiler { source },
    })?;
    if output.status.success() {
        return Ok(());
    }
    Err(BuildError::Failed { file: file.to_owned(), stderr: String::from_utf8_lossy(&output.stderr).into_owned() })
}

fn absolute(directory: &Path, file: &Path) -> PathBuf {
    let joined = directory.join(file);
    std::path::absolute(&joined).unwrap_or(joined)
}

fn shorten(directory: &Path, file: &Path) -> String {
    file.strip_prefix(directory).unwrap_or(file).to_string_lossy().into_owned()
}

/// A word for the shell.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=./+,:@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_string()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}
