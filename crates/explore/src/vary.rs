//! A run that brought something → an input on the same path whose values show more of what the program computes.
//!
//! Solvers leave zero whatever no condition asks for, and zeros hide: `a + b` and `a - b`, a store and none look the same. And a test that
//! stands far from a limit does not notice when it moves. So numbers become what they are compared with, and those that are zero otherwise all
//! different, as far as every condition of the path still holds.

use crate::engine::{Exploration, Until};
use crate::execution::Execution;
use crate::merge::Attempt;
use crate::state::RunNumber;
use crate::strategy::StrategyName;
use covet_abi::node::Op;
use covet_abi::termination::Termination;
use covet_expr::{Evaluator, Pool, Term};
use covet_input::{Input, ValueKind, VarId, Variable, Variables};
use covet_path::PathCondition;
use std::collections::BTreeMap;

/// Variables that are changed, conditions that a path may have, nodes of a condition that are searched for limits.
const MOST_VARIABLES: usize = 48;
const MOST_CONDITIONS: usize = 512;
const MOST_NODES: usize = 24;

impl Exploration {
    /// The input to try after this run, if it is the first of those that end well to reach something.
    pub(crate) fn varied(&mut self, number: RunNumber, attempt: &Attempt, execution: &Execution) -> Option<Attempt> {
        if self.config.strategy != StrategyName::Auto || self.config.until == Until::Reached {
            return None;
        }
        match execution.termination {
            Termination::AssumptionFailed => return None,
            Termination::Returned | Termination::Exited => {}
            _ => {
                self.state.reach_badly(&execution.covered);
                return None;
            }
        }
        let is_whole = !execution.is_truncated && !execution.is_cut;
        if !self.state.reach_well(&execution.covered) || !is_whole || attempt.varies.is_some() {
            return None;
        }
        let input = attempt.input.with(&execution.input);
        let input = varied(&self.pool, &self.state.variables, &execution.path, &execution.order, &input);
        Some(Attempt { varies: Some(number), ..Attempt::seed(input) })
    }
}

fn varied(pool: &Pool, variables: &Variables, path: &PathCondition, order: &[VarId], input: &Input) -> Input {
    if path.conditions.len() > MOST_CONDITIONS {
        return input.clone();
    }
    let may_change = |id: &&VarId| is_number(variables.get(**id)) && !variables.held().contains(id);
    let numbers: Vec<VarId> = order.iter().filter(may_change).take(MOST_VARIABLES).copied().collect();
    let mut about: BTreeMap<VarId, Vec<Term>> = BTreeMap::new();
    for condition in &path.conditions {
        let among = pool.variables(condition.term);
        for id in numbers.iter().filter(|id| among.contains(**id)) {
            about.entry(*id).or_default().push(condition.term);
        }
    }
    let mut variation = Variation { pool, evaluator: Evaluator::new(pool, input), changes: Vec::new() };
    for (position, id) in numbers.into_iter().enumerate() {
        let conditions = about.get(&id).map_or(&[][..], Vec::as_slice);
        let (variable, value) = (variables.get(id), input.get(id).unwrap_or_default());
        let mut values = variation.edges(id, conditions, variable.width);
        if value == 0 {
            values.retain(|edge| *edge != 0);
            values.push(distinct(position, variable));
        } else if values.contains(&value) {
            continue;
        }
        values.into_iter().find(|value| variation.change(id, *value, conditions));
    }
    let mut input = input.clone();
    variation.changes.iter().for_each(|(id, value)| input.set(*id, *value));
    input
}

/// An input with some variables changed, one after the other.
struct Variation<'a> {
    pool: &'a Pool,
    evaluator: Evaluator<'a>,
    changes: Vec<(VarId, u128)>,
}

impl Variation<'_> {
    /// Changes a variable if the conditions about it still hold; tells whether they do.
    fn change(&mut self, id: VarId, value: u128, conditions: &[Term]) -> bool {
        let Variation { evaluator, changes, .. } = self;
        changes.push((id, value));
        evaluator.change();
        let holds = conditions.iter().all(|condition| evaluator.holds_changed(*condition, changes));
        if !holds {
            changes.pop();
        }
        holds
    }

    /// The values for which the two sides of a comparison are the same: there one step makes a difference.
    fn edges(&mut self, id: VarId, conditions: &[Term], width: u16) -> Vec<u128> {
        let mut found = Vec::new();
        self.evaluator.change();
        for condition in conditions {
            let mut open = vec![*condition];
            for _ in 0..MOST_NODES {
                let Some(term) = open.pop() else { break };
                let children: Vec<Term> = self.pool.children(term).iter().copied().collect();
                if let ([a, b], true) = (&children[..], is_order(self.pool.op(term))) {
                    found.extend([(*a, *b), (*b, *a)].into_iter().find_map(|(side, other)| self.meet(id, side, other)));
                }
                open.extend(children);
            }
        }
        let mask = u128::MAX >> (128 - u32::from(width.clamp(1, 128)));
        found.iter_mut().for_each(|value| *value &= mask);
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The value of a variable for which `side`, which is made of it, is what `other` is now.
    fn meet(&mut self, id: VarId, side: Term, other: Term) -> Option<u128> {
        let has = |term: Term| self.pool.variables(term).contains(id);
        if !has(side) || has(other) {
            return None;
        }
        let mut value = self.evaluator.value_changed(other, &self.changes);
        let mut side = side;
        loop {
            let children: Vec<Term> = self.pool.children(side).iter().copied().collect();
            (side, value) = match (self.pool.op(side), &children[..]) {
                (Op::Var, _) => return Some(value),
                (Op::ZExt | Op::SExt, [inner]) => (*inner, value),
                (Op::Add, [a, b]) if !has(*a) => {
                    (*b, value.wrapping_sub(self.evaluator.value_changed(*a, &self.changes)))
                }
                (Op::Add, [a, b]) if !has(*b) => {
                    (*a, value.wrapping_sub(self.evaluator.value_changed(*b, &self.changes)))
                }
                (Op::Sub, [a, b]) if !has(*b) => {
                    (*a, value.wrapping_add(self.evaluator.value_changed(*b, &self.changes)))
                }
                (Op::Sub, [a, b]) if !has(*a) => {
                    (*b, self.evaluator.value_changed(*a, &self.changes).wrapping_sub(value))
                }
                _ => return None,
            };
        }
    }
}

fn is_number(variable: &Variable) -> bool {
    match variable.kind {
        ValueKind::Signed | ValueKind::Unsigned | ValueKind::Char | ValueKind::Byte => variable.width >= 8,
        ValueKind::Float => matches!(variable.width, 32 | 64),
        ValueKind::Bool | ValueKind::Pointer | ValueKind::Function | ValueKind::Growth => false,
    }
}

fn is_order(op: Op) -> bool {
    matches!(op, Op::Ult | Op::Ule | Op::Slt | Op::Sle | Op::FLt | Op::FLe)
}

/// Small, and not the same for two variables near each other.
fn distinct(position: usize, variable: &Variable) -> u128 {
    const PRIMES: [u8; 16] = [3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59];
    let prime = PRIMES[position % PRIMES.len()];
    match (variable.kind, variable.width) {
        (ValueKind::Float, 32) => u128::from((f32::from(prime) + 0.5).to_bits()),
        (ValueKind::Float, _) => u128::from((f64::from(prime) + 0.5).to_bits()),
        // Of eight bits: most likely a character.
        (_, 8) => u128::from(b'a' + (position % 26) as u8),
        _ => u128::from(prime),
    }
}
