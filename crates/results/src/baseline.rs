//! Alarms that are known ↔ a file of their fingerprints, which outlive edits elsewhere.
//!
//! One alarm a line: its fingerprint, and for people what it was and where. Lines that begin with `#` are comments. The summary of `--json`
//! and a results folder serve as well.

use crate::record::Alarm;
use crate::store::{self, Database};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Known alarms: what each was, by its fingerprint.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline(BTreeMap<String, String>);

/// Why there is no baseline to be had.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{}: {source}", path.display())]
    Read { path: PathBuf, source: std::io::Error },
    #[error(transparent)]
    Results(store::Error),
    #[error("{}:{line}: no fingerprint (16 hexadecimal digits) begins this line; a baseline is what --write-baseline or --json writes, or a results folder", path.display())]
    NoFingerprint { path: PathBuf, line: usize },
    #[error("{}: this JSON is no summary of covet: it has no `alarms` with fingerprints", path.display())]
    NoSummary { path: PathBuf },
}

impl Baseline {
    pub fn read(path: &Path) -> Result<Baseline, Error> {
        if path.is_dir() {
            let record = Database::open(path).and_then(|database| database.read()).map_err(Error::Results)?;
            return Ok(Baseline::of(&record.alarms));
        }
        let text = std::fs::read_to_string(path).map_err(|source| Error::Read { path: path.to_owned(), source })?;
        if text.trim_start().starts_with('{') { summary(path, &text) } else { lines(path, &text) }
    }

    pub fn of(alarms: &[Alarm]) -> Baseline {
        let known = alarms.iter().filter(|alarm| !alarm.told.fingerprint.is_empty());
        Baseline(known.map(|alarm| (alarm.told.fingerprint.clone(), described(alarm))).collect())
    }

    pub fn knows(&self, alarm: &Alarm) -> bool {
        self.0.contains_key(&alarm.told.fingerprint)
    }

    /// What was known and is none of these any more.
    pub fn gone(&self, alarms: &[Alarm]) -> Vec<(&str, &str)> {
        let is_gone = |fingerprint: &str| !alarms.iter().any(|alarm| alarm.told.fingerprint == fingerprint);
        let known = self.0.iter().map(|(fingerprint, what)| (fingerprint.as_str(), what.as_str()));
        known.filter(|(fingerprint, _)| is_gone(fingerprint)).collect()
    }

    /// The text of a baseline file.
    pub fn text(&self) -> String {
        let mut text =
            "# Alarms that are known, for `covet ... --baseline`: fingerprint, kind, function, place.\n".to_string();
        for (fingerprint, what) in &self.0 {
            let _ = writeln!(text, "{}", format!("{fingerprint} {what}").trim_end());
        }
        text
    }
}

fn described(alarm: &Alarm) -> String {
    let file = Path::new(&alarm.file).file_name().unwrap_or_default().to_string_lossy();
    let text = format!("{} {} {file}:{}", alarm.kind, alarm.function, alarm.line);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn lines(path: &Path, text: &str) -> Result<Baseline, Error> {
    let mut known = BTreeMap::new();
    for (at, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (fingerprint, what) = line.split_once(' ').unwrap_or((line, ""));
        if !is_fingerprint(fingerprint) {
            return Err(Error::NoFingerprint { path: path.to_owned(), line: at + 1 });
        }
        known.insert(fingerprint.to_string(), what.trim().to_string());
    }
    Ok(Baseline(known))
}

fn summary(path: &Path, text: &str) -> Result<Baseline, Error> {
    let no_summary = || Error::NoSummary { path: path.to_owned() };
    let summary: serde_json::Value = serde_json::from_str(text).map_err(|_| no_summary())?;
    let alarms = summary["alarms"].as_array().ok_or_else(no_summary)?;
    let known = |alarm: &serde_json::Value| {
        let fingerprint = alarm["fingerprint"].as_str().filter(|text| is_fingerprint(text)).ok_or_else(no_summary)?;
        let word = |name: &str| alarm[name].as_str().unwrap_or_default().to_string();
        let kind = word("kind").parse().map_err(|_| no_summary())?;
        let line = alarm["line"].as_u64().unwrap_or(0) as u32;
        let alarm = Alarm { function: word("function"), file: word("file"), line, ..Alarm::new(kind) };
        Ok((fingerprint.to_string(), described(&alarm)))
    };
    Ok(Baseline(alarms.iter().map(known).collect::<Result<_, _>>()?))
}

fn is_fingerprint(text: &str) -> bool {
    text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AlarmKind, Record, Told, summary as summarised};

    fn alarm(fingerprint: &str) -> Alarm {
        let told = Told { fingerprint: fingerprint.into(), ..Told::default() };
        Alarm { function: "f".into(), file: "/src/a.c".into(), line: 7, told, ..Alarm::new(AlarmKind::Abort) }
    }

    #[test]
    fn a_baseline_is_read_back_from_each_of_its_forms() {
        let folder = tempfile::tempdir().unwrap();
        let alarms = [alarm("0123456789abcdef"), alarm("fedcba9876543210")];
        let baseline = Baseline::of(&alarms);
        let file = folder.path().join("known.txt");
        std::fs::write(&file, baseline.text()).unwrap();
        assert_eq!(Baseline::read(&file).unwrap(), baseline);
        let record = Record { alarms: alarms.to_vec(), ..Record::default() };
        std::fs::write(&file, summarised(&record).to_string()).unwrap();
        assert_eq!(Baseline::read(&file).unwrap(), baseline);
        assert_eq!(baseline.gone(&alarms[..1]), [("fedcba9876543210", "abort f a.c:7")]);
        assert!(baseline.knows(&alarms[0]) && !baseline.knows(&alarm("0000000000000000")));
    }

    #[test]
    fn what_is_no_baseline_is_an_error_with_its_place() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("known.txt");
        let told = |text: &str| {
            std::fs::write(&file, text).unwrap();
            Baseline::read(&file).unwrap_err().to_string()
        };
        assert!(told("# fine\n\n0123\n").contains("known.txt:3: no fingerprint"));
        assert!(told("{\"alarms\": 3}").contains("no summary"));
        assert!(Baseline::read(&folder.path().join("none")).unwrap_err().to_string().contains("none"));
        assert!(Baseline::read(folder.path()).is_err());
    }
}
