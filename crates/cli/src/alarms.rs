//! How a run ended becomes the kind of an alarm.

use covet_abi::outcome::{Check, Outcome};
use covet_explore::Execution;
use covet_suite::Ending;

/// Below this address a fault is a NULL pointer with an offset.
const NULL_PAGE: u64 = 4096;

/// A bad access to memory at an address that is not known.
pub const MEMORY_FAULT: &str = "segmentation-fault";

/// The kind of alarm a run raises; none when it ended well.
pub fn kind(execution: &Execution) -> Option<String> {
    let kind = match execution.outcome {
        Outcome::Returned | Outcome::Exited | Outcome::AssumptionFailed => return None,
        Outcome::Signalled => return Some(signal_kind(execution.code, execution.fault)),
        Outcome::Aborted => "abort",
        Outcome::AssertFailed => "assertion",
        Outcome::ErrorReached => "error-reached",
        Outcome::StackOverflow => "stack-overflow",
        Outcome::TimedOut => "timeout",
        Outcome::OutOfMemory => "out-of-memory",
        Outcome::WorkerLost => "lost",
        Outcome::Violated => {
            u16::try_from(execution.code).ok().and_then(Check::from_u16).map_or("violation", Check::text)
        }
    };
    Some(kind.to_string())
}

fn signal_kind(signal: i32, fault: u64) -> String {
    match signal {
        libc::SIGSEGV | libc::SIGBUS if fault < NULL_PAGE => "null-dereference".to_string(),
        libc::SIGSEGV | libc::SIGBUS => "out-of-bounds".to_string(),
        libc::SIGFPE if fault != 0 => "division-overflow".to_string(),
        libc::SIGFPE => "division-by-zero".to_string(),
        libc::SIGABRT => "abort".to_string(),
        libc::SIGILL | libc::SIGTRAP => "trap".to_string(),
        other => format!("signal-{other}"),
    }
}

/// The kind of alarm that a native run raises by its ending alone.
pub fn native_kind(ending: &Ending) -> Option<String> {
    match ending {
        Ending::Returned(_) | Ending::Exited(_) => None,
        // Which address was touched is not known.
        Ending::Died(libc::SIGSEGV | libc::SIGBUS) => Some(MEMORY_FAULT.to_string()),
        Ending::Died(signal) => Some(signal_kind(*signal, 0)),
        Ending::RunsOn => Some("timeout".to_string()),
    }
}

pub fn ended_badly(outcome: covet_suite::Outcome) -> bool {
    match outcome {
        covet_suite::Outcome::Crashed | covet_suite::Outcome::Timeout | covet_suite::Outcome::Violated => true,
        covet_suite::Outcome::Returned | covet_suite::Outcome::Exited => false,
    }
}

/// The signal a native run of the same input ends with.
pub fn native_signal(execution: &Execution) -> Option<i32> {
    match execution.outcome {
        Outcome::Signalled => Some(execution.code),
        Outcome::Aborted | Outcome::AssertFailed | Outcome::ErrorReached => Some(libc::SIGABRT),
        Outcome::StackOverflow => Some(libc::SIGSEGV),
        Outcome::Returned
        | Outcome::Exited
        | Outcome::TimedOut
        | Outcome::OutOfMemory
        | Outcome::AssumptionFailed
        | Outcome::WorkerLost
        | Outcome::Violated => None,
    }
}

#[cfg(test)]
mod tests {
    use super::signal_kind;

    #[test]
    fn faults_near_zero_are_null_pointers() {
        assert_eq!(signal_kind(libc::SIGSEGV, 16), "null-dereference");
        assert_eq!(signal_kind(libc::SIGSEGV, 0x7fff_0000_0000), "out-of-bounds");
        assert_eq!(signal_kind(libc::SIGFPE, 0), "division-by-zero");
        assert_eq!(signal_kind(libc::SIGFPE, u64::from(u32::MAX)), "division-overflow");
        assert_eq!(signal_kind(31, 0), "signal-31");
    }
}
