//! The two richer logs of a run, kept where its request asks for them: how control flowed, and who called whom with what.
//!
//! The control-flow log is the sequence of counters that the user's functions bump, one `u32` each: entries and outcomes, so also how
//! often each loop went round. The call log says of every call of a user's function which one called it, the shadows and values of its
//! arguments, and where it returned:
//!
//! ```text
//! Entered { caller: f, callee: g }      32 bytes each, like all of these
//! Argument { expr: 17, width: 32, value: 5 }
//! Argument { expr: 0, width: 64, value: 0x7f00_0000_1000 }
//! Entered { caller: g, callee: h }
//! Returned { callee: h }
//! Returned { callee: g }
//! ```
//!
//! Callers are the innermost user's function that has not returned, whatever library code stands between (a comparison called by `qsort`).
//! A function that a `longjmp` leaves has returned; one that the run's end leaves has not. Both logs are bounded: what no longer
//! fits is left out, and [`crate::shared::ResultFlags`] say so. Records are written before their count, so a run that dies leaves a
//! valid prefix.

use crate::node::NodeId;

/// A set of logs, one bit each.
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Logs(pub u32);

impl Logs {
    pub const NONE: Logs = Logs(0);
    pub const CONTROL_FLOW: Logs = Logs(1);
    pub const CALLS: Logs = Logs(1 << 1);

    pub const fn with(self, logs: Logs) -> Logs {
        Logs(self.0 | logs.0)
    }

    /// Whether one of `logs` is in the set.
    pub const fn has(self, logs: Logs) -> bool {
        self.0 & logs.0 != 0
    }
}

/// One entry of the call log. Functions are numbers of the program's table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CallEvent {
    Entered {
        caller: Option<u32>,
        callee: u32,
    },
    /// The next leaf of the arguments of the function just entered. Not tracked: width 0.
    Argument {
        expr: NodeId,
        width: u32,
        value: u128,
    },
    Returned {
        callee: u32,
    },
}

/// A [`CallEvent`] in shared memory.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CallRecord {
    kind: u32,
    a: u32,
    b: u32,
    pad: u32,
    low: u64,
    high: u64,
}

const ENTERED: u32 = 1;
const ARGUMENT: u32 = 2;
const RETURNED: u32 = 3;
/// Stands for "called from outside" in a record.
const NOBODY: u32 = u32::MAX;

impl CallEvent {
    pub fn pack(self) -> CallRecord {
        let record =
            |kind, a, b, bits: u128| CallRecord { kind, a, b, pad: 0, low: bits as u64, high: (bits >> 64) as u64 };
        match self {
            CallEvent::Entered { caller, callee } => record(ENTERED, callee, caller.unwrap_or(NOBODY), 0),
            CallEvent::Argument { expr, width, value } => record(ARGUMENT, expr, width, value),
            CallEvent::Returned { callee } => record(RETURNED, callee, 0, 0),
        }
    }
}

impl CallRecord {
    /// None for what is no entry of the log.
    pub fn unpack(&self) -> Option<CallEvent> {
        Some(match self.kind {
            ENTERED => CallEvent::Entered { caller: (self.b != NOBODY).then_some(self.b), callee: self.a },
            ARGUMENT => {
                let value = u128::from(self.low) | u128::from(self.high) << 64;
                CallEvent::Argument { expr: self.a, width: self.b, value }
            }
            RETURNED => CallEvent::Returned { callee: self.a },
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_survive_their_records() {
        for event in [
            CallEvent::Entered { caller: None, callee: 3 },
            CallEvent::Entered { caller: Some(0), callee: u32::MAX },
            CallEvent::Argument { expr: 9, width: 128, value: u128::MAX - 1 },
            CallEvent::Argument { expr: 0, width: 0, value: 0 },
            CallEvent::Returned { callee: 7 },
        ] {
            assert_eq!(event.pack().unpack(), Some(event));
        }
        assert_eq!(CallRecord::default().unpack(), None);
    }

    #[test]
    fn logs_are_apart() {
        let all = [Logs::CONTROL_FLOW, Logs::CALLS];
        for set in all {
            assert!(all.iter().all(|asked| Logs::NONE.with(set).has(*asked) == (set == *asked)));
        }
    }
}
