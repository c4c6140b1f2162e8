//! A run that went wrong → the inputs that it went wrong by: those in the condition that was violated, or else in the last decisions.

use covet_abi::event::Kind;
use covet_explore::Ran;
use covet_input::VarId;
use covet_path::Condition;
use covet_results::Deciding;
use std::collections::BTreeSet;

/// More values than these nobody reads.
const MOST: usize = 6;

/// The deciding inputs of a run, by their names in its test.
pub fn deciding(ran: &Ran<'_>, name: impl Fn(&str) -> String) -> Vec<Deciding> {
    let conditions = &ran.execution.path.conditions;
    let variables =
        |condition: &Condition| ran.pool.variables(condition.term).iter().take(MOST).collect::<Vec<VarId>>();
    let decisions = || conditions.iter().filter(|condition| matches!(condition.kind, Kind::Branch | Kind::Switch));
    let violated = conditions.iter().rev().find(|condition| condition.kind == Kind::Check && condition.taken);
    let mut found: Vec<VarId> = violated.map(&variables).unwrap_or_default();
    if found.is_empty() {
        // What is wrong does not depend on an input by itself: the way there does.
        for variable in decisions().rev().flat_map(&variables) {
            if found.len() < MOST && !found.contains(&variable) {
                found.push(variable);
            }
        }
    }
    let checked: BTreeSet<VarId> = found
        .iter()
        .copied()
        .filter(|id| decisions().any(|condition| ran.pool.variables(condition.term).contains(*id)))
        .collect();
    let told = |id: VarId| Deciding { name: name(&ran.variables.get(id).name), is_checked: checked.contains(&id) };
    found.into_iter().map(told).collect()
}
