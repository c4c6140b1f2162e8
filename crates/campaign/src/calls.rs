//! The call log of a run → who called whom in it, each pair once.

use covet_execute::Call;
use covet_profile::Profile;
use covet_sites::{FunctionNumber, Ids};
use std::collections::BTreeSet;

/// The calls of one run: caller, none for the entry, and callee.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct RunCalls(BTreeSet<(Option<FunctionNumber>, FunctionNumber)>);

impl RunCalls {
    pub fn of(log: &[Call]) -> RunCalls {
        let edge = |call: &Call| match call {
            Call::Entered { caller, callee, .. } => Some((*caller, *callee)),
            Call::Returned { .. } => None,
        };
        RunCalls(log.iter().filter_map(edge).collect())
    }

    /// Adds this run to a profile.
    pub fn join(&self, ids: &Ids, profile: &mut Profile) {
        let known = self.0.iter().filter_map(|(caller, callee)| {
            let caller = caller.map(|caller| ids.function_id(caller));
            Some((caller.flatten(), ids.function_id(*callee)?))
        });
        profile.add_run(known);
    }
}
