//! The summary of one `covet hunt` over a tree → its alarms as they can be compared with those of another tree, and how far it got.

use covet_results::{AlarmKind, Verdict};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// What one command showed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Hunted {
    pub alarms: Vec<Sighting>,
    pub functions: Vec<Reached>,
    pub seconds: f64,
    /// What the command said was left out or cut.
    pub notes: Vec<String>,
}

/// An alarm, by what it has in common with the same alarm in another version of the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sighting {
    pub kind: AlarmKind,
    pub verdict: Verdict,
    pub function: String,
    pub file: String,
    pub line: u32,
    /// The line of the source, its blanks as one.
    pub text: String,
    /// The functions that are active, innermost first.
    pub stack: Vec<String>,
    pub assumptions: Vec<String>,
    pub reason: Option<String>,
    /// The rest of that line from the place on: several pointers may be followed on a line.
    #[serde(default)]
    pub rest: String,
    /// How many lines of that text the file has up to there: a patch may mend one of several.
    #[serde(default)]
    pub number: usize,
    /// Whether it is not told by itself, but as another place of the same cause.
    #[serde(default)]
    pub is_grouped: bool,
}

/// How far a function was explored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reached {
    pub name: String,
    pub covered: u64,
    pub branches: u64,
    /// Why it ended, or why it could not be explored.
    pub ended: String,
}

impl Sighting {
    /// The same fault, wherever the line has moved to.
    pub fn is_same(&self, other: &Sighting) -> bool {
        let is_here = (self.kind, &self.function, &self.text) == (other.kind, &other.function, &other.text);
        let is_by_pointer = matches!(self.kind, AlarmKind::NullDereference | AlarmKind::OutOfBounds);
        let is_one_pointer = !is_by_pointer || self.rest == other.rest;
        let is_one_line = self.number == other.number || self.number == 0 || other.number == 0;
        is_here && is_one_line && (is_one_pointer || self.rest.is_empty() || other.rest.is_empty())
    }

    /// Whether it is in one of the functions, or below.
    pub fn is_within(&self, functions: &[String]) -> bool {
        functions.iter().any(|name| self.function == *name || self.stack.contains(name))
    }

    /// Whether it was not refuted.
    pub fn stands(&self) -> bool {
        match self.verdict {
            Verdict::Confirmed | Verdict::Likely | Verdict::Latent => true,
            Verdict::Filtered => false,
        }
    }
}

/// Reads a summary of the tree.
pub fn hunted(summary: &Json, seconds: f64, tree: &Path) -> Hunted {
    let list = |name: &str| summary[name].as_array().into_iter().flatten();
    let mut sources = Sources { tree, texts: BTreeMap::new() };
    Hunted {
        alarms: list("alarms").flat_map(|alarm| sources.sightings(alarm)).collect(),
        functions: list("functions").map(reached).collect(),
        seconds,
        notes: list("notes").filter_map(|note| Some(note.as_str()?.lines().next()?.to_owned())).collect(),
    }
}

fn reached(function: &Json) -> Reached {
    let count = |name: &str| function["branches"][name].as_u64().unwrap_or(0);
    let ended = function["reason"].as_str().or(function["stopped"].as_str()).unwrap_or("failed");
    Reached {
        name: function["name"].as_str().unwrap_or_default().to_owned(),
        covered: count("covered"),
        branches: count("total"),
        ended: ended.lines().next().unwrap_or_default().to_owned(),
    }
}

/// The files of a tree, each read once.
struct Sources<'a> {
    tree: &'a Path,
    texts: BTreeMap<String, Vec<String>>,
}

impl Sources<'_> {
    /// An alarm, and the other places that are told with it: which of them comes first may differ from tree to tree.
    fn sightings(&mut self, alarm: &Json) -> Vec<Sighting> {
        let Some(first) = self.sighting(alarm) else { return Vec::new() };
        let mut all = vec![first.clone()];
        for place in alarm["same"].as_array().into_iter().flatten() {
            let text = |name: &str| place[name].as_str().unwrap_or_default().to_owned();
            let (file, line) = (text("file"), place["line"].as_u64().unwrap_or(0) as u32);
            let column = place["column"].as_u64().unwrap_or(0) as usize;
            all.push(Sighting {
                function: text("function"),
                text: self.line(&file, line, 0),
                rest: self.line(&file, line, column),
                number: self.number(&file, line),
                file,
                line,
                is_grouped: true,
                ..first.clone()
            });
        }
        all
    }

    fn sighting(&mut self, alarm: &Json) -> Option<Sighting> {
        let text = |name: &str| alarm[name].as_str().unwrap_or_default().to_owned();
        let (file, line) = (text("file"), alarm["line"].as_u64().unwrap_or(0) as u32);
        let frames = alarm["stack"].as_array().into_iter().flatten();
        let assumptions = alarm["assumptions"].as_array().into_iter().flatten();
        let column = alarm["column"].as_u64().unwrap_or(0) as usize;
        Some(Sighting {
            kind: text("kind").parse().ok()?,
            verdict: text("verdict").parse().ok()?,
            function: text("function"),
            text: self.line(&file, line, 0),
            rest: self.line(&file, line, column),
            number: self.number(&file, line),
            file,
            line,
            stack: frames.filter_map(|frame| Some(frame["function"].as_str()?.to_owned())).collect(),
            assumptions: assumptions.filter_map(|one| Some(one.as_str()?.to_owned())).collect(),
            reason: alarm["reason"].as_str().map(str::to_owned),
            is_grouped: false,
        })
    }

    /// How many lines are like this one, up to it.
    fn number(&mut self, file: &str, line: u32) -> usize {
        let text = self.line(file, line, 0);
        (1..=line).filter(|other| self.line(file, *other, 0) == text).count()
    }

    /// A line from a column on, its blanks as one.
    fn line(&mut self, file: &str, line: u32, column: usize) -> String {
        let tree = self.tree;
        let read = || {
            let bytes = fs::read(tree.join(file)).unwrap_or_default();
            String::from_utf8_lossy(&bytes).lines().map(str::to_owned).collect()
        };
        let lines: &Vec<String> = self.texts.entry(file.to_owned()).or_insert_with(read);
        let whole = (line as usize).checked_sub(1).and_then(|at| lines.get(at)).map_or("", String::as_str);
        let rest = whole.get(column.saturating_sub(1)..).unwrap_or_default();
        rest.split_whitespace().collect::<Vec<&str>>().join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn alarms_are_known_by_the_text_of_their_line() {
        let tree = tempfile::tempdir().expect("a folder");
        fs::write(tree.path().join("a.c"), "int f(int *p)\n{\n\treturn  *p;\n}\n").expect("a file");
        let same = json!([{"function": "h", "file": "a.c", "line": 1}]);
        let alarm = |line: u32, verdict: &str| {
            json!({"kind": "null-dereference", "verdict": verdict, "function": "g", "file": "a.c", "line": line,
                "stack": [{"function": "g"}, {"function": "f"}], "assumptions": ["NULL"], "reason": null})
        };
        let mut grouped = alarm(3, "latent");
        grouped["same"] = same;
        let summary = json!({
            "alarms": [alarm(3, "likely"), alarm(9, "filtered"), {"kind": "nothing known"}, grouped],
            "functions": [{"name": "f", "branches": {"covered": 1, "total": 2}, "reason": null, "stopped": "time"},
                          {"name": "g", "reason": "broke\ndown"}],
            "notes": ["b.c did not compile\nbecause"],
        });
        let found = hunted(&summary, 1.5, tree.path());
        assert_eq!(found.alarms.len(), 4);
        let (leader, other) = (&found.alarms[2], &found.alarms[3]);
        assert!(!leader.is_grouped && other.is_grouped && other.is_within(&["f".into()]));
        assert_eq!((other.function.as_str(), other.text.as_str()), ("h", "int f(int *p)"));
        assert_eq!((found.alarms[0].text.as_str(), found.alarms[1].text.as_str()), ("return *p;", ""));
        assert!(found.alarms[0].is_within(&["f".into()]) && !found.alarms[0].is_within(&["h".into()]));
        assert!(found.alarms[0].stands() && !found.alarms[1].stands());
        assert_eq!((found.functions[0].ended.as_str(), found.functions[1].ended.as_str()), ("time", "broke"));
        assert_eq!(found.notes, ["b.c did not compile"]);
    }
}
