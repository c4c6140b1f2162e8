//! What is in a site map: functions with their blocks, sites with their counters, globals, externals.

use crate::{Counter, DecisionInfo, DecisionLeftOut, FunctionNumber, SiteNumber};
use serde::{Deserialize, Serialize};
use std::path::Path;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SiteMap {
    /// The folder of the project: ids name files from here. Empty: by their whole path.
    pub root: String,
    pub functions: Vec<FunctionInfo>,
    pub sites: Vec<SiteInfo>,
    pub globals: Vec<GlobalInfo>,
    /// Names of functions that are called but have neither body nor model.
    pub externals: Vec<String>,
    pub counters: u32,
    /// In the order of functions, and in each in that of the source.
    pub decisions: Vec<DecisionInfo>,
    pub decisions_left_out: Vec<DecisionLeftOut>,
    /// Condition vectors that the program counts: none unless it was built so.
    pub vectors: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FunctionInfo {
    pub number: FunctionNumber,
    /// Name in the source.
    pub name: String,
    /// Name in the linked module: differs from `name` when two units have a static function of the same name.
    pub symbol: String,
    /// The file that holds its text.
    pub file: String,
    /// The file whose compilation made it: another one when its text stands in a header.
    pub unit: String,
    pub line: u32,
    /// Visible in its unit alone.
    pub is_static: bool,
    pub has_driver: bool,
    /// Part of our library models or drivers, not of the user's program.
    pub is_model: bool,
    /// The counter bumped on entry; the counters of its sites follow.
    pub counter_start: Counter,
    pub counter_len: u32,
    /// Basic blocks; block 0 is the entry.
    pub blocks: Vec<BlockInfo>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BlockInfo {
    /// Source lines with code in this block, sorted, in the function's file.
    pub lines: Vec<u32>,
    /// Where control goes next, with the counter bumped on the way (none: the edge is unconditional).
    pub successors: Vec<Edge>,
    pub calls: Vec<Callee>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Edge {
    pub block: u32,
    pub counter: Option<Counter>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Callee {
    Function(FunctionNumber),
    Indirect,
    External(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SiteKind {
    /// A conditional branch: counter + 0 is false, + 1 is true.
    Branch,
    /// A condition of a short-circuit operator whose value is stored, not branched on: counters as for `Branch`.
    Condition,
    /// A branch on the kept value of a short-circuit operator, as loops have it: its conditions are sites of their own, so this is
    /// no branch of the source. Counted (as `Branch`) to know which way control went; it makes no events.
    Decided,
    /// A switch: counter + 0 is the default, + 1 ... the cases in order.
    Switch,
    /// An indirect call or jump: no counters.
    Indirect,
    /// A place where a check or a memory access happens: no counters.
    Check,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SiteInfo {
    pub number: SiteNumber,
    pub function: FunctionNumber,
    pub kind: SiteKind,
    pub file: String,
    pub line: u32,
    pub column: u32,
    /// First counter; meaningless when `outcomes` is 0.
    pub counter: Counter,
    pub outcomes: u32,
    /// Case constants of a switch, in counter order (outcome i + 1).
    pub cases: Vec<u64>,
    /// Block of the function that ends in (or holds) this site.
    pub block: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GlobalInfo {
    pub number: u32,
    pub name: String,
    /// Where it is defined, as far as that is known.
    pub file: String,
    pub line: u32,
    pub size: u64,
    pub is_constant: bool,
    pub is_model: bool,
}

impl SiteMap {
    pub fn read(path: &Path) -> std::io::Result<SiteMap> {
        let bytes = std::fs::read(path)?;
        serde_json::from_slice(&bytes).map_err(std::io::Error::other)
    }

    pub fn write(&self, path: &Path) -> std::io::Result<()> {
        std::fs::write(path, serde_json::to_vec(self).map_err(std::io::Error::other)?)
    }

    pub fn function(&self, name: &str) -> Option<&FunctionInfo> {
        self.functions.iter().find(|function| function.name == name && !function.is_model)
    }
}

impl SiteInfo {
    /// The counters of its outcomes, in their order.
    pub fn counters(&self) -> impl DoubleEndedIterator<Item = Counter> + use<> {
        let (first, outcomes) = (self.counter, self.outcomes);
        (0..outcomes).map(move |outcome| first + outcome)
    }
}
