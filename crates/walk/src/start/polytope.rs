//! The region that the linear constraints leave: a point in it, and steps that stay in it.
//!
//! The start point comes from a linear program (`microlp`) over the reals; whether a point really lies inside is evaluated.

use crate::evaluate::ConstraintEvaluator;
use crate::problem::Problem;
use crate::problem::atom::Relation;
use crate::problem::linear::Form;
use crate::problem::space::{Point, Variable};
use microlp::{ComparisonOp, OptimizationDirection, Problem as Program};

/// The constraints by kind: those that describe the polytope, and the rest.
#[derive(Clone, Debug, Default)]
pub(crate) struct Split {
    pub linear: Vec<usize>,
    pub hard: Vec<usize>,
    /// The equations among the linear ones.
    pub equations: Vec<usize>,
}

impl Split {
    pub fn of(problem: &Problem<'_>) -> Split {
        let mut split = Split::default();
        for (at, constraint) in problem.constraints.iter().enumerate() {
            match &constraint.linear {
                Some((_, relation)) => {
                    split.linear.push(at);
                    if *relation == Relation::Equal {
                        split.equations.push(at);
                    }
                }
                None => split.hard.push(at),
            }
        }
        split
    }

    pub fn contains(&self, evaluator: &mut ConstraintEvaluator<'_>, point: &[u64]) -> bool {
        self.linear.iter().all(|at| evaluator.holds(*at, point))
    }

    /// Restores equations that a change of `changed` broke, by moving another variable of each.
    pub fn adjust(&self, evaluator: &mut ConstraintEvaluator<'_>, point: &mut Point, changed: &[usize]) {
        for &at in &self.equations {
            let problem = evaluator.problem;
            let Some((form, _)) = &problem.constraints[at].linear else { continue };
            if !form.terms.iter().any(|(x, _)| changed.contains(x)) || evaluator.holds(at, point) {
                continue;
            }
            let free = form.terms.iter().find(|(x, _)| !changed.contains(x)).or(form.terms.first());
            if let Some((x, factor)) = free {
                let rest = value(form, &problem.variables, point) - factor * problem.variables[*x].number(point[*x]);
                point[*x] = problem.variables[*x].bits(-rest / factor);
            }
        }
    }
}

fn value(form: &Form, variables: &[Variable], point: &[u64]) -> f64 {
    form.terms.iter().map(|(x, a)| a * variables[*x].number(point[*x])).sum::<f64>() + form.constant
}

/// Coordinates stay within this far of 0, as long as the polytope allows it: large numbers make poor starts.
const REACHES: [f64; 2] = [1e6, 1e15];

/// A point that satisfies the linear constraints over the reals, with `otherwise` where they say nothing.
pub(crate) fn start(problem: &Problem<'_>, split: &Split, otherwise: &Point) -> Option<Point> {
    let rows: Vec<&(Form, Relation)> =
        split.linear.iter().filter_map(|at| problem.constraints[*at].linear.as_ref()).collect();
    inside(problem, &rows, otherwise)
}

/// A point where every `form ~ 0` holds over the reals, with `otherwise` where they say nothing.
pub(crate) fn inside(problem: &Problem<'_>, rows: &[&(Form, Relation)], otherwise: &Point) -> Option<Point> {
    if rows.is_empty() {
        return Some(otherwise.clone());
    }
    REACHES.iter().find_map(|reach| solve(problem, rows, otherwise, *reach))
}

fn solve(problem: &Problem<'_>, rows: &[&(Form, Relation)], otherwise: &Point, reach: f64) -> Option<Point> {
    let mut program = Program::new(OptimizationDirection::Maximize);
    // The room left to strict bounds: as much as there is, up to 1.
    let room = program.add_var(1.0, (0.0, 1.0));
    let mut unknowns = vec![None; problem.variables.len()];
    for (x, _) in rows.iter().flat_map(|(form, _)| &form.terms) {
        let (low, high) = problem.variables[*x].range();
        unknowns[*x].get_or_insert_with(|| program.add_var(0.0, (low.max(-reach), high.min(reach))));
    }
    for (form, relation) in rows {
        let mut row: Vec<_> =
            form.terms.iter().filter_map(|(x, a)| unknowns[*x].map(|unknown| (unknown, *a))).collect();
        let integral = form.terms.iter().all(|(x, _)| !problem.variables[*x].is_float());
        match relation {
            Relation::Equal => program.add_constraint(&row, ComparisonOp::Eq, -form.constant),
            Relation::Below if integral => program.add_constraint(&row, ComparisonOp::Le, -form.constant - 1.0),
            _ => {
                row.push((room, 1.0));
                program.add_constraint(&row, ComparisonOp::Le, -form.constant)
            }
        };
    }
    let solution = program.solve().ok()?.into_solution().ok()?;
    let mut point = otherwise.clone();
    for (x, unknown) in unknowns.into_iter().enumerate() {
        if let Some(unknown) = unknown {
            let number = solution.var_value(unknown);
            // Tolerances of the program leave dust behind.
            let tidy = if (number - number.round()).abs() < 1e-6 { number.round() } else { number };
            point[x] = problem.variables[x].bits(tidy);
        }
    }
    Some(point)
}
