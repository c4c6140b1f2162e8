//! What is kept of an exploration: functions with their figures, tests, alarms and where they came from, as plain data.
//!
//! A record names inputs by access path and holds their exact bits, so it means the same on every machine and after the
//! program has been rebuilt. Nothing here depends on how the run was made.

use crate::counters::Counters;
use crate::kind::{AlarmKind, Verdict, words};
use covet_input::{AccessPath, Pointee, Value};
use covet_sites::{Counter, SiteNumber};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Everything one command found.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Record {
    pub meta: Meta,
    /// Wall-clock time of the whole command, and of its phases.
    pub seconds: f64,
    pub phases: Phases,
    /// Why it stopped; none while it goes on, or when it was killed.
    pub stopped: Option<Stopped>,
    pub functions: Vec<FunctionResult>,
    pub tests: Vec<Test>,
    pub alarms: Vec<Alarm>,
    /// Tests that ended otherwise on the plain build.
    pub mismatches: Vec<Mismatch>,
    /// The C test programs, by their names in the output folder.
    pub programs: Vec<String>,
    /// What a person should know besides.
    pub notes: Vec<String>,
}

impl Record {
    /// The counters of all functions.
    pub fn totals(&self) -> Counters {
        let mut totals = Counters::default();
        self.functions.iter().for_each(|function| totals.add(&function.counters));
        totals
    }
}

/// Seconds that the phases of a command took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Phases {
    /// C became linked bitcode.
    pub compile: f64,
    pub instrument: f64,
    pub explore: f64,
    /// Alarms were put to the sanitizers.
    pub confirm: f64,
    /// Tests were run on a plain build.
    pub replay: f64,
    /// llvm-cov measured the suite.
    pub measure: f64,
    pub write: f64,
}

words! {
    /// Why an exploration stopped.
    Stopped("reason to stop") {
        /// Every goal is covered.
        Covered = "covered",
        /// The goals that were asked for were reached.
        Reached = "reached",
        /// No path is left to try.
        Exhausted = "exhausted",
        /// No path is left to try, but something was cut, capped, abandoned or made concrete: [`Counters::incomplete`] says what.
        Incomplete = "incomplete",
        Iterations = "iterations",
        Time = "time",
        Interrupted = "interrupted",
    }
}

/// One function (or program) and how its exploration went.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FunctionResult {
    pub name: String,
    pub file: String,
    pub line: u32,
    /// Why it could not be explored.
    pub failure: Option<String>,
    pub stopped: Option<Stopped>,
    pub seconds: f64,
    pub counters: Counters,
}

/// A test whose native run ended otherwise than the explored one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mismatch {
    pub test: String,
    pub function: String,
    pub file: String,
    pub explored: String,
    pub native: String,
    /// It did not end the same way twice, so it is in no suite.
    pub is_left_out: bool,
}

/// Where a record came from, and what is needed to build the program again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Test {
    /// `f-001`: function and number.
    pub id: String,
    /// The function that was entered.
    pub function: String,
    /// File that defines it, as in [`Meta::sources`]; empty when there is only one candidate.
    pub file: String,
    pub outcome: TestOutcome,
    pub exit_code: Option<i32>,
    pub signal: Option<i32>,
    /// What the entry returned, when that was seen and does not depend on addresses.
    pub returned: Option<Value>,
    /// Access path and value, in order of first use.
    pub inputs: Vec<(String, Value)>,
    /// What each pointer input points at, by its access path. A pointer that is not here points at the elements
    /// named in `inputs`, or is NULL when none is.
    pub pointers: BTreeMap<AccessPath, Pointee>,
    /// What else the plain program was seen to do, whatever the addresses and the contents of fresh memory.
    pub checks: Vec<Check>,
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
            outcome: TestOutcome::Returned,
            exit_code: None,
            signal: None,
            returned: None,
            inputs: Vec::new(),
            pointers: BTreeMap::new(),
            checks: Vec::new(),
            covers: Vec::new(),
            alarm: None,
        }
    }

    pub fn input(&self, name: &str) -> Option<Value> {
        self.inputs.iter().find(|(known, _)| known == name).map(|(_, value)| *value)
    }
}

/// Something that a test finds after the call (or, printed, at its end), in C.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Check {
    pub how: CheckKind,
    /// The expression that is looked at.
    pub what: String,
    /// Its value; of an object that is left as it was, its size.
    pub expected: String,
}

words! {
    /// How a value is compared.
    CheckKind("kind of check") {
        Signed = "signed",
        Unsigned = "unsigned",
        Float = "float",
        Double = "double",
        Pointer = "pointer",
        NotNull = "not-null",
        /// Up to the zero at its end.
        Text = "text",
        Bytes = "bytes",
        /// So many bytes, by their digest: both are what is expected.
        Digest = "digest",
        /// The object is as it was before the call.
        Kept = "kept",
        /// All that was printed, and the first of it.
        Printed = "printed",
        PrintedFirst = "printed-first",
        /// Blocks of the heap that were made and left, less those given back.
        Blocks = "blocks",
    }
}

words! {
    /// How a test ends.
    TestOutcome("outcome") {
        Returned = "returned",
        Crashed = "crashed",
        Timeout = "timeout",
        Exited = "exited",
        /// A check was violated, and the run ended there. What a plain build does from there on is anybody's guess.
        Violated = "violated",
        /// The program would go on asking for inputs: it is made to leave, with code 0, at the first one that the test does not have.
        Cut = "cut",
    }
}

impl TestOutcome {
    pub const fn ended_badly(self) -> bool {
        match self {
            TestOutcome::Crashed | TestOutcome::Timeout | TestOutcome::Violated => true,
            TestOutcome::Returned | TestOutcome::Exited | TestOutcome::Cut => false,
        }
    }
}

/// Something wrong with the program, at a place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alarm {
    pub id: String,
    pub kind: AlarmKind,
    pub function: String,
    pub file: String,
    pub line: u32,
    /// 0 when it is not known.
    pub column: u32,
    /// The whole expression, when it is known.
    pub range: Option<Range>,
    pub verdict: Verdict,
    /// Whether the plain build showed the same.
    pub native: bool,
    /// What a build with sanitizers said, or for kinds they do not know how the plain build ended otherwise; none when there is nothing to say.
    pub sanitizer: Option<Sanitizer>,
    /// Guesses about the input that it depends on.
    pub assumptions: Vec<String>,
    /// Innermost call first.
    pub stack: Vec<Frame>,
    /// Id of the test that shows it.
    pub test: Option<String>,
    /// What was found out about it beyond the run that raised it.
    pub told: Told,
}

/// What is told of an alarm besides its place: how it comes about, and why it is believed or not.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Told {
    /// The same for the same mistake, before and after an edit elsewhere.
    pub fingerprint: String,
    /// The calls that lead there, outermost first, as far as they were followed.
    pub chain: Vec<Step>,
    /// Why it has its verdict, in words: which contexts refuted it, where it was shown.
    pub reason: Option<String>,
    /// The test that shows it through the public interface alone: a C file below the output folder.
    pub public: Option<String>,
    /// A paragraph for a person.
    pub story: String,
    /// Other alarms of the same cause, by their places.
    pub same: Vec<Frame>,
    /// The inputs that what went wrong depends on.
    pub deciding: Vec<Deciding>,
    /// All of these are data that the program has from elsewhere and checks nowhere: callers have no part in it.
    #[serde(skip)]
    pub is_unchecked: bool,
    /// It depends on variables of the program that have other values than at the start.
    #[serde(skip)]
    pub needs_state: bool,
    /// It depends on nothing but data: characters, elements of arrays, what was read.
    #[serde(skip)]
    pub is_data: bool,
    /// The program ends itself there, by a function that is made for it.
    #[serde(skip)]
    pub is_deliberate: bool,
    /// A number that is an argument decides it.
    #[serde(skip)]
    pub is_by_number: bool,
    /// The structures behind arguments whose members decide it.
    #[serde(skip)]
    pub inside: Vec<String>,
    /// The decisions of the run that shows it: sites of this build, and the outcomes taken there.
    #[serde(skip)]
    pub way: Vec<(SiteNumber, u32)>,
}

/// An input that an alarm depends on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deciding {
    /// Its access path.
    pub name: String,
    /// Whether a decision on the way depends on it.
    pub is_checked: bool,
}

/// One call on the way to an alarm.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    pub function: String,
    pub file: String,
    /// Where the next one is called; of the last, where the alarm is.
    pub line: u32,
    /// Under which condition, with the values there, in the words of the source.
    pub condition: Option<String>,
}

impl Alarm {
    /// An alarm of which nothing but its kind is known.
    pub fn new(kind: AlarmKind) -> Alarm {
        Alarm {
            id: String::new(),
            kind,
            function: String::new(),
            file: String::new(),
            line: 0,
            column: 0,
            range: None,
            verdict: Verdict::Likely,
            native: false,
            sanitizer: None,
            assumptions: Vec::new(),
            stack: Vec::new(),
            test: None,
            told: Told::default(),
        }
    }

    /// Whether another alarm tells of the same fault: of one kind at one place. Several pointers may be followed on a line, and any may be NULL.
    pub fn is_same_fault(&self, other: &Alarm) -> bool {
        let is_here = (self.kind, self.line, &self.file) == (other.kind, other.line, &other.file);
        is_here && (self.pointer_column() == other.pointer_column() || self.column == 0 || other.column == 0)
    }

    /// Where the pointer is followed that is NULL, or that leads elsewhere: there may be several on a line. 0 of other kinds of alarms.
    pub fn pointer_column(&self) -> u32 {
        if matches!(self.kind, AlarmKind::NullDereference | AlarmKind::OutOfBounds) { self.column } else { 0 }
    }
}

/// From a place in a file to just before another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Range {
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub end_column: u32,
}

/// What AddressSanitizer and UndefinedBehaviorSanitizer said of an alarm's test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Sanitizer {
    /// A report at the place of the alarm.
    Confirmed { tool: String, kind: String, line: u32 },
    /// Why there is none.
    Not(String),
}

/// A call on the stack.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Frame {
    pub function: String,
    pub file: String,
    pub line: u32,
    pub column: u32,
}
