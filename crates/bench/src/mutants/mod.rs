//! Suites against small edits of the functions they test → how many edits they notice.
//!
//! An edit of which the compiler makes the same code as before is not counted: there is nothing to notice. One that changes nothing
//! anybody could see in another way is counted as one that was not noticed: nobody can tell them apart for sure.

mod edits;
mod program;

pub use edits::Edit;
pub use program::Fate;

use crate::Error;
use crate::command::Place;
use crate::packages::Package;
use covet_launch::Bounds;
use program::TestProgram;
use std::collections::BTreeSet;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Programs that need no network: name and text.
pub const EXAMPLES: [(&str, &str); 2] =
    [("dates", include_str!("../../../../examples/dates.c")), ("grade", include_str!("../../../../examples/grade.c"))];

#[derive(Clone, Debug)]
pub struct Config {
    /// The `covet` whose tests are judged.
    pub covet: PathBuf,
    /// Where packages are kept.
    pub folder: PathBuf,
    pub scratch: PathBuf,
    /// Seconds for the suite of each subject.
    pub seconds: f64,
    /// The packages' suites are those that are in this folder, as [`crate::projects`] left them.
    pub suites: Option<PathBuf>,
    /// Edits of each subject.
    pub count: usize,
    pub seed: u64,
}

/// What one subject showed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    pub subject: String,
    pub tests: usize,
    pub killed: usize,
    pub survived: usize,
    /// Edits that are no C.
    pub refused: usize,
    /// Edits of which the compiler makes the same code.
    pub equivalent: usize,
    /// Test programs that fail as they are: what they would notice says nothing, and edits of their sources are left out.
    pub failing: Vec<String>,
    /// Those that were not noticed: file and line, and the kind of edit.
    pub survivors: Vec<String>,
}

impl Row {
    pub fn percent(&self) -> f64 {
        let all = self.killed + self.survived;
        if all == 0 { 0.0 } else { 100.0 * self.killed as f64 / all as f64 }
    }

    fn count(&mut self, (fate, edit): (Fate, String)) {
        match fate {
            Fate::Killed => self.killed += 1,
            Fate::Refused => self.refused += 1,
            Fate::Equivalent => self.equivalent += 1,
            Fate::Survived => {
                self.survived += 1;
                self.survivors.push(edit);
            }
        }
    }
}

/// The suite of one of the examples against edits of it.
pub fn example((name, text): (&str, &str), config: &Config) -> Result<Row, Error> {
    let place = Place::new(&config.covet, &config.scratch, name)?;
    let file = place.write(name, text)?;
    let summary = explored(name, &place, vec![file.to_string_lossy().into_owned()], &[], config)?;
    measure(name, &place.out(), &summary, config)
}

/// The same of a package.
pub fn package(package: &Package, config: &Config) -> Result<Row, Error> {
    let name = package.name;
    if let Some(folder) = config.suites.as_ref().map(|suites| suites.join(name)) {
        let said = folder.join("stdout");
        let text = std::fs::read_to_string(&said).map_err(Error::file(said.display()))?;
        let summary = serde_json::from_str(&text).map_err(|error| Error::Unexpected(format!("{name}: {error}")))?;
        return measure(name, &folder.join("out"), &summary, config);
    }
    let fetched = package.fetch(&config.folder)?;
    let place = Place::new(&config.covet, &config.scratch, name)?;
    let libraries: Vec<String> = fetched.libraries.iter().map(|path| path.to_string_lossy().into_owned()).collect();
    let summary = explored(name, &place, vec![fetched.database.to_string_lossy().into_owned()], &libraries, config)?;
    measure(name, &place.out(), &summary, config)
}

/// Makes the suite; what the command said.
fn explored(
    name: &str,
    place: &Place,
    sources: Vec<String>,
    libraries: &[String],
    config: &Config,
) -> Result<serde_json::Value, Error> {
    let mut arguments = vec!["cover".to_owned()];
    arguments.extend(sources);
    let (out, seconds) = (place.out(), config.seconds.to_string());
    for word in ["--json", "--out", &out.to_string_lossy(), "--time", &seconds, "--"] {
        arguments.push(word.to_owned());
    }
    arguments.extend(libraries.iter().cloned());
    let observed = place.run(&arguments, Duration::from_secs_f64(config.seconds * 3.0 + 60.0))?;
    if !matches!(observed.exit, Some(0 | 1)) {
        return Err(Error::Unexpected(format!("{name}: {}: {}", observed.end(), observed.last_words())));
    }
    Ok(observed.summary)
}

fn measure(name: &str, out: &Path, summary: &serde_json::Value, config: &Config) -> Result<Row, Error> {
    let tested = tested(summary);
    let mut row = Row {
        subject: name.to_owned(),
        tests: summary["totals"]["tests"].as_u64().unwrap_or(0) as usize,
        ..Row::default()
    };
    let (programs, failing) = passing(programs(out, &config.scratch.join(name).join("mutants"))?)?;
    row.failing = failing;
    let mut candidates = Vec::new();
    for (number, program) in programs.iter().enumerate() {
        let text = std::fs::read_to_string(&program.source).map_err(Error::file(program.source.display()))?;
        for (_, line) in tested.iter().filter(|(file, _)| *file == program.source) {
            candidates.extend(edits::edits(&text, *line).into_iter().map(|edit| (number, edit)));
        }
    }
    shuffle(&mut candidates, config.seed);
    let mut candidates = candidates.into_iter();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    while row.killed + row.survived < config.count {
        let missing = config.count - row.killed - row.survived;
        let next: Vec<(usize, Edit)> = candidates.by_ref().take(threads.min(missing)).collect();
        if next.is_empty() {
            break;
        }
        let judge = |place: usize, (number, edit): &(usize, Edit)| judge(&programs[*number], edit, &place.to_string());
        let fates: Vec<Result<(Fate, String), Error>> = std::thread::scope(|scope| {
            let started: Vec<_> =
                next.iter().enumerate().map(|(place, edit)| scope.spawn(move || judge(place, edit))).collect();
            started.into_iter().map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic))).collect()
        });
        for fate in fates {
            row.count(fate?);
        }
    }
    Ok(row)
}

/// Those that pass as they are, and the names of the others' sources.
fn passing(programs: Vec<TestProgram>) -> Result<(Vec<TestProgram>, Vec<String>), Error> {
    let (mut passing, mut failing) = (Vec::new(), Vec::new());
    for program in programs {
        let text = std::fs::read_to_string(&program.source).map_err(Error::file(program.source.display()))?;
        match program.judge(&text, "original", &Bounds::default())? {
            Fate::Equivalent | Fate::Survived => passing.push(program),
            Fate::Killed => {
                let said = program.said("original");
                let why = program::first_failure(&said).unwrap_or("it does not come to its end");
                failing.push(format!("{} ({why})", program.source.display()));
            }
            Fate::Refused => failing.push(format!("{} (it does not compile)", program.source.display())),
        }
    }
    Ok((passing, failing))
}

/// What became of an edit, and the edit in words.
fn judge(program: &TestProgram, edit: &Edit, place: &str) -> Result<(Fate, String), Error> {
    let text = std::fs::read_to_string(&program.source).map_err(Error::file(program.source.display()))?;
    let (file, line) = (program.source.file_name().unwrap_or_default().to_string_lossy(), edit.line);
    let (from, by) = (text[edit.at.clone()].replace('\n', " "), edit.by.replace('\n', " "));
    let told = format!("{file}:{line}: {}: `{from}` to `{by}`", edit.kind);
    Ok((program.judge(&edit.applied(&text), place, &Bounds::default())?, told))
}

/// Files and lines of the functions that have tests.
fn tested(summary: &serde_json::Value) -> BTreeSet<(PathBuf, usize)> {
    let functions = summary["functions"].as_array().into_iter().flatten();
    let has_tests = |function: &&serde_json::Value| function["tests"].as_u64().unwrap_or(0) > 0;
    let place = |function: &serde_json::Value| {
        let file = std::fs::canonicalize(function["file"].as_str()?).ok()?;
        Some((file, function["line"].as_u64()? as usize))
    };
    functions.filter(has_tests).filter_map(place).collect()
}

/// The test programs in a results folder.
fn programs(out: &Path, scratch: &Path) -> Result<Vec<TestProgram>, Error> {
    let entries = std::fs::read_dir(out).map_err(Error::file(out.display()))?;
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    let is_tests = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        name.starts_with("tests") && name.ends_with(".c")
    };
    files.retain(is_tests);
    files.sort();
    files.iter().enumerate().map(|(number, file)| TestProgram::read(file, &scratch.join(number.to_string()))).collect()
}

/// Another order for every seed, the same for the same one (Fisher and Yates; numbers by splitmix).
fn shuffle<T>(items: &mut [T], seed: u64) {
    let mut state = seed;
    for at in (1..items.len()).rev() {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        items.swap(at, ((mixed ^ (mixed >> 31)) % (at as u64 + 1)) as usize);
    }
}
