//! A run that ended badly becomes an alarm: its kind, the source line, the call stack.
//!
//! Addresses are read through the executable's debug information. Frames of the runtime and of library models are left out, so
//! the first frame is the user's.

use covet_abi::outcome::{Check, Outcome};
use covet_explore::Execution;
use covet_sites::SiteMap;
use covet_source::Toolchain;
use covet_suite::{Ending, Frame};
use serde_json::Value as Json;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

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

/// Reads addresses of one executable, through llvm's symbolizer. Each address is asked about once.
pub struct Symbols {
    tool: PathBuf,
    executable: PathBuf,
    /// Functions of the user, by symbol.
    users: BTreeSet<String>,
    known: RefCell<BTreeMap<u64, Vec<Frame>>>,
}

impl Symbols {
    pub fn of(executable: &Path, map: &SiteMap) -> Symbols {
        let users = map.functions.iter().filter(|function| !function.is_model).map(|function| function.symbol.clone());
        Symbols {
            tool: Toolchain::default().program("llvm-symbolizer"),
            executable: executable.to_owned(),
            users: users.collect(),
            known: RefCell::default(),
        }
    }

    /// The call stack of a run, innermost user function first.
    pub fn stack(&self, addresses: &[u64]) -> Vec<Frame> {
        // A return address is the one after the call, which may be the next line or function. The first address is the
        // faulting one itself, or a return address too: one byte earlier is in the same instruction or in the one before.
        let places: Vec<u64> = addresses.iter().take(MAX_FRAMES).map(|address| address.saturating_sub(1)).collect();
        let mut known = self.known.borrow_mut();
        let missing: Vec<u64> = places.iter().copied().filter(|place| !known.contains_key(place)).collect();
        if !missing.is_empty() {
            let found = self.ask(&missing).unwrap_or_default();
            known.extend(missing.into_iter().map(|place| (place, found.get(&place).cloned().unwrap_or_default())));
        }
        places.iter().flat_map(|place| known[place].iter().cloned()).collect()
    }

    /// The user's frames at each address; none when the tool does not answer.
    fn ask(&self, addresses: &[u64]) -> Option<BTreeMap<u64, Vec<Frame>>> {
        let mut found = self.frames(addresses)?;
        for (address, frames) in found.iter_mut().filter(|(_, frames)| frames.iter().any(|frame| frame.line == 0)) {
            self.place(*address, frames);
        }
        Some(found)
    }

    fn frames(&self, addresses: &[u64]) -> Option<BTreeMap<u64, Vec<Frame>>> {
        let mut command = Command::new(&self.tool);
        command.args(["--output-style=JSON", "--no-demangle", "--obj"]).arg(&self.executable);
        command.args(addresses.iter().map(|address| format!("{address:#x}")));
        let answer: Json = serde_json::from_slice(&command.output().ok()?.stdout).ok()?;
        let mut found = BTreeMap::new();
        for entry in answer.as_array()? {
            let address = entry["Address"].as_str()?.strip_prefix("0x")?;
            let frames = entry["Symbol"].as_array()?.iter().filter_map(|symbol| self.frame(symbol));
            found.insert(u64::from_str_radix(address, 16).ok()?, frames.collect());
        }
        Some(found)
    }

    /// Gives frames without a line (an instruction that stands for several) that of the nearest instruction of their function.
    fn place(&self, address: u64, frames: &mut [Frame]) {
        let near = (1..NEIGHBOURHOOD).flat_map(|distance| [address.saturating_sub(distance), address + distance]);
        let near: Vec<u64> = near.collect();
        let around = self.frames(&near).unwrap_or_default();
        for frame in frames.iter_mut().filter(|frame| frame.line == 0) {
            let is_same = |other: &&Frame| other.function == frame.function && other.line != 0;
            let neighbours = near.iter().filter_map(|place| around.get(place)).flatten();
            if let Some(neighbour) = neighbours.clone().find(is_same) {
                *frame = neighbour.clone();
            }
        }
    }

    fn frame(&self, symbol: &Json) -> Option<Frame> {
        let name = symbol["FunctionName"].as_str().filter(|name| self.users.contains(*name))?;
        Some(Frame {
            function: source_name(name),
            file: symbol["FileName"].as_str().unwrap_or_default().to_string(),
            line: symbol["Line"].as_u64().unwrap_or(0) as u32,
            column: symbol["Column"].as_u64().unwrap_or(0) as u32,
        })
    }
}

/// How far around an instruction without a line one with a line is looked for, in bytes.
const NEIGHBOURHOOD: u64 = 200;
const MAX_FRAMES: usize = 64;

/// The name in the source: `main` was renamed to leave room for ours.
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
        assert_eq!(signal_kind(libc::SIGFPE, u64::from(u32::MAX)), "division-overflow");
        assert_eq!(signal_kind(31, 0), "signal-31");
    }
}
