//! An exploration within its memory: what can be made again goes first.
//!
//! Terms, path conditions and decisions of a run follow from its input, so an exploration in want of memory keeps the inputs and forgets the
//! rest; runs are made again when nothing else is left to try. Where that is not enough, runs become shorter; where even that does not help, it ends.

use crate::engine::{Exploration, Parties};
use crate::report::Stopped;
use covet_input::Input;
use std::collections::HashSet;

/// What inputs that are kept to be run again may take.
const MOST_BYTES: usize = 32 << 20;
/// Two sheddings with fewer runs between them: the runs themselves are too large, or others hold what there is.
const FEW_RUNS: u64 = 32;
/// What an exploration gave back is why memory was short from this part of all on, in hundredths.
const OWN: u64 = 10;

impl Exploration {
    /// Makes room where the command is short of memory; says so when there is no way to go on within it. Others may hold what there is: then it
    /// is worth another try when they have given it back.
    pub(crate) fn make_room(&mut self, parties: &mut Parties<'_, '_>) -> Option<Stopped> {
        let memory = parties.memory;
        if self.figures.executions == self.shed_at || !memory.is_tight() {
            return None;
        }
        let (since, before) = (self.figures.executions - self.shed_at, memory.used());
        self.shed();
        parties.executor.forget();
        parties.solvers.iter_mut().for_each(|solver| solver.forget());
        memory.give_back();
        let (used, few) = (memory.used(), since < FEW_RUNS);
        tracing::info!(runs = self.figures.executions, used, "short of memory: runs forgotten");
        let is_own = before.saturating_sub(used) > memory.limit() / 100 * OWN;
        let is_short = few && if is_own { !self.patience.shorten() } else { memory.is_tight() };
        is_short.then_some(Stopped::Incomplete)
    }

    /// Whether there is something to shed.
    pub fn holds_runs(&self) -> bool {
        self.state.runs().next().is_some()
    }

    /// Keeps the inputs of the runs that may still lead somewhere, and forgets what follows from them. Whoever runs inputs or answers questions must forget as well.
    pub fn shed(&mut self) {
        self.shed_at = self.figures.executions;
        let open: Vec<_> = self.state.runs().filter(|run| !self.state.is_spent(run)).map(|run| run.number).collect();
        let all: Vec<_> = self.state.runs().map(|run| run.number).collect();
        for number in all {
            let input = self.drop_run(number);
            if open.binary_search(&number).is_ok() {
                self.evicted.extend(input);
            }
        }
        // The newest are run again first: the oldest go.
        let (mut bytes, mut counted) = (0, HashSet::new());
        let fits = |input: &&Input| {
            bytes += input.bytes(&mut counted);
            bytes <= MOST_BYTES
        };
        let too_many = self.evicted.len() - self.evicted.iter().rev().take_while(fits).count();
        self.evicted.drain(..too_many);
        self.figures.shed += too_many as u64;
        self.pool = self.pool.emptied();
    }
}
