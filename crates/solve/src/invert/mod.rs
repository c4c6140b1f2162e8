//! From a goal to the values of one variable that would make it true, nearest first.
//!
//! The goal is peeled from the outside: at each operator the wanted result becomes a wanted operand, with all other
//! operands at their base values. A step may fan out (either side of an `||`, a value just above or just below), and
//! what comes out is a guess: the caller checks it by evaluation.

mod float;
mod value;

use crate::invert::value::operand_for;
use crate::model::check::Change;
use covet_expr::bits::{mask, signed_max, signed_min, truncate};
use covet_expr::{Evaluator, Op, Term};
use covet_input::VarId;

/// What a term is to become.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Want {
    /// A condition: true or false.
    Truth(bool),
    /// These bits.
    Value(u128),
}

/// One term to change, through one variable.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Task {
    pub term: Term,
    pub want: Want,
    pub via: VarId,
}

/// A guess in the making: what is left to do and what is fixed.
#[derive(Clone, Debug, Default)]
struct Attempt {
    tasks: Vec<Task>,
    changes: Vec<Change>,
}

/// Guesses per variable and goal.
const MAX_GUESSES: usize = 12;

/// Steps of peeling that may still be spent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget(pub usize);

/// Guesses that change `via` (and, where bits are spliced from several variables, its neighbours) so that `goal` becomes
/// `truth`.
pub(crate) fn guesses(
    evaluator: &mut Evaluator<'_>,
    goal: Term,
    truth: bool,
    via: VarId,
    budget: &mut Budget,
) -> Vec<Vec<Change>> {
    let mut found: Vec<Vec<Change>> = Vec::new();
    let start = Task { term: goal, want: Want::Truth(truth), via };
    let mut attempts = vec![Attempt { tasks: vec![start], changes: Vec::new() }];
    while budget.0 > 0 {
        budget.0 -= 1;
        let Some(mut attempt) = attempts.pop() else { break };
        let Some(task) = attempt.tasks.pop() else {
            if !attempt.changes.is_empty() && !found.contains(&attempt.changes) {
                found.push(attempt.changes);
            }
            if found.len() == MAX_GUESSES {
                break;
            }
            continue;
        };
        if let Some(id) = evaluator.pool().variable(task.term) {
            let value = match task.want {
                Want::Truth(truth) => u128::from(truth),
                Want::Value(value) => value,
            };
            // A variable can be given one value only.
            if attempt.changes.iter().all(|(known, fixed)| *known != id || *fixed == value) {
                attempt.changes.retain(|(known, _)| *known != id);
                attempt.changes.push((id, value));
                attempts.push(attempt);
            }
            continue;
        }
        // The first way is to be tried first, so it goes on the stack last.
        for way in expand(evaluator, &task).into_iter().rev() {
            let mut next = attempt.clone();
            next.tasks.extend(way);
            attempts.push(next);
        }
    }
    found
}

/// The ways to do a task: each is a list of smaller tasks that together do it.
fn expand(evaluator: &mut Evaluator<'_>, task: &Task) -> Vec<Vec<Task>> {
    match task.want {
        Want::Truth(truth) => expand_truth(evaluator, task, truth),
        Want::Value(value) if evaluator.pool().width(task.term) == 1 => expand_truth(evaluator, task, value != 0),
        Want::Value(value) => operand_for(evaluator, task, value),
    }
}

fn expand_truth(evaluator: &mut Evaluator<'_>, task: &Task, truth: bool) -> Vec<Vec<Task>> {
    let pool = evaluator.pool();
    let children = pool.children(task.term);
    match pool.op(task.term) {
        Op::Not => vec![vec![Task { term: children[0], want: Want::Truth(!truth), via: task.via }]],
        Op::And if truth => vec![all_of(evaluator, &children, true, task.via)],
        Op::Or if !truth => vec![all_of(evaluator, &children, false, task.via)],
        Op::And | Op::Or => any_of(evaluator, &children, truth, task.via),
        Op::Xor => flip_one(evaluator, &children, task.via),
        Op::Eq if pool.width(children[0]) == 1 => flip_one(evaluator, &children, task.via),
        Op::Ite => choice(evaluator, task, u128::from(truth)),
        Op::Eq | Op::Ult | Op::Ule | Op::Slt | Op::Sle => compare(evaluator, task, truth),
        Op::FEq | Op::FLt | Op::FLe | Op::FUno => float::compare(evaluator, task, truth),
        Op::Const | Op::Var => Vec::new(),
        Op::Add | Op::Sub | Op::Mul | Op::UDiv | Op::SDiv | Op::URem | Op::SRem | Op::Shl | Op::LShr | Op::AShr => {
            operand_for(evaluator, task, u128::from(truth))
        }
        Op::ZExt | Op::SExt | Op::Extract | Op::Concat | Op::Select => operand_for(evaluator, task, u128::from(truth)),
        Op::PopCount | Op::LeadingZeros | Op::TrailingZeros | Op::FToS | Op::FToU => {
            operand_for(evaluator, task, u128::from(truth))
        }
        // Never of width 1.
        Op::FAdd | Op::FSub | Op::FMul | Op::FDiv | Op::FRem | Op::FNeg | Op::FAbs | Op::FSqrt | Op::FFma => Vec::new(),
        Op::FRound | Op::FMin | Op::FMax | Op::FCopySign | Op::FToF | Op::SToF | Op::UToF | Op::Call => Vec::new(),
    }
}

/// Whether a term depends on a variable.
pub(crate) fn depends(evaluator: &Evaluator<'_>, term: Term, via: VarId) -> bool {
    evaluator.pool().variables(term).contains(via)
}

/// Every operand must become `truth`; those that are not yet go through `via` or their own first variable.
fn all_of(evaluator: &mut Evaluator<'_>, operands: &[Term], truth: bool, via: VarId) -> Vec<Task> {
    let mut tasks = Vec::new();
    for &term in operands {
        if evaluator.holds(term) == truth {
            continue;
        }
        let through = if depends(evaluator, term, via) { Some(via) } else { evaluator.pool().variables(term).first() };
        tasks.extend(through.map(|via| Task { term, want: Want::Truth(truth), via }));
    }
    tasks
}

fn any_of(evaluator: &Evaluator<'_>, operands: &[Term], truth: bool, via: VarId) -> Vec<Vec<Task>> {
    let through = operands.iter().filter(|term| depends(evaluator, **term, via));
    through.map(|term| vec![Task { term: *term, want: Want::Truth(truth), via }]).collect()
}

fn flip_one(evaluator: &mut Evaluator<'_>, operands: &[Term], via: VarId) -> Vec<Vec<Task>> {
    let mut ways = Vec::new();
    for &term in operands {
        if depends(evaluator, term, via) {
            let want = Want::Truth(!evaluator.holds(term));
            ways.push(vec![Task { term, want, via }]);
        }
    }
    ways
}

/// A choice is to have a value: through the arm in use, or by taking the other arm when that has it.
pub(crate) fn choice(evaluator: &mut Evaluator<'_>, task: &Task, value: u128) -> Vec<Vec<Task>> {
    let children = evaluator.pool().children(task.term);
    let chosen = evaluator.holds(children[0]);
    let (used, other) = if chosen { (children[1], children[2]) } else { (children[2], children[1]) };
    let want = if evaluator.pool().width(task.term) == 1 { Want::Truth(value != 0) } else { Want::Value(value) };
    let mut ways = Vec::new();
    if depends(evaluator, used, task.via) {
        ways.push(vec![Task { term: used, want, via: task.via }]);
    }
    if depends(evaluator, children[0], task.via) {
        let flip = Task { term: children[0], want: Want::Truth(!chosen), via: task.via };
        if evaluator.value(other) == value {
            ways.push(vec![flip]);
        } else if let Some(id) = evaluator.pool().variables(other).first() {
            ways.push(vec![flip, Task { term: other, want, via: id }]);
        }
    }
    ways
}

/// An integer comparison: one side moves to the nearest value that makes it come out right.
fn compare(evaluator: &mut Evaluator<'_>, task: &Task, truth: bool) -> Vec<Vec<Task>> {
    let pool = evaluator.pool();
    let children = pool.children(task.term);
    let width = pool.width(children[0]);
    let op = pool.op(task.term);
    let mut ways = Vec::new();
    for (side, other, is_left) in [(children[0], children[1], true), (children[1], children[0], false)] {
        if !depends(evaluator, side, task.via) {
            continue;
        }
        let bound = evaluator.value(other);
        for value in targets(op, truth, is_left, bound, width).into_iter().flatten() {
            ways.push(vec![Task { term: side, want: Want::Value(value), via: task.via }]);
        }
    }
    ways
}

/// The values nearest to `bound` for one side of a comparison with it.
fn targets(op: Op, truth: bool, is_left: bool, bound: u128, width: u16) -> [Option<u128>; 2] {
    let signed_order = op == Op::Slt || op == Op::Sle;
    let (least, most) = if signed_order { (signed_min(width), signed_max(width)) } else { (0, mask(width)) };
    let above = (bound != most).then(|| truncate(bound.wrapping_add(1), width));
    let below = (bound != least).then(|| truncate(bound.wrapping_sub(1), width));
    let strict = op == Op::Ult || op == Op::Slt;
    match op {
        Op::Eq if truth => [Some(bound), None],
        Op::Eq => [Some(truncate(bound.wrapping_add(1), width)), Some(truncate(bound.wrapping_sub(1), width))],
        // a < b as wanted, or a <= b not wanted (then the sides change roles).
        _ if strict == truth => [if is_left == truth { below } else { above }, None],
        _ => [Some(bound), None],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_values_on_either_side() {
        let at = |op, truth, left, bound| targets(op, truth, left, bound, 8)[0];
        assert_eq!(at(Op::Slt, true, true, 0), Some(255));
        assert_eq!(at(Op::Slt, true, false, 5), Some(6));
        assert_eq!(at(Op::Slt, true, true, 128), None);
        assert_eq!(at(Op::Ult, true, true, 0), None);
        assert_eq!(at(Op::Ule, true, true, 7), Some(7));
        assert_eq!(at(Op::Ule, false, true, 7), Some(8));
        assert_eq!(at(Op::Ule, false, false, 7), Some(6));
        assert_eq!(at(Op::Ult, false, true, 7), Some(7));
        assert_eq!(targets(Op::Eq, false, true, 255, 8), [Some(0), Some(254)]);
    }
}
