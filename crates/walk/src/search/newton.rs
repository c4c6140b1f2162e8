//! Newton's step over several variables: all violated comparisons at once, by numerical derivatives.
//!
//! The step is the shortest that would settle every comparison, were they linear (least squares, damped). Equations that
//! hold already are kept. Inequalities aim a margin beyond their bound.

use crate::evaluate::ConstraintEvaluator;
use crate::problem::atom::Relation;
use crate::problem::space::Point;
use crate::random::Random;
use crate::search::scored_point::ScoredPoint;

/// More comparisons or variables than this are left to single steps.
const MOST_ROWS: usize = 48;
const MOST_VARIABLES: usize = 96;

/// One comparison to settle.
struct Row {
    constraint: usize,
    atom: usize,
    residual: f64,
    target: f64,
    slopes: Vec<f64>,
}

/// A better scored one step away.
pub(crate) fn step(
    evaluator: &mut ConstraintEvaluator<'_>,
    random: &mut Random,
    scored: &ScoredPoint,
) -> Option<ScoredPoint> {
    let mut rows = rows(evaluator, random, scored)?;
    let variables = variables_of(evaluator, &rows);
    if variables.is_empty() || variables.len() > MOST_VARIABLES {
        return None;
    }
    differentiate(evaluator, scored, &variables, &mut rows);
    let scaled = random.flip();
    let weight = |x: usize| {
        let v = evaluator.problem.variables[x].number(scored.point[x]).abs();
        if scaled { v.max(1e-3) } else { 1.0 }
    };
    let weights: Vec<f64> = variables.iter().map(|x| weight(*x)).collect();
    let change = shortest(&rows, &weights)?;
    let mut best: Option<ScoredPoint> = None;
    for length in [1.0, 0.5, 0.1, 1.7] {
        let point = moved(evaluator, &scored.point, &variables, &change, length);
        let there = scored.moved(evaluator, point);
        let limit = best.as_ref().map_or(scored.total, |best| best.total);
        if there.total < limit {
            best = Some(there);
        }
        if best.as_ref().is_some_and(ScoredPoint::is_solution) {
            break;
        }
    }
    best
}

fn rows(evaluator: &mut ConstraintEvaluator<'_>, random: &mut Random, scored: &ScoredPoint) -> Option<Vec<Row>> {
    let problem = evaluator.problem;
    let margin = (-(random.below(12) as f64)).exp2() * 2.0;
    let mut rows = Vec::new();
    for at in 0..problem.constraints.len() {
        let constraint = &problem.constraints[at];
        let atoms = if scored.errors[at] > 0.0 {
            evaluator.violations(at, &scored.point, scored.metric)
        } else {
            // Equations that hold must go on holding.
            let lone = constraint.parts.atoms.len() == 1 && constraint.parts.atoms[0].relation == Relation::Equal;
            if lone { vec![(0, evaluator.residual(at, 0, &scored.point))] } else { Vec::new() }
        };
        for (atom, residual) in atoms {
            let target = match constraint.parts.atoms[atom].relation {
                Relation::Equal => 0.0,
                Relation::Below | Relation::AtMost => -margin,
                Relation::Different | Relation::Unguided => continue,
            };
            if residual.is_finite() {
                rows.push(Row { constraint: at, atom, residual, target, slopes: Vec::new() });
            }
        }
        if rows.len() > MOST_ROWS {
            return None;
        }
    }
    (!rows.is_empty()).then_some(rows)
}

fn variables_of(evaluator: &ConstraintEvaluator<'_>, rows: &[Row]) -> Vec<usize> {
    let of = |row: &Row| evaluator.problem.constraints[row.constraint].variables.clone();
    let mut all: Vec<usize> = rows.iter().flat_map(of).collect();
    all.sort_unstable();
    all.dedup();
    all
}

fn differentiate(evaluator: &mut ConstraintEvaluator<'_>, scored: &ScoredPoint, variables: &[usize], rows: &mut [Row]) {
    let mut point = scored.point.clone();
    for &x in variables {
        let variable = evaluator.problem.variables[x];
        let number = variable.number(point[x]);
        let h = match variable.width {
            _ if !variable.is_float() => 1.0,
            32 => number.abs().max(1e-2) * 1e-3,
            _ => number.abs().max(1e-4) * 1e-7,
        };
        let bits = variable.bits(number + h);
        let run = variable.number(bits) - number;
        let old = std::mem::replace(&mut point[x], bits);
        for row in rows.iter_mut() {
            let known = evaluator.problem.constraints[row.constraint].variables.binary_search(&x).is_ok();
            let slope = if known && run != 0.0 {
                (evaluator.residual(row.constraint, row.atom, &point) - row.residual) / run
            } else {
                0.0
            };
            row.slopes.push(if slope.is_finite() { slope } else { 0.0 });
        }
        point[x] = old;
    }
}

/// The shortest change (by weight) with `slopes * change = target - residual`, damped.
fn shortest(rows: &[Row], weights: &[f64]) -> Option<Vec<f64>> {
    let count = rows.len();
    let squares: Vec<f64> = weights.iter().map(|w| w * w).collect();
    let product =
        |a: &Row, b: &Row| a.slopes.iter().zip(&b.slopes).zip(&squares).map(|((x, y), w)| x * y * w).sum::<f64>();
    let mut matrix: Vec<Vec<f64>> = Vec::with_capacity(count);
    for (i, a) in rows.iter().enumerate() {
        let mut line: Vec<f64> = rows.iter().map(|b| product(a, b)).collect();
        line[i] += line[i].abs() * 1e-13 + 1e-300;
        line.push(a.target - a.residual);
        matrix.push(line);
    }
    let multipliers = eliminate(matrix)?;
    let along = |x: usize| rows.iter().zip(&multipliers).map(|(row, y)| row.slopes[x] * y).sum::<f64>() * squares[x];
    let change: Vec<f64> = (0..weights.len()).map(along).collect();
    change.iter().all(|d| d.is_finite()).then_some(change)
}

/// Gaussian elimination with row pivoting; the last column is the right-hand side.
fn eliminate(mut matrix: Vec<Vec<f64>>) -> Option<Vec<f64>> {
    let count = matrix.len();
    for column in 0..count {
        let pivot = (column..count).max_by(|a, b| matrix[*a][column].abs().total_cmp(&matrix[*b][column].abs()))?;
        matrix.swap(column, pivot);
        let head = matrix[column][column];
        if head == 0.0 || !head.is_finite() {
            return None;
        }
        let (above, below) = matrix.split_at_mut(column + 1);
        for line in below {
            let factor = line[column] / head;
            if factor != 0.0 {
                for (entry, pivot) in line.iter_mut().zip(&above[column]).skip(column) {
                    *entry -= factor * pivot;
                }
            }
        }
    }
    let mut solution = vec![0.0; count];
    for line in (0..count).rev() {
        let known: f64 = (line + 1..count).map(|at| matrix[line][at] * solution[at]).sum();
        solution[line] = (matrix[line][count] - known) / matrix[line][line];
    }
    Some(solution)
}

fn moved(evaluator: &ConstraintEvaluator<'_>, from: &Point, variables: &[usize], change: &[f64], length: f64) -> Point {
    let mut point = from.clone();
    for (&x, d) in variables.iter().zip(change) {
        let variable = evaluator.problem.variables[x];
        if *d != 0.0 {
            point[x] = variable.bits(variable.number(from[x]) + d * length);
        }
    }
    point
}
