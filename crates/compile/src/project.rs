//! What the user points at → the units of one program.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use covet_source::{Toolchain, Translation};

use crate::flags::{self, Trust};
use crate::{Error, database};

/// The translation units of one program, in a fixed order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Project {
    pub units: Vec<Translation>,
    /// Libraries and linker flags, for plain builds.
    pub link_flags: Vec<String>,
    /// Flags of compilation databases that were not taken, because they do more than say what the code means.
    pub refused: BTreeSet<String>,
}

impl Project {
    /// Opens C files, folders (all `*.c` and `*.i` below, or their `compile_commands.json`) and compilation databases. Paths are
    /// relative to `directory`; `user_flags` are given to every unit, after those of a database, which are trusted as far as `trust` says.
    pub fn open(
        directory: &Path,
        sources: &[PathBuf],
        user_flags: &[String],
        trust: Trust,
        toolchain: &Toolchain,
    ) -> Result<Project, Error> {
        let directory = fs::canonicalize(directory).map_err(Error::io(directory))?;
        let (mut units, mut refused) = (Vec::new(), BTreeSet::new());
        for source in sources {
            let (more, not_taken) = translations(&directory, source, trust, toolchain)?;
            units.extend(more);
            refused.extend(not_taken);
        }
        let mut seen = BTreeSet::new();
        units.retain(|unit| seen.insert(identity(unit)));
        let paths = units.iter().flat_map(|unit| [&unit.directory, &unit.file]).chain([&directory]);
        if let Some(path) = paths.into_iter().find(|path| path.to_str().is_none()) {
            return Err(Error::NotText { path: path.clone() });
        }
        tell_apart(&mut units);
        let kept = flags::sort(user_flags, None, Trust::Full);
        units.iter_mut().for_each(|unit| unit.flags.extend(kept.compile.iter().cloned()));
        Ok(Project { units, link_flags: kept.link, refused })
    }
}

impl Project {
    /// Folders that may hold shared libraries of the program: those named to the linker.
    pub fn libraries(&self) -> Vec<PathBuf> {
        let mut folders = Vec::new();
        let mut is_next = false;
        for flag in &self.link_flags {
            let listed = flag.strip_prefix("-Wl,").into_iter().flat_map(|list| list.split(',')).map(Path::new);
            folders.extend(listed.filter(|word| word.is_absolute()).map(Path::to_owned));
            match flag.strip_prefix("-L") {
                _ if is_next => folders.push(flag.into()),
                Some(folder) if !folder.is_empty() => folders.push(folder.into()),
                None if flag.contains(".so") => folders.extend(Path::new(flag).parent().map(Path::to_owned)),
                Some(_) | None => {}
            }
            is_next = !is_next && flag == "-L";
        }
        folders.retain(|folder| folder.is_dir());
        folders
    }
}

fn identity(unit: &Translation) -> PathBuf {
    let path = unit.directory.join(&unit.file);
    fs::canonicalize(&path).unwrap_or(path)
}

/// Files of one name in different folders get their whole path: a name is all that tests and results have to go by.
fn tell_apart(units: &mut [Translation]) {
    let names: Vec<PathBuf> = units.iter().map(|unit| unit.file.clone()).collect();
    for unit in units.iter_mut() {
        if names.iter().filter(|name| **name == unit.file).count() > 1 {
            unit.file = unit.directory.join(&unit.file);
        }
    }
}

/// The units of one source, and flags that were refused.
type Found = (Vec<Translation>, BTreeSet<String>);

fn translations(directory: &Path, source: &Path, trust: Trust, toolchain: &Toolchain) -> Result<Found, Error> {
    let path = directory.join(source);
    let plain = |file: PathBuf| Translation { directory: directory.to_owned(), file, flags: Vec::new() };
    if path.is_dir() {
        if let Some(database) = database_in(&path) {
            return from_database(&database, trust, toolchain);
        }
        let files = c_files_below(directory, source)?;
        if files.is_empty() {
            return Err(Error::NoSources { path: source.to_owned() });
        }
        return Ok((files.into_iter().map(plain).collect(), BTreeSet::new()));
    }
    if !path.exists() {
        return Err(Error::NotFound { path: source.to_owned() });
    }
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("json") => from_database(&path, trust, toolchain),
        Some(_) if is_c(&path) => Ok((vec![plain(source.to_owned())], BTreeSet::new())),
        Some(_) | None => Err(Error::NotSource { path: source.to_owned() }),
    }
}

fn database_in(folder: &Path) -> Option<PathBuf> {
    ["compile_commands.json", "build/compile_commands.json"]
        .map(|name| folder.join(name))
        .into_iter()
        .find(|p| p.is_file())
}

fn from_database(path: &Path, trust: Trust, toolchain: &Toolchain) -> Result<Found, Error> {
    let (mut units, refused) = database::read(path, trust)?;
    if units.is_empty() {
        return Err(Error::NoSources { path: path.to_owned() });
    }
    drop_unknown_flags(&mut units, toolchain)?;
    Ok((units, refused))
}

/// C, or C that is preprocessed already.
pub(crate) fn is_c(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "c" || extension == "i")
}

/// All `*.c` and `*.i` below `folder`, sorted, spelled relative to `directory` as the user would. Hidden folders and results of
/// earlier runs are not looked into; links to folders are not followed.
fn c_files_below(directory: &Path, folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut found = Vec::new();
    let mut waiting = vec![if folder == Path::new(".") { PathBuf::new() } else { folder.to_owned() }];
    while let Some(folder) = waiting.pop() {
        let path = directory.join(&folder);
        for entry in fs::read_dir(&path).map_err(Error::io(&path))? {
            let entry = entry.map_err(Error::io(&path))?;
            let name = entry.file_name();
            let kind = entry.file_type().map_err(Error::io(&path))?;
            let hidden = name.as_encoded_bytes().starts_with(b".") || name == "covet-out";
            let spelled = folder.join(&name);
            if kind.is_dir() && !hidden {
                waiting.push(spelled);
            } else if !kind.is_dir() && is_c(&spelled) && !hidden {
                found.push(spelled);
            }
        }
    }
    // What `-save-temps` left beside a file is that file once more.
    let sources: BTreeSet<PathBuf> =
        found.iter().filter(|file| file.extension() != Some("i".as_ref())).cloned().collect();
    found.retain(|file| sources.contains(file) || !sources.contains(&file.with_extension("c")));
    found.sort();
    Ok(found)
}

/// A database may be of gcc and hold flags clang does not know: those are asked for once and dropped.
fn drop_unknown_flags(units: &mut [Translation], toolchain: &Toolchain) -> Result<(), Error> {
    let is_asked = |flag: &str| flag.starts_with("-f") || flag.starts_with("-m") || flag.starts_with("--param");
    let asked: BTreeSet<&String> = units.iter().flat_map(|unit| &unit.flags).filter(|flag| is_asked(flag)).collect();
    if asked.is_empty() {
        return Ok(());
    }
    let program = toolchain.program("clang");
    let mut command = Command::new(&program);
    command.args(["-###", "-c", "-x", "c", "/dev/null", "-o", "/dev/null"]).args(&asked);
    let output = toolchain.run(command)?;
    let stderr = String::from_utf8_lossy(&output.stderr);
    let unknown: BTreeSet<String> =
        stderr.lines().filter(|line| line.contains("error:")).flat_map(quoted_words).map(str::to_owned).collect();
    for unit in units {
        unit.flags.retain(|flag| !unknown.contains(flag));
    }
    Ok(())
}

/// The words clang put in single quotes.
fn quoted_words(line: &str) -> impl Iterator<Item = &str> {
    line.split('\'').skip(1).step_by(2)
}
