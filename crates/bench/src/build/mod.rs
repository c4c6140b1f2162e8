//! How long do builds take? Programs that are hard on a compiler, built from nothing, beside `clang -O1` on the same file.

pub mod programs;

use crate::Error;
use covet_abi::check::Checks;
use covet_budget::Deadline;
use covet_project::{Config as Project, Parts, Request, Times};
use covet_settings::Settings;
use programs::Kind;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// Instrumentation and code generation together take at most so many times as long as `clang -O1`.
pub const MOST: f64 = 10.0;

#[derive(Clone, Debug)]
pub struct Config {
    pub scratch: PathBuf,
    /// Only these programs, if any are named.
    pub names: Vec<String>,
    /// Programs are smaller by this factor.
    pub smaller: usize,
}

/// One program. All times are seconds of wall-clock.
#[derive(Clone, Debug)]
pub struct Row {
    pub name: &'static str,
    pub what: &'static str,
    pub size: usize,
    /// `clang -O1 -c`, the better of two.
    pub clang: f64,
    /// Parsing, drivers, bitcode.
    pub compile: f64,
    pub instrument: f64,
    pub generate: f64,
    pub link: f64,
    /// Instrumentation and code generation after an edit of one number near the end of the file.
    pub edited: f64,
    /// Parts of the program whose code was there after the edit, of all.
    pub known: (usize, usize),
}

/// Seconds until a one-line file can be explored.
#[derive(Clone, Copy, Debug)]
pub struct Start {
    /// With an empty cache.
    pub cold: f64,
    /// For the second time.
    pub warm: f64,
}

impl Start {
    /// Seconds that are allowed.
    pub const MOST: Start = Start { cold: 0.5, warm: 0.25 };

    pub fn is_within(&self) -> bool {
        self.cold <= Start::MOST.cold && self.warm <= Start::MOST.warm
    }
}

impl Row {
    pub fn ratio(&self) -> f64 {
        (self.instrument + self.generate) / self.clang
    }

    pub fn is_within(&self) -> bool {
        self.ratio() <= MOST
    }
}

/// How long a one-line file takes to start, the better of two.
pub fn start(config: &Config) -> Result<Start, Error> {
    let timed = |folder: &Path, file: &Path| -> Result<f64, Error> {
        let began = Instant::now();
        prepare(folder, file)?;
        Ok(began.elapsed().as_secs_f64())
    };
    let mut best = Start { cold: f64::INFINITY, warm: f64::INFINITY };
    for _ in 0..2 {
        let folder = tempfile::tempdir_in(&config.scratch).map_err(Error::file(config.scratch.display()))?;
        let file = folder.path().join("program.c");
        std::fs::write(&file, "int f(int x) { return x > 3 ? 1 : 0; }\n").map_err(Error::file(file.display()))?;
        best.cold = best.cold.min(timed(folder.path(), &file)?);
        best.warm = best.warm.min(timed(folder.path(), &file)?);
    }
    Ok(best)
}

/// Builds each program with an empty cache.
pub fn build(config: &Config, deadline: &Deadline, each: impl Fn(&Row)) -> Result<Vec<Row>, Error> {
    let is_wanted = |kind: &&Kind| config.names.is_empty() || config.names.iter().any(|name| name == kind.name);
    let mut rows = Vec::new();
    for kind in programs::KINDS.iter().filter(is_wanted) {
        if deadline.is_over() {
            break;
        }
        let row = one(kind, config)?;
        each(&row);
        rows.push(row);
    }
    Ok(rows)
}

fn one(kind: &Kind, config: &Config) -> Result<Row, Error> {
    let folder = tempfile::tempdir_in(&config.scratch).map_err(Error::file(config.scratch.display()))?;
    let (folder, size) = (folder.path(), (kind.size / config.smaller).max(10));
    let file = folder.join("program.c");
    let text = (kind.text)(size);
    std::fs::write(&file, &text).map_err(Error::file(file.display()))?;
    let clang = clang(&file)?.min(clang(&file)?);
    let began = Instant::now();
    let fresh = prepare(folder, &file)?;
    let whole = began.elapsed().as_secs_f64();
    std::fs::write(&file, edited(&text)).map_err(Error::file(file.display()))?;
    let again = prepare(folder, &file)?;
    let built = |times: Option<Times>| times.ok_or_else(|| Error::Unexpected("nothing was built".to_owned()));
    let (fresh, again) = (built(fresh)?, built(again)?);
    let [instrument, generate, link] = [fresh.rewrite, fresh.generate, fresh.link].map(|time| time.as_secs_f64());
    Ok(Row {
        name: kind.name,
        what: kind.what,
        size,
        clang,
        compile: whole - instrument - generate - link,
        instrument,
        generate,
        link,
        edited: (again.rewrite + again.generate).as_secs_f64(),
        known: (again.known, again.parts),
    })
}

/// What rewriting, generating code and linking took; nothing when it was done before.
fn prepare(folder: &Path, file: &Path) -> Result<Option<Times>, Error> {
    let config = Project::new(folder, folder.join("cache"));
    let (sources, settings) = ([file.to_owned()], Settings::default());
    let jobs = std::thread::available_parallelism().map_or(2, usize::from);
    let request = Request {
        config: &config,
        sources: &sources,
        flags: &[],
        parts: Parts::Some,
        jobs,
        settings: &settings,
        checks: Checks::usual(),
        program: None,
    };
    Ok(covet_project::prepare(&request)?.times)
}

fn clang(file: &Path) -> Result<f64, Error> {
    let program = covet_source::Toolchain::default().program("clang");
    let began = Instant::now();
    let mut command = Command::new(&program);
    command.args(["-O1", "-w", "-c"]).arg(file).arg("-o").arg(file.with_extension("o"));
    let status =
        command.status().map_err(|reason| Error::Missing { program: program.display().to_string(), reason })?;
    match status.success() {
        true => Ok(began.elapsed().as_secs_f64()),
        false => Err(Error::Unexpected(format!("clang does not take {}", file.display()))),
    }
}

/// The text with another digit where the last number ends.
fn edited(text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let is_number =
        |at: usize| bytes[at].is_ascii_digit() && !bytes[at - 1].is_ascii_alphanumeric() && bytes[at - 1] != b'_';
    let last = (1..bytes.len()).rev().find(|at| is_number(*at)).expect("every program has a number");
    bytes[last] = if bytes[last] == b'1' { b'2' } else { b'1' };
    String::from_utf8(bytes).expect("programs are ASCII")
}

#[cfg(test)]
mod tests {
    use super::edited;

    #[test]
    fn one_number_is_edited() {
        assert_eq!(edited("int f1(int a) { return a + 7; }"), "int f1(int a) { return a + 1; }");
    }
}
