//! An exploration within its memory: what can be made again goes first.
//!
//! Terms, path conditions and decisions of a run follow from its input, so an exploration in want of memory keeps the inputs and forgets the
//! rest; runs are made again when nothing else is left to try. Where that is not enough, runs become shorter; where even that does not help, it ends.

use crate::engine::{Exploration, Parties};
use crate::report::Stopped;
use covet_input::Input;

/// Values of inputs that are kept to be run again.
const MOST_VALUES: usize = 4_000_000;
/// Two sheddings with fewer runs between them: the runs themselves are too large.
const FEW_RUNS: u64 = 32;

impl Exploration {
    /// Makes room where the command is short of memory; says so when there is no way to go on within it.
    pub(crate) fn make_room(&mut self, parties: &mut Parties<'_, '_>) -> Option<Stopped> {
        if self.figures.executions == self.shed_at || !parties.memory.is_tight() {
            return None;
        }
        let since = self.figures.executions - self.shed_at;
        self.shed();
        parties.executor.forget();
        parties.memory.give_back();
        tracing::info!(runs = self.figures.executions, used = parties.memory.used(), "short of memory: runs forgotten");
        if since < FEW_RUNS && parties.memory.is_tight() | !self.patience.shorten() {
            self.figures.shed += 1;
            return Some(Stopped::Incomplete);
        }
        None
    }

    /// Whether there is something to shed.
    pub fn holds_runs(&self) -> bool {
        self.state.runs().next().is_some()
    }

    /// Keeps the inputs of the runs that may still lead somewhere, and forgets what follows from them. Whoever runs inputs must forget as well.
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
        let mut values: usize = self.evicted.iter().map(size).sum();
        // The newest are run again first: the oldest go.
        let too_many = self.evicted.iter().take_while(|input| {
            let goes = values > MOST_VALUES;
            values -= size(input);
            goes
        });
        let too_many = too_many.count();
        self.evicted.drain(..too_many);
        self.figures.shed += too_many as u64;
        self.pool = self.pool.emptied();
    }
}

fn size(input: &Input) -> usize {
    input.values.len() + 1
}
