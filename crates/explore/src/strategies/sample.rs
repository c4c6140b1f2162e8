//! Of a long path, the decisions worth ranking: every site's first few passes, then ever sparser ones, and its last.
//!
//! A loop of a hundred thousand passes must not fill every queue. What is left out stays reachable, since each
//! strategy that uses a sample falls back to the runs themselves.

use crate::state::{Explored, State};
use covet_sites::SiteNumber;
use rustc_hash::FxHashMap;

const FIRST_PASSES: u32 = 8;

/// Positions in `run.decisions`, ascending.
pub fn sample(state: &State, run: &Explored) -> Vec<usize> {
    let site_of = |decision: usize| state.edges.get(run.decisions[decision].edge).site;
    let mut passes: FxHashMap<SiteNumber, (u32, usize)> = FxHashMap::default();
    for decision in 0..run.decisions.len() {
        let pass = passes.entry(site_of(decision)).or_default();
        *pass = (pass.0 + 1, decision);
    }
    let mut seen: FxHashMap<SiteNumber, u32> = FxHashMap::default();
    let is_kept = |decision: &usize| {
        let site = site_of(*decision);
        let pass = seen.entry(site).or_default();
        *pass += 1;
        *pass <= FIRST_PASSES || pass.is_power_of_two() || passes[&site].1 == *decision
    };
    (0..run.decisions.len()).filter(is_kept).collect()
}
