//! A test program → an executable, by the C compiler of choice; and the same commands as text for people.
//!
//! Files of the program keep their own flags and folders. Objects and the executable go to a folder of the caller's.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// One file to compile: where the compiler stands and what it is given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    pub directory: PathBuf,
    pub flags: Vec<String>,
    pub file: PathBuf,
}

/// What makes a test program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Build {
    pub tests: Step,
    /// The program's other files.
    pub others: Vec<Step>,
    pub link_flags: Vec<String>,
}

#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    #[error("cannot start {}: {source}; install a C compiler or name another one", compiler.display())]
    NoCompiler { compiler: PathBuf, source: std::io::Error },
    #[error("{}: does not compile as a test program:\n{stderr}", file.display())]
    Failed { file: PathBuf, stderr: String },
}

impl Build {
    /// Makes `executable` with `compiler` and `extra` flags (`-fcoverage-mapping`, ...). Objects are left beside it.
    pub fn make(&self, compiler: &Path, extra: &[&str], executable: &Path) -> Result<(), BuildError> {
        let mut objects: Vec<OsString> = Vec::new();
        for (number, step) in self.others.iter().chain([&self.tests]).enumerate() {
            let object = executable.with_extension(format!("{number}.o"));
            let mut command = Command::new(compiler);
            command.current_dir(&step.directory).args(["-w", "-g", "-O0", "-c"]).args(extra).args(&step.flags);
            run(command.arg(absolute(&step.directory, &step.file)).arg("-o").arg(&object), compiler, &step.file)?;
            objects.push(object.into());
        }
        let mut command = Command::new(compiler);
        command.current_dir(&self.tests.directory).args(extra).args(&objects).args(&self.link_flags);
        run(command.args(["-lm", "-pthread", "-o"]).arg(executable), compiler, &self.tests.file)
    }

    /// The commands a person types.
    pub fn shown(&self) -> Vec<String> {
        let directory = &self.tests.directory;
        let tests = shorten(directory, &self.tests.file);
        let program = tests.strip_suffix(".c").unwrap_or(&tests).to_string();
        let run = if program.starts_with('/') { program.clone() } else { format!("./{program}") };
        let alike = |step: &Step| step.directory == *directory && step.flags == self.tests.flags;
        let mut lines = vec![format!("cd {}", quoted(&directory.to_string_lossy()))];
        let mut words = vec!["cc".to_string()];
        words.extend(self.tests.flags.iter().map(|flag| quoted(flag)));
        for (number, step) in self.others.iter().enumerate() {
            if alike(step) {
                words.push(quoted(&step.file.to_string_lossy()));
                continue;
            }
            let object = format!("{program}.{number}.o");
            let flags: String = step.flags.iter().map(|flag| format!(" {}", quoted(flag))).collect();
            let file = shorten(directory, &absolute(&step.directory, &step.file));
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

fn run(command: &mut Command, compiler: &Path, file: &Path) -> Result<(), BuildError> {
    let output = command.output().map_err(|source| BuildError::NoCompiler { compiler: compiler.to_owned(), source })?;
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
