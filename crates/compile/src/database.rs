//! `compile_commands.json` → translations.
//!
//! Each C file once (its first entry), in the order of the file. Folders are relative to the database's own folder.

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use covet_source::Translation;

use crate::Error;
use crate::flags::{self, Trust};
use crate::project::is_c as is_c_file;

#[derive(serde::Deserialize)]
struct Entry {
    directory: PathBuf,
    file: PathBuf,
    arguments: Option<Vec<String>>,
    command: Option<String>,
}

/// Translations, and the flags that were refused, each once.
pub fn read(path: &Path, trust: Trust) -> Result<(Vec<Translation>, BTreeSet<String>), Error> {
    let wrong = |reason: String| Error::Database { path: path.to_owned(), reason };
    let text = fs::read_to_string(path).map_err(Error::io(path))?;
    let entries: Vec<Entry> =
        serde_json::from_str(&text).map_err(|error| wrong(format!("not a compilation database: {error}")))?;
    let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut seen = HashSet::new();
    let mut translations = Vec::new();
    let mut refused = BTreeSet::new();
    for entry in entries {
        if let Some(translation) = translation(folder, entry, trust, &mut refused).map_err(wrong)? {
            let file = translation.directory.join(&translation.file);
            let identity = fs::canonicalize(&file).map_err(|error| wrong(format!("{}: {error}", file.display())))?;
            if seen.insert(identity) {
                translations.push(translation);
            }
        }
    }
    Ok((translations, refused))
}

/// None for what is not C (C++, assembly).
fn translation(
    folder: &Path,
    entry: Entry,
    trust: Trust,
    refused: &mut BTreeSet<String>,
) -> Result<Option<Translation>, String> {
    let file = entry.file;
    let arguments = match (entry.arguments, entry.command) {
        (Some(arguments), _) => arguments,
        (None, Some(command)) => {
            shlex::split(&command).ok_or_else(|| format!("{}: unbalanced quotes in its command", file.display()))?
        }
        (None, None) => return Err(format!("{}: neither \"arguments\" nor \"command\"", file.display())),
    };
    if !is_c(&file, &arguments) {
        return Ok(None);
    }
    let directory = folder.join(&entry.directory);
    let directory = fs::canonicalize(&directory).map_err(|error| format!("{}: {error}", directory.display()))?;
    let kept = flags::sort(without_compiler(&arguments), Some(&file), trust);
    refused.extend(kept.refused);
    Ok(Some(Translation { directory, file, flags: kept.compile }))
}

fn is_c(file: &Path, arguments: &[String]) -> bool {
    let language = arguments.windows(2).find(|pair| pair[0] == "-x").map(|pair| pair[1].as_str());
    let joined =
        arguments.iter().find_map(|argument| argument.strip_prefix("-x").filter(|language| !language.is_empty()));
    match language.or(joined) {
        Some(language) => matches!(language, "c" | "cpp-output"),
        None => is_c_file(file),
    }
}

/// The command line after `gcc`, `ccache gcc`, `env X=1 cc`: from the first flag or file on.
fn without_compiler(arguments: &[String]) -> &[String] {
    let is_wrapper = |word: &String| {
        matches!(
            Path::new(word).file_name().and_then(|name| name.to_str()),
            Some("ccache" | "distcc" | "sccache" | "env")
        ) || (word.contains('=') && !word.starts_with('-'))
    };
    let wrappers = arguments.iter().take_while(|word| is_wrapper(word)).count();
    arguments.get(wrappers + 1..).unwrap_or(&[])
}
