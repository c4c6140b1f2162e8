//! A run that ended badly becomes an alarm: its kind, the source line, the call stack.
//!
//! Addresses are read through the executable's debug information. Frames of the runtime and of library models are left out, so
//! the first frame is the user's.

use addr2line::Loader;
use covet_abi::outcome::Outcome;
use covet_explore::Execution;
use covet_sites::SiteMap;
use covet_suite::Frame;
use std::collections::BTreeSet;
use std::path::Path;

/// Below this address a fault is a NULL pointer with an offset.
const NULL_PAGE: u64 = 4096;

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
    };
    Some(kind.to_string())
}

fn signal_kind(signal: i32, fault: u64) -> String {
    match signal {
        libc::SIGSEGV | libc::SIGBUS if fault < NULL_PAGE => "null-dereference".to_string(),
        libc::SIGSEGV | libc::SIGBUS => "out-of-bounds".to_string(),
        libc::SIGFPE => "division-by-zero".to_string(),
        libc::SIGABRT => "abort".to_string(),
        libc::SIGILL | libc::SIGTRAP => "trap".to_string(),
        other => format!("signal-{other}"),
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
        | Outcome::WorkerLost => None,
    }
}

/// Reads addresses of one executable.
pub struct Symbols {
    loader: Option<Loader>,
    /// Functions of the user, by symbol.
    users: BTreeSet<String>,
}

impl Symbols {
    pub fn of(executable: &Path, map: &SiteMap) -> Symbols {
        let users = map.functions.iter().filter(|function| !function.is_model).map(|function| function.symbol.clone());
        Symbols { loader: Loader::new(executable).ok(), users: users.collect() }
    }

    /// The call stack of a run, innermost user function first.
    pub fn stack(&self, addresses: &[u64]) -> Vec<Frame> {
        let mut stack = Vec::new();
        for (depth, &address) in addresses.iter().enumerate() {
            // A return address is the one after the call.
            let address = if depth == 0 { address } else { address.saturating_sub(1) };
            stack.extend(self.frames_at(address));
            if stack.len() >= MAX_FRAMES {
                break;
            }
        }
        stack
    }

    fn frames_at(&self, address: u64) -> Vec<Frame> {
        let Some(Ok(mut frames)) = self.loader.as_ref().map(|loader| loader.find_frames(address)) else {
            return vec![];
        };
        let mut found = Vec::new();
        while let Ok(Some(frame)) = frames.next() {
            let symbol = frame.function.as_ref().and_then(|name| name.raw_name().ok()).map(|name| name.into_owned());
            let Some(symbol) = symbol.filter(|symbol| self.is_users(symbol)) else { continue };
            let place = frame.location.as_ref();
            found.push(Frame {
                function: source_name(&symbol),
                file: place.and_then(|place| place.file).unwrap_or_default().to_string(),
                line: place.and_then(|place| place.line).unwrap_or(0),
            });
        }
        found
    }

    fn is_users(&self, symbol: &str) -> bool {
        self.users.contains(symbol) || (symbol == "main" && self.users.contains("__covet_user_main"))
    }
}

const MAX_FRAMES: usize = 64;

fn source_name(symbol: &str) -> String {
    if symbol == "__covet_user_main" { "main".to_string() } else { symbol.to_string() }
}

#[cfg(test)]
mod tests {
    use super::signal_kind;

    #[test]
    fn faults_near_zero_are_null_pointers() {
        assert_eq!(signal_kind(libc::SIGSEGV, 16), "null-dereference");
        assert_eq!(signal_kind(libc::SIGSEGV, 0x7fff_0000_0000), "out-of-bounds");
        assert_eq!(signal_kind(libc::SIGFPE, 0), "division-by-zero");
        assert_eq!(signal_kind(31, 0), "signal-31");
    }
}
