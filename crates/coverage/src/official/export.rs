//! What `llvm-cov export` prints, as types. Its lists stand for records: each row here names the columns of one.

use crate::Count;
use serde::Deserialize;

/// The whole text; everything we do not read is left out.
#[derive(Debug, Deserialize)]
pub(super) struct Export {
    pub data: Vec<Program>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Program {
    pub functions: Vec<Function>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Function {
    /// A static function is `unit.c:name`.
    pub name: String,
    /// The file of its body first, then one entry for each macro or file that is expanded in it.
    pub filenames: Vec<String>,
    pub regions: Vec<Region>,
    /// In the body and in all that is expanded there.
    pub branches: Vec<Branch>,
    /// There since LLVM 18.
    #[serde(default)]
    pub mcdc_records: Vec<McdcRecord>,
}

/// A piece of text that is executed as a whole: `[line, column, line, column, count, file, expanded file, kind]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "(u32, u32, u32, u32, u64, u32, u32, u32)")]
pub(super) struct Region {
    pub start: Place,
    pub end: Place,
    pub count: u64,
    /// Position in [`Function::filenames`].
    pub file: u32,
    /// For [`EXPANSION`]: what is expanded there, as such a position.
    pub expanded: u32,
    pub kind: u32,
}

/// Line and column, from 1.
pub(super) type Place = (u32, u32);

/// Kinds of regions (`CounterMappingRegion::RegionKind`).
pub(super) const EXPANSION: u32 = 1;
pub(super) const SKIPPED: u32 = 2;
pub(super) const GAP: u32 = 3;

impl From<(u32, u32, u32, u32, u64, u32, u32, u32)> for Region {
    fn from(row: (u32, u32, u32, u32, u64, u32, u32, u32)) -> Region {
        let (line, column, last_line, last_column, count, file, expanded, kind) = row;
        Region { start: (line, column), end: (last_line, last_column), count, file, expanded, kind }
    }
}

/// A condition and how often it came out true and false: `[line, column, line, column, true, false, file, expanded file, kind]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "(u32, u32, u32, u32, u64, u64, u32, u32, u32)")]
pub(super) struct Branch {
    counts: [u64; 2],
}

impl From<(u32, u32, u32, u32, u64, u64, u32, u32, u32)> for Branch {
    fn from(row: (u32, u32, u32, u32, u64, u64, u32, u32, u32)) -> Branch {
        Branch { counts: [row.4, row.5] }
    }
}

impl Branch {
    pub fn outcomes(self) -> Count {
        Count { covered: self.counts.iter().filter(|count| **count > 0).count(), total: 2 }
    }
}

/// A decision of several conditions, and which of them were shown to decide it by themselves:
/// `[line, column, line, column, expanded file, kind, [shown, ...]]`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "(u32, u32, u32, u32, u32, u32, Vec<bool>)")]
pub struct McdcRecord {
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub end_column: u32,
    /// In the order of the source.
    pub conditions: Vec<bool>,
}

impl From<(u32, u32, u32, u32, u32, u32, Vec<bool>)> for McdcRecord {
    fn from(row: (u32, u32, u32, u32, u32, u32, Vec<bool>)) -> McdcRecord {
        let (line, column, end_line, end_column, _, _, conditions) = row;
        McdcRecord { line, column, end_line, end_column, conditions }
    }
}

impl McdcRecord {
    pub fn count(&self) -> Count {
        Count { covered: self.conditions.iter().filter(|shown| **shown).count(), total: self.conditions.len() }
    }
}
