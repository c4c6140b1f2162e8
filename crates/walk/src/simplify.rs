//! Two baselines that the walk is measured against: both replace what is not linear by concrete values, and solve the rest.

use crate::atom::Relation;
use crate::linear::{Form, Forms};
use crate::machine::Machine;
use crate::polytope::{Split, inside, start};
use crate::problem::form_of;
use crate::random::Random;
use crate::space::Point;

/// Tries of mixed solving.
const TRIES: u64 = 3;

/// Classic concolic testing: the values are those of the base input.
pub(crate) fn simplification(machine: &mut Machine<'_>, base: &Point, seed: u64) -> Option<Point> {
    solve_at(machine, base, &mut Random::new(seed))
}

/// Mixed concrete-symbolic solving: the values are those of a solution of the linear part, drawn anew for each try.
pub(crate) fn mixed(machine: &mut Machine<'_>, base: &Point, seed: u64) -> Option<Point> {
    let mut random = Random::new(seed);
    let split = Split::of(machine.problem);
    for _ in 0..TRIES {
        let variables = &machine.problem.variables;
        let anywhere: Point = variables.iter().map(|v| v.bits((random.unit() - 0.5) * 200.0)).collect();
        let free = if split.linear.is_empty() { anywhere } else { blend(base, &anywhere, &mut random) };
        let simple = start(machine.problem, &split, &free)?;
        if holds(machine, &simple) {
            return Some(simple);
        }
        if let Some(point) = solve_at(machine, &simple, &mut random) {
            return Some(point);
        }
    }
    None
}

fn blend(base: &Point, other: &Point, random: &mut Random) -> Point {
    base.iter().zip(other).map(|(a, b)| if random.flip() { *a } else { *b }).collect()
}

fn holds(machine: &mut Machine<'_>, point: &Point) -> bool {
    (0..machine.problem.constraints.len()).all(|at| machine.holds(at, point))
}

/// Solves the conditions with everything that is not linear replaced by its value at a point; the solution must be one.
fn solve_at(machine: &mut Machine<'_>, at: &Point, random: &mut Random) -> Option<Point> {
    let problem = machine.problem;
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
            None if machine.holds(number, at) => {}
            None => return None,
        }
    }
    let rows: Vec<&(Form, Relation)> = rows.iter().collect();
    let point = inside(problem, &rows, at)?;
    holds(machine, &point).then_some(point)
}
