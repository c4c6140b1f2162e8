//! Ids: names of functions and sites that mean the same in the next build, and where they are in this one.
//!
//! A function is called by a file and its name (`src/a.c:f`), a site by its function and its position among the sites of that function
//! (`src/a.c:f#3`), a decision in the same way (`src/a.c:f@1`). Numbers of a build become ids before anything is kept; what was kept becomes numbers again, or is gone.
//!
//! The file of a static function is the one that was compiled, also when its text stands in a header: every unit that includes a
//! header has a function of its own, with counters of its own. (llvm-cov names them so, too.) All other functions exist once in a program and
//! are called by the file that holds their text. Files below the root of the project are written from there. A file
//! that is compiled twice into one program has its statics twice: they are told apart by their order (`src/a.c:f~2`).

use crate::{DecisionNumber, FunctionInfo, FunctionNumber, SiteMap, SiteNumber};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fmt;
use std::path::{Component, Path, PathBuf};
use std::str::FromStr;

/// A function, in this build and the next.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct FunctionId {
    pub file: String,
    pub name: String,
}

/// A site, in this build and the next, as long as its function stays what it is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SiteId {
    pub function: FunctionId,
    /// Its position among the sites of the function.
    pub ordinal: u32,
}

/// A decision, in this build and the next, as long as its function stays what it is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct DecisionId {
    pub function: FunctionId,
    /// Its position among the decisions of the function.
    pub ordinal: u32,
}

/// The ids of one site map, to look up both ways.
#[derive(Clone, Debug)]
pub struct Ids {
    functions: Vec<FunctionId>,
    function_numbers: HashMap<FunctionId, FunctionNumber>,
    sites: Parts<SiteNumber>,
    decisions: Parts<DecisionNumber>,
}

/// Things that functions have, each with its function and its position among those of that function.
#[derive(Clone, Debug)]
struct Parts<N> {
    places: Vec<(FunctionNumber, u32)>,
    /// By function, ascending.
    numbers: Vec<Vec<N>>,
}

impl<N: Copy> Parts<N> {
    fn of(functions: usize, all: impl Iterator<Item = (N, FunctionNumber)>) -> Parts<N> {
        let mut parts = Parts { places: Vec::new(), numbers: vec![Vec::new(); functions] };
        for (number, function) in all {
            let own = &mut parts.numbers[function.index()];
            parts.places.push((function, own.len() as u32));
            own.push(number);
        }
        parts
    }

    fn number(&self, function: FunctionNumber, ordinal: u32) -> Option<N> {
        self.numbers[function.index()].get(ordinal as usize).copied()
    }
}

impl SiteMap {
    /// The ids of everything here. To be made once and asked often.
    pub fn ids(&self) -> Ids {
        let count = self.functions.len();
        let mut ids = Ids {
            functions: Vec::with_capacity(count),
            function_numbers: HashMap::with_capacity(count),
            sites: Parts::of(count, self.sites.iter().map(|site| (site.number, site.function))),
            decisions: Parts::of(count, self.decisions.iter().map(|decision| (decision.number, decision.function))),
        };
        for function in &self.functions {
            let mut id = FunctionId { file: file_of(function, &self.root), name: function.name.clone() };
            let mut copies = 1;
            while ids.function_numbers.contains_key(&id) {
                copies += 1;
                id.name = format!("{}~{copies}", function.name);
            }
            ids.function_numbers.insert(id.clone(), function.number);
            ids.functions.push(id);
        }
        ids
    }
}

impl Ids {
    pub fn function_id(&self, number: FunctionNumber) -> Option<&FunctionId> {
        self.functions.get(number.index())
    }

    pub fn function_number(&self, id: &FunctionId) -> Option<FunctionNumber> {
        self.function_numbers.get(id).copied()
    }

    pub fn site_id(&self, number: SiteNumber) -> Option<SiteId> {
        let (function, ordinal) = *self.sites.places.get(number.index())?;
        Some(SiteId { function: self.function_id(function)?.clone(), ordinal })
    }

    pub fn site_number(&self, id: &SiteId) -> Option<SiteNumber> {
        self.sites.number(self.function_number(&id.function)?, id.ordinal)
    }

    pub fn decision_id(&self, number: DecisionNumber) -> Option<DecisionId> {
        let (function, ordinal) = *self.decisions.places.get(number.index())?;
        Some(DecisionId { function: self.function_id(function)?.clone(), ordinal })
    }

    pub fn decision_number(&self, id: &DecisionId) -> Option<DecisionNumber> {
        self.decisions.number(self.function_number(&id.function)?, id.ordinal)
    }
}

fn file_of(function: &FunctionInfo, root: &str) -> String {
    let file = if function.is_static { &function.unit } else { &function.file };
    below(file, root)
}

/// The file as seen from the root.
fn below(file: &str, root: &str) -> String {
    let plain = without_detours(Path::new(file));
    let below = (!root.is_empty()).then(|| plain.strip_prefix(without_detours(Path::new(root))).ok()).flatten();
    below.unwrap_or(&plain).to_string_lossy().into_owned()
}

impl FunctionId {
    /// The function `name` of a file, which is named from `root` where it is below.
    pub fn from_root(file: &str, name: &str, root: &str) -> FunctionId {
        FunctionId { file: below(file, root), name: name.to_owned() }
    }
}

/// `a/./b/../c` is `a/c`: a build in another folder may write the same file in another way.
fn without_detours(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if matches!(plain.components().next_back(), Some(Component::Normal(_))) => {
                plain.pop();
            }
            Component::ParentDir | Component::Normal(_) | Component::RootDir | Component::Prefix(_) => {
                plain.push(component);
            }
        }
    }
    plain
}

impl fmt::Display for FunctionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.name)
    }
}

impl fmt::Display for SiteId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}#{}", self.function, self.ordinal)
    }
}

impl fmt::Display for DecisionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.function, self.ordinal)
    }
}

/// A text that is no id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadId(String);

impl fmt::Display for BadId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is none of FILE:FUNCTION, FILE:FUNCTION#SITE and FILE:FUNCTION@DECISION", self.0)
    }
}

impl std::error::Error for BadId {}

impl FromStr for FunctionId {
    type Err = BadId;

    fn from_str(text: &str) -> Result<FunctionId, BadId> {
        // A file may have colons in its name, a function has none.
        match text.rsplit_once(':') {
            Some((file, name)) if !name.is_empty() => Ok(FunctionId { file: file.to_owned(), name: name.to_owned() }),
            Some(_) | None => Err(BadId(text.to_owned())),
        }
    }
}

impl FromStr for SiteId {
    type Err = BadId;

    fn from_str(text: &str) -> Result<SiteId, BadId> {
        let (function, ordinal) = split(text, '#')?;
        Ok(SiteId { function, ordinal })
    }
}

impl FromStr for DecisionId {
    type Err = BadId;

    fn from_str(text: &str) -> Result<DecisionId, BadId> {
        let (function, ordinal) = split(text, '@')?;
        Ok(DecisionId { function, ordinal })
    }
}

/// A function, and a number behind `mark`.
fn split(text: &str, mark: char) -> Result<(FunctionId, u32), BadId> {
    let bad = || BadId(text.to_owned());
    let (function, ordinal) = text.rsplit_once(mark).ok_or_else(bad)?;
    Ok((function.parse().map_err(|_| bad())?, ordinal.parse().map_err(|_| bad())?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Conditions, Counter, DecisionInfo, SiteInfo, SiteKind};

    fn function(number: u32, name: &str, symbol: &str, file: &str, unit: &str, is_static: bool) -> FunctionInfo {
        FunctionInfo {
            number: FunctionNumber(number),
            name: name.into(),
            symbol: symbol.into(),
            file: file.into(),
            unit: unit.into(),
            is_static,
            line: 1,
            has_driver: false,
            is_model: false,
            counter_start: Counter(0),
            counter_len: 1,
            blocks: vec![],
        }
    }

    fn site(number: u32, function: u32) -> SiteInfo {
        SiteInfo {
            number: SiteNumber(number),
            function: FunctionNumber(function),
            kind: SiteKind::Branch,
            file: String::new(),
            line: 1,
            column: 1,
            counter: Counter(0),
            outcomes: 0,
            cases: vec![],
            block: 0,
        }
    }

    fn map() -> SiteMap {
        SiteMap {
            root: "/p".into(),
            functions: vec![
                function(0, "f", "f", "/p/src/a.c", "/p/src/a.c", true),
                function(1, "f", "f.3", "/p/src/b.c", "/p/src/b.c", true),
                function(2, "min", "min", "/p/inc/m.h", "/p/src/a.c", true),
                function(3, "min", "min.4", "/p/inc/m.h", "/p/build/../src/b.c", true),
                function(4, "shared", "shared", "/p/inc/m.h", "/p/src/b.c", false),
                function(5, "f", "f.9", "/p/src/a.c", "/p/src/a.c", true),
                function(6, "g", "g", "/usr/include/x.h", "/p/src/a.c", false),
            ],
            sites: vec![site(0, 0), site(1, 1), site(2, 0), site(3, 1), site(4, 0)],
            ..SiteMap::default()
        }
    }

    #[test]
    fn every_function_has_an_id_of_its_own_that_leads_back() {
        let map = map();
        let ids = map.ids();
        let texts: Vec<String> =
            map.functions.iter().map(|info| ids.function_id(info.number).unwrap().to_string()).collect();
        assert_eq!(
            texts,
            [
                "src/a.c:f",
                "src/b.c:f",
                "src/a.c:min",
                "src/b.c:min",
                "inc/m.h:shared",
                "src/a.c:f~2",
                "/usr/include/x.h:g"
            ]
        );
        for (info, text) in map.functions.iter().zip(&texts) {
            assert_eq!(ids.function_number(&text.parse().unwrap()), Some(info.number));
        }
        assert_eq!(ids.function_number(&"src/c.c:f".parse().unwrap()), None);
        assert_eq!(ids.function_id(FunctionNumber(7)), None);
    }

    #[test]
    fn a_site_is_counted_within_its_function() {
        let map = map();
        let ids = map.ids();
        let texts: Vec<String> = map.sites.iter().map(|site| ids.site_id(site.number).unwrap().to_string()).collect();
        assert_eq!(texts, ["src/a.c:f#0", "src/b.c:f#0", "src/a.c:f#1", "src/b.c:f#1", "src/a.c:f#2"]);
        for (site, text) in map.sites.iter().zip(&texts) {
            assert_eq!(ids.site_number(&text.parse().unwrap()), Some(site.number));
        }
        assert_eq!(ids.site_number(&"src/a.c:f#3".parse().unwrap()), None, "no such site any more");
        assert_eq!(ids.site_id(SiteNumber(5)), None);
    }

    #[test]
    fn a_decision_is_counted_within_its_function() {
        let decision = |number, function| DecisionInfo {
            number: DecisionNumber(number),
            function: FunctionNumber(function),
            file: String::new(),
            line: 1,
            column: 1,
            conditions: Conditions::default(),
            vectors: None,
        };
        let map = SiteMap { decisions: vec![decision(0, 0), decision(1, 0), decision(2, 1)], ..map() };
        let ids = map.ids();
        let texts: Vec<String> = (0..3).map(|at| ids.decision_id(DecisionNumber(at)).unwrap().to_string()).collect();
        assert_eq!(texts, ["src/a.c:f@0", "src/a.c:f@1", "src/b.c:f@0"]);
        for (number, text) in (0..).zip(&texts) {
            assert_eq!(ids.decision_number(&text.parse().unwrap()), Some(DecisionNumber(number)));
        }
        assert_eq!(ids.decision_number(&"src/b.c:f@1".parse().unwrap()), None);
        assert!("src/b.c:f#1".parse::<DecisionId>().is_err());
    }

    #[test]
    fn other_functions_before_it_change_nothing() {
        let (before, mut after) = (map(), map());
        after.functions.insert(0, function(0, "new", "new", "/p/src/a.c", "/p/src/a.c", false));
        (0..).zip(&mut after.functions).for_each(|(number, function)| function.number = FunctionNumber(number));
        after.sites.insert(0, site(0, 0));
        (0..).zip(&mut after.sites).for_each(|(number, site)| site.number = SiteNumber(number));
        after.sites[1..].iter_mut().for_each(|site| site.function = FunctionNumber(site.function.0 + 1));
        let (old, new) = (before.ids(), after.ids());
        for site in &before.sites {
            let there = new.site_number(&old.site_id(site.number).unwrap()).unwrap();
            assert_eq!(there, SiteNumber(site.number.0 + 1));
        }
    }

    #[test]
    fn ids_survive_being_written() {
        for text in ["src/a.c:f", "a:b#c.c:f"] {
            let id: FunctionId = text.parse().unwrap();
            assert_eq!(id.to_string(), text);
            assert_eq!(serde_json::from_str::<FunctionId>(&serde_json::to_string(&id).unwrap()).unwrap(), id);
        }
        let id: SiteId = "src/a#1.c:f#3".parse().unwrap();
        assert_eq!((id.function.file.as_str(), id.ordinal, id.to_string().as_str()), ("src/a#1.c", 3, "src/a#1.c:f#3"));
        assert_eq!(serde_json::from_str::<SiteId>(&serde_json::to_string(&id).unwrap()).unwrap(), id);
        for text in ["f", "a.c:", "a.c:f#", "a.c:f#x", "f#1"] {
            assert!(text.parse::<SiteId>().is_err(), "{text}");
        }
        assert!("f".parse::<FunctionId>().is_err() && "a.c:".parse::<FunctionId>().is_err());
    }
}
