//! What is kept of an exploration: tests, alarms and where they came from, as plain data.
//!
//! A record names inputs by access path and holds their exact bits, so it means the same on every machine and after the
//! program has been rebuilt. Nothing here depends on how the run was made.

use covet_input::{AccessPath, Pointee, Value};
use covet_sites::Counter;
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::fmt;

/// Everything one command found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record {
    pub meta: Meta,
    pub tests: Vec<Test>,
    pub alarms: Vec<Alarm>,
    /// Totals, per-function figures and whatever else reports want, as they appear in the summary.
    pub statistics: Json,
}

/// Where a record came from, and what is needed to build the program again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Meta {
    pub command: String,
    /// Source files as absolute paths.
    pub sources: Vec<String>,
    /// Compiler flags the user gave.
    pub flags: Vec<String>,
    pub seed: u64,
    pub tool_version: String,
    /// Other settings worth keeping (`stdin`, `size`, ...), by name.
    pub settings: BTreeMap<String, String>,
}

/// One kept run: its input and what the program did with it.
#[derive(Clone, Debug, PartialEq)]
pub struct Test {
    /// `f-001`: function and number.
    pub id: String,
    /// The function that was entered.
    pub function: String,
    /// File that defines it, as in [`Meta::sources`]; empty when there is only one candidate.
    pub file: String,
    pub outcome: Outcome,
    pub exit_code: Option<i32>,
    pub signal: Option<i32>,
    /// What the entry returned, when that was seen and does not depend on addresses.
    pub returned: Option<Value>,
    /// Access path and value, in order of first use.
    pub inputs: Vec<(String, Value)>,
    /// What each pointer input points at, by its access path. A pointer that is not here points at the elements
    /// named in `inputs`, or is NULL when none is.
    pub pointers: BTreeMap<AccessPath, Pointee>,
    /// Numbers of the counters (branches, function entries) this run reached, sorted.
    pub covers: Vec<Counter>,
    /// Index in [`Record::alarms`] of what this test shows.
    pub alarm: Option<usize>,
}

impl Test {
    /// A test of `function` without inputs that returned.
    pub fn new(id: impl Into<String>, function: impl Into<String>) -> Test {
        Test {
            id: id.into(),
            function: function.into(),
            file: String::new(),
            outcome: Outcome::Returned,
            exit_code: None,
            signal: None,
            returned: None,
            inputs: Vec::new(),
            pointers: BTreeMap::new(),
            covers: Vec::new(),
            alarm: None,
        }
    }

    pub fn input(&self, name: &str) -> Option<Value> {
        self.inputs.iter().find(|(known, _)| known == name).map(|(_, value)| *value)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    Returned,
    Crashed,
    Timeout,
    Exited,
    /// A check was violated, and the run ended there. What a plain build does from there on is anybody's guess.
    Violated,
}

impl Outcome {
    pub const ALL: [Outcome; 5] =
        [Outcome::Returned, Outcome::Crashed, Outcome::Timeout, Outcome::Exited, Outcome::Violated];

    pub const fn text(self) -> &'static str {
        match self {
            Outcome::Returned => "returned",
            Outcome::Crashed => "crashed",
            Outcome::Timeout => "timeout",
            Outcome::Exited => "exited",
            Outcome::Violated => "violated",
        }
    }

    pub fn from_text(text: &str) -> Option<Outcome> {
        Outcome::ALL.into_iter().find(|outcome| outcome.text() == text)
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

/// Something wrong with the program, at a place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Alarm {
    pub id: String,
    /// `assertion`, `division-by-zero`, `timeout`, ...
    pub kind: String,
    pub function: String,
    pub file: String,
    pub line: u32,
    /// 0 when it is not known.
    pub column: u32,
    /// The whole expression, when it is known: line and column of its start, and of what follows its end.
    pub range: Option<[u32; 4]>,
    /// `confirmed`, `likely`, `unit-only` or `filtered`.
    pub verdict: String,
    /// Whether the plain build showed the same.
    pub native: bool,
    /// What a build with sanitizers said, or for kinds they do not know how the plain build ended otherwise; none when there is nothing to say.
    pub sanitizer: Option<Sanitizer>,
    pub assumption: Option<String>,
    /// Innermost call first.
    pub stack: Vec<Frame>,
    /// Id of the test that shows it.
    pub test: Option<String>,
}

/// What AddressSanitizer and UndefinedBehaviorSanitizer said of an alarm's test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sanitizer {
    /// A report at the place of the alarm.
    Confirmed { tool: String, kind: String, line: u32 },
    /// Why there is none.
    Not(String),
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    pub function: String,
    pub file: String,
    pub line: u32,
    pub column: u32,
}
