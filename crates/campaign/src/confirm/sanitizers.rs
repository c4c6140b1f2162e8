//! Tests of alarms are run once more on a build with AddressSanitizer and UndefinedBehaviorSanitizer, or with MemorySanitizer (which
//! cannot be in one program with them): what they say at the alarm's place confirms it.
//!
//! Reports are read as text. Addresses in them are made lines here, because the test may start no process that would do it.

use super::TestBed;
use covet_budget::Deadline;
use covet_project::Failure;
use covet_results::{Alarm, AlarmKind, Record, Sanitizer, Test};
use covet_scratch::Scratch;
use covet_source::Toolchain;
use covet_suite::ctest::Flavour;
use covet_suite::replay;
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

/// Kinds of alarms that MemorySanitizer knows.
pub const UNWRITTEN: &[AlarmKind] = &[AlarmKind::Uninitialised];
/// Kinds of alarms that the other two know.
pub const KNOWN: &[AlarmKind] = &[
    AlarmKind::NullDereference,
    AlarmKind::OutOfBounds,
    AlarmKind::SegmentationFault,
    AlarmKind::UseAfterFree,
    AlarmKind::DoubleFree,
    AlarmKind::InvalidFree,
    AlarmKind::DivisionByZero,
    AlarmKind::DivisionOverflow,
    AlarmKind::ShiftOutOfRange,
    AlarmKind::Unreachable,
    AlarmKind::SignedOverflow,
];

pub const OPTIONS: &[(&str, &str)] = &[
    ("ASAN_OPTIONS", "detect_leaks=0:symbolize=0:allocator_may_return_null=1:detect_stack_use_after_return=0"),
    ("UBSAN_OPTIONS", "symbolize=0:print_stacktrace=0"),
    ("MSAN_OPTIONS", "symbolize=0:halt_on_error=0"),
];

/// Asks the sanitizers about every alarm that they can know; a report at its place makes it confirmed. Gives the number of those that there
/// was no time for.
pub fn ask(bed: &TestBed<'_>, record: &mut Record) -> Result<usize, Failure> {
    Ok(ask_about(KNOWN, Flavour::Sanitized, bed, record)? + ask_about(UNWRITTEN, Flavour::Memory, bed, record)?)
}

fn ask_about(kinds: &[AlarmKind], flavour: Flavour, bed: &TestBed<'_>, record: &mut Record) -> Result<usize, Failure> {
    let is_known = |alarm: &Alarm| kinds.contains(&alarm.kind);
    let wanted: BTreeSet<String> =
        record.alarms.iter().filter(|alarm| is_known(alarm)).filter_map(|alarm| alarm.test.clone()).collect();
    if wanted.is_empty() || bed.bounds.deadline.is_over() {
        return Ok(wanted.len());
    }
    let is_wanted = |test: &&Test| wanted.contains(&test.id);
    let chosen = Record { tests: record.tests.iter().filter(is_wanted).cloned().collect(), ..record.clone() };
    let scratch = Scratch::new().map_err(Failure::machine)?;
    let replay = bed.replayable(&bed.programs(&chosen), scratch.path(), flavour)?;
    let symbolizer = Symbolizer { toolchain: &bed.compiled.config.toolchain, deadline: &bed.bounds.deadline };
    let mut known: Vec<&mut Alarm> = record.alarms.iter_mut().filter(|alarm| is_known(alarm)).collect();
    let answers = covet_launch::together(bed.threads, &known, |_, alarm| {
        let Some(test) = &alarm.test else {
            return Ok(Some(Sanitizer::Not("there is no test to run".to_string())));
        };
        match replay.complaints(test, OPTIONS) {
            Ok(Some((executable, text))) => Ok(Some(judge(alarm, &reports(symbolizer, executable, &text)))),
            Ok(None) => Ok(Some(Sanitizer::Not("the test does not compile with sanitizers".to_string()))),
            Err(replay::Error::Cut) => Ok(None),
            Err(error) => Err(Failure::tool(error)),
        }
    });
    let mut unasked = 0;
    for (alarm, answer) in known.iter_mut().zip(answers) {
        let Some(said) = answer? else {
            unasked += 1;
            continue;
        };
        tracing::info!(alarm = %alarm.kind, line = alarm.line, ?said, "sanitizer asked");
        alarm.sanitizer = Some(said);
    }
    Ok(unasked)
}

/// What sanitizers report of these tests: the kinds, by test. A test that there was no time for, or that does not compile so, is left out.
pub fn reported(bed: &TestBed<'_>, record: &Record, tests: &[&str]) -> Result<BTreeMap<String, Vec<String>>, Failure> {
    let mut found = BTreeMap::new();
    if tests.is_empty() {
        return Ok(found);
    }
    let is_wanted = |test: &&Test| tests.contains(&test.id.as_str());
    let chosen = Record { tests: record.tests.iter().filter(is_wanted).cloned().collect(), ..record.clone() };
    let scratch = Scratch::new().map_err(Failure::machine)?;
    let replay = bed.replayable(&bed.programs(&chosen), scratch.path(), Flavour::Sanitized)?;
    let symbolizer = Symbolizer { toolchain: &bed.compiled.config.toolchain, deadline: &bed.bounds.deadline };
    for test in tests {
        match replay.complaints(test, OPTIONS) {
            Ok(Some((executable, text))) => {
                let kinds = reports(symbolizer, executable, &text).into_iter().map(|report| report.kind).collect();
                found.insert(test.to_string(), kinds);
            }
            Ok(None) | Err(replay::Error::Cut) => {}
            Err(error) => return Err(Failure::tool(error)),
        }
    }
    Ok(found)
}

/// What the sanitizers that `executable` was built with say of an alarm, when this is what it wrote.
pub fn said(toolchain: &Toolchain, deadline: &Deadline, executable: &Path, text: &str, alarm: &Alarm) -> Sanitizer {
    judge(alarm, &reports(Symbolizer { toolchain, deadline }, executable, text))
}

/// One report: its tool, what it found, and the places in its call stack.
#[derive(Debug, PartialEq, Eq)]
struct Report {
    tool: &'static str,
    kind: String,
    places: Vec<(String, u32)>,
}

fn judge(alarm: &Alarm, reports: &[Report]) -> Sanitizer {
    let name = |file: &str| Path::new(file).file_name().map(|name| name.to_os_string());
    let is_here = |(file, line): &(String, u32)| *line == alarm.line && name(file) == name(&alarm.file);
    if let Some(report) = reports.iter().find(|report| report.places.iter().any(is_here)) {
        let (tool, kind) = (report.tool.to_string(), report.kind.clone());
        return Sanitizer::Confirmed { tool, kind, line: alarm.line };
    }
    Sanitizer::Not(match reports.first() {
        None => "the sanitizers found nothing wrong".to_string(),
        Some(Report { tool, kind, places }) => {
            let place = places.first().map_or("another place".to_string(), |(file, line)| format!("{file}:{line}"));
            format!("{tool} found {kind} at {place} instead")
        }
    })
}

const STACKED: [(&str, &str); 2] =
    [("AddressSanitizer", "ERROR: AddressSanitizer: "), ("MemorySanitizer", "WARNING: MemorySanitizer: ")];
const UNDEFINED: &str = ": runtime error: ";

fn reports(symbolizer: Symbolizer<'_>, executable: &Path, text: &str) -> Vec<Report> {
    let mut found = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some((place, kind)) = line.split_once(UNDEFINED) {
            let places = source_place(place).into_iter().collect();
            found.push(Report { tool: "UndefinedBehaviorSanitizer", kind: kind.to_string(), places });
        } else if let Some((tool, what)) =
            STACKED.iter().find_map(|(tool, mark)| Some((*tool, line.split_once(mark)?.1)))
        {
            let stack = lines.by_ref().take_while(|line| !line.trim().is_empty());
            let offsets: Vec<String> = stack.filter_map(|line| offset(executable, line)).collect();
            found.push(Report { tool, kind: kind(what), places: symbolizer.places(executable, &offsets) });
        }
    }
    found
}

/// `heap-buffer-overflow on address 0x...` without the address.
fn kind(what: &str) -> String {
    let end = [" on ", " (", ": "].iter().filter_map(|mark| what.find(mark)).min().unwrap_or(what.len());
    what[..end].trim_start_matches("attempting ").to_string()
}

/// `file:line:column`.
fn source_place(text: &str) -> Option<(String, u32)> {
    let mut parts = text.rsplitn(3, ':');
    let (_column, line, file) = (parts.next()?, parts.next()?, parts.next()?);
    Some((file.to_string(), line.parse().ok()?))
}

/// The offset in `    #3 0x55.. (program+0x1234) (BuildId: ...)`, of frames in the program itself.
fn offset(executable: &Path, line: &str) -> Option<String> {
    let rest = line.trim_start().strip_prefix('#')?;
    let (_, rest) = rest.split_once('(')?;
    let (module, rest) = rest.split_once("+0x")?;
    let digits = &rest[..rest.find(')')?];
    (Path::new(module).file_name() == executable.file_name()).then(|| format!("0x{digits}"))
}

/// More than it prints for any stack.
const OUTPUT: usize = 16 << 20;

/// What makes lines of addresses.
#[derive(Clone, Copy)]
struct Symbolizer<'a> {
    toolchain: &'a Toolchain,
    deadline: &'a Deadline,
}

impl Symbolizer<'_> {
    /// The source places of these offsets, inlined calls included.
    fn places(self, executable: &Path, offsets: &[String]) -> Vec<(String, u32)> {
        let mut command = Command::new(self.toolchain.program("llvm-symbolizer"));
        command.args(["--output-style=JSON", "--obj"]).arg(executable).args(offsets.iter().map(|at| before(at)));
        let output = covet_launch::tool(command, self.deadline, OUTPUT).ok();
        let answer = output.and_then(|output| serde_json::from_slice::<Json>(&output.stdout).ok());
        let mut found = Vec::new();
        for symbol in answer.iter().flat_map(|all| all.as_array().into_iter().flatten()) {
            for frame in symbol["Symbol"].as_array().into_iter().flatten() {
                if let (Some(file), Some(line)) = (frame["FileName"].as_str(), frame["Line"].as_u64()) {
                    found.push((file.to_string(), line as u32));
                }
            }
        }
        found
    }
}

/// A return address belongs to the call before it.
fn before(offset: &str) -> String {
    match u64::from_str_radix(offset.trim_start_matches("0x"), 16) {
        Ok(number) => format!("{:#x}", number.saturating_sub(1)),
        Err(_) => offset.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_of_both_sanitizers_are_read() {
        let text = "a.c:7:34: runtime error: shift exponent 32 is too large for 32-bit type 'int'\n\
            ==9==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x50200000001a at pc 0x5 bp 0x7 sp 0x7\n\
            WRITE of size 1 at 0x50200000001a thread T0\n\n";
        let symbolizer = Symbolizer { toolchain: &Toolchain::default(), deadline: &Deadline::default() };
        let found = reports(symbolizer, Path::new("/nowhere/tests"), text);
        assert_eq!(found[0].places, [("a.c".to_string(), 7)]);
        assert_eq!((found[1].tool, found[1].kind.as_str()), ("AddressSanitizer", "heap-buffer-overflow"));
        assert_eq!(kind("attempting double-free on 0x50 in thread T0:"), "double-free");
        assert_eq!(kind("SEGV on unknown address 0x000000000000 (pc 0x55)"), "SEGV");
    }

    #[test]
    fn frames_of_the_program_are_told_from_those_of_libraries() {
        let program = Path::new("/tmp/x/replay-0");
        let own = "    #1 0x5581 (/tmp/x/replay-0+0x12ab) (BuildId: 99)";
        assert_eq!(offset(program, own).as_deref(), Some("0x12ab"));
        assert_eq!(offset(program, "    #2 0x7f (/lib/libc.so.6+0x29d8f)"), None);
    }

    #[test]
    fn a_report_elsewhere_confirms_nothing() {
        let alarm = Alarm { file: "/src/a.c".into(), line: 7, ..Alarm::new(AlarmKind::OutOfBounds) };
        let report =
            |line| Report { tool: "AddressSanitizer", kind: "SEGV".into(), places: vec![("a.c".into(), line)] };
        assert!(matches!(judge(&alarm, &[report(3), report(7)]), Sanitizer::Confirmed { .. }));
        assert!(matches!(judge(&alarm, &[report(3)]), Sanitizer::Not(reason) if reason.contains("a.c:3")));
        assert!(matches!(judge(&alarm, &[]), Sanitizer::Not(_)));
    }
}
