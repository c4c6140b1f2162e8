//! A point with its errors, kept up to date under small changes: only constraints whose variables changed are evaluated.

use crate::evaluate::ConstraintEvaluator;
use crate::evaluate::score::Metric;
use crate::problem::space::Point;

#[derive(Clone, Debug)]
pub(crate) struct ScoredPoint {
    pub point: Point,
    pub errors: Vec<f64>,
    pub total: f64,
    pub metric: Metric,
}

impl ScoredPoint {
    pub fn new(evaluator: &mut ConstraintEvaluator<'_>, point: Point, metric: Metric) -> ScoredPoint {
        let errors: Vec<f64> =
            (0..evaluator.problem.constraints.len()).map(|at| evaluator.error(at, &point, metric)).collect();
        let total = errors.iter().sum();
        ScoredPoint { point, errors, total, metric }
    }

    /// Another point, where only constraints over variables that differ are evaluated.
    pub fn moved(&self, evaluator: &mut ConstraintEvaluator<'_>, point: Point) -> ScoredPoint {
        let problem = evaluator.problem;
        let mut errors = self.errors.clone();
        for (at, constraint) in problem.constraints.iter().enumerate() {
            if constraint.variables.iter().any(|x| point[*x] != self.point[*x]) {
                errors[at] = evaluator.error(at, &point, self.metric);
            }
        }
        let total = errors.iter().sum();
        ScoredPoint { point, errors, total, metric: self.metric }
    }

    pub fn is_solution(&self) -> bool {
        self.total == 0.0
    }

    /// The total with one coordinate changed, without going there.
    pub fn total_with(&mut self, evaluator: &mut ConstraintEvaluator<'_>, x: usize, bits: u64) -> f64 {
        let old = std::mem::replace(&mut self.point[x], bits);
        let (mut lost, mut gained) = (0.0, 0.0);
        let problem = evaluator.problem;
        for &at in &problem.of_variable[x] {
            lost += self.errors[at];
            gained += evaluator.error(at, &self.point, self.metric);
        }
        self.point[x] = old;
        if gained == 0.0 {
            // Subtraction must not leave dust where there is no error.
            let others = (0..self.errors.len()).filter(|at| !problem.of_variable[x].contains(at));
            return others.map(|at| self.errors[at]).sum();
        }
        (self.total - lost).max(0.0) + gained
    }

    /// Changes one coordinate.
    pub fn set(&mut self, evaluator: &mut ConstraintEvaluator<'_>, x: usize, bits: u64) {
        self.point[x] = bits;
        let problem = evaluator.problem;
        for &at in &problem.of_variable[x] {
            self.errors[at] = evaluator.error(at, &self.point, self.metric);
        }
        self.total = self.errors.iter().sum();
    }

    /// The error of each variable: that of all constraints it takes part in.
    pub fn blame(&self, evaluator: &ConstraintEvaluator<'_>) -> Vec<f64> {
        evaluator.problem.of_variable.iter().map(|of| of.iter().map(|at| self.errors[*at]).sum()).collect()
    }

    /// The constraints that do not hold.
    pub fn broken(&self) -> Vec<usize> {
        (0..self.errors.len()).filter(|at| self.errors[*at] > 0.0).collect()
    }
}
