//! What the loop needs of the outside: something that runs inputs, something that answers queries. Real ones live
//! elsewhere; tests use made-up programs.

use covet_abi::shared::InputBounds;
use covet_abi::termination::Termination;
use covet_expr::Pool;
use covet_expr::query::{Answer, Query};
use covet_input::{Input, Touched, VarId, Variables};
use covet_path::PathCondition;
use covet_sites::{Counter, VectorNumber};
use std::collections::BTreeMap;
use std::time::Duration;

/// One finished run.
#[derive(Clone, Debug)]
pub struct Execution {
    /// The input as the run used it.
    pub input: Input,
    /// Its variables in the order of first use.
    pub order: Vec<VarId>,
    /// What it read or wrote of its input objects.
    pub touched: Touched,
    pub termination: Termination,
    /// Exit code or signal number.
    pub code: i32,
    pub path: PathCondition,
    /// Counters that are not zero, ascending.
    pub covered: Vec<Counter>,
    /// Condition vectors that were evaluated, in a program that counts them.
    pub vectors: Vec<VectorNumber>,
    /// Uses of symbolic values as plain ones, by reason.
    pub concretised: BTreeMap<&'static str, u64>,
    /// Symbolic tracking stopped early: the path condition is a prefix.
    pub is_truncated: bool,
    /// Inputs that the program asked for while it ran.
    pub asked: u32,
    /// It went on asking for inputs and was ended there.
    pub is_cut: bool,
    /// The same, because it had asked for the most inputs a run may have.
    pub is_capped: bool,
    /// Tracking stopped because nothing new came for long, and then something did.
    pub is_stalled: bool,
    /// It came to where the limits of inputs have ended what was built for it.
    pub is_bounded: bool,
    /// Low 64 bits of what the entry returned.
    pub returned: u64,
    pub fault: u64,
    /// Code addresses of a crash, innermost first.
    pub frames: Vec<u64>,
    pub elapsed: Duration,
}

/// Runs the program under test.
pub trait Executor {
    /// One execution per input, in order; fewer, and the rest is asked for again, when there is no time for all. Variables met on the way are registered, terms are made in `pool`.
    fn run(
        &mut self,
        pool: &mut Pool,
        variables: &mut Variables,
        inputs: &[Input],
        bounds: InputBounds,
    ) -> Result<Vec<Execution>, Box<dyn std::error::Error + Send + Sync>>;

    /// The terms made so far mean nothing any more: the next run is made in another pool.
    fn forget(&mut self) {}
}

/// Answers queries. Several may work at once, each on its own thread.
pub trait Solver: Send {
    fn solve(&mut self, pool: &Pool, query: &Query<'_>) -> Answer;

    /// The pool of the queries so far is done with.
    fn forget(&mut self) {}

    /// Queries so far that took an effort.
    fn efforts(&self) -> u64 {
        0
    }
}
