//! What changed since a revision → the functions to look at, and which of their alarms the earlier version shows too.
//!
//! The tests of alarms are run on a build of the tree as it was. One that ends there as it does now shows nothing new; one that ends
//! otherwise, or that cannot be built because what it tests was not there, does.

use crate::confirm::{self, TestBed, TestSources};
use crate::recorded;
use covet_budget::Deadline;
use covet_project::{Changes, Config, Failure};
use covet_results::{Alarm, Meta, Record, Sanitizer, Test};
use covet_scratch::Scratch;
use covet_sites::{Callee, FunctionInfo, FunctionNumber, SiteMap};
use covet_suite::NativeEnd;
use covet_suite::ctest::Flavour;
use covet_suite::replay::Verdict;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The functions that changed, or may mean something else since what they include did; and those that call one that changed.
pub fn touched(map: &SiteMap, changes: &Changes) -> BTreeSet<FunctionNumber> {
    let users = || map.functions.iter().filter(|function| !function.is_model);
    let is_inside = |function: &FunctionInfo, (first, last): (u32, u32)| {
        let (begin, end) = extent(function);
        first <= end && begin <= last
    };
    let has_changed = |function: &&FunctionInfo| {
        changes.lines(Path::new(&function.file)).iter().any(|part| is_inside(function, *part))
    };
    let mut found: BTreeSet<FunctionNumber> = users().filter(has_changed).map(|function| function.number).collect();
    let calls = |function: &&FunctionInfo| {
        let calls = function.blocks.iter().flat_map(|block| &block.calls);
        calls.into_iter().any(|callee| matches!(callee, Callee::Function(number) if found.contains(number)))
    };
    let callers: Vec<FunctionNumber> = users().filter(calls).map(|function| function.number).collect();
    found.extend(callers);
    // Types, macros and variables stand outside of functions.
    let is_outside = |file: &PathBuf| {
        let own: Vec<&FunctionInfo> = users().filter(|function| is_same(Path::new(&function.file), file)).collect();
        let parts = changes.lines(file);
        parts.iter().any(|part| !own.iter().any(|function| is_inside(function, *part)))
    };
    let outside: Vec<PathBuf> = changes.files().filter(|file| is_c(file)).filter(is_outside).collect();
    if !outside.is_empty() {
        let units: BTreeSet<&str> = users().map(|function| function.unit.as_str()).collect();
        let affected: BTreeSet<&str> = units
            .into_iter()
            .filter(|unit| includes(Path::new(unit), &outside, &changes.root, &mut BTreeSet::new()))
            .collect();
        found.extend(
            users().filter(|function| affected.contains(function.unit.as_str())).map(|function| function.number),
        );
    }
    found
}

/// The lines of a function, with the one above its name: its type may stand there.
fn extent(function: &FunctionInfo) -> (u32, u32) {
    let last = function.blocks.iter().flat_map(|block| &block.lines).max().copied().unwrap_or(function.line);
    (function.line.saturating_sub(1), last.max(function.line))
}

fn is_c(file: &Path) -> bool {
    file.extension().is_some_and(|extension| ["c", "h", "i", "inc", "def"].iter().any(|known| extension == *known))
}

fn is_same(a: &Path, b: &Path) -> bool {
    a == b || std::fs::canonicalize(a).is_ok_and(|a| std::fs::canonicalize(b).is_ok_and(|b| a == b))
}

/// Whether a file is one of these or includes one, directly or through others.
fn includes(file: &Path, wanted: &[PathBuf], root: &Path, seen: &mut BTreeSet<PathBuf>) -> bool {
    if wanted.iter().any(|one| is_same(one, file)) {
        return true;
    }
    if !seen.insert(file.to_owned()) {
        return false;
    }
    let text = String::from_utf8_lossy(&std::fs::read(file).unwrap_or_default()).into_owned();
    let named = text.lines().filter_map(|line| {
        let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")?.trim_start();
        rest.get(1..)?.split(['"', '>']).next().map(PathBuf::from)
    });
    let above = file.parent().unwrap_or(root);
    for name in named.collect::<Vec<_>>() {
        if wanted.iter().any(|one| one.ends_with(&name)) {
            return true;
        }
        let places =
            [above.join(&name), root.join(&name), root.join("include").join(&name), root.join("src").join(&name)];
        if let Some(place) = places.iter().find(|place| place.is_file())
            && includes(place, wanted, root, seen)
        {
            return true;
        }
    }
    false
}

/// What the earlier version does with the tests of alarms.
#[derive(Debug, Default)]
pub struct Before {
    /// Ids of alarms that it shows too.
    pub known: BTreeSet<String>,
    /// Alarms of which nothing could be found out, and why.
    pub unknown: usize,
    pub why: Option<String>,
}

/// Runs the tests of a record's alarms on the tree as it was.
pub fn before(config: &Config, record: &Record, changes: &Changes, deadline: &Deadline) -> Result<Before, Failure> {
    let mut before = Before::default();
    let asked: Vec<&Alarm> =
        record.alarms.iter().filter(|alarm| alarm.verdict.is_shown() && alarm.test.is_some()).collect();
    if asked.is_empty() {
        return Ok(before);
    }
    let tree = Scratch::new().map_err(Failure::machine)?;
    let told = earlier(config, record, &asked, changes, (tree.path(), deadline));
    let told = match told {
        Ok(told) => told,
        Err(failure @ (Failure::User(_) | Failure::Cut(_))) => {
            (before.unknown, before.why) = (asked.len(), Some(failure.message().to_string()));
            return Ok(before);
        }
        Err(failure @ (Failure::Tool(_) | Failure::Machine(_))) => return Err(failure),
    };
    for (alarm, said) in asked.iter().zip(told) {
        match said {
            Said::Same => drop(before.known.insert(alarm.id.clone())),
            Said::Otherwise => {}
            Said::Nothing => before.unknown += 1,
        }
    }
    if before.unknown > 0 {
        before.why = Some("the time was up".into());
    }
    Ok(before)
}

/// What the earlier version says of an alarm.
enum Said {
    Same,
    Otherwise,
    Nothing,
}

fn earlier(
    config: &Config,
    record: &Record,
    asked: &[&Alarm],
    changes: &Changes,
    (tree, deadline): (&Path, &Deadline),
) -> Result<Vec<Said>, Failure> {
    changes.restore(tree, deadline)?;
    let moving = Moving { from: changes.root.to_string_lossy().into_owned(), to: tree.to_string_lossy().into_owned() };
    let meta = moving.meta(&record.meta, tree)?;
    let compiled = recorded::compile(&meta, config)?;
    let is_asked = |test: &&Test| asked.iter().any(|alarm| alarm.test.as_ref() == Some(&test.id));
    let tests =
        record.tests.iter().filter(is_asked).map(|test| Test { file: moving.moved(&test.file), ..test.clone() });
    let old = Record { meta, tests: tests.collect(), ..Record::default() };
    let sources = TestSources::of(&compiled);
    let folder = Scratch::new().map_err(Failure::machine)?;
    let mut bed = TestBed::new(&compiled, &sources, folder.path(), recorded::run_time(&old.meta))?;
    bed.settings.memory = recorded::test_memory(&old.meta);
    bed.bounds.deadline = deadline.clone();
    let replay = bed.replayable(&bed.programs(&old), folder.path(), Flavour::Plain)?;
    let ids: Vec<&str> = asked.iter().filter_map(|alarm| alarm.test.as_deref()).collect();
    let verdicts = replay.run_all(&ids).map_err(Failure::tool)?;
    // A test that ended well natively, or in no way that C knows, shows what it shows to sanitizers alone.
    let ended_well = |id: &str| old.tests.iter().any(|test| test.id == id && !test.outcome.ended_badly());
    let is_doubtful = |id: &str, verdict: &Option<Verdict>| match verdict {
        Some(Verdict::Undefined { got }) => !matches!(got, NativeEnd::Died(_)),
        Some(Verdict::Passed) => ended_well(id),
        Some(Verdict::Failed { .. } | Verdict::CouldNotBuild(_) | Verdict::NotRun) | None => false,
    };
    let to_sanitizers: Vec<&str> =
        ids.iter().zip(&verdicts).filter(|(id, verdict)| is_doubtful(id, verdict)).map(|(id, _)| *id).collect();
    let reported = confirm::reported(&bed, &old, &to_sanitizers)?;
    let judged = |(alarm, verdict): (&&Alarm, Option<Verdict>)| {
        let test = alarm.test.as_deref().unwrap_or_default();
        if to_sanitizers.contains(&test) {
            return match reported.get(test) {
                Some(kinds) if kinds.iter().any(|kind| is_reported(alarm, kind)) => Said::Same,
                Some(_) => Said::Otherwise,
                None => Said::Nothing,
            };
        }
        match verdict {
            Some(Verdict::Passed | Verdict::Undefined { .. }) => Said::Same,
            Some(Verdict::Failed { .. } | Verdict::CouldNotBuild(_)) | None => Said::Otherwise,
            Some(Verdict::NotRun) => Said::Nothing,
        }
    };
    Ok(asked.iter().zip(verdicts).map(judged).collect())
}

/// Whether a sanitizer's report is like the one that the alarm has now: the numbers in it may differ.
fn is_reported(alarm: &Alarm, kind: &str) -> bool {
    let first = |text: &str| text.split_whitespace().next().map(str::to_string);
    match &alarm.sanitizer {
        Some(Sanitizer::Confirmed { kind: now, .. }) => first(now) == first(kind),
        Some(Sanitizer::Not(_)) | None => false,
    }
}

/// Paths below one folder become those below another.
struct Moving {
    from: String,
    to: String,
}

impl Moving {
    /// Also where a path stands in a flag or in a list of commands.
    fn moved(&self, text: &str) -> String {
        let mut result = String::new();
        let mut rest = text;
        while let Some(at) = rest.find(&self.from) {
            let (before, after) = (&rest[..at], &rest[at + self.from.len()..]);
            let is_whole = after.chars().next().is_none_or(|next| !(next.is_alphanumeric() || "-_.".contains(next)));
            result += before;
            result += if is_whole { &self.to } else { &self.from };
            rest = after;
        }
        result + rest
    }

    fn meta(&self, meta: &Meta, tree: &Path) -> Result<Meta, Failure> {
        let mut moved = meta.clone();
        for (number, source) in moved.sources.iter_mut().enumerate() {
            let list = Path::new(source.as_str());
            let list = if list.is_dir() { list.join("compile_commands.json") } else { list.to_owned() };
            let is_list = list.extension().is_some_and(|extension| extension == "json") && list.is_file();
            *source = self.moved(source);
            if is_list {
                // It names files by their whole paths, and may stand elsewhere itself.
                let text = std::fs::read_to_string(&list).map_err(Failure::file(&list))?;
                let folder = tree.join(format!(".covet-commands-{number}"));
                std::fs::create_dir_all(&folder).map_err(Failure::file(&folder))?;
                let place = folder.join("compile_commands.json");
                std::fs::write(&place, self.moved(&text)).map_err(Failure::file(&place))?;
                *source = place.to_string_lossy().into_owned();
            }
        }
        moved.flags.iter_mut().for_each(|flag| *flag = self.moved(flag));
        for name in ["directory", "config"] {
            moved.settings.entry(name.to_string()).and_modify(|path| *path = self.moved(path));
        }
        Ok(moved)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_moved_wherever_they_stand() {
        let moving = Moving { from: "/src/p".into(), to: "/tmp/x".into() };
        assert_eq!(moving.moved("-I/src/p/include"), "-I/tmp/x/include");
        assert_eq!(
            moving.moved("\"/src/p\",\"/src/p2/a.c\",\"/src/p-old\""),
            "\"/tmp/x\",\"/src/p2/a.c\",\"/src/p-old\""
        );
        assert_eq!(moving.moved("nothing"), "nothing");
    }

    #[test]
    fn files_are_found_through_what_they_include() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at("include")).unwrap();
        std::fs::write(at("include/low.h"), "int x;\n").unwrap();
        std::fs::write(at("high.h"), "# include <low.h>\n#include \"high.h\"\n").unwrap();
        std::fs::write(at("a.c"), "#include \"high.h\"\n").unwrap();
        std::fs::write(at("b.c"), "#include <stdio.h>\n").unwrap();
        let reaches = |name: &str| includes(&at(name), &[at("include/low.h")], folder.path(), &mut BTreeSet::new());
        assert!(reaches("a.c") && !reaches("b.c") && reaches("include/low.h"));
    }
}
