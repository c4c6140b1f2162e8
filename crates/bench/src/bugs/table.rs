//! The table of bugs (`benchmarks/bugs/bugs.tsv`) → typed rows: each a patch of a Debian source package, and where its fault lies.

use covet_results::AlarmKind;
use std::str::FromStr;

/// Real bugs that were fixed by a patch of their package.
const TABLE: &str = include_str!("../../../../benchmarks/bugs/bugs.tsv");

/// One bug.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bug {
    /// From 1, in the order of the table.
    pub number: usize,
    pub package: String,
    pub version: String,
    /// The patch that mends it: the tree before it is the buggy one.
    pub patch: String,
    pub id: String,
    pub kind: Kind,
    /// Where the functions are.
    pub file: String,
    pub functions: Vec<String>,
    /// For clang, relative to the tree.
    pub flags: Vec<String>,
    /// A shell command that completes a tree.
    pub prepare: String,
    /// Files that it makes; where they are named, it is run for the first tree alone and they are given to the others.
    pub keep: Vec<String>,
}

/// What goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    OutOfBoundsRead,
    OutOfBoundsWrite,
    NullDereference,
    DivisionByZero,
    UseAfterFree,
    DoubleFree,
    /// One that becomes an access out of bounds.
    IntegerOverflow,
    Assertion,
}

/// The words of the table.
const KINDS: [(&str, Kind); 8] = [
    ("OOB-read", Kind::OutOfBoundsRead),
    ("OOB-write", Kind::OutOfBoundsWrite),
    ("NPD", Kind::NullDereference),
    ("DBZ", Kind::DivisionByZero),
    ("UAF", Kind::UseAfterFree),
    ("double-free", Kind::DoubleFree),
    ("int-overflow", Kind::IntegerOverflow),
    ("assert", Kind::Assertion),
];

impl Kind {
    pub fn text(self) -> &'static str {
        KINDS.iter().find(|(_, kind)| *kind == self).map_or("", |(text, _)| text)
    }

    /// Whether an alarm of this kind may be this bug. Memory that is no longer, or never was, somebody's is told as what it is taken for.
    pub fn fits(self, alarm: AlarmKind) -> bool {
        use AlarmKind::{
            Abort, Assertion, DivisionByZero, DoubleFree, InvalidFree, NullDereference, OutOfBounds, SegmentationFault,
            SignedOverflow, Trap, UseAfterFree,
        };
        let fitting: &[AlarmKind] = match self {
            Kind::OutOfBoundsRead | Kind::OutOfBoundsWrite => &[OutOfBounds, SegmentationFault],
            Kind::NullDereference => &[NullDereference, SegmentationFault],
            Kind::DivisionByZero => &[DivisionByZero, Trap],
            Kind::UseAfterFree | Kind::DoubleFree => &[UseAfterFree, DoubleFree, InvalidFree],
            Kind::IntegerOverflow => &[OutOfBounds, SegmentationFault, SignedOverflow],
            Kind::Assertion => &[Assertion, Abort],
        };
        fitting.contains(&alarm)
    }
}

impl FromStr for Kind {
    type Err = String;

    fn from_str(text: &str) -> Result<Kind, String> {
        let found = KINDS.iter().find(|(word, _)| *word == text).map(|(_, kind)| *kind);
        found.ok_or_else(|| format!("there is no kind `{text}` of bugs"))
    }
}

/// All bugs there are.
pub fn bugs() -> Vec<Bug> {
    // A test reads it, so that it is right.
    parse(TABLE).unwrap_or_default()
}

const COLUMNS: [&str; 10] =
    ["package", "version", "patch", "id", "kind", "file", "functions", "flags", "prepare", "keep"];

fn parse(text: &str) -> Result<Vec<Bug>, String> {
    let mut lines = text.lines();
    let head: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
    if head != COLUMNS {
        return Err(format!("the columns are {}, not {}", COLUMNS.join(", "), head.join(", ")));
    }
    lines
        .enumerate()
        .map(|(at, line)| row(at + 1, line).map_err(|reason| format!("row {}: {reason}", at + 1)))
        .collect()
}

fn row(number: usize, line: &str) -> Result<Bug, String> {
    let cells: Vec<&str> = line.split('\t').collect();
    let [package, version, patch, id, kind, file, functions, flags, prepare, keep] = cells[..] else {
        return Err(format!("{} columns, not {}", cells.len(), COLUMNS.len()));
    };
    let words = |cell: &str| cell.split_whitespace().map(str::to_owned).collect::<Vec<String>>();
    Ok(Bug {
        number,
        package: package.to_owned(),
        version: version.to_owned(),
        patch: patch.to_owned(),
        id: id.to_owned(),
        kind: kind.parse()?,
        file: file.to_owned(),
        functions: functions.split(',').filter(|name| !name.is_empty()).map(str::to_owned).collect(),
        flags: words(flags),
        prepare: prepare.to_owned(),
        keep: words(keep),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_table_can_be_read() {
        let bugs = parse(TABLE).expect("a table");
        let packages: BTreeSet<&str> = bugs.iter().map(|bug| bug.package.as_str()).collect();
        assert_eq!((bugs.len(), packages.len()), (48, 14));
        assert!(bugs.iter().all(|bug| !bug.functions.is_empty() && !bug.patch.is_empty() && !bug.file.is_empty()));
        // Trees are kept by package: all rows of one must mean the same.
        for (one, other) in bugs.iter().zip(bugs.iter().skip(1)).filter(|(one, other)| one.package == other.package) {
            assert_eq!((&one.version, &one.prepare, &one.keep), (&other.version, &other.prepare, &other.keep));
        }
    }

    #[test]
    fn rows_that_are_not_whole_are_refused() {
        let head = COLUMNS.join("\t");
        let row = "p\t1-1\tfix.patch\tCVE-1\tNPD\ta/b.c\tf,g\t-Ia  -DX=\"y\"\ttouch c.h d.h\tc.h d.h";
        let bugs = parse(&format!("{head}\n{row}\n")).expect("a row");
        assert_eq!((bugs[0].number, bugs[0].kind), (1, Kind::NullDereference));
        assert_eq!((bugs[0].functions.join(" "), bugs[0].flags.join(" ")), ("f g".into(), "-Ia -DX=\"y\"".into()));
        assert_eq!((bugs[0].prepare.as_str(), bugs[0].keep.join(" ")), ("touch c.h d.h", "c.h d.h".into()));
        assert!(parse("package\n").is_err());
        assert!(parse(&format!("{head}\np\t1\n")).is_err());
        assert!(parse(&format!("{head}\n{}\n", row.replace("NPD", "typo"))).is_err());
    }
}
