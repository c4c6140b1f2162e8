//! The call log as the worker left it → who called whom, with what.
//!
//! Invariant: what the log does not explain (a run may have written anywhere) is left out; the rest stays in order.

use covet_abi::logs::{CallEvent, CallRecord};
use covet_abi::node::NodeId;
use covet_sites::FunctionNumber;

/// One entry of the call log. Calls nest: what is between the two entries of a call happened in it. A call without its return was open
/// when the run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Call {
    /// `caller` is the innermost user's function, none for the entry.
    Entered {
        caller: Option<FunctionNumber>,
        callee: FunctionNumber,
        arguments: Vec<Argument>,
    },
    Returned {
        callee: FunctionNumber,
    },
}

/// A leaf of an argument: scalars have one, structures one for each scalar in them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Argument {
    /// Its term in the worker's arena; 0 where it is concrete.
    pub expr: NodeId,
    /// Bits; 0 for what is not tracked, whose value is not known.
    pub width: u32,
    pub value: u128,
}

pub fn read(records: &[CallRecord]) -> Vec<Call> {
    let mut calls = Vec::new();
    for event in records.iter().filter_map(CallRecord::unpack) {
        match (event, calls.last_mut()) {
            (CallEvent::Entered { caller, callee }, _) => calls.push(Call::Entered {
                caller: caller.map(FunctionNumber),
                callee: FunctionNumber(callee),
                arguments: Vec::new(),
            }),
            (CallEvent::Argument { expr, width, value }, Some(Call::Entered { arguments, .. })) => {
                arguments.push(Argument { expr, width, value });
            }
            (CallEvent::Argument { .. }, Some(Call::Returned { .. }) | None) => {}
            (CallEvent::Returned { callee }, _) => calls.push(Call::Returned { callee: FunctionNumber(callee) }),
        }
    }
    calls
}
