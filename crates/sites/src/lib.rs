//! The site map: what the counters and events of an instrumented program mean in the source.
//!
//! `instrument` writes it beside the executable; everyone else reads it without needing LLVM. Numbers are dense and
//! follow the order of functions in the module and of instructions in a function, so equal sources give equal numbers.

pub mod cfg;
#[cfg(any(test, feature = "testing"))]
pub mod testing;

use serde::{Deserialize, Serialize};
use std::path::Path;

/// Number of a function in the program's function table.
pub type FunctionNumber = u32;
/// Number of a site in [`SiteMap::sites`].
pub type SiteNumber = u32;
/// Index of a branch counter.
pub type Counter = u32;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SiteMap {
    pub functions: Vec<FunctionInfo>,
    pub sites: Vec<SiteInfo>,
    pub globals: Vec<GlobalInfo>,
    /// Names of functions that are called but have neither body nor model.
    pub externals: Vec<String>,
    pub counters: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FunctionInfo {
    pub number: FunctionNumber,
    /// Name in the source.
    pub name: String,
    /// Name in the linked module: differs from `name` when two units have a static function of the same name.
    pub symbol: String,
    pub file: String,
    pub line: u32,
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
    Decision,
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
