//! How a run ended becomes the kind of an alarm; alarms of several entries become one list.

use covet_abi::check::Check;
use covet_abi::termination::Termination;
use covet_explore::Execution;
use covet_project::Prepared;
use covet_results::{Alarm, AlarmKind, Range, Verdict};
use covet_suite::NativeEnd;
use covet_unit::FaultSort;
use std::path::Path;

/// Below this address a fault is a NULL pointer with an offset.
const NULL_PAGE: u64 = 4096;

/// The kind of alarm a run raises; none when it ended well.
pub fn kind(execution: &Execution) -> Option<AlarmKind> {
    Some(match execution.termination {
        Termination::Returned | Termination::Exited | Termination::AssumptionFailed => return None,
        Termination::Signalled => signal_kind(execution.code, execution.fault),
        Termination::Aborted => AlarmKind::Abort,
        Termination::AssertFailed => AlarmKind::Assertion,
        Termination::ErrorReached => AlarmKind::ErrorReached,
        Termination::StackOverflow => AlarmKind::StackOverflow,
        Termination::TimedOut => AlarmKind::Timeout,
        Termination::OutOfMemory => AlarmKind::OutOfMemory,
        Termination::WorkerLost => AlarmKind::Lost,
        Termination::Violated => {
            let check = u16::try_from(execution.code).ok().and_then(Check::from_u16);
            check.map_or(AlarmKind::Violation, AlarmKind::from)
        }
    })
}

/// What kind of fault it is, as far as guesses about the input are concerned.
pub fn fault_sort(kind: AlarmKind) -> FaultSort {
    match kind {
        AlarmKind::NullDereference => FaultSort::Null,
        AlarmKind::Assertion | AlarmKind::Abort => FaultSort::GivenUp,
        AlarmKind::UseAfterFree
        | AlarmKind::DoubleFree
        | AlarmKind::InvalidFree
        | AlarmKind::Timeout
        | AlarmKind::StackOverflow => FaultSort::Sharing,
        AlarmKind::OutOfBounds
        | AlarmKind::SegmentationFault
        | AlarmKind::DivisionByZero
        | AlarmKind::DivisionOverflow
        | AlarmKind::ShiftOutOfRange
        | AlarmKind::SignedOverflow
        | AlarmKind::Uninitialised
        | AlarmKind::Unreachable
        | AlarmKind::ErrorReached
        | AlarmKind::OutOfMemory
        | AlarmKind::Trap
        | AlarmKind::Lost
        | AlarmKind::Violation
        | AlarmKind::Signal(_) => FaultSort::Other,
    }
}

fn signal_kind(signal: i32, fault: u64) -> AlarmKind {
    match signal {
        libc::SIGSEGV | libc::SIGBUS if fault < NULL_PAGE => AlarmKind::NullDereference,
        libc::SIGSEGV | libc::SIGBUS => AlarmKind::OutOfBounds,
        libc::SIGFPE if fault != 0 => AlarmKind::DivisionOverflow,
        libc::SIGFPE => AlarmKind::DivisionByZero,
        libc::SIGABRT => AlarmKind::Abort,
        libc::SIGILL | libc::SIGTRAP => AlarmKind::Trap,
        other => AlarmKind::Signal(other),
    }
}

/// The kind of alarm that a native run raises by its ending alone.
pub fn native_kind(end: &NativeEnd) -> Option<AlarmKind> {
    match end {
        NativeEnd::Returned(_) | NativeEnd::Exited(_) | NativeEnd::Unassumed | NativeEnd::Silent { .. } => None,
        // Which address was touched is not known.
        NativeEnd::Died(libc::SIGSEGV | libc::SIGBUS) => Some(AlarmKind::SegmentationFault),
        NativeEnd::Died(signal) => Some(signal_kind(*signal, 0)),
        NativeEnd::RunsOn { .. } => Some(AlarmKind::Timeout),
    }
}

/// Adds what one entry has found to what others have: the same fault reached from several entries is one alarm, and where one of them
/// needs no guess about its input, that is the one told. Gives the place of each among all.
pub fn add(all: &mut Vec<Alarm>, found: Vec<Alarm>) -> Vec<usize> {
    let place_of = |alarm: Alarm| {
        let known = all.iter().position(|other| other.is_same_fault(&alarm));
        match known {
            Some(at) if is_surer(&alarm, &all[at]) => all[at] = alarm,
            Some(_) => {}
            None => all.push(alarm),
        }
        known.unwrap_or(all.len() - 1)
    };
    found.into_iter().map(place_of).collect()
}

/// Whether an alarm depends on less than another one of the same fault.
fn is_surer(alarm: &Alarm, than: &Alarm) -> bool {
    let is_latent = |alarm: &Alarm| alarm.verdict == Verdict::Latent;
    match (is_latent(alarm), is_latent(than)) {
        (false, true) => true,
        (true, false) => false,
        (true, true) | (false, false) => alarm.assumptions.is_empty() && !than.assumptions.is_empty(),
    }
}

/// The whole expressions of alarms, as far as libclang finds them.
pub fn add_ranges(prepared: &Prepared, alarms: &mut [Alarm]) {
    let same_file = |a: &Path, b: &Path| {
        let real = |path: &Path| std::fs::canonicalize(path).ok();
        real(a).is_some_and(|path| Some(path) == real(b))
    };
    let Ok(parser) = covet_source::Parser::load(&prepared.config.toolchain) else { return };
    for unit in &prepared.project.units {
        let file = unit.directory.join(&unit.file);
        let mut own: Vec<&mut Alarm> = alarms
            .iter_mut()
            .filter(|alarm| alarm.column > 0 && alarm.range.is_none() && same_file(Path::new(&alarm.file), &file))
            .collect();
        let places: Vec<(u32, u32)> = own.iter().map(|alarm| (alarm.line, alarm.column)).collect();
        if places.is_empty() {
            continue;
        }
        for (alarm, found) in own.iter_mut().zip(parser.ranges(unit, &places)) {
            alarm.range = found.map(|found| Range {
                line: found.line,
                column: found.column,
                end_line: found.end_line,
                end_column: found.end_column,
            });
        }
    }
}

/// The signal a native run of the same input ends with.
pub fn native_signal(execution: &Execution) -> Option<i32> {
    match execution.termination {
        Termination::Signalled => Some(execution.code),
        Termination::Aborted | Termination::AssertFailed | Termination::ErrorReached => Some(libc::SIGABRT),
        Termination::StackOverflow => Some(libc::SIGSEGV),
        Termination::Returned
        | Termination::Exited
        | Termination::TimedOut
        | Termination::OutOfMemory
        | Termination::AssumptionFailed
        | Termination::WorkerLost
        | Termination::Violated => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_fault_reached_from_two_entries_is_one_alarm() {
        let alarm = |line, assumption: Option<&str>, test: &str| Alarm {
            file: "a.c".into(),
            line,
            assumptions: assumption.into_iter().map(str::to_string).collect(),
            test: Some(test.into()),
            ..Alarm::new(AlarmKind::OutOfBounds)
        };
        let mut all = vec![];
        assert_eq!(add(&mut all, vec![alarm(3, Some("p points at 8 elements"), "f-1"), alarm(9, None, "f-2")]), [0, 1]);
        assert_eq!(add(&mut all, vec![alarm(9, None, "g-1"), alarm(3, None, "g-2"), alarm(4, None, "g-3")]), [1, 0, 2]);
        // What needs no guess is told.
        assert_eq!((all[0].assumptions.len(), all[0].test.as_deref()), (0, Some("g-2")));
        assert_eq!(all.len(), 3);
    }

    #[test]
    fn faults_near_zero_are_null_pointers() {
        assert_eq!(signal_kind(libc::SIGSEGV, 16), AlarmKind::NullDereference);
        assert_eq!(signal_kind(libc::SIGSEGV, 0x7fff_0000_0000), AlarmKind::OutOfBounds);
        assert_eq!(signal_kind(libc::SIGFPE, 0), AlarmKind::DivisionByZero);
        assert_eq!(signal_kind(libc::SIGFPE, u64::from(u32::MAX)), AlarmKind::DivisionOverflow);
        assert_eq!(signal_kind(31, 0), AlarmKind::Signal(31));
    }
}
