//! A profile ↔ a file. It says which version wrote it; what cannot be read says why and what to do.

use crate::profile::{FunctionProfile, Profile, Run};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

/// What every file of this version begins with.
const SCHEMA: &str = "covet/profile/1";

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{}: {reason}", file.display())]
    Io { file: PathBuf, reason: std::io::Error },
    #[error("{}: not a call profile ({reason}); record one with `covet profile --out {} -- COMMAND`", file.display(), file.display())]
    Damaged { file: PathBuf, reason: String },
    #[error("{}: written as {schema:?}, and this version reads {SCHEMA:?}; record it again with `covet profile`", file.display())]
    Version { file: PathBuf, schema: String },
}

#[derive(Serialize, Deserialize)]
struct Written {
    schema: String,
    functions: Vec<FunctionProfile>,
    runs: Vec<WrittenRun>,
    #[serde(default)]
    runs_left_out: u64,
}

#[derive(Serialize, Deserialize)]
struct WrittenRun {
    times: u64,
    #[serde(flatten)]
    run: Run,
}

/// Read before anything else of a file.
#[derive(Deserialize)]
struct Heading {
    schema: String,
}

impl Profile {
    pub fn read(file: &Path) -> Result<Profile, Error> {
        let bytes = std::fs::read(file).map_err(|reason| Error::Io { file: file.to_owned(), reason })?;
        let damaged = |reason: String| Error::Damaged { file: file.to_owned(), reason };
        let heading: Heading = serde_json::from_slice(&bytes).map_err(|error| damaged(error.to_string()))?;
        if heading.schema != SCHEMA {
            return Err(Error::Version { file: file.to_owned(), schema: heading.schema });
        }
        let written: Written = serde_json::from_slice(&bytes).map_err(|error| damaged(error.to_string()))?;
        from_written(written).map_err(damaged)
    }

    /// Writes the whole file or leaves it as it is.
    pub fn write(&self, file: &Path) -> Result<(), Error> {
        let failed = |reason: std::io::Error| Error::Io { file: file.to_owned(), reason };
        let runs = self.runs.iter().map(|(run, times)| WrittenRun { times: *times, run: run.clone() });
        let written = Written {
            schema: SCHEMA.to_string(),
            functions: self.functions.clone(),
            runs: runs.collect(),
            runs_left_out: self.runs_left_out,
        };
        let mut unfinished = file.as_os_str().to_owned();
        unfinished.push(".unfinished");
        let mut out = BufWriter::new(std::fs::File::create(&unfinished).map_err(failed)?);
        serde_json::to_writer(&mut out, &written).map_err(|error| failed(error.into()))?;
        out.flush().map_err(failed)?;
        std::fs::rename(&unfinished, file).map_err(failed)
    }
}

fn from_written(written: Written) -> Result<Profile, String> {
    let mut profile = Profile { runs_left_out: written.runs_left_out, ..Profile::default() };
    for function in written.functions {
        if profile.places.contains_key(&function.id) {
            return Err(format!("{} is there twice", function.id));
        }
        let place = profile.place(&function.id);
        profile.functions[place as usize] = function;
    }
    let count = profile.functions.len() as u32;
    let mut runs: BTreeMap<Run, u64> = BTreeMap::new();
    for WrittenRun { times, mut run } in written.runs {
        let named = run.roots.iter().chain(run.edges.iter().flat_map(|(from, to)| [from, to]));
        if let Some(unknown) = named.copied().find(|place| *place >= count) {
            return Err(format!("a run calls function {unknown} of {count}"));
        }
        run.settle();
        *runs.entry(run).or_default() += times;
    }
    profile.runs = runs;
    Ok(profile)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Argument, Numbers, Pointers, State};
    use covet_sites::FunctionId;

    #[test]
    fn a_profile_reads_back_and_damage_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("p");
        let (main, f) = ("a.c:main".parse::<FunctionId>().unwrap(), "a.c:f".parse::<FunctionId>().unwrap());
        let mut profile = Profile::default();
        profile.add_run([(None, &main), (Some(&main), &f)]);
        profile.functions[1].arguments = vec![
            Argument::Number(Numbers { least: -1, most: 7, least_unsigned: 0, most_unsigned: u64::MAX }),
            Argument::Pointer(Pointers::default()),
            Argument::Other,
        ];
        profile.functions[1].states.push(State { arguments: vec![7, 0], ..State::default() });
        profile.write(&file).unwrap();
        assert_eq!(Profile::read(&file).unwrap(), profile);
        let text = std::fs::read_to_string(&file).unwrap();
        let told = |text: &str| {
            std::fs::write(&file, text).unwrap();
            Profile::read(&file).unwrap_err().to_string()
        };
        assert!(told(&text[..text.len() / 2]).contains("not a call profile"));
        assert!(told("").contains("not a call profile"));
        assert!(told(&text.replace("profile/1", "profile/9")).contains("covet/profile/9"));
        assert!(told(&text.replace("\"edges\":[[0,1]]", "\"edges\":[[0,4]]")).contains("function 4 of 2"));
        assert!(told(&text.replace("\"f\"", "\"main\"")).contains("twice"));
        assert!(matches!(Profile::read(&folder.path().join("none")), Err(Error::Io { .. })));
    }
}
