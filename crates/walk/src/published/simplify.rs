//! Two baselines that the walk is measured against: both replace what is not linear by concrete values, and solve the rest.

use crate::evaluate::ConstraintEvaluator;
use crate::problem::atom::Relation;
use crate::problem::form_of;
use crate::problem::linear::{Form, Forms};
use crate::problem::space::Point;
use crate::random::Random;
use crate::start::polytope::{Split, inside, start};

/// Tries of mixed solving.
const TRIES: u64 = 3;

/// Classic concolic testing: the values are those of the base input.
pub(crate) fn simplification(evaluator: &mut ConstraintEvaluator<'_>, base: &Point, seed: u64) -> Option<Point> {
    solve_at(evaluator, base, &mut Random::new(seed))
}

/// Mixed concrete-symbolic solving: the values are those of a solution of the linear part, drawn anew for each try.
pub(crate) fn mixed(evaluator: &mut ConstraintEvaluator<'_>, base: &Point, seed: u64) -> Option<Point> {
    let mut random = Random::new(seed);
    let split = Split::of(evaluator.problem);
    for _ in 0..TRIES {
        let variables = &evaluator.problem.variables;
        let anywhere: Point = variables.iter().map(|v| v.bits((random.unit() - 0.5) * 200.0)).collect();
        let free = if split.linear.is_empty() { anywhere } else { blend(base, &anywhere, &mut random) };
        let simple = start(evaluator.problem, &split, &free)?;
        if holds(evaluator, &simple) {
            return Some(simple);
        }
        if let Some(point) = solve_at(evaluator, &simple, &mut random) {
            return Some(point);
        }
    }
    None
}

fn blend(base: &Point, other: &Point, random: &mut Random) -> Point {
    base.iter().zip(other).map(|(a, b)| if random.flip() { *a } else { *b }).collect()
}

fn holds(evaluator: &mut ConstraintEvaluator<'_>, point: &Point) -> bool {
    (0..evaluator.problem.constraints.len()).all(|at| evaluator.holds(at, point))
}

/// Solves the conditions with everything that is not linear replaced by its value at a point; the solution must be one.
fn solve_at(evaluator: &mut ConstraintEvaluator<'_>, at: &Point, random: &mut Random) -> Option<Point> {
    let problem = evaluator.problem;
    let mut values = Vec::new();
    let mut rows: Vec<(Form, Relation)> = Vec::new();
    for (number, constraint) in problem.constraints.iter().enumerate() {
        let form = constraint.linear.clone().or_else(|| {
            constraint.schedule.run(problem.pool, at, &mut values);
            let forms = Forms::with(problem.pool, &constraint.schedule, &problem.variables, Some(&values));
            form_of(&forms, &constraint.schedule, &constraint.tree, &constraint.parts)
        });
        match form {
            Some((form, Relation::Different)) if form.terms.is_empty() => {}
            Some((form, Relation::Different)) => {
                // On one side or on the other.
                let side = if random.flip() { 1.0 } else { -1.0 };
                rows.push((Form::default().plus(&form, side), Relation::Below));
            }
            Some((form, _)) if form.terms.is_empty() => {}
            Some(row) => rows.push(row),
            None if evaluator.holds(number, at) => {}
            None => return None,
        }
    }
    let rows: Vec<&(Form, Relation)> = rows.iter().collect();
    let point = inside(problem, &rows, at)?;
    holds(evaluator, &point).then_some(point)
}
