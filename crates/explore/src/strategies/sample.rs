//! Of a long path, the decisions worth ranking: every outcome's first few passes, then ever sparser ones, and its last. What leads
//! through places where an earlier run took the same outcomes was ranked with that run.
//!
//! A loop of a hundred thousand passes must not fill every queue. What is left out stays reachable, since each
//! strategy that uses a sample falls back to the runs themselves.

use crate::state::{Explored, State};

const FIRST_PASSES: u32 = 8;

/// Positions in `run.decisions`, ascending.
pub fn sample(state: &State, run: &Explored) -> Vec<usize> {
    let mut passed_later = vec![false; state.edges.len()];
    let is_kept = |at: &usize| {
        let decision = run.decisions[*at];
        let is_last = !std::mem::replace(&mut passed_later[decision.edge.0 as usize], true);
        let pass = decision.passed + 1;
        is_last || pass <= FIRST_PASSES || pass.is_power_of_two()
    };
    let mut kept: Vec<usize> = (run.fresh..run.decisions.len()).rev().filter(is_kept).collect();
    kept.reverse();
    kept
}
