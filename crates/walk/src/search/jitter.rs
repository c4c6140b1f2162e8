//! The last bits: near a root of floating-point equations, solutions lie scattered among the neighbouring values.
//!
//! Rounding makes exact equality a matter of luck at each point, and there are many points: random moves of a few
//! representable values, never uphill.

use crate::evaluate::ConstraintEvaluator;
use crate::evaluate::score::Metric;
use crate::problem::atom::{Relation, View};
use crate::problem::space::Point;
use crate::random::Random;
use crate::search::scored_point::ScoredPoint;

const RADII: [i64; 12] = [1, 1, 1, 2, 2, 3, 4, 8, 16, 64, 256, 1024];
/// Sides this many bits of ulps apart are near.
const NEAR: f64 = 22.0;

/// Whether all that is wrong is the last bits of equations between floats.
pub(crate) fn is_near(evaluator: &mut ConstraintEvaluator<'_>, point: &Point, broken: &[usize]) -> bool {
    let problem = evaluator.problem;
    broken.iter().all(|&at| {
        let error = evaluator.error(at, point, Metric::Ulps);
        let relations = problem.constraints[at].parts.atoms.iter().map(|atom| {
            let float = problem.constraints[at].parts.measures.get(atom.sides.0).is_some_and(|m| m.view == View::Float);
            (float, atom.relation)
        });
        let equation = relations.into_iter().any(|(float, relation)| float && relation == Relation::Equal);
        equation && (error < NEAR || evaluator.error(at, point, Metric::Absolute) < 1e-9)
    })
}

/// Random moves around a scored, for so many tries.
pub(crate) fn jitter(
    evaluator: &mut ConstraintEvaluator<'_>,
    random: &mut Random,
    scored: &mut ScoredPoint,
    tries: u64,
) -> bool {
    let problem = evaluator.problem;
    let mut variables: Vec<usize> =
        scored.broken().into_iter().flat_map(|at| problem.constraints[at].variables.clone()).collect();
    variables.sort_unstable();
    variables.dedup();
    variables.retain(|x| problem.variables[*x].is_float());
    if variables.is_empty() {
        return false;
    }
    for _ in 0..tries {
        if evaluator.is_spent() {
            return false;
        }
        let mut point = scored.point.clone();
        let radius = *random.pick(&RADII);
        let sure = *random.pick(&variables);
        for &x in &variables {
            if x == sure || random.below(variables.len()) < 2 {
                let size = random.between(1, radius);
                point[x] = problem.variables[x].moved(point[x], if random.flip() { size } else { -size });
            }
        }
        let there = scored.moved(evaluator, point);
        if there.total <= scored.total {
            *scored = there;
        }
        if scored.is_solution() {
            return true;
        }
    }
    false
}
