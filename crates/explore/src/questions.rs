//! Flips become questions, and questions go to the solvers: number `k` always to solver `k` modulo their count, so answers do
//! not depend on timing.

use crate::edges::Outcome;
use crate::execution::{Answer, Question, Solver};
use crate::state::{Flip, RunNumber, State};
use covet_expr::{Pool, Term};
use covet_input::{Input, ValueKind, VarId, Variables};
use covet_path::{Condition, PathCondition};
use covet_sites::SiteMap;
use std::collections::BTreeMap;

/// A flip and the term that has to hold for it.
pub(crate) struct Goal {
    pub flip: Flip,
    /// Number of the flipped condition in its path.
    condition: usize,
    term: Term,
    /// Asked for too, if it can be had.
    wish: Term,
}

/// The goals of `flips`, in order.
pub(crate) fn goals(
    pool: &mut Pool,
    state: &State,
    paths: &BTreeMap<RunNumber, PathCondition>,
    flips: &[Flip],
) -> Vec<Goal> {
    let mut goals = Vec::new();
    for &flip in flips {
        let (Some(run), Some(path)) = (state.run(flip.run), paths.get(&flip.run)) else { continue };
        let condition = run.decisions[flip.decision as usize].condition as usize;
        let wanted = state.edges.get(flip.to).outcome;
        let term = match wanted {
            Outcome::Elsewhere(count) => {
                let site = state.edges.get(flip.to).site;
                elsewhere(pool, &path.conditions[condition], state.edges.targets(site, count))
            }
            Outcome::Number(_)
            | Outcome::Target(_)
            | Outcome::Object(_)
            | Outcome::Check(..)
            | Outcome::Assumption(_) => goal_term(pool, &state.map, &path.conditions[condition], wanted),
        };
        let wish = no_new_alias(pool, &state.variables, term, &run.input);
        goals.push(Goal { flip, condition, term, wish });
    }
    goals
}

/// Asks all goals, each solver on its own thread when there are several.
pub(crate) fn ask<'s>(
    solvers: &mut [Box<dyn Solver + 's>],
    pool: &Pool,
    state: &State,
    paths: &BTreeMap<RunNumber, PathCondition>,
    goals: &[Goal],
) -> Vec<Answer> {
    let answer = |solver: &mut Box<dyn Solver + 's>, goal: &Goal| {
        let (Some(run), Some(path)) = (state.run(goal.flip.run), paths.get(&goal.flip.run)) else {
            return Answer::Unknown;
        };
        let (prefix, soft) = (path.hard_before(goal.condition), path.soft_before(goal.condition));
        let question = Question { prefix, soft, goal: goal.term, base: &run.input };
        if goal.wish != Pool::TRUE {
            let narrow: Vec<Term> = prefix.iter().copied().chain([goal.wish]).collect();
            let answer = solver.solve(pool, Question { prefix: &narrow, ..question });
            if matches!(answer, Answer::Sat { .. }) || !state.may_share(goal.flip.to) {
                return answer;
            }
        }
        solver.solve(pool, question)
    };
    let lanes = solvers.len();
    if lanes <= 1 || goals.len() <= 1 {
        return goals.iter().enumerate().map(|(at, goal)| answer(&mut solvers[at % lanes], goal)).collect();
    }
    let mut answers = vec![Answer::Unknown; goals.len()];
    std::thread::scope(|scope| {
        let answer = &answer;
        let handles: Vec<_> = (solvers.iter_mut().enumerate())
            .map(|(lane, solver)| {
                scope.spawn(move || {
                    let mine = (lane..goals.len()).step_by(lanes);
                    mine.map(|at| (at, answer(solver, &goals[at]))).collect::<Vec<_>>()
                })
            })
            .collect();
        for handle in handles {
            // A solver that panicked has answered nothing.
            for (at, found) in handle.join().unwrap_or_default() {
                answers[at] = found;
            }
        }
    });
    answers
}

/// Pointers of the goal that are NULL or point at an object of their own stay so: a shared object, and with it a cycle, is for
/// goals that cannot be had otherwise.
fn no_new_alias(pool: &mut Pool, variables: &Variables, goal: Term, base: &Input) -> Term {
    const OWN: u128 = 1;
    let is_choice = |id: &VarId| {
        let variable = variables.get(*id);
        variable.kind == ValueKind::Pointer && (2..=4).contains(&variable.width)
    };
    let pointers: Vec<VarId> = pool.variables(goal).iter().filter(is_choice).collect();
    let mut wish = Pool::TRUE;
    for id in pointers {
        if base.get(id).unwrap_or(u128::from(variables.get(id).default)) <= OWN {
            let (pointer, own) = (pool.var(variables, id), pool.bits(variables.get(id).width, OWN));
            let unshared = pool.ule(pointer, own);
            wish = pool.and(wish, unshared);
        }
    }
    wish
}

/// The target differs from this run's and from all of `seen`.
fn elsewhere(pool: &mut Pool, condition: &Condition, seen: &[u64]) -> Term {
    let mut term = pool.not(condition.term);
    for &address in seen {
        let same = equals(pool, condition.subject, address);
        let other = pool.not(same);
        term = pool.and(term, other);
    }
    term
}

/// What has to hold for `condition` to come out as `wanted`.
fn goal_term(pool: &mut Pool, map: &SiteMap, condition: &Condition, wanted: Outcome) -> Term {
    match wanted {
        Outcome::Number(number) => number_term(pool, map, condition, number),
        Outcome::Target(address) | Outcome::Object(address) => equals(pool, condition.subject, address),
        Outcome::Elsewhere(_) => pool.not(condition.term),
        Outcome::Check(_, holds) | Outcome::Assumption(holds) => {
            if holds {
                condition.subject
            } else {
                pool.not(condition.subject)
            }
        }
    }
}

fn number_term(pool: &mut Pool, map: &SiteMap, condition: &Condition, number: u32) -> Term {
    let cases: &[u64] = map.sites.get(condition.site.index()).map_or(&[], |site| &site.cases);
    if cases.is_empty() {
        return pool.not(condition.term);
    }
    if let Some(&case) = number.checked_sub(1).and_then(|at| cases.get(at as usize)) {
        return equals(pool, condition.subject, case);
    }
    let mut none = Pool::TRUE;
    for &case in cases {
        let same = equals(pool, condition.subject, case);
        let other = pool.not(same);
        none = pool.and(none, other);
    }
    none
}

fn equals(pool: &mut Pool, subject: Term, value: u64) -> Term {
    let constant = pool.bits(pool.width(subject), u128::from(value));
    pool.eq(subject, constant)
}
